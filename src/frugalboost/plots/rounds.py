"""A measure of the model after each round (FilterBoost, figures 3 to 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import NamesItself, check_choice
from frugalboost._typing import AnyArray, Floats
from frugalboost.plots._axes import add_legend, line_style, open_axes, with_style
from frugalboost.plots._checks import check_line, check_named, check_rounds, own_class


class RoundsDisplay(NamesItself):
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
        named = check_named(curves, name="curves", of="lines")
        self.curves = {name: check_curve(curve, name) for name, curve in named.items()}
        self.measure = measure
        self.baselines = {str(name): float(value) for name, value in (baselines or {}).items()}
        for name in self.baselines:
            if name in self.curves:
                raise ValueError(f"baselines must have other names than curves; got {name!r}.")

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

    def plot(self, ax: Any = None, **kwargs: Any) -> RoundsDisplay:
        """Draw one line for each curve and baseline.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        **kwargs : properties of every line, as for ``ax.plot``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        self.lines_ = {}
        for index, (name, (rounds, values)) in enumerate(self.curves.items()):
            style = with_style(kwargs, {**line_style(index), "label": name})
            (self.lines_[name],) = self.ax_.plot(rounds, values, **style)
        for name, value in self.baselines.items():
            style = with_style(kwargs, {"color": "grey", "linestyle": "--", "label": name})
            self.lines_[name] = self.ax_.axhline(value, **style)
        self.legend_ = add_legend(self.ax_, self.lines_)
        self.ax_.set(xlabel="round", ylabel=self.measure)
        return self


def check_curve(curve: Any, name: str) -> tuple[Floats, Floats]:
    if not isinstance(curve, (tuple, list)) or len(curve) != 2:
        raise ValueError(f"curves[{name!r}] must be a pair of rounds and values; got {curve!r}.")
    rounds = check_rounds(curve[0], name=f"rounds of curves[{name!r}]")
    rule = {"name": f"values of curves[{name!r}]", "like": "its rounds"}
    return rounds, check_line(curve[1], len(rounds), **rule)


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
