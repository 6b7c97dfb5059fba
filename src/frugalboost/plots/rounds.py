"""A measure of the model after each round (FilterBoost, figures 3 to 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import check_choice
from frugalboost._typing import AnyArray, Floats
from frugalboost.plots._checks import check_curves, check_named, check_rounds, own_class
from frugalboost.plots._lines import BaselinesDisplay


class RoundsDisplay(BaselinesDisplay):
    """Log loss, accuracy or another measure against the round.

    Parameters
    ----------
    curves : dict of name to a pair of (n,) rounds, ascending from 1 or later, and (n,) values
        n may differ.
    measure : what the values are, the label of their axis
    baselines : dict of name to number, or None
        Models without rounds, drawn as horizontal dashed lines.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, those of baselines too, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> curves = {"stumps": ([1, 10], [0.6, 0.5]), "trees": ([1, 5], [0.5, 0.7])}
    >>> display = RoundsDisplay(curves, "log loss", baselines={"logistic": 0.45})
    >>> from matplotlib.figure import Figure
    >>> lines = display.plot(ax=Figure().subplots()).lines_
    >>> list(lines), lines["logistic"].get_linestyle()
    (['stumps', 'trees', 'logistic'], '--')
    """

    def __init__(
        self,
        curves: Mapping[str, Any],
        measure: str = "value",
        baselines: Mapping[str, float] | None = None,
    ) -> None:
        self.curves = check_curves(curves, "rounds", "values", check_rounds)
        self.measure = measure
        self._read_baselines(baselines)

    @classmethod
    def from_estimators(
        cls,
        models: Mapping[str, Any],
        X: Any,
        y: Any,
        measure: str = "log loss",
        baselines: Mapping[str, float] | None = None,
    ) -> RoundsDisplay:
        """Compute a measure of fitted classifiers after every round.

        Parameters
        ----------
        models : dict of name to fitted classifier with `staged_predict_proba`
        X, y : rows to predict, and their labels
        measure : {"log loss", "RMSE", "accuracy"}
            RMSE is the root of the mean squared difference between the probability of the row's
            own class and 1; for two classes, the same as between that of the second and 0 or 1.
        baselines : as in the class
        """
        named = check_named(models, name="models", of="fitted classifiers")
        compute = MEASURES[check_choice(measure, MEASURES, name="measure")]
        curves = {}
        for name, model in named.items():
            check_is_fitted(model)
            own = own_class(model.classes_, y, of=f"models[{name!r}]")
            values = [compute(shares, own) for shares in model.staged_predict_proba(X)]
            curves[name] = (np.arange(1, len(values) + 1), values)
        return cls(curves, measure, baselines)

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return self.curves

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "round", "ylabel": self.measure}


def shares_of(shares: Floats, own: AnyArray) -> Floats:
    return np.asarray(np.take_along_axis(shares, own[:, np.newaxis], axis=1)[:, 0])


def log_loss(shares: Floats, own: AnyArray) -> float:
    # A probability that was rounded to 0 counts as the smallest positive number.
    floor = np.finfo(np.float64).tiny
    return float(-np.log(np.maximum(shares_of(shares, own), floor)).mean())


def rmse(shares: Floats, own: AnyArray) -> float:
    return float(np.sqrt(np.mean((1.0 - shares_of(shares, own)) ** 2)))


def accuracy(shares: Floats, own: AnyArray) -> float:
    return float(np.mean(shares.argmax(axis=1) == own))


MEASURES = {"RMSE": rmse, "accuracy": accuracy, "log loss": log_loss}
