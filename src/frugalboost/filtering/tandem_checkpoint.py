"""Checkpoints of a tandem: those of a run, with the members before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from frugalboost._typing import Ints
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.filtering.certificate import StopReason
from frugalboost.filtering.checkpoint import Checkpoint, CheckpointWriter
from frugalboost.filtering.checkpoint_checks import check_stream
from frugalboost.filtering.fitting import FilterOutcome
from frugalboost.filtering.loop import FilterBooster

if TYPE_CHECKING:
    from frugalboost.filtering.tandem import Tandem

SAVED = "tandem"
"""Where a checkpoint keeps what tells members apart."""


@dataclass
class TandemWriter(CheckpointWriter):
    """Writes the trees of all members, one after the other, those of the current one last.

    A member that repeats the vote before has none, and size 0.

    What the end of a run leaves out is kept, so that it can go on with more examples.
    """

    tandem: Tandem = field(kw_only=True)

    def begin(self, booster: FilterBooster) -> None:
        self._n_members = len(self.tandem.members)
        super().begin(booster)

    def write_last(self, booster: FilterBooster, n_members: int) -> None:
        """Write the last member as it was before it ended: it then ends again, in the same way."""
        self._n_members = n_members
        self.write(booster, None)

    def _checkpoint(self, booster: FilterBooster, finished: str | None) -> Checkpoint:
        members = self.tandem.members[: self._n_members]
        notes = {
            "sizes": [
                0 if repeats(members, i) else len(each.ensemble) for i, each in enumerate(members)
            ],
            "reasons": [each.reason for each in members],
            "examples": [each.n_examples for each in members],
            "used": self.tandem.used[: self._n_members],
            "counts": [counts.tolist() for counts in self.tandem.counts[: self._n_members]],
            "seed": self.tandem.fit.member.seed,
        }
        ledgers = [*(each.ledger for each in boosted(members)), booster.ledger]
        return Checkpoint(
            self.params,
            self.classes,
            self.tandem.stream.reader,
            joined_trees([*(each.ensemble for each in boosted(members)), booster.ensemble]),
            Ledger([entry for ledger in ledgers for entry in ledger.entries]),
            {**self._stream, SAVED: notes},
            finished,
        )


def repeats(members: list[FilterOutcome], i: int) -> bool:
    """Whether a member could not begin, and repeats the vote before."""
    return i > 0 and members[i].ensemble is members[i - 1].ensemble


def boosted(members: list[FilterOutcome]) -> list[FilterOutcome]:
    """The members that have trees of their own."""
    return [each for i, each in enumerate(members) if not repeats(members, i)]


def joined_trees(ensembles: list[Ensemble]) -> Ensemble:
    whole = Ensemble(ensembles[0].n_features, ensembles[0].n_outputs)
    for each in ensembles:
        for tree, step in zip(each.trees, each.steps, strict=True):
            whole.append(tree, step, restarted=False)
    return whole


def check_tandem(saved: Checkpoint) -> None:
    """Refuse what no tandem would write; a ValueError says what is wrong."""
    notes = saved.stream.get(SAVED)
    if not isinstance(notes, dict):
        raise ValueError("it is not of a tandem")
    lists: list[Any] = [
        notes.get(name) for name in ("sizes", "reasons", "examples", "counts", "used")
    ]
    sizes, reasons = lists[0], lists[1]
    if not all(isinstance(each, list) and len(each) == len(sizes) for each in lists):
        raise ValueError("its members are damaged")
    counted = [*sizes, *notes["examples"], *notes["used"], notes.get("seed")]
    if not all(type(each) is int and 0 <= each < 1 << 62 for each in counted):
        raise ValueError("its members must have a number of trees and of examples each")
    if sum(sizes) > len(saved.ensemble) or 0 in sizes[:1] or saved.ensemble.n_outputs != 1:
        raise ValueError("its members and its trees do not match")
    if not all(isinstance(each, str) and each in get_args(StopReason) for each in reasons):
        raise ValueError("its members must have ended for a known reason")
    for number, counts in enumerate(notes["counts"], 1):
        if not is_table(counts, number + 1):
            raise ValueError("its votes are not counted")
    check_stream(saved.stream["oracle"]["stream"])
    if type(saved.stream["oracle"]["calls"]) is not int:
        raise ValueError("its calls must be a number")


def is_table(counts: Any, n_rows: int) -> bool:
    is_list = isinstance(counts, list) and len(counts) == n_rows
    return is_list and all(
        isinstance(row, list) and len(row) == 2 and all(type(n) is int and n >= 0 for n in row)
        for row in counts
    )


def members_of(saved: Checkpoint) -> tuple[list[tuple[Ensemble, Ledger]], Ensemble, Ledger]:
    """Return the trees and rounds of each member that has ended, and of the current one."""
    sizes = saved.stream[SAVED]["sizes"]
    ends = np.cumsum([0, *sizes, len(saved.ensemble) - sum(sizes)]).tolist()
    parts = [part_of(saved, begin, end) for begin, end in pairwise(ends)]
    return parts[:-1], *parts[-1]


def part_of(saved: Checkpoint, begin: int, end: int) -> tuple[Ensemble, Ledger]:
    ensemble = Ensemble(saved.ensemble.n_features, saved.ensemble.n_outputs)
    trees, steps = saved.ensemble.trees[begin:end], saved.ensemble.steps[begin:end]
    for tree, step in zip(trees, steps, strict=True):
        ensemble.append(tree, step, restarted=False)
    return ensemble, Ledger(saved.ledger.entries[begin:end])


def restore_members(tandem: Tandem, saved: Checkpoint) -> tuple[Ensemble, Ledger]:
    """Take in the members that have ended; return what there is of the current one."""
    notes = saved.stream[SAVED]
    ended, ensemble, ledger = members_of(saved)
    tandem.used = list(notes["used"])
    schema, plan = saved.reader.schema, tandem.fit.member.plan
    for (trees, rounds), n, reason, counts in zip(
        ended, notes["examples"], notes["reasons"], notes["counts"], strict=True
    ):
        outcome = (
            FilterOutcome.of(plan, trees, rounds, schema, n, reason)
            if len(trees)
            else tandem.repeated(reason)
        )
        tandem.take_in(outcome)
        tandem.counts.append(as_counts(counts))
    return ensemble, ledger


def as_counts(counts: list[list[int]]) -> Ints:
    return np.array(counts, dtype=np.int64)
