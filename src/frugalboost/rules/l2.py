"""L2Boost (Friedman 2001; Bühlmann, Yu 2003): least squares, for regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, Rule, settle
from frugalboost.rules.losses import weighted_mean
from frugalboost.rules.problem import Layout, LeafSums, TreeProblem, Verdict
from frugalboost.rules.weights import unit_scaled


@dataclass(frozen=True)
class L2Boost(Rule):
    """A leaf's value is the mean residual of its rows.

    `labels` are the targets and the state is the prediction, which starts at the baseline.
    `Verdict.error` is the mean square of the leaf values, by which a full step lowers the mean
    squared error. A tree that is 0 everywhere ends the boosting.
    """

    n_classes: int = 1
    learning_rate: float = 0.1

    name: ClassVar[str] = "l2"
    criteria: ClassVar[tuple[str, ...]] = ("variance",)
    default_learning_rate: ClassVar[float] = 0.1
    smallest_n_classes: ClassVar[int] = 1

    @property
    def layout(self) -> Layout:
        return "real"

    @property
    def fits_residuals(self) -> bool:
        return True

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        scales = unit_scaled(sample_weight, n_threads)
        return TreeProblem("real", *native.residual_rows(state, labels, scales, n_threads))

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        values, mean_square, largest = native.mean_values(leaves.telling)
        return settle(
            values,
            self.shrunk(1.0),
            mean_square,
            useless=largest == 0,
            perfect=False,
            is_first=is_first,
        )

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        return weighted_mean((labels - decision) ** 2, sample_weight)

    @property
    def link(self) -> Link:
        raise TypeError("L2Boost: probabilities need classes; this rule is for regression.")
