"""LogitBoost (Friedman, Hastie, Tibshirani 2000): Newton steps on the logistic loss."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import logsumexp

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Rule, is_rounding, settle
from frugalboost.rules.codes import code_margin
from frugalboost.rules.links import sigmoid, symmetric
from frugalboost.rules.losses import logistic_loss, weighted_mean
from frugalboost.rules.problem import Layout, LeafSums, TreeProblem, Verdict
from frugalboost.rules.weights import SMALLEST_WEIGHT, logistic, unit_scaled

LARGEST_RESPONSE = 4.0
"""Friedman, Hastie and Tibshirani's z_max, which they put between 2 and 4: the furthest a single
row, hence a leaf, may ask to go in one round."""

SMALLEST_CURVATURE = sys.float_info.epsilon
"""``p (1 - p)`` once p is one rounding error away from 0 or 1: nearer is not told apart."""


@dataclass(frozen=True)
class LogitBoost(Rule):
    """A leaf says the sum of residuals over the sum of curvatures ``p (1 - p)``.

    `Verdict.error` is the mean square of what the leaves say: it falls to 0 as the fit converges.
    """

    name: ClassVar[str] = "logit"
    criteria: ClassVar[tuple[str, ...]] = ("variance",)
    default_learning_rate: ClassVar[float] = 0.1

    @property
    def layout(self) -> Layout:
        return "real"

    @property
    def state_is_per_class(self) -> bool:
        return self.n_classes > 2

    def problem(self, state: Floats, labels: AnyArray, sample_weight: Floats) -> TreeProblem:
        residual = self._residuals(state, labels)
        size = np.abs(residual)
        # size * (1 - size) is p (1 - p). Where that is too small for the row's own step to stay
        # within z_max it is raised: cutting the residual, as the paper does, bends the gradient.
        curvature = np.maximum(size * (1 - size), size / LARGEST_RESPONSE)
        np.maximum(curvature, SMALLEST_CURVATURE, out=curvature)
        scale = unit_scaled(sample_weight)[:, np.newaxis]
        return TreeProblem("real", np.maximum(scale * curvature, SMALLEST_WEIGHT), scale * residual)

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        weight, numerator = leaves.sums[:, 0], leaves.sums[:, 1]
        # Every row's response is within z_max, hence every mean; fixed point may round past it.
        response = np.clip(numerator / weight, -LARGEST_RESPONSE, LARGEST_RESPONSE)
        error = float((weight * response**2).sum() / weight.sum())
        return settle(
            self._symmetric(response),
            self.shrunk(1.0),
            error,
            useless=is_rounding(float(np.abs(response).max()), leaves.n_rows),
            perfect=False,
            is_first=is_first,
        )

    def advance(
        self, state: Floats, verdict: Verdict, leaf_of_row: AnyArray, labels: AnyArray
    ) -> None:
        state += (verdict.step * verdict.values)[leaf_of_row].reshape(state.shape)

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        if decision.ndim == 1:
            return weighted_mean(logistic_loss(code_margin(decision, labels)), sample_weight)
        own = decision[np.arange(len(decision)), labels]
        return weighted_mean(logsumexp(decision, axis=1) - own, sample_weight)

    def probabilities(self, decision: Floats) -> Floats:
        return sigmoid(decision, 1.0) if decision.ndim == 1 else symmetric(decision, 1.0)

    def _residuals(self, state: Floats, labels: AnyArray) -> Floats:
        """Label minus probability, (n, V): of the second class, or of every class."""
        if self.n_classes == 2:
            signs = 2 * labels - 1
            return np.asarray((signs * logistic(signs * state))[:, np.newaxis])
        residual = -self.probabilities(state)
        rows = np.arange(len(labels))
        # 1 - p as the sum of the others: the difference would be 0 from p = 1 - 1e-16 on.
        residual[rows, labels] = 0.0
        residual[rows, labels] = -residual.sum(axis=1)
        return residual

    def _symmetric(self, response: Floats) -> Floats:
        """Newton values of K classes, centred; each row's K curvatures count once too often."""
        if self.n_classes == 2:
            return response
        centred = response - response.mean(axis=1, keepdims=True)
        return np.asarray((self.n_classes - 1) / self.n_classes * centred)
