"""A boosting tandem: FilterBoost as the weak learner of boosting by majority, section 2.4."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from frugalboost._typing import Ints
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.filtering.checkpoint import Checkpoint
from frugalboost.filtering.checkpoint_checks import oracle_named
from frugalboost.filtering.fitting import FilterFit, FilterOutcome, filter_progress
from frugalboost.filtering.loop import FilterBooster, run
from frugalboost.filtering.majority import Majority
from frugalboost.filtering.reading import ORACLE_ERRORS, BatchReader, draw, reason_of
from frugalboost.filtering.scored_stream import ScoredStream
from frugalboost.filtering.stopping import (
    Certificate,
    Stopped,
    StopReason,
    most_rounds,
    round_confidence,
)
from frugalboost.filtering.tandem_checkpoint import TandemWriter, boosted, restore_members
from frugalboost.filtering.votes import COUNTED, ENDS, MajorityOracle, VoteForest
from frugalboost.streams import Oracle

RESTARTABLE = "oracle must be restartable: a tandem goes back to where each member stopped"


def check_restartable(oracle: Oracle) -> None:
    """Refuse an oracle of which it is known that it cannot go back, before it is drawn from."""
    if not getattr(oracle, "is_restartable", True):
        raise ValueError(
            f"{RESTARTABLE}; got {type(oracle).__name__} of a source that can be iterated only "
            "once. Use a function that returns a new one."
        )


def check_restarts(oracle: Oracle) -> None:
    """Refuse an oracle that cannot be restored to where it is, before the first member."""
    try:
        oracle.restore(oracle.state())
    except (*ORACLE_ERRORS, RuntimeError) as problem:
        raise ValueError(
            f"{RESTARTABLE}; got {type(oracle).__name__}, whose restore fails: "
            f"{reason_of(problem)}."
        ) from None


@dataclass(frozen=True)
class TandemFit:
    """What a tandem needs besides the oracle.

    Attributes
    ----------
    member : FilterFit
        Of every member, with its share of the failure probability.
    majority : Majority
    failure_probability : float
        Half of it is for the members, half for votes that are left out.
    """

    member: FilterFit
    majority: Majority
    failure_probability: float

    def confidence(self, i: int) -> float:
        return round_confidence(1.5 * self.failure_probability, i + 1)

    def certificate(self, tandem: Tandem, reason: StopReason) -> Certificate:
        """The bound on rounds is that of all members, by theorem 5 with the smallest edge.

        The rounds of a member that repeats a vote were run once.
        """
        plan, k = self.member.plan, self.majority.n_votes
        ledgers = [each.ledger for each in boosted(tandem.members)]
        edges = [abs(edge) for ledger in ledgers for edge in ledger.column("edge")]
        smallest = min(edges)
        bound = k * most_rounds(plan.target_error, smallest, budget=plan.rule.budget)
        return Certificate(
            plan.mode == "certified" and reason == "target",
            self.majority.target_error,
            self.failure_probability,
            plan.edge_tolerance,
            len(edges),
            tandem.stream.n_used,
            float(smallest),
            float(bound),
            reason,
        )


@dataclass
class Tandem:
    """A run: the stream, with the votes so far, and the members.

    Attributes
    ----------
    fit : TandemFit
    stream : ScoredStream
        Of the user's oracle; its forest is a `VoteForest`.
    members : list of FilterOutcome
    counts : list of arrays
        After each member: examples by the number of votes for the second class and by label.
    used : list of int
        Examples drawn until then.
    ended : why no member can follow, if the examples have ended
    """

    fit: TandemFit
    stream: ScoredStream
    members: list[FilterOutcome] = field(default_factory=list)
    counts: list[Ints] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    ended: StopReason | None = None

    def start(
        self, ensemble: Ensemble | None = None, ledger: Ledger | None = None
    ) -> tuple[FilterBooster, MajorityOracle]:
        """Return the run of the next member, from its beginning or with these trees."""
        fit, i = self.fit, len(self.members)
        oracle = MajorityOracle(self.stream, fit.majority, fit.confidence(i))
        reader = BatchReader(self.stream.reader.schema, np.arange(2), is_encoded=True)
        setting = replace(fit.member, seed=fit.member.seed + 2 + i)
        inner = replace(setting, max_examples=None).stream(oracle, reader)
        trees = ensemble or Ensemble(reader.schema.n_features, 1)
        return FilterBooster(fit.member.plan, inner, trees, ledger or Ledger()), oracle

    def finish(self, booster: FilterBooster, oracle: MajorityOracle, reason: StopReason) -> None:
        """Take the member in; a member that could not begin repeats the vote before.

        For a member, the stream has ended if hardly any examples are left open: its vote counts,
        but it has not reached its own target.
        """
        if reason != "stream":
            self._give_back(booster, oracle)
        why = why_cut_short(oracle, reason)
        try:
            if why in ENDS:
                raise Stopped(why)
            self.take_in(self._outcome(booster, reason))
            self.counts.append(self._count())
            self.used.append(self.stream.n_used)
        except Stopped as stopped:
            self.ended = stopped.reason
            self._leave_out_the_last(booster, why)

    def _outcome(self, booster: FilterBooster, reason: StopReason) -> FilterOutcome:
        if len(booster.ensemble):
            return FilterOutcome.of_run(booster, reason, booster.stream.n_used)
        return self.repeated(reason)

    def repeated(self, reason: StopReason) -> FilterOutcome:
        """The last member once more: the same trees, but it ended for a reason of its own."""
        last, plan = self.members[-1], self.fit.member.plan
        return FilterOutcome.of(
            plan, last.ensemble, last.ledger, last.schema, last.n_examples, reason
        )

    def _leave_out_the_last(self, booster: FilterBooster, reason: StopReason) -> None:
        """A member that the end of the examples cut short has no vote, unless it is the first."""
        del self.members[len(self.counts) :]
        if not self.members:
            self.members.append(FilterOutcome.of_run(booster, reason, booster.stream.n_used))
            self.counts.append(np.zeros((2, 2), dtype=np.int64))
            self.used.append(self.stream.n_used)

    def take_in(self, member: FilterOutcome) -> None:
        self.members.append(member)
        forest = self.stream.forest
        assert isinstance(forest, VoteForest)
        forest.add(member.ensemble)

    def _give_back(self, booster: FilterBooster, oracle: MajorityOracle) -> None:
        """Go back to the last example that the member used: the next ones do not depend on the
        size of its chunks."""
        state = booster.stream.state()
        oracle.restore(state["oracle"])
        if state["at"]:
            draw(oracle, state["at"])

    def _count(self) -> Ints:
        """Examples by the number of votes for the second class, and by label."""
        examples = self.stream.take(COUNTED)
        n = len(self.members)
        votes = ((examples.scores[:, 0] + n) / 2).astype(np.int64)
        counts = np.bincount(2 * votes + examples.labels, minlength=2 * (n + 1))
        return counts.reshape(n + 1, 2)

    def is_over(self) -> bool:
        return len(self.members) == self.fit.majority.n_votes or self.ended is not None


def resumed(tandem: Tandem, saved: Checkpoint, path: Any) -> tuple[FilterBooster, MajorityOracle]:
    """Return the run of the member in a checkpoint that had not ended."""
    booster, open_examples = tandem.start(*restore_members(tandem, saved))
    oracle = tandem.stream.oracle
    with oracle_named(path):
        oracle.restore(saved.stream["oracle"]["stream"]["oracle"])
    check_restarts(oracle)
    # Each restore of the oracle may read all examples so far once more.
    open_examples.go_on(saved.stream["oracle"])
    booster.stream.go_on(saved.stream)
    return booster, open_examples


def run_tandem(
    tandem: Tandem,
    resumed: tuple[FilterBooster, MajorityOracle] | None = None,
    keeper: TandemWriter | None = None,
) -> StopReason:
    """Run member after member, and say why there are no more."""
    fit = tandem.fit
    while not tandem.is_over():
        booster, oracle = resumed or tandem.start()
        resumed = None
        title = f"{fit.member.title}: {len(tandem.members) + 1} of {fit.majority.n_votes}"
        rounds = fit.member.plan.max_rounds
        with filter_progress(fit.member.verbose, rounds, booster, title) as on_round:
            if keeper is not None:
                keeper.begin(booster)
            reason = run(booster, on_round=on_round, keep=keeper)
        if not tandem.members and not len(booster.ensemble):
            why = why_cut_short(oracle, reason)
            raise ValueError(fit.member.no_round(why, tandem.stream.n_used))
        n_before = len(tandem.members)
        tandem.finish(booster, oracle, reason)
        if keeper is not None and tandem.is_over():
            keeper.write_last(booster, n_before)
    return why_ended(tandem)


def why_cut_short(oracle: MajorityOracle, reason: StopReason) -> StopReason:
    """Why the examples of a member ended, if that is what ended it."""
    return oracle.ended or reason if reason == "stream" else reason


def why_ended(tandem: Tandem) -> StopReason:
    """Reached if all have voted, each with its target reached or with hardly any examples left."""
    reached = ("target", "stream")
    missed = [each.reason for each in tandem.members if each.reason not in reached]
    return tandem.ended or (missed[0] if missed else "target")


def probabilities_of(counts: Ints) -> Any:
    """Probability of the second class by the sum of votes, from labels counted.

    The side with more votes is likelier by half an example at least, as it is what is predicted.

    >>> probabilities_of(np.array([[6, 2], [1, 8]])).round(3)
    array([0.3  , 0.818])
    """
    n = len(counts) - 1
    is_second = 2 * np.arange(n + 1) > n
    total = counts.sum(axis=1)
    own = np.where(is_second, counts[:, 1], counts[:, 0]) + 1
    share = np.maximum(own, total / 2 + 1.5) / (total + 2)
    return np.where(is_second, share, 1 - share)
