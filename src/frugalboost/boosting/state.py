"""The state of a fit: what the next tree must fit, kept from round to round."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Rows
from frugalboost.data import BinnedDataset
from frugalboost.rules import Action, Rule, Verdict
from frugalboost.rules.weights import each_once, example_scaled, unit_scaled
from frugalboost.tree import (
    AnyProblem,
    FixedPoint,
    FlatTree,
    GrowingProblem,
    GrownTree,
    LogitProblem,
    ResidualProblem,
)


@dataclass
class TrainingData:
    """Binned rows with their labels (codes or targets) and weights."""

    dataset: BinnedDataset
    labels: AnyArray
    sample_weight: Floats

    @property
    def n_examples(self) -> float:
        """How many examples the rows count as, for smoothing."""
        return count_examples(self.sample_weight)

    @property
    def has_equal_weights(self) -> bool:
        weights = each_once(self.sample_weight)
        return bool((weights == weights[0]).all())


def count_examples(sample_weight: Floats) -> float:
    """How many examples rows of these weights count as.

    Weights above 1 count as repetitions. Normalised weights must not make a large table look
    like a single example, hence at least the number of rows.

    >>> count_examples(np.array([0.25, 0.75])), count_examples(np.array([1.0, 3.0]))
    (2.0, 4.0)
    """
    n_rows = float(len(sample_weight))
    if float(each_once(sample_weight).max()) <= 1.0:
        return n_rows  # no sum of them is larger
    return max(n_rows, float(sample_weight.sum()))


class BoostingState(Protocol):
    """What the loop needs between two trees."""

    def problem(self) -> AnyProblem:
        """The problem of the next tree; called once per round."""

    def advance(self, grown: GrownTree, verdict: Verdict) -> None:
        """Take a kept tree into account."""

    def replay(self, tree: FlatTree, nodes: AnyArray, verdict: Verdict) -> None:
        """Take a tree of an earlier fit into account; `nodes` are those the rows end in."""

    def restart(self) -> None:
        """Return to the state at the start of a fit."""


def make_state(
    data: TrainingData, rule: Rule, baseline: float, n_threads: int = 1
) -> BoostingState:
    """The kind of state that suits the rule."""
    if rule.logit_limits is not None:
        return LogitState(data, rule, rule.logit_limits, n_threads)
    if rule.tells_rise:
        return GrowingState(data.labels, data.sample_weight, rule, n_threads)
    if rule.fits_residuals and data.has_equal_weights:
        return ResidualState(data, baseline, n_threads)
    return RuleState(data, rule, baseline, n_threads)


class RuleState:
    """The rule's array; every round recomputes all weights."""

    def __init__(self, data: TrainingData, rule: Rule, baseline: float, n_threads: int) -> None:
        self._data, self._rule, self._baseline = data, rule, baseline
        self._n_threads = n_threads
        # Only ratios matter; scaling once here saves scaling in every round.
        self._weights = unit_scaled(data.sample_weight, n_threads)
        is_regression = rule.n_classes < 2
        self._labels = data.labels if is_regression else data.labels.astype(np.int64)
        self._codes: Rows | None = None  # made when first needed
        self._fixed = FixedPoint(n_threads)
        self.restart()

    def restart(self) -> None:
        self._array = self._rule.start(self._data.dataset.n_rows, self._baseline)

    def problem(self) -> AnyProblem:
        problem = self._rule.problem(self._array, self._labels, self._weights, self._n_threads)
        if problem.layout != "real" and self._codes is None:
            self._codes = self._labels.astype(np.uint32)
        return self._fixed.convert(problem, self._codes, self._rule.n_classes)

    def advance(self, grown: GrownTree, verdict: Verdict) -> None:
        self._advance(verdict, grown.leaf_of_row)

    def replay(self, tree: FlatTree, nodes: AnyArray, verdict: Verdict) -> None:
        self.problem()  # the scale of the weights depends on the rounds before
        self._advance(verdict, tree.leaf_number[nodes])

    def _advance(self, verdict: Verdict, leaf_of_row: AnyArray) -> None:
        self._rule.advance(self._array, verdict, leaf_of_row, self._labels, self._n_threads)


def class_codes(labels: AnyArray, n_classes: int) -> AnyArray:
    """Labels as the core takes them: for two classes bytes, without a copy if possible."""
    if n_classes > 2:
        return labels.astype(np.uint32)
    return labels.view(np.uint8) if labels.dtype == np.int8 else labels.astype(np.uint8)


class GrowingState:
    """Weights that a tree multiplies by leaf and label; the core changes only those it must."""

    def __init__(self, labels: AnyArray, sample_weight: Floats, rule: Rule, n_threads: int) -> None:
        codes = class_codes(labels, rule.n_classes)
        is_plain = bool((each_once(sample_weight) == 1.0).all())
        given = None if is_plain else sample_weight
        weights = native.GrowingWeights(codes, given, rule.n_classes, n_threads)
        self._rule = rule
        self._problem = GrowingProblem(weights, codes, rule.n_classes)

    def restart(self) -> None:
        self._problem.native.reset()

    def problem(self) -> GrowingProblem:
        return self._problem

    def advance(self, grown: GrownTree, verdict: Verdict) -> None:
        grown.raise_weights(self._problem, self._rise(verdict))

    def replay(self, tree: FlatTree, nodes: AnyArray, verdict: Verdict) -> None:
        rise = np.zeros((len(tree.is_leaf), self._rule.n_classes))
        rise[tree.is_leaf] = self._rise(verdict)
        self._problem.native.advance(rise, nodes.astype(np.int32, copy=False))

    def advance_by_leaf(self, leaf_of_row: AnyArray, verdict: Verdict) -> None:
        """Take a tree into account that the core did not grow."""
        self._problem.native.advance(self._rise(verdict), leaf_of_row.astype(np.int32, copy=False))

    def _rise(self, verdict: Verdict) -> Floats:
        rise = self._rule.rise(verdict)
        assert rise is not None  # the rule tells it, or this state would not have been chosen
        return rise


class LogitState:
    """Decisions and LogitBoost's targets; the core keeps both and makes one pass per round."""

    def __init__(
        self, data: TrainingData, rule: Rule, limits: tuple[float, float], n_threads: int
    ) -> None:
        codes = class_codes(data.labels, rule.n_classes)
        scales, shift = unit_scales(data.sample_weight)
        targets = native.LogitTargets(codes, scales, rule.n_classes, *limits, n_threads)
        self._problem = LogitProblem(targets, shift)

    def restart(self) -> None:
        self._problem.native.reset()

    def problem(self) -> AnyProblem:
        return self._problem

    def advance(self, grown: GrownTree, verdict: Verdict) -> None:
        grown.move_decisions(self._problem, verdict.step * verdict.values)

    def replay(self, tree: FlatTree, nodes: AnyArray, verdict: Verdict) -> None:
        values = verdict.step * tree.value
        self._problem.native.advance(values, nodes.astype(np.int32, copy=False))


def unit_scales(sample_weight: Floats) -> tuple[Floats | None, int]:
    """Weights of examples times a power of two, so that none is above 2, and its exponent.

    >>> unit_scales(np.ones(2)), unit_scales(np.array([1.0, 6.0]))
    ((None, 0), (array([0.25, 1.5 ]), 2))
    """
    if (each_once(sample_weight) == 1.0).all():
        return None, 0
    scales = example_scaled(sample_weight)
    shift = math.frexp(float(scales.max()))[1] - 1
    smallest = sys.float_info.min  # a row that weighs nothing would be in no leaf
    return np.maximum(np.ldexp(scales, -shift), smallest), shift


class ResidualState:
    """Residuals of equally weighted rows; the core subtracts the leaves' values from them."""

    def __init__(self, data: TrainingData, baseline: float, n_threads: int) -> None:
        targets = np.ascontiguousarray(data.labels, dtype=np.float64)
        self._problem = ResidualProblem(native.Residuals(targets, baseline, n_threads))

    def restart(self) -> None:
        self._problem.native.reset()

    def problem(self) -> AnyProblem:
        return self._problem

    def advance(self, grown: GrownTree, verdict: Verdict) -> None:
        grown.lower_residuals(self._problem, verdict.step * verdict.values[:, 0])

    def replay(self, tree: FlatTree, nodes: AnyArray, verdict: Verdict) -> None:
        values = verdict.step * tree.value[:, 0]
        self._problem.native.advance(values, nodes.astype(np.int32, copy=False))


def replayed(model: Any, data: TrainingData, leaves: AnyArray) -> Iterator[BoostingState]:
    """The state of a fit before each of its trees; `leaves` as `model.apply` returns them."""
    ensemble = model._ensemble
    state = make_state(data, model._rule, ensemble.baseline)
    for index, (tree, step) in enumerate(zip(ensemble.trees, ensemble.steps, strict=True)):
        if ensemble.restarts[index]:
            state.problem()
            state.restart()
        yield state
        verdict = Verdict(tree.value[tree.is_leaf], step, 0.0, Action.KEEP)
        state.replay(tree, leaves[:, index], verdict)
