"""LogitBoost (Friedman, Hastie, Tibshirani 2000): Newton steps on the logistic loss.

A fit keeps weights and residuals between rounds in the core (`cpp/core/rows/logit_targets.cpp`);
they equal what `LogitBoost.problem` returns.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import logsumexp

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, Rule, is_rounding, settle
from frugalboost.rules.codes import code_margin
from frugalboost.rules.held_out import squares_as_leaf
from frugalboost.rules.losses import logistic_loss, weighted_mean
from frugalboost.rules.problem import Layout, LeafSums, TreeProblem, Verdict
from frugalboost.rules.weights import by_row, example_scaled

LARGEST_RESPONSE = 4.0
"""Friedman, Hastie and Tibshirani's z_max, which they put between 2 and 4: the furthest that a
single row, and hence a leaf, may move in one round."""

PRIOR_ROWS = 4.0
"""Rows added to every leaf that have residual 0 and are undecided (p = 1 / K).

A Newton step divides by the curvature, which shrinks as rows become certain: a small leaf of
certain rows would take a long step on little evidence. This ridge is part of a leaf's value, not of
the criterion: the loss of a split must stay homogeneous. Chosen by measurement: docs/defaults.md.
"""

SMALLEST_CURVATURE = sys.float_info.epsilon
"""``p (1 - p)`` once p is one rounding error away from 0 or 1: closer values look the same."""


@dataclass(frozen=True)
class LogitBoost(Rule):
    """A leaf's value is the sum of residuals over the sum of curvatures ``p (1 - p)``, `PRIOR_ROWS`
    included.

    `Verdict.error` is the mean square of the leaves' Newton responses: it falls to 0 as the fit
    converges.
    """

    name: ClassVar[str] = "logit"
    criteria: ClassVar[tuple[str, ...]] = ("variance",)
    default_learning_rate: ClassVar[float] = 0.1

    @classmethod
    def auto_learning_rate(cls, n_classes: int) -> float:
        """``0.1 sqrt(K / 2)``: all classes share the leaves of one tree, so the more classes there
        are, the less of it each one gets.

        >>> LogitBoost.auto_learning_rate(2), LogitBoost.auto_learning_rate(8)
        (0.1, 0.2)
        """
        return cls.default_learning_rate * math.sqrt(n_classes / 2)

    @property
    def layout(self) -> Layout:
        return "real"

    @property
    def state_is_per_class(self) -> bool:
        return self.n_classes > 2

    @property
    def logit_limits(self) -> tuple[float, float]:
        return LARGEST_RESPONSE, SMALLEST_CURVATURE

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        weights, numerators = native.logit_rows(
            by_row(state),
            labels.astype(np.int64, copy=False),
            example_scaled(sample_weight),
            LARGEST_RESPONSE,
            SMALLEST_CURVATURE,
            n_threads,
        )
        return TreeProblem("real", weights, numerators)

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        if self.n_outputs == 1:
            values, error, largest = native.newton_values(
                leaves.telling, self._prior, LARGEST_RESPONSE
            )
        else:
            weight, response = leaves.telling[:, 0], self._response(leaves.telling)
            error = float((weight * response**2).sum() / weight.sum())
            largest = float(np.abs(response).max())
            values = self._symmetric(response)
        return settle(
            values,
            self.shrunk(1.0),
            error,
            useless=is_rounding(largest, leaves.n_rows),
            perfect=False,
            is_first=is_first,
        )

    def held_out_loss(self, growing: AnyArray, held: AnyArray, example: float) -> AnyArray:
        """As in `Rule`; here: least squares on the responses."""
        return squares_as_leaf(self._response(growing), held[:, 0], held[:, 1])

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        if decision.ndim == 1:
            return weighted_mean(logistic_loss(code_margin(decision, labels)), sample_weight)
        own = decision[np.arange(len(decision)), labels]
        return weighted_mean(logsumexp(decision, axis=1) - own, sample_weight)

    @property
    def link(self) -> Link:
        return Link("symmetric", 0.5 if self.n_classes == 2 else 1.0)

    @property
    def _prior(self) -> float:
        """Curvature of `PRIOR_ROWS`."""
        return PRIOR_ROWS * (self.n_classes - 1) / self.n_classes**2

    def _response(self, sums: Floats) -> Floats:
        """Newton step of each leaf or node and output.

        Every row's response is within z_max, hence every mean; fixed-point rounding may exceed it.
        """
        steps = sums[:, 1] / (sums[:, 0] + self._prior)
        return np.clip(steps, -LARGEST_RESPONSE, LARGEST_RESPONSE)

    def _symmetric(self, response: Floats) -> Floats:
        """Newton values of K classes, centred; one of a row's K curvatures is redundant."""
        centred = response - response.mean(axis=1, keepdims=True)
        return np.asarray((self.n_classes - 1) / self.n_classes * centred)
