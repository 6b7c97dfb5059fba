"""Contenders made ready for one task: with a data set, and with rounds they have time for."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from .contenders import OURS, YARDSTICK, Contender, NotApplicableError, Settings
from .data import Part, Table
from .measure import OutOfTimeError, Timed, affordable_rounds, deadline, runs_in_turns, timed
from .tasks import Task

LEAST_PATIENCE = 30.0

SHARE_OF_OTHERS = 1 / 3
"""Of the limit, for contenders that no goal compares: some take a hundred times as long."""


@dataclass(frozen=True)
class Options:
    """How much time a run may take: `limit` seconds for a contender in a task, about."""

    n_threads: int = 1
    repeats: int = 5
    limit: float = 300.0
    quick: bool = False

    @property
    def patience(self) -> float:
        """Seconds after which a single step is given up; a first import alone takes some."""
        return max(self.limit, LEAST_PATIENCE)


@dataclass
class Row:
    """One contender's line: figures by the heading of their column."""

    contender: str
    figures: dict[str, float] = field(default_factory=dict)
    note: str = ""


@dataclass
class Entrant:
    """A contender with its data set, and with the rounds it has the time for."""

    contender: Contender
    settings: Settings
    part: Part
    data: Any
    notes: list[str] = field(default_factory=list)
    before: float = 0.0  # seconds of a fit before its first round, if it makes fewer than asked for
    wanted: int = 0  # rounds that were asked for

    @property
    def name(self) -> str:
        return self.contender.name

    def train(self) -> Timed:
        return timed(
            lambda: self.contender.train(self.data, self.settings), self.settings.n_threads
        )

    def seconds_per_round(self) -> float:
        """Of a fit with all rounds: what comes before them is spread over as many."""
        model, seconds = self.train()
        before = min(self.before, seconds)
        per_round = (seconds - before) / self.contender.n_rounds(model, self.settings)
        return per_round + before / max(self.wanted, 1)

    def seconds(self) -> float:
        return self.train().seconds

    def build_and_train(self) -> float:
        def fit() -> None:
            data = self.contender.build(self.part, self.settings)
            self.contender.train(data, self.settings)

        return timed(fit, self.settings.n_threads).seconds


def progress(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


class Field:
    """The contenders of one task, and the rows of those that cannot take part in it."""

    def __init__(
        self, task: Task, table: Table, contenders: Iterable[Contender], options: Options
    ) -> None:
        self.task, self.table, self.options = task, table, options
        self.contenders = list(contenders)
        self.rows: list[Row] = []
        self.n_runs: dict[str, int] = {}

    @property
    def test(self) -> Part:
        """Rows whose errors are counted."""
        return self.table.test.head(2_000 if self.options.quick else None)

    @property
    def target(self) -> float | None:
        return self.task.quick_target if self.options.quick else self.task.target

    def settings(self, rounds: int, n_threads: int | None = None) -> Settings:
        return Settings(
            rounds=rounds,
            depth=self.task.depth,
            n_classes=self.table.n_classes,
            n_threads=self.options.n_threads if n_threads is None else n_threads,
            rule=self.task.rule,
        )

    def enter(self, part: Part, settings: Settings, budget: float | None = None) -> list[Entrant]:
        """Build each data set and try one round, which tells how many rounds there is time for."""
        if budget is None:
            budget = self.options.limit / self.options.repeats
        entrants = []
        for contender in self.contenders:
            progress(f"  {contender.name}: building, one round")
            seconds = budget * share_of_time(contender.name)
            enter = partial(enter_one, contender, part, settings, seconds)
            if (entrant := self.attempt(contender.name, enter)) is not None:
                entrants.append(entrant)
        return entrants

    def attempt(self, name: str, action: Callable[[], Any]) -> Any:
        """Return what the action returns; a failure becomes a row, and the others go on."""
        try:
            with deadline(self.options.patience):
                return action()
        except (NotApplicableError, OutOfTimeError) as reason:
            self.give_up(name, str(reason))
        except Exception as problem:  # whatever another library may raise
            what = f"{type(problem).__name__}: {problem}".splitlines()[0][:120]
            self.give_up(name, f"failed: {what}")
        return None

    def give_up(self, name: str, reason: str) -> None:
        if name not in {row.contender for row in self.rows}:
            self.rows.append(Row(name, note=reason))

    def in_turns(self, *variants: dict[str, Callable[[], float]]) -> list[dict[str, float]]:
        """Medians of each variant by contender, of those that succeed in all of them."""
        progress(f"  {self.options.repeats} times in turns: {'; '.join(variants[0])}")
        actions = {
            (number, name): partial(self.attempt, name, action)
            for number, variant in enumerate(variants)
            for name, action in variant.items()
        }
        limit = self.options.limit / len(variants)
        runs = runs_in_turns(
            actions, self.options.repeats, lambda key: limit * share_of_time(key[1])
        )
        numbers = range(len(variants))
        names = [name for name in variants[0] if all((n, name) in runs for n in numbers)]
        self.n_runs |= {name: min(len(runs[n, name]) for n in numbers) for name in names}
        return [{name: statistics.median(runs[n, name]) for name in names} for n in numbers]

    def finish(self, rows: list[Row]) -> list[Row]:
        """Say in the notes whose median is of fewer runs than asked for."""
        for row in rows:
            n = self.n_runs.get(row.contender, self.options.repeats)
            if n < self.options.repeats:
                said = f"{n} of {self.options.repeats} runs, for time"
                row.note = f"{row.note}; {said}" if row.note else said
        return rows


def share_of_time(name: str) -> float:
    """Of the limit: all of it for the two between whom ratios are taken.

    >>> share_of_time("frugalboost"), share_of_time("LightGBM"), share_of_time("CatBoost") < 1
    (1.0, 1.0, True)
    """
    return 1.0 if name in (OURS, YARDSTICK) else SHARE_OF_OTHERS


def enter_one(contender: Contender, part: Part, settings: Settings, budget: float) -> Entrant:
    data = timed(lambda: contender.build(part, settings), settings.n_threads).result
    entrant = Entrant(contender, settings.with_rounds(1), part, data, contender.remarks(part))
    notes = entrant.notes
    first = entrant.seconds()
    rounds = settings.rounds
    before = 0.0
    if first * rounds > budget:
        before, one_round = cost(entrant, first, budget)
        rounds = affordable_rounds(before, one_round, rounds, budget)
        if not contender.builds_apart and rounds < settings.rounds and rounds * one_round < before:
            raise NotApplicableError(
                f"bins while training, which takes {before:.1f} s: no time to tell rounds from it"
            )
    if rounds < settings.rounds:
        notes.append(f"{rounds} of {settings.rounds} rounds, for time")
        if not contender.builds_apart:  # otherwise it is noise
            entrant.before = before
    entrant.settings, entrant.wanted = settings.with_rounds(rounds), settings.rounds
    return entrant


def cost(entrant: Entrant, first: float, budget: float) -> tuple[float, float]:
    """Seconds before the first round and seconds of each, from a fit of one and one of three.

    A library that bins while training, or that loads code in its first fit, is not charged for
    that in every round.
    """
    if first > budget and entrant.contender.builds_apart:  # there is no time to look closer
        return 0.0, first
    first = min(first, entrant.seconds())
    one_round = (replace_rounds(entrant, 3).seconds() - first) / 2
    return max(0.0, first - one_round), one_round


def replace_rounds(entrant: Entrant, rounds: int) -> Entrant:
    return replace(entrant, settings=entrant.settings.with_rounds(rounds))


def ratios(values: dict[str, float]) -> dict[str, float]:
    """Each value as a multiple of LightGBM's; empty when LightGBM is not there.

    >>> ratios({"frugalboost": 1.0, "LightGBM": 4.0})
    {'frugalboost': 0.25, 'LightGBM': 1.0}
    """
    base = values.get(YARDSTICK)
    return {name: value / base for name, value in values.items()} if base else {}
