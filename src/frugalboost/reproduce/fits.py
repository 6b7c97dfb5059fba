"""One fit and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

HEURISTICS: dict[str, dict[str, float]] = {
    "none": {},
    "lazy 0.9": {"feature_fraction": 0.9},
    "lazy 0.5": {"feature_fraction": 0.5},
    "stochastic 0.5": {"sample_fraction": 0.5},
    "trim 0.99": {"weight_trim": 0.99},
    "trim 0.9": {"weight_trim": 0.9},
}
"""The papers' heuristics as parameters."""


def make_model(depth: int, rounds: int, heuristic: str = "none", **options: Any) -> Any:
    """The papers' AdaBoost: trees by weighted error; SAMME where there are more classes."""
    return fb.BoostedTreesClassifier(
        "adaboost",
        criterion="error",
        max_depth=depth,
        n_estimators=rounds,
        **{"random_state": 0, **HEURISTICS[heuristic], **options},
    )


def fit(source: Source, marks: Sequence[int], model: Any, order: int | None = None) -> Result:
    """Fit, and return what stood in the ledger, and the errors, after the rounds in `marks`.

    A model that ended before a mark has its last figures there. With a number for `order`, rows
    are shuffled before.
    """
    fit_in_order(source, model, order)
    at = [min(mark, len(model.ledger_)) - 1 for mark in marks]
    ledger = model.ledger_
    return {
        "marks": list(marks),
        "n_trees": len(ledger),
        "digest": fb.digest(model),
        "assessments": ledger.assessments.cumsum()[at].tolist(),
        "full": ledger.full.cumsum()[at].tolist(),
        "reads": ledger.reads.cumsum()[at].tolist(),
        "seconds": ledger.seconds.cumsum()[at].tolist(),
        "by_round": {"assessments": ledger.assessments.tolist(), "full": ledger.full.tolist()},
        "train_error": errors_at(model, source.X_train, source.y_train, at, source.n_labels),
        "test_error": errors_at(model, source.X_test, source.y_test, at, source.n_labels),
    }


def fit_in_order(source: Source, model: Any, order: int | None) -> None:
    if order is None:
        model.fit(source.binned, source.y_train)
        return
    rows = np.random.default_rng(order).permutation(len(source.y_train))
    model.fit(source.binned.take_rows(rows), source.y_train[rows])


def errors_at(model: Any, X: Any, y: AnyArray, at: Sequence[int], n_labels: int = 1) -> list[float]:
    """Share of rows got wrong after the trees numbered in `at`, from 0."""
    if n_labels == 1:
        found = dict(stages(model.staged_predict(X), at))
        return [float(np.mean(found[index] != y)) for index in at]
    scores = dict(stages(model.staged_decision_function(X), at))
    own = y.reshape(-1, n_labels).argmax(axis=1)
    named = {index: each.reshape(-1, n_labels).argmax(axis=1) for index, each in scores.items()}
    return [float(np.mean(named[index] != own)) for index in at]


def stages(all_stages: Iterator[AnyArray], at: Sequence[int]) -> Iterator[tuple[int, AnyArray]]:
    wanted = set(at)
    for index, stage in enumerate(all_stages):
        if index in wanted:
            yield index, stage


def area_over_roc(y: AnyArray, decision: Floats) -> float:
    """One minus the area under the ROC curve; the mean over one class against the rest."""
    if decision.ndim == 1:
        return 1.0 - float(roc_auc_score(y, decision))
    classes = np.unique(y)
    areas = [roc_auc_score(y == c, decision[:, k]) for k, c in enumerate(classes)]
    return 1.0 - float(np.mean(areas))
