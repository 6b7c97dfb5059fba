"""Figures 5 to 7: what fits cost with the quick search and without, and how good they become."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import roc_auc_score

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats
from frugalboost.data import BinnedDataset
from frugalboost.reproduce.fits import stages
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

POINTS = 100
"""Rounds of a cost curve."""
SEARCHES = ("exhaustive", "quick", "adaptive", "auto")


def cost_curve(source: Source, model: Any) -> Result:
    """Fit; at some rounds, operations of the search and of the exhaustive one, loss and error.

    One fit tells of both searches, since they find one model. The test error is the area over the
    ROC curve, as in the paper.
    """
    model.fit(source.binned, source.y_train)
    at = looks(len(model.ledger_)) - 1
    return {
        "n_trees": len(model.ledger_),
        "digest": fb.digest(model),
        "rounds": (at + 1).tolist(),
        **{name: costs.cumsum()[at].tolist() for name, costs in round_costs(model).items()},
        **errors_of_stages(
            source,
            model._rule,
            at,
            model.staged_decision_function(source.X_train),
            model.staged_decision_function(source.X_test),
        ),
    }


def looks(n_rounds: int) -> AnyArray:
    """Rounds to look at, in even ratios.

    >>> looks(8).tolist()
    [1, 2, 3, 4, 6, 8]
    """
    return np.unique(np.geomspace(1, n_rounds, min(POINTS, n_rounds)).round().astype(int))


def round_costs(model: Any) -> dict[str, AnyArray]:
    """By round: assessments and codes gone through, of the search and of the exhaustive one."""
    ledger = model.ledger_
    return {
        "quick": ledger.assessments,
        "slow": ledger.full,
        "quick_scans": ledger.scans,
        "slow_scans": ledger.full_scans,
    }


def errors_of_stages(
    source: Source, rule: Any, at: AnyArray, train: Any, test: Any
) -> dict[str, list[float]]:
    """Training loss and area over the ROC curve after some of the trees, numbered from 0."""
    codes = source.codes
    ones = np.ones(len(codes))
    chosen = at.tolist()
    return {
        "train_loss": [float(rule.loss(codes, each, ones)) for _, each in stages(train, chosen)],
        "test_area": [area_over_roc(source.y_test, each) for _, each in stages(test, chosen)],
    }


def area_over_roc(y: AnyArray, decision: Floats) -> float:
    """One minus the area under the ROC curve; the mean over one class against the rest."""
    if decision.ndim == 1:
        return 1.0 - float(roc_auc_score(y, decision))
    classes = np.unique(y)
    areas = [roc_auc_score(y == c, decision[:, k]) for k, c in enumerate(classes)]
    return 1.0 - float(np.mean(areas))


def slow_model(source: Source, model: Any) -> Result:
    """The model that the exhaustive search finds, to be compared with the quick one's."""
    model.fit(source.binned, source.y_train)
    return {"n_trees": len(model.ledger_), "digest": fb.digest(model)}


def time_pair(source: Source, model: Any, repeats: int) -> Result:
    """Fit with each search; with the exhaustive one and auto several times, in turns.

    Seconds are medians of whole fits.
    """
    fits = {search: fit_once(source, model, search) for search in SEARCHES}
    again = {search: [fits[search]["seconds"]] for search in ("exhaustive", "auto")}
    for _ in range(repeats - 1):
        for search, seconds in again.items():
            seconds.append(fit_once(source, model, search)["seconds"])
    for search, seconds in again.items():
        fits[search]["seconds"] = float(np.median(seconds))
    return fits


def fit_once(source: Source, model: Any, search: str) -> Result:
    fitted = clone(model).set_params(search=search).fit(source.binned, source.y_train)
    ledger = fitted.ledger_
    return {
        "digest": fb.digest(fitted),
        "n_trees": len(ledger),
        "seconds": ledger.total("seconds"),
        "assessments": ledger.total("assessments"),
        "reads": ledger.total("reads"),
        "full": ledger.total("full"),
    }


def error_by_bins(source: Source, model: Any, max_bins: int) -> Result:
    """Section 3.1: what a number of bins does to the error."""
    binned = BinnedDataset.from_data(source.X_train, max_bins=max_bins)
    return {"most_bins": int(binned.n_bins.max()), **end_of_fit(source, model, binned)}


def end_of_fit(source: Source, model: Any, binned: BinnedDataset | None = None) -> Result:
    """Loss and error after all trees."""
    model.fit(source.binned if binned is None else binned, source.y_train)
    ends = errors_of_stages(
        source,
        model._rule,
        np.array([len(model.ledger_) - 1]),
        model.staged_decision_function(source.X_train),
        model.staged_decision_function(source.X_test),
    )
    return {"n_trees": len(model.ledger_), **{name: values[0] for name, values in ends.items()}}
