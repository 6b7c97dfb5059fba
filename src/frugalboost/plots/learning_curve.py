"""How a model improves round by round, on training rows and on others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted, column_or_1d

from frugalboost._checks import check_choice
from frugalboost._typing import AnyArray, Floats
from frugalboost.plots._axes import DASHES, MARKERS
from frugalboost.plots._checks import check_named, check_numbers, own_class
from frugalboost.plots._lines import LinesDisplay
from frugalboost.plots.rounds import log_loss


class LearningCurveDisplay(LinesDisplay):
    """Loss or error after each round; the best round of each curve is marked.

    Parameters
    ----------
    curves : dict of name to (n_rounds,) values, the first after round 1; n_rounds may differ
    measure : what the values are, the label of their axis

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from frugalboost import BoostedTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BoostedTreesClassifier(n_estimators=20).fit(X[::2], y[::2])
    >>> rows = {"training": (X[::2], y[::2]), "test": (X[1::2], y[1::2])}
    >>> display = LearningCurveDisplay.from_estimator(model, rows, measure="error")
    >>> display.best_rounds
    {'training': 17, 'test': 17}
    """

    def __init__(self, curves: Mapping[str, Any], measure: str = "loss") -> None:
        named = check_named(curves, name="curves", of="lines")
        self.curves = {
            name: check_numbers(values, name=f"curves[{name!r}]") for name, values in named.items()
        }
        self.measure = measure

    @classmethod
    def from_estimator(
        cls, model: Any, rows: Mapping[str, tuple[Any, Any]], measure: str = "auto"
    ) -> LearningCurveDisplay:
        """Compute a measure of a fitted model after every round.

        Parameters
        ----------
        model : fitted classifier or regressor with staged predictions
        rows : dict of name to a pair of a table and its labels or targets
        measure : {"auto", "log loss", "error", "RMSE"}
            "error" is the share of rows whose predicted label is wrong. RMSE is for regressors,
            the others for classifiers; "auto" is the log loss or the RMSE.
        """
        check_is_fitted(model)
        named = check_named(rows, name="rows", of="pairs of X and y")
        known = CLASS_MEASURES if is_classifier(model) else TARGET_MEASURES
        if measure == "auto":
            measure = next(iter(known))
        compute = known[check_choice(measure, known, name="measure")]
        curves = {name: compute(model, *check_pair(pair, name)) for name, pair in named.items()}
        return cls(curves, measure)

    @classmethod
    def from_early_stopping(cls, model: Any) -> LearningCurveDisplay:
        """Take the losses that early stopping recorded on the rows it held out."""
        check_is_fitted(model)
        losses = getattr(model, "validation_losses_", None)
        if losses is None:
            raise ValueError("model must have been fitted with early_stopping=True.")
        return cls({"held out": losses[1:]}, "loss")

    @property
    def best_rounds(self) -> dict[str, int]:
        """Round, counted from 1, in which each curve is lowest for the first time."""
        return {name: int(values.argmin()) + 1 for name, values in self.curves.items()}

    def _points(self) -> dict[str, tuple[AnyArray, AnyArray]]:
        return {name: (np.arange(1, len(line) + 1), line) for name, line in self.curves.items()}

    def _style(self, index: int, name: str) -> dict[str, Any]:
        return {
            "linestyle": DASHES[index % len(DASHES)],
            "label": f"{name} (best in round {self.best_rounds[name]})",
            "marker": MARKERS[index % len(MARKERS)],
            "markevery": [self.best_rounds[name] - 1],
        }

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "round", "ylabel": self.measure}


def check_pair(pair: Any, name: str) -> tuple[Any, Any]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError(f"rows[{name!r}] must be a pair of X and y; got {pair!r:.60}.")
    return pair[0], pair[1]


def staged_log_loss(model: Any, X: Any, y: Any) -> Floats:
    own = own_class(model.classes_, y, of="model")
    return np.array([log_loss(shares, own) for shares in model.staged_predict_proba(X)])


def staged_error(model: Any, X: Any, y: Any) -> Floats:
    labels: AnyArray = column_or_1d(y)
    return np.array([np.mean(predicted != labels) for predicted in model.staged_predict(X)])


def staged_rmse(model: Any, X: Any, y: Any) -> Floats:
    targets: AnyArray = column_or_1d(y)
    squares = [np.mean((predicted - targets) ** 2) for predicted in model.staged_predict(X)]
    return np.sqrt(squares)


Compute = Callable[[Any, Any, Any], Floats]
CLASS_MEASURES: dict[str, Compute] = {"log loss": staged_log_loss, "error": staged_error}
TARGET_MEASURES: dict[str, Compute] = {"RMSE": staged_rmse}
