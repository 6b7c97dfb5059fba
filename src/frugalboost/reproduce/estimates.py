"""How good the probabilities and the labels of a booster are after each round."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.compose import make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats
from frugalboost.reproduce.fits import stages
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

MEASURES = ("log_loss", "rmse", "accuracy")
POINTS = 40


def marks(rounds: int) -> list[int]:
    """Rounds to look at: close together at first, where curves are steep, and powers of ten.

    >>> marks(10)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> marks(500)[8:11], marks(500)[-2:]
    ([9, 10, 11], [426, 500])
    """
    spread = np.geomspace(1, rounds, POINTS).round()
    return sorted({int(mark) for mark in (*spread, 10, 100) if mark <= rounds})


def estimate_curve(source: Source, model: Any, scale: float, rounds: Sequence[int]) -> Result:
    """Fit, and measure on the test rows after these rounds; a model that ended has its last there.

    `scale` is that of the score in ``1 / (1 + exp(-scale * F))``.
    """
    started = time.perf_counter()
    model.fit(source.X_train, source.y_train)
    seconds = time.perf_counter() - started
    n = len(model.estimators_)
    at = [min(mark, n) - 1 for mark in rounds]
    scores = stages(model.staged_decision_function(source.X_test), at)
    found = {index: measures(score, source.y_test, scale) for index, score in scores}
    return {
        "rounds": list(rounds),
        "n_trees": n,
        "digest": fb.digest(model),
        "fit_seconds": seconds,
        "seconds": model.ledger_.seconds.cumsum()[at].tolist(),
        **{name: [found[index][name] for index in at] for name in MEASURES},
    }


def measures(score: Floats, y: AnyArray, scale: float) -> dict[str, float]:
    """Log loss (base e), RMSE of the probability against the label, and accuracy.

    >>> measures(np.array([0.0, 0.0, 4.0]), np.array([0, 1, 1]), scale=1.0)["accuracy"]
    0.6666666666666666
    """
    margin = scale * (2 * y - 1) * score
    return {
        "log_loss": float(np.logaddexp(0.0, -margin).mean()),
        "rmse": float(np.sqrt(np.mean(expit(-margin) ** 2))),
        "accuracy": float(np.mean((score > 0) == (y == 1))),
    }


def logistic_regression(source: Source) -> Result:
    """The paper's baseline, without regularisation; categories as one column each."""
    categorical = list(source.categorical)
    others = [i for i in range(source.X_train.shape[1]) if i not in source.categorical]
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), categorical), (StandardScaler(), others)
    )
    model = make_pipeline(columns, LogisticRegression(C=np.inf, max_iter=1000))
    with warnings.catch_warnings():
        # A category that one class only has would take its coefficient to infinity, slowly.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(source.X_train, source.y_train)
    return dict(measures(model.decision_function(source.X_test), source.y_test, 1.0))


def time_rounds(model: Any, X: AnyArray, y: AnyArray) -> Result:
    """Fit, and say what a round took; binning or shuffling the table before is no part of it."""
    started = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - started
    ledger = model.ledger_
    return {
        "n_trees": len(model.estimators_),
        "fit_seconds": seconds,
        "round_seconds": float(ledger.seconds.mean()),
        "digest": fb.digest(model),
    }
