"""Checkpoints of a tandem: those of a run, with the members before it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from frugalboost._typing import Ints
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.filtering.checkpoint import Checkpoint, CheckpointWriter, check_belongs
from frugalboost.filtering.checkpoint_checks import (
    TANDEM,
    check_count,
    check_stream,
    check_writer,
    damage_named,
    require,
)
from frugalboost.filtering.fitting import FilterFit, FilterOutcome, check_allowed
from frugalboost.filtering.loop import FilterBooster
from frugalboost.filtering.plan import SEED
from frugalboost.filtering.scored_stream import FILE
from frugalboost.filtering.stopping import most_rejections
from frugalboost.filtering.votes import COUNTED, ENDS

if TYPE_CHECKING:
    from frugalboost.filtering.tandem import Tandem, TandemFit


@dataclass
class TandemWriter(CheckpointWriter):
    """Writes the trees of all members, one after the other, those of the current one last.

    A member that repeats the vote before has none, and size 0.

    What the end of a run leaves out is kept, so that it can go on with more examples.
    """

    tandem: Tandem = field(kw_only=True)

    def begin(self, booster: FilterBooster) -> None:
        self._n_members = len(self.tandem.members)
        self._n_drawn = self.tandem.stream.n_used
        super().begin(booster)

    def __call__(self, booster: FilterBooster) -> None:
        self._n_drawn = self.tandem.stream.n_used
        super().__call__(booster)

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
            "drawn": self._n_drawn,
        }
        ledgers = [*(each.ledger for each in boosted(members)), booster.ledger]
        return Checkpoint(
            self.params,
            self.classes,
            self.tandem.stream.reader,
            joined_trees([*(each.ensemble for each in boosted(members)), booster.ensemble]),
            Ledger([entry for ledger in ledgers for entry in ledger.entries]),
            {**self._stream, TANDEM: notes},
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


OWN = "tandem_"
"""What the names of a tandem's own parameters begin with in its checkpoint."""


def own_params(**params: float) -> dict[str, float]:
    """Return them as they are named in a checkpoint, beside those of the members."""
    return {f"{OWN}{name}": value for name, value in params.items()}


def told_names(params: Iterable[str]) -> dict[str, str]:
    """Return what a user calls the parameters in a checkpoint: most are the members'."""
    return {
        name: name.removeprefix(OWN) if name.startswith(OWN) else f"{name} of the estimator"
        for name in params
        if name != SEED
    }


def member_as_in(saved: Checkpoint, member: FilterFit) -> FilterFit:
    """Return what the members of the run in a checkpoint continue with."""
    notes = saved.stream[TANDEM]
    check_allowed("max_examples of the estimator", member.max_examples, notes["drawn"])
    return replace(member, seed=notes["seed"], params=saved.params)


MEMBER_ENDS = ("target", "rounds", "edge", "stream")
"""Reasons for which a member ends that has a vote, others after it."""


def check_of_tandem(saved: Checkpoint, path: Any) -> None:
    """Refuse a checkpoint of anything else."""
    check_writer(saved.stream, "TandemBoostClassifier", path)
    labels = saved.classes.tolist()
    with damage_named(path):
        require(len(labels) == 2, "classes", "two labels", labels)


def check_tandem(saved: Checkpoint, fit: TandemFit) -> None:
    """Refuse what no tandem would write; a ValueError names the entry."""
    check_belongs(saved, fit.member.plan)
    check_position(saved.stream["oracle"])
    where, notes = f"tap.{TANDEM}", saved.stream[TANDEM]
    require(isinstance(notes, dict), where, "names and values", notes)
    for name in ("seed", "drawn"):
        check_count(notes.get(name), f"{where}.{name}", "a whole number")
    sizes, most = notes.get("sizes"), fit.majority.n_votes - 1
    is_short = isinstance(sizes, list) and len(sizes) <= most
    require(is_short, f"{where}.sizes", f"a list of at most {most} members", sizes)
    for name in ("reasons", "examples", "used", "counts"):
        is_whole = isinstance(notes.get(name), list) and len(notes[name]) == len(sizes)
        require(is_whole, f"{where}.{name}", f"a list of {len(sizes)} members", notes.get(name))
    for i in range(len(sizes)):
        check_member(notes, i, where, fit.member.plan.max_rounds)
    check_sums(saved, notes, where)
    check_rejections(saved.stream["oracle"], fit, len(sizes))


def check_member(notes: dict[str, Any], i: int, where: str, max_rounds: int) -> None:
    size, reason, counts = (notes[name][i] for name in ("sizes", "reasons", "counts"))
    least = 0 if i else 1  # only later members can repeat a vote
    trees = f"a number of trees from {least} to {max_rounds}"
    check_count(size, f"{where}.sizes[{i}]", trees, least, max_rounds)
    is_known = isinstance(reason, str) and reason in MEMBER_ENDS
    require(is_known, f"{where}.reasons[{i}]", f"one of {', '.join(MEMBER_ENDS)}", reason)
    check_count(notes["examples"][i], f"{where}.examples[{i}]", "a number of examples")
    before = notes["used"][i - 1] if i else 0
    number = f"a number of examples, at least {before}"
    check_count(notes["used"][i], f"{where}.used[{i}]", number, before)
    table = f"{i + 2} pairs of numbers whose sum is {COUNTED}"
    require(is_table(counts, i + 2), f"{where}.counts[{i}]", table, counts)


def check_sums(saved: Checkpoint, notes: dict[str, Any], where: str) -> None:
    """Check that the members belong to the trees, and their examples to the stream."""
    n_trees, n_used = len(saved.ensemble), saved.stream["oracle"]["stream"]["n_used"]
    sizes = notes["sizes"]
    require(sum(sizes) <= n_trees, f"{where}.sizes", f"at most {n_trees} together", sizes)
    last = notes["used"][-1] if sizes else 0
    require(last <= n_used, f"{where}.used", f"at most {n_used}", last)
    require(notes["drawn"] >= n_used, f"{where}.drawn", f"at least {n_used}", notes["drawn"])


def check_rejections(state: dict[str, Any], fit: TandemFit, i: int) -> None:
    """After so many rejections in one call, the filter of member i would have ended the run."""
    rule, least = fit.majority.rule(i), fit.majority.least_acceptance(i)
    call = np.array([state["calls"] + 1])
    most = int(most_rejections(call, fit.confidence(i), least, rule.error_factor)[0]) - 1
    number = f"a number of rejections up to {most}"
    check_count(state["rejected"], "tap.oracle.rejected", number, high=most)


def check_position(open_examples: Any) -> None:
    """Check where the current member is in the examples that are left open."""
    where, state = "tap.oracle", open_examples
    require(isinstance(state, dict), where, "names and values", state)
    inner = state.get("stream")
    require(isinstance(inner, dict), f"{where}.stream", "names and values", inner)
    check_stream(inner, f"{where}.stream")
    for name in ("calls", "rejected"):
        check_count(state.get(name), f"{where}.{name}", "a whole number")
    require("ended" in state, f"{where}.ended", "an entry of the oracle", None)
    ended = state["ended"]
    is_known = ended is None or (isinstance(ended, str) and ended in ("target", *ENDS))
    require(is_known, f"{where}.ended", "None, target, examples or stream", ended)


def is_table(counts: Any, n_rows: int) -> bool:
    """Whether it is the votes of `COUNTED` examples by label."""
    if not (isinstance(counts, list) and len(counts) == n_rows):
        return False
    if not all(isinstance(row, list) and len(row) == 2 for row in counts):
        return False
    numbers = [n for row in counts for n in row]
    return all(type(n) is int and n >= 0 for n in numbers) and sum(numbers) == COUNTED


def members_of(saved: Checkpoint) -> tuple[list[tuple[Ensemble, Ledger]], Ensemble, Ledger]:
    """Return the trees and rounds of each member that has ended, and of the current one."""
    sizes = saved.stream[TANDEM]["sizes"]
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
    notes = saved.stream[TANDEM]
    ended, ensemble, ledger = members_of(saved)
    tandem.used = list(notes["used"])
    tandem.stream.file = saved.stream[FILE]
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
