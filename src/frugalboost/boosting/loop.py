"""The loop over rounds: the one place that counts them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Rows
from frugalboost.boosting.auto import AutoSearch
from frugalboost.boosting.ensemble import Ensemble
from frugalboost.boosting.ledger import Entry, Ledger
from frugalboost.boosting.stopping import EarlyStopping
from frugalboost.data import BinnedDataset
from frugalboost.rules import Action, Rule, Verdict
from frugalboost.tree import FixedPoint, FixedProblem, FlatTree, GrownTree, TreeGrower, TreePlan

OnRound = Callable[[int, Entry], None]


@dataclass
class TrainingData:
    """Binned rows with their labels (codes or targets) and weights."""

    dataset: BinnedDataset
    labels: AnyArray
    sample_weight: Floats

    @property
    def n_examples(self) -> float:
        """How many examples the rows are worth, for smoothing.

        Weights above 1 count as repetitions. Weights that someone has normalised must not make
        a large table look like a single example, hence at least the number of rows.
        """
        return max(float(len(self.sample_weight)), float(self.sample_weight.sum()))


class Booster:
    """State of a fit: the rule's array, the order of the rows, the scale of the weights."""

    def __init__(self, data: TrainingData, rule: Rule, plan: TreePlan, baseline: float) -> None:
        self._data = data
        self._rule = rule
        self._plan = plan
        self._baseline = baseline
        self._grower = TreeGrower(data.dataset, plan)
        self._codes = None if rule.n_classes < 2 else data.labels.astype(np.uint32)
        self._natural = np.arange(data.dataset.n_rows, dtype=np.uint32)
        self._order: Rows | None = None
        self._last_leaves: GrownTree | None = None
        self._fixed = FixedPoint()
        self._auto = AutoSearch(data.dataset.columns.read_share)
        self._restart()

    def replay(self, ensemble: Ensemble, leaves: AnyArray) -> None:
        """Bring the state to where it was after `ensemble` was fitted to the same rows.

        `leaves` are the nodes that the rows end in, (n, n_trees).
        """
        for tree, step, restarted, nodes in zip(
            ensemble.trees, ensemble.steps, ensemble.restarts, leaves.T, strict=True
        ):
            if restarted:
                self._problem()  # that of the tree which was dropped
                self._restart()
            self._problem()  # the scale of the weights depends on the rounds before
            number = np.cumsum(tree.is_leaf) - 1
            verdict = Verdict(tree.value[tree.is_leaf], step, 0.0, Action.KEEP)
            self._rule.advance(self._state, verdict, number[nodes], self._data.labels)
            self._is_fresh = False

    def round(self, *, is_first: bool) -> tuple[GrownTree, Verdict, str]:
        """Grow and judge one tree; the state moves on if the tree is kept."""
        problem = self._problem()
        search, rows = self._reading_order(problem)
        started = time.perf_counter()
        grown = self._grower.grow(problem, rows, search)
        self._auto.learn(search, time.perf_counter() - started)
        verdict = self._rule.judge(
            problem.leaf_sums(grown.sums, self._data.n_examples), is_first, self._is_fresh
        )
        if verdict.action is Action.DROP_AND_RESTART:
            self._restart()
        elif verdict.action is not Action.DROP_AND_STOP:
            self._rule.advance(self._state, verdict, grown.leaf_of_row, self._data.labels)
            self._is_fresh = False
        self._last_leaves = grown
        return grown, verdict, search

    def finish(self, grown: GrownTree, verdict: Verdict) -> FlatTree:
        return grown.with_values(verdict.values, self._data.dataset)

    def _restart(self) -> None:
        self._state = self._rule.start(self._data.dataset.n_rows, self._baseline)
        self._is_fresh = True

    def _problem(self) -> FixedProblem:
        problem = self._rule.problem(self._state, self._data.labels, self._data.sample_weight)
        return self._fixed.convert(problem, self._codes, self._rule.n_classes)

    def _reading_order(self, problem: FixedProblem) -> tuple[str, Rows]:
        """The search of this round, and the rows in the order it wants them."""
        search = self._plan.search
        if search == "auto":
            search = self._auto.choose(problem)
        if search == "exhaustive":
            return search, self._natural
        # After rounds without an order the last one is stale; merging then finds more runs.
        self._order = self._merged_order(problem)
        return search, self._order

    def _merged_order(self, problem: FixedProblem) -> Rows:
        if self._order is None or self._last_leaves is None:
            return np.argsort(-problem.mass, kind="stable").astype(np.uint32)
        leaves = self._last_leaves
        group = leaves.leaf_of_row.astype(np.int32)
        n_groups = len(leaves.sums)
        if self._codes is not None:
            group = group * self._rule.n_classes + self._codes.astype(np.int32)
            n_groups *= self._rule.n_classes
        return np.asarray(native.merge_by_mass(self._order, problem.mass, group, n_groups))


def boost(
    booster: Booster,
    ensemble: Ensemble,
    rule: Rule,
    n_rounds: int,
    *,
    stopping: EarlyStopping | None = None,
    on_round: OnRound | None = None,
) -> tuple[Ensemble, Ledger]:
    """Add up to `n_rounds` trees to `ensemble` and return it with what they cost."""
    ledger = Ledger()
    restarted = False
    dropped: Entry | None = None
    n_wanted = len(ensemble) + n_rounds
    # A dropped tree does not count; the first tree after a restart is kept or ends the loop.
    while len(ensemble) < n_wanted:
        started = time.perf_counter()
        grown, verdict, search = booster.round(is_first=len(ensemble) == 0)
        entry = Entry(
            grown.assessments,
            grown.reads,
            grown.full,
            time.perf_counter() - started,
            verdict.error,
            search,
            len(grown.sums),
        ).after(dropped)
        if verdict.action is Action.DROP_AND_STOP:
            break
        if verdict.action is Action.DROP_AND_RESTART:
            restarted, dropped = True, entry
            continue
        tree = booster.finish(grown, verdict)
        ensemble.append(tree, verdict.step, restarted=restarted)
        restarted, dropped = False, None
        ledger.append(entry)
        if on_round is not None:
            on_round(len(ensemble), entry)
        if verdict.action is Action.KEEP_AND_STOP:
            break
        if stopping is not None and stopping.watch(rule, tree, verdict.step):
            break
    return ensemble, ledger
