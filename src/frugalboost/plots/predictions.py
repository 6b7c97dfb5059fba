"""A regressor's predictions against the true values."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, column_or_1d

from frugalboost._checks import NamesItself, check_int
from frugalboost._typing import Floats, Ints
from frugalboost.plots._axes import COLOURS, MARKERS, open_axes, with_style
from frugalboost.plots._bins import Bins, by_quantiles, check_weights
from frugalboost.plots._checks import check_line, check_numbers


class PredictionsDisplay(NamesItself):
    """True values against predictions: a point for each row, a line of means of similar ones.

    Where the line is on the diagonal, predictions are right on average; how far points lie from
    the diagonal is how far single predictions are from the truth.

    Parameters
    ----------
    predictions : (n,) numbers
    true_values : (n,) numbers
    n_bins : int
        Number of bins, with about as many rows each; the line shows the mean of each.
    max_points : int
        Of more rows, this many are drawn, at random but always the same. The line uses all.
    sample_weight : (n,) numbers, or None
        How much each row counts in the means.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    points_ : the rows, after `plot`
    line_ : the means, after `plot`
    diagonal_ : where predictions equal true values, after `plot`
    legend_ : legend, after `plot`

    Examples
    --------
    >>> display = PredictionsDisplay([1, 2, 7, 8], [1, 3, 6, 8], n_bins=2)
    >>> display.mean_said, display.mean_true, display.counts
    (array([1.5, 7.5]), array([2., 7.]), array([2, 2]))
    """

    def __init__(
        self,
        predictions: Any,
        true_values: Any,
        n_bins: int = 10,
        max_points: int = 1000,
        sample_weight: Any = None,
    ) -> None:
        self.predictions = check_numbers(predictions, name="predictions")
        n = len(self.predictions)
        self.true_values = check_line(true_values, n, name="true_values", like="predictions")
        check_numbers(self.true_values, name="true_values")
        self.n_bins = check_int(n_bins, name="n_bins", low=1)
        self.max_points = check_int(max_points, name="max_points", low=1)
        self.sample_weight = check_weights(sample_weight, n, like="predictions")
        self._bins = Bins(by_quantiles(self.predictions, self.n_bins), self.sample_weight)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        *,
        n_bins: int = 10,
        max_points: int = 1000,
        sample_weight: Any = None,
    ) -> PredictionsDisplay:
        """Compare a fitted regressor's predictions with true values.

        Parameters
        ----------
        model : fitted regressor
        X, y : rows, and their true values
        n_bins, max_points, sample_weight : as in the class
        """
        check_is_fitted(model)
        return cls(model.predict(X), column_or_1d(y), n_bins, max_points, sample_weight)

    @property
    def counts(self) -> Ints:
        """Number of rows in each bin that has any."""
        return self._bins.counts

    @property
    def mean_said(self) -> Floats:
        """Mean prediction in each bin that has rows."""
        return self._bins.mean(self.predictions)

    @property
    def mean_true(self) -> Floats:
        """Mean true value in each bin that has rows."""
        return self._bins.mean(self.true_values)

    @property
    def shown(self) -> Ints:
        """Rows that are drawn as points, ascending."""
        n = len(self.predictions)
        if n <= self.max_points:
            return np.arange(n)
        return np.sort(np.random.default_rng(0).choice(n, self.max_points, replace=False))

    def plot(self, ax: Any = None, **kwargs: Any) -> PredictionsDisplay:
        """Draw the points, the line and the diagonal.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        **kwargs : properties of the line, as for ``ax.plot``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        ax, rows = self.ax_, self.shown
        predicted, true = self.predictions[rows], self.true_values[rows]
        (self.points_,) = ax.plot(predicted, true, ".", color="grey", markersize=4)
        ends = [min(predicted.min(), true.min()), max(predicted.max(), true.max())]
        (self.diagonal_,) = ax.plot(ends, ends, "--", color="black", label="perfect")
        style = {"color": COLOURS[0], "marker": MARKERS[0], "label": "mean"}
        (self.line_,) = ax.plot(self.mean_said, self.mean_true, **with_style(kwargs, style))
        self.legend_ = ax.legend(handles=[self.line_, self.diagonal_], loc="upper left")
        ax.set(xlabel="prediction", ylabel="true value")
        return self
