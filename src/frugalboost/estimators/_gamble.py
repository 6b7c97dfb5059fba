"""The plan of GAMBLE: rule "gentle", on the paper's scale also for two classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from frugalboost._checks import check_int, check_real
from frugalboost.estimators._params import FitPlan, optional_int


def make_plan(estimator: Any, n_classes: int) -> FitPlan:
    """Check the parameters; none of them is ``"auto"`` but the search."""
    owner = type(estimator).__name__
    check_real(
        estimator.learning_rate, name="learning_rate", owner=owner, low=0.0, closed="neither"
    )
    optional_int(estimator.max_leaf_nodes, "max_leaf_nodes", owner, low=2)
    check_int(estimator.min_samples_leaf, name="min_samples_leaf", owner=owner, low=1)
    plan = FitPlan.from_params(estimator, "gentle", n_classes, owner)
    if n_classes > 2:
        return plan
    # For two classes the rule's leaves say g, as Gentle AdaBoost's do. GAMBLE's say f = 2 g: the
    # diagonal of the Hessian holds half of the curvature along (-1, 1), so steps are twice as long.
    return replace(plan, rule=replace(plan.rule, learning_rate=2 * plan.rule.learning_rate))
