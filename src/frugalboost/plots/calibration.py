"""Whether predicted probabilities match observed shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import NamesItself, check_choice, check_int
from frugalboost._typing import Bools, Floats, Ints
from frugalboost.plots._axes import COLOURS, MARKERS, open_axes, plain, with_style
from frugalboost.plots._bins import Bins, by_quantiles, check_weights
from frugalboost.plots._checks import check_numbers, own_class


class CalibrationDisplay(NamesItself):
    """The share of rows that are of a class against its predicted probability, bin by bin.

    Parameters
    ----------
    probabilities : (n,) numbers from 0 to 1
    happened : (n,) bools, whether each row is of the class
    n_bins : int
    strategy : {"uniform", "quantile"}
        Bins of equal width, or with about as many rows each.
    label : what the probabilities are, the label of their axis
    sample_weight : (n,) numbers, or None
        How much each row counts in means, shares and the expected error.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    line_ : the curve, after `plot`
    diagonal_ : the line of perfect calibration, after `plot`
    count_ax_, bars_ : axes on the right and bars for the number of rows in each bin, after `plot`
    legend_ : legend, after `plot`

    Examples
    --------
    >>> said, happened = [0.1, 0.1, 0.9, 0.8], [False, False, True, False]
    >>> display = CalibrationDisplay(said, happened, n_bins=2)
    >>> display.mean_said.round(3), display.share_happened, display.counts
    (array([0.1 , 0.85]), array([0. , 0.5]), array([2, 2]))
    """

    def __init__(
        self,
        probabilities: Any,
        happened: Any,
        n_bins: int = 10,
        strategy: str = "uniform",
        label: str = "probability",
        sample_weight: Any = None,
    ) -> None:
        self.probabilities = check_numbers(probabilities, name="probabilities")
        if self.probabilities.min() < 0 or self.probabilities.max() > 1:
            raise ValueError(f"probabilities must be from 0 to 1; got {probabilities!r}.")
        self.happened: Bools = np.asarray(happened, dtype=bool)
        if self.happened.shape != self.probabilities.shape:
            raise ValueError(
                f"happened must be {len(self.probabilities)} bools, as many as "
                f"probabilities; got shape {self.happened.shape}."
            )
        self.n_bins = check_int(n_bins, name="n_bins", low=1)
        self.strategy = check_choice(strategy, STRATEGIES, name="strategy")
        self.label = label
        self.sample_weight = check_weights(
            sample_weight, len(self.probabilities), like="probabilities"
        )
        self._bins = Bins(self._find_bins(), self.sample_weight)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        *,
        pos_label: Any = None,
        n_bins: int = 10,
        strategy: str = "uniform",
        sample_weight: Any = None,
    ) -> CalibrationDisplay:
        """Compare a fitted classifier's probabilities with labels.

        Parameters
        ----------
        model : fitted classifier with `predict_proba`
        X, y : rows, and their labels
        pos_label : the class whose probabilities to compare
            None: the second of two classes; of more, the one that the model predicts for each row.
        n_bins, strategy, sample_weight : as in the class
        """
        check_is_fitted(model)
        own = own_class(model.classes_, y, of="model")
        shares = model.predict_proba(X)
        if pos_label is None and len(model.classes_) > 2:
            said = shares.argmax(axis=1)
            label = "probability of the prediction"
            return cls(shares.max(axis=1), said == own, n_bins, strategy, label, sample_weight)
        known = model.classes_.tolist()
        if pos_label is not None and pos_label not in known:
            raise ValueError(f"pos_label must be one of {known}; got {pos_label!r}.")
        at = len(known) - 1 if pos_label is None else known.index(pos_label)
        label = f"probability of {plain(str(known[at]))}"
        return cls(shares[:, at], own == at, n_bins, strategy, label, sample_weight)

    def _find_bins(self) -> Ints:
        """Bin number of each row."""
        if self.strategy == "uniform":
            return np.minimum((self.probabilities * self.n_bins).astype(np.int64), self.n_bins - 1)
        return by_quantiles(self.probabilities, self.n_bins)

    @property
    def counts(self) -> Ints:
        """Number of rows in each bin that has any."""
        return self._bins.counts

    @property
    def mean_said(self) -> Floats:
        """Mean probability in each bin that has rows."""
        return self._bins.mean(self.probabilities)

    @property
    def share_happened(self) -> Floats:
        """Share of rows of the class in each bin that has rows."""
        return self._bins.mean(self.happened)

    @property
    def expected_error(self) -> float:
        """Mean distance between predicted and observed shares over all rows, bin by bin (ECE)."""
        distance = np.abs(self.mean_said - self.share_happened)
        return float((distance * self._bins.masses).sum() / self._bins.masses.sum())

    def plot(self, ax: Any = None, **kwargs: Any) -> CalibrationDisplay:
        """Draw the curve, the diagonal, and the number of rows in each bin.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        **kwargs : properties of the curve, as for ``ax.plot``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        ax = self.ax_
        self.count_ax_ = ax.twinx()
        width = 0.8 / self.n_bins if self.strategy == "uniform" else 0.02
        self.bars_ = self.count_ax_.bar(
            self.mean_said, self.counts, width, color="lightgrey", label="rows"
        )
        # Put the curve over the bars, which belong to axes that are drawn later.
        ax.set_zorder(self.count_ax_.get_zorder() + 1)
        ax.patch.set_visible(False)
        (self.diagonal_,) = ax.plot([0, 1], [0, 1], "--", color="black", label="perfect")
        style = {"color": COLOURS[0], "marker": MARKERS[0], "label": "model"}
        (self.line_,) = ax.plot(self.mean_said, self.share_happened, **with_style(kwargs, style))
        self.legend_ = ax.legend(handles=[self.line_, self.diagonal_], loc="upper left")
        ax.set(xlabel=self.label, ylabel="share of rows", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        self.count_ax_.set(ylabel="rows in the bin", ylim=(0, 3 * self.counts.max()))
        return self


STRATEGIES = ("uniform", "quantile")
