"""The loop that draws its examples: the filter, its certificate, and the rounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
import numpy as np
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.filtering.plan import FilterRule, draw_rivals
from frugalboost.filtering.certificate import Stopped
from frugalboost.filtering.scored_stream import LARGEST_CHUNK, Examples, Tap
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias
from frugalboost._typing import Bools
from frugalboost.boosting import Ensemble, Entry, Ledger
from frugalboost.boosting.loop import RoundWatcher
from frugalboost.filtering.weak_learner import adaptive_step, weighted_step
from frugalboost.filtering.weak_learner import Edge, adaptive_edge, weighted_edge
from frugalboost.filtering.weak_learner import WeakLearner
from frugalboost.filtering.plan import FilterRule
from frugalboost.filtering.certificate import Stopped, StopReason
from frugalboost.filtering.scored_stream import Examples, Tap
from frugalboost.tree import FlatTree, TreePlan


MARGIN = 1.25
"""Looks are this much longer than it takes on average to find what is missing."""


MOST = 2.0**62


def round_confidence(failure_probability: float, t: int) -> float:
    """The paper's ``delta_t = delta / (3 t (t + 1))``, t from 1.

    >>> round_confidence(0.06, 1)
    0.01
    """
    return failure_probability / (3 * t * (t + 1))


def most_rejections(call: Ints, confidence: float, target_error: float) -> Ints:
    """Rejections in the r-th call, r from 1, after which theorem 4 ends the run.

    The smallest integer that is at least ``2 / eps * ln(1 / delta')`` with
    ``delta' = delta_t / (r (r + 1))``.

    >>> most_rejections(np.array([1, 2]), confidence=0.01, target_error=0.1)
    array([106, 128])
    """
    r = call.astype(np.float64)
    logs = np.log(r * (r + 1)) - math.log(confidence)
    # What an integer cannot hold would wrap round to a limit that is reached at once.
    return np.minimum(np.ceil(2 / target_error * logs), MOST).astype(np.int64)


@dataclass
class Sample:
    """Accepted examples, with the class that each is to be told from (see `draw_rivals`)."""

    X: AnyArray
    labels: Ints
    rivals: Ints

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, parts: list[Sample]) -> Sample:
        if len(parts) == 1:
            return parts[0]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in FIELDS))


FIELDS = ("X", "labels", "rivals")


class Filter:
    """The calls of one round; a call draws examples until one is accepted.

    An example is accepted if its coin is below ``q_t(x, y)``. Calls are made for many examples at
    a time: `look` finds the next accepted ones, `use` says how many of them are taken. Rows that
    were set aside are passed over, as if the data did not hold them.
    """

    def __init__(
        self,
        tap: Tap,
        rule: FilterRule,
        confidence: float,
        target_error: float,
        aside: Ints | None = None,
    ) -> None:
        self._tap, self._rule = tap, rule
        self._aside = None if aside is None else np.sort(aside)
        self._confidence, self._target_error = confidence, target_error
        self._rejected = 0  # in the present call
        self._ends: Ints = np.empty(0, dtype=np.int64)
        self.n_calls = self.n_drawn = 0
        self.rate = 0.5

    def take(self, n: int) -> Sample:
        """The examples of n calls."""
        parts: list[Sample] = []
        missing = n
        while missing:
            parts.append(self.look(missing))
            self.use(len(parts[-1]))
            missing -= len(parts[-1])
        return Sample.of(parts)

    def look(self, n: int) -> Sample:
        """The examples of the next calls: at least one, at most n.

        Raises `Stopped` where a call rejects so many that the error is at most the target.
        """
        while True:
            wanted = math.ceil(MARGIN * n / self.rate) + 16
            looked = self._tap.look(min(wanted, LARGEST_CHUNK))
            places = self._places(looked)
            examples = looked if len(places) == len(looked) else looked[places]
            q = self._rule.accept(examples.scores, examples.labels)
            accepted = np.flatnonzero(examples.coins < q)
            self._note_rate(len(accepted), len(looked))
            accepted = self._within_limits(accepted, places)[:n]
            if len(accepted):
                self._ends = places[accepted] + 1
                return self._found(examples, accepted, q)
            self._draw(len(looked))
            self._rejected += len(examples)

    def use(self, n: int) -> None:
        """Take the first n of the examples last found."""
        if n:
            self._draw(int(self._ends[n - 1]))
            self.n_calls += n
            self._rejected = 0

    def _places(self, looked: Examples) -> Ints:
        """Where the examples stand that the filter may take."""
        if self._aside is None or looked.rows is None:
            return np.arange(len(looked))
        at = np.minimum(np.searchsorted(self._aside, looked.rows), len(self._aside) - 1)
        return np.flatnonzero(self._aside[at] != looked.rows)

    def _found(self, examples: Examples, accepted: Ints, q: Floats) -> Sample:
        # Given that it was accepted, a coin's share of q is uniform again.
        shares = examples.coins[accepted] / q[accepted]
        labels = examples.labels[accepted]
        rivals = draw_rivals(examples.scores[accepted], labels, shares)
        return Sample(examples.X[accepted], labels, rivals)

    def _within_limits(self, accepted: Ints, places: Ints) -> Ints:
        """The accepted examples before the first call that rejects too many."""
        # Rejections before each accepted example, and after the last one, in the present call too.
        rejections = np.diff(accepted, prepend=-1, append=len(places)) - 1
        rejections[0] += self._rejected
        calls = self.n_calls + 1 + np.arange(len(rejections))
        limits = most_rejections(calls, self._confidence, self._target_error)
        too_many = np.flatnonzero(rejections >= limits)
        if len(too_many) == 0:
            return accepted
        first = int(too_many[0])
        if first == 0:
            self._draw(int(places[int(limits[0]) - self._rejected - 1]) + 1)
            raise Stopped("target")
        return accepted[:first]

    def _draw(self, n: int) -> None:
        self._tap.use(n)
        self.n_drawn += n

    def _note_rate(self, n_accepted: int, n: int) -> None:
        """Guess how many examples the next look needs; what is accepted does not depend on it."""
        rate = (n_accepted + 1) / (n + 2)
        self.rate = max(rate if n >= 64 else (self.rate + rate) / 2, 1e-6)


Mode: TypeAlias = Literal["practical", "certified"]


@dataclass(frozen=True)
class FilterPlan:
    """Everything that a run needs to know besides the examples; all valid."""

    rule: FilterRule
    mode: Mode
    target_error: float
    failure_probability: float
    edge_tolerance: float
    sample_constant: float
    confidence_rated: bool
    max_rounds: int
    tree: TreePlan
    pruning_fraction: float | None
    max_bins: int

    def sample_size(self, t: int) -> int:
        """Examples to train on in round t, from 1: ``C ln(t + 1)``, at least 2."""
        return max(2, math.ceil(self.sample_constant * math.log(t + 1)))

    def learner(self, is_categorical: Bools) -> WeakLearner:
        return WeakLearner(
            self.tree,
            self.rule.n_classes,
            self.confidence_rated,
            self.pruning_fraction,
            self.max_bins,
            is_categorical,
        )


@dataclass(frozen=True)
class FilterEntry(Entry):
    """A round; besides what `Entry` has:

    Attributes
    ----------
    examples : int
        Drawn from the oracle.
    accepted : int
        Accepted by the filter.
    acceptance : float
        Share of the examples offered to the filter that it accepted: an estimate of ``p_t``.
    edge : float
        Of the tree, as estimated.
    error_bound : float
        ``2 p_t``, by the estimate: by theorem 2 the error is not larger.
    """

    examples: int = 0
    accepted: int = 0
    acceptance: float = math.nan
    edge: float = math.nan
    error_bound: float = math.nan


OnRound = Callable[[int, FilterEntry], None]


class FilterBooster:
    """One round after another; knows the tap, the trees so far and their scores."""

    def __init__(self, plan: FilterPlan, tap: Tap, ensemble: Ensemble, ledger: Ledger) -> None:
        self.plan, self.tap, self.ensemble, self.ledger = plan, tap, ensemble, ledger
        self._learner = plan.learner(tap.reader.schema.is_categorical)
        for tree, step in zip(ensemble.trees, ensemble.steps, strict=True):
            tap.chain.append(tree, step)

    def round(self) -> FilterEntry:
        """Draw, grow, weigh and keep one tree; `Stopped` leaves the trees as they are."""
        started = time.perf_counter()
        plan, t = self.plan, len(self.ensemble) + 1
        confidence = round_confidence(plan.failure_probability, t)
        before = self.tap.n_used
        weighing = self._draw_weighing(t)
        filter_ = self._filter(confidence, weighing)
        sample = filter_.take(plan.sample_size(t))
        tree, nodes = self._learner.fit(sample)
        edge, rate = self._edge(tree, filter_, confidence, weighing)
        self._keep(tree, edge)
        entry = FilterEntry(
            assessments=nodes.assessments,
            reads=nodes.reads,
            full=nodes.full,
            seconds=time.perf_counter() - started,
            error=0.5 - edge.edge,
            search="exhaustive",
            n_leaves=tree.n_leaves,
            examples=self.tap.n_used - before,
            accepted=filter_.n_calls,
            acceptance=rate,
            edge=edge.edge,
            error_bound=min(2 * rate, 1.0),
        )
        self.ledger.append(entry)
        return entry

    def _draw_weighing(self, t: int) -> Examples | None:
        """Practical mode: the examples that this round's tree is weighed on."""
        return None if self.plan.mode == "certified" else self.tap.take(self.plan.sample_size(t))

    def _filter(self, confidence: float, weighing: Examples | None) -> Filter:
        """The round's filter, which passes over the rows that the tree is weighed on.

        A table that is recycled may give them again while the filter waits for examples that are
        hard enough. Trees would then be weighed on rows that they know by heart, and with edges
        that are too large boosting overfits.
        """
        aside = None if weighing is None else weighing.rows
        if aside is not None and 2 * len(aside) > self.tap.n_rows:
            aside = None  # too few rows for a part of their own
        plan = self.plan
        return Filter(self.tap, plan.rule, confidence, plan.target_error, aside)

    def _edge(
        self, tree: FlatTree, filter_: Filter, confidence: float, weighing: Examples | None
    ) -> tuple[Edge, float]:
        plan = self.plan
        if weighing is not None:
            weigh = weighted_step if plan.confidence_rated else weighted_edge
            return weigh(tree, weighing, plan.rule)
        estimate = adaptive_step if plan.confidence_rated else adaptive_edge
        found = estimate(tree, filter_, confidence, plan.edge_tolerance)
        return found, filter_.n_calls / filter_.n_drawn

    def _keep(self, tree: FlatTree, edge: Edge) -> None:
        step = edge.step
        if step < 0:  # worse than chance: its contrary is better, and steps stay positive
            tree, step = replace(tree, value=-tree.value), -step
        self.ensemble.append(tree, step, restarted=False)
        self.tap.chain.append(tree, step)


def run(
    booster: FilterBooster,
    *,
    on_round: OnRound | None = None,
    keep: Callable[[FilterBooster], None] | None = None,
    watcher: RoundWatcher | None = None,
) -> StopReason:
    """Rounds until one cannot be finished or there are enough; `keep` is called between rounds."""
    while len(booster.ensemble) < booster.plan.max_rounds:
        if watcher is not None:
            watcher.begin()
        try:
            entry = booster.round()
        except Stopped as stopped:
            return stopped.reason
        if on_round is not None:
            on_round(len(booster.ensemble), entry)
        if keep is not None:
            keep(booster)
        if watcher is not None and watcher.end(booster.ensemble, booster.ledger):
            return "callback"
    return "rounds"
