"""The loop that draws its examples: the filter, its certificate, and the rounds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from frugalboost.boosting import Ensemble, Entry, Ledger
from frugalboost.boosting.loop import RoundWatcher
from frugalboost.filtering.filter import Filter
from frugalboost.filtering.plan import FilterPlan
from frugalboost.filtering.scored_stream import Examples, ScoredStream
from frugalboost.filtering.stopping import Stopped, StopReason, round_confidence
from frugalboost.filtering.weak_learner import (
    Edge,
    adaptive_edge,
    adaptive_step,
    weighted_edge,
    weighted_step,
)
from frugalboost.tree import FlatTree


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
        Estimated edge of the tree.
    error_bound : float
        ``2 p_t``, by this estimate, or ``p_t`` for MadaBoost: by theorem 2, the error is at most
        that.
    """

    examples: int = 0
    accepted: int = 0
    acceptance: float = math.nan
    edge: float = math.nan
    error_bound: float = math.nan


OnRound = Callable[[int, FilterEntry], None]


class FilterBooster:
    """Runs one round after another; holds the stream, the trees so far and their scores."""

    def __init__(
        self, plan: FilterPlan, stream: ScoredStream, ensemble: Ensemble, ledger: Ledger
    ) -> None:
        self.plan, self.stream, self.ensemble, self.ledger = plan, stream, ensemble, ledger
        self._learner = plan.learner(stream.reader.schema.is_categorical)
        for tree, step in zip(ensemble.trees, ensemble.steps, strict=True):
            stream.forest.append(tree, step)

    def round(self) -> FilterEntry:
        """Draw examples, grow, weigh and keep one tree; `Stopped` leaves the trees as they are."""
        started = time.perf_counter()
        plan, t = self.plan, len(self.ensemble) + 1
        confidence = round_confidence(plan.failure_probability, t)
        before = self.stream.n_used
        weighing = self._draw_weighing(t)
        filter_ = self._filter(confidence, weighing)
        take = filter_.take_weighted if plan.training == "weighted" else filter_.take
        sample = take(plan.sample_size(t))
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
            scans=nodes.scans,
            full_scans=nodes.full_scans,
            examples=self.stream.n_used - before,
            accepted=filter_.n_calls,
            acceptance=rate,
            edge=edge.edge,
            error_bound=min(plan.rule.error_factor * rate, 1.0),
        )
        self.ledger.append(entry)
        return entry

    def _draw_weighing(self, t: int) -> Examples | None:
        """In practical mode, return the examples that this round's tree is weighed on."""
        return None if self.plan.mode == "certified" else self.stream.take(self.plan.sample_size(t))

    def _filter(self, confidence: float, weighing: Examples | None) -> Filter:
        """Return the round's filter, which skips the rows that the tree is weighed on.

        A recycled table may return them while the filter waits for examples that are hard enough.
        Trees would then be weighed on rows that they were grown on, and with edges that are too
        large, boosting overfits.
        """
        aside = None if weighing is None else weighing.rows
        if aside is not None and 2 * len(aside) > self.stream.n_rows:
            aside = None  # too few rows to set some aside
        plan = self.plan
        return Filter(self.stream, plan.rule, confidence, plan.target_error, aside)

    def _edge(
        self, tree: FlatTree, filter_: Filter, confidence: float, weighing: Examples | None
    ) -> tuple[Edge, float]:
        plan = self.plan
        if weighing is not None:
            weigh = weighted_step if plan.confidence_rated else weighted_edge
            edge, rate = weigh(tree, weighing, plan.rule)
            return (edge._replace(step=1.0) if plan.unit_step else edge), rate
        estimate = adaptive_step if plan.confidence_rated else adaptive_edge
        edge = estimate(tree, filter_, confidence, plan.edge_tolerance)
        return edge, filter_.n_calls / filter_.n_drawn

    def _keep(self, tree: FlatTree, edge: Edge) -> None:
        step = edge.step
        if step < 0:  # worse than chance: its negation is better, and steps stay positive
            tree, step = replace(tree, value=-tree.value), -step
        self.ensemble.append(tree, step, restarted=False)
        self.stream.forest.append(tree, step)


def run(
    booster: FilterBooster,
    *,
    on_round: OnRound | None = None,
    keep: Callable[[FilterBooster], None] | None = None,
    watcher: RoundWatcher | None = None,
) -> StopReason:
    """Run rounds until one cannot be finished or there are enough; `keep` is called after each."""
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
