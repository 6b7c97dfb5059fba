"""Errors of all features as more of the weight is seen (Quick Boost, figure 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._checks import NamesItself
from frugalboost.analysis import preliminary_errors
from frugalboost.data import BinnedDataset
from frugalboost.plots._axes import COLOURS, add_legend, open_axes, with_style
from frugalboost.plots._checks import as_floats, check_numbers

EARLY = 0.8
"""The share of the weight below which the paper speaks of misleading features."""


class PreliminaryErrorsDisplay(NamesItself):
    """Best preliminary error of every feature against the share of the weight seen.

    The line of the feature that wins is thick. That of the most misleading one is dashed: of the
    features that lead alone at some share below 0.8, the one that ends worst.

    Parameters
    ----------
    shares : (n_shares,) shares of the weight, ``Z_m / Z``, ascending
    errors : (n_features, n_shares), as `analysis.preliminary_errors` returns them

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : list of lines, one for each feature, after `plot`
    legend_ : legend, after `plot`; None where no feature is misleading

    Examples
    --------
    >>> display = PreliminaryErrorsDisplay([0.5, 1.0], [[0.1, 0.4], [0.2, 0.3], [0.3, 0.5]])
    >>> display.best, display.misleading
    (1, 0)
    >>> from matplotlib.figure import Figure
    >>> len(display.plot(ax=Figure().subplots()).lines_)
    3
    """

    def __init__(self, shares: Any, errors: Any) -> None:
        self.shares = check_numbers(shares, name="shares")
        table = as_floats(errors)
        n = len(self.shares)
        if table is None or table.ndim != 2 or table.shape[1] != n or np.isnan(table[:, -1]).all():
            raise ValueError(
                f"errors must be numbers of shape (n_features, {n}), one column for each "
                f"share, with at least one number in the last; got {errors!r}."
            )
        self.errors = table

    @classmethod
    def from_node(
        cls, dataset: BinnedDataset, labels: Any, weights: Any, rows: Any = None, shares: Any = None
    ) -> PreliminaryErrorsDisplay:
        """Compute the errors with `analysis.preliminary_errors`.

        Parameters
        ----------
        dataset, labels, weights, rows : as in `analysis.weight_order_bound`
        shares : from 0 to 1 and ascending; None: 0.01, 0.02, ... 1
        """
        parts = np.linspace(0.0, 1.0, 101)[1:] if shares is None else shares
        return cls(parts, preliminary_errors(dataset, labels, weights, parts, rows))

    @property
    def best(self) -> int:
        """The feature with the least error at the last share, the first if tied."""
        return int(np.nanargmin(self.errors[:, -1]))

    @property
    def misleading(self) -> int | None:
        """The feature that led alone and ended worst; None where only the best one ever led."""
        known = np.where(np.isnan(self.errors), np.inf, self.errors)
        early = known[:, self.shares < EARLY]
        # On few rows, most features have no error. None leads then, not even the first feature,
        # which comes first among the ties only by its number.
        leads = (early == early.min(axis=0)) & np.isfinite(early)
        leaders = np.flatnonzero(leads[:, leads.sum(axis=0) == 1].any(axis=1))
        leaders = leaders[leaders != self.best]
        return int(leaders[known[leaders, -1].argmax()]) if len(leaders) else None

    def plot(self, ax: Any = None, **kwargs: Any) -> PreliminaryErrorsDisplay:
        """Draw one line for each feature.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        **kwargs : properties of the lines neither best nor misleading, as for ``ax.plot``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        thin = with_style(kwargs, {"color": "0.75", "linewidth": 0.8, "zorder": 1})
        self.lines_ = self.ax_.plot(self.shares, self.errors.T, **thin)
        named = {}
        if self.misleading is not None:
            named["misleading"] = self.lines_[self.misleading]
            named["misleading"].set(color=COLOURS[5], linestyle="--", linewidth=1.5, zorder=3)
        named["best"] = self.lines_[self.best]
        named["best"].set(color=COLOURS[2], linestyle="-", linewidth=3.0, zorder=4)
        for name, line in named.items():
            line.set_label(f"{name} (feature {self.lines_.index(line)})")
        self.legend_ = add_legend(self.ax_, named)
        self.ax_.set(xlabel="share of the weight seen (Z_m / Z)", ylabel="best preliminary error")
        return self
