"""Figures 5 to 7 of Quick Boost: what a fit has cost when its error was so and so."""

from __future__ import annotations

from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost.reproduce.fits import area_over_roc, stages
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

POINTS = 40


def cost_curve(source: Source, model: Any) -> Result:
    """Fit; at some rounds, assessments of the search and of the exhaustive one, loss and error.

    One fit tells of both searches, since they find one model. The test error is the area over the
    ROC curve, as in the paper.
    """
    model.fit(source.binned, source.y_train)
    n = len(model.ledger_)
    at = np.unique(np.geomspace(1, n, min(POINTS, n)).round().astype(int)) - 1
    rule, codes = model._rule, source.codes
    ones = np.ones(len(codes))
    train = stages(model.staged_decision_function(source.X_train), at.tolist())
    test = stages(model.staged_decision_function(source.X_test), at.tolist())
    return {
        "n_trees": n,
        "digest": fb.digest(model),
        "rounds": (at + 1).tolist(),
        "quick": model.ledger_.assessments.cumsum()[at].tolist(),
        "slow": model.ledger_.full.cumsum()[at].tolist(),
        "train_loss": [float(rule.loss(codes, decision, ones)) for _, decision in train],
        "test_area": [area_over_roc(source.y_test, decision) for _, decision in test],
    }


def cost_to_reach(curve: Result, cost: str, error: float) -> float | None:
    """The least cost at which the test error is at most `error`."""
    for spent, area in zip(curve[cost], curve["test_area"], strict=True):
        if area <= error:
            return float(spent)
    return None


def error_within(curve: Result, cost: str, budget: float) -> float | None:
    """The least test error for at most `budget`; None where not even one tree can be paid."""
    areas = [a for c, a in zip(curve[cost], curve["test_area"], strict=True) if c <= budget]
    return min(areas) if areas else None
