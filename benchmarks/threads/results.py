"""What was measured, and the file that keeps it."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Cell:
    """All runs of one task with one number of threads; `theirs` is empty without LightGBM."""

    threads: int
    ours: list[float]
    theirs: list[float]
    digest: str

    @property
    def our_median(self) -> float:
        return statistics.median(self.ours)

    @property
    def their_median(self) -> float | None:
        return statistics.median(self.theirs) if self.theirs else None


@dataclass
class Outcome:
    """The cells of one task by number of threads, or why there are none (`absent`)."""

    name: str
    title: str
    unit: str
    about: str = ""
    absent: str = ""
    cells: list[Cell] = field(default_factory=list)

    def cell(self, n_threads: int) -> Cell | None:
        return next((cell for cell in self.cells if cell.threads == n_threads), None)

    def add(self, cell: Cell) -> None:
        """Raise `DigestError` if the digest is not that of other numbers of threads."""
        for other in self.cells:
            check_digest(self.title, f"{other.threads} threads", other.digest, cell)
        self.cells = sorted([*self.cells, cell], key=lambda each: each.threads)


class DigestError(Exception):
    """The model depends on the number of threads, which it must not."""


def check_digest(title: str, whose: str, digest: str, cell: Cell) -> None:
    if cell.digest != digest:
        raise DigestError(
            f"{title}: the digest with {cell.threads} threads is {cell.digest}, "
            f"that of {whose} {digest}."
        )


@dataclass
class Results:
    """A file's content. What `conditions` returns must be the same for all that is in one file."""

    machine: dict[str, Any]
    versions: dict[str, str | None]
    quick: bool
    outcomes: list[Outcome] = field(default_factory=list)

    def conditions(self) -> dict[str, Any]:
        about = {key: self.machine.get(key) for key in ("processor", "cores")}
        return about | self.versions | {"quick": self.quick}

    def outcome(self, name: str) -> Outcome | None:
        return next((each for each in self.outcomes if each.name == name), None)

    def put(self, outcome: Outcome) -> None:
        """Add an outcome, in place of an earlier one of the same task."""
        if (earlier := self.outcome(outcome.name)) is not None:
            self.outcomes[self.outcomes.index(earlier)] = outcome
        else:
            self.outcomes.append(outcome)

    def sort(self, rank: Callable[[str], int]) -> None:
        self.outcomes.sort(key=lambda outcome: rank(outcome.name))

    def write(self, path: Path) -> None:
        """Whole or not at all: a run may be stopped at any time."""
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        beside.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")
        beside.replace(path)


def read(path: Path) -> Results:
    content = json.loads(path.read_text(encoding="utf-8"))
    outcomes = [
        Outcome(**{**each, "cells": [Cell(**cell) for cell in each["cells"]]})
        for each in content.pop("outcomes")
    ]
    return Results(**content, outcomes=outcomes)
