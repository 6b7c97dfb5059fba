"""Which classes a committee mistakes for one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import NamesItself, check_real
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.active.utilities import first_two, leads
from frugalboost.plots._axes import open_axes, plain, write_cells
from frugalboost.plots._checks import as_floats, own_class


class CommitteeConfusionDisplay(NamesItself):
    """A map of numbers of rows: by true class and prediction, or by first and second choice.

    The second needs no labels. It shows between which classes the committee hesitates, hence what
    to ask about, and which classes to show a person side by side.

    Parameters
    ----------
    counts : (n_classes, n_classes) numbers of rows
    classes : names of the classes
    axes : pair of what the rows and the columns of `counts` stand for

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    image_ : map, after `plot`
    text_ : (n_classes, n_classes) array of texts, after `plot`
    colorbar_ : colour bar, after `plot`; None without one

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = CommitteeConfusionDisplay([[5, 1], [0, 4]], ["no", "yes"])
    >>> drawn = display.plot(ax=Figure().subplots())
    >>> [text.get_text() for text in drawn.text_.ravel()]
    ['5', '1', '0', '4']
    """

    def __init__(
        self,
        counts: Any,
        classes: Sequence[Any],
        axes: tuple[str, str] = ("true class", "predicted class"),
    ) -> None:
        self.classes = [str(name) for name in classes]
        self.counts = check_counts(counts, len(self.classes))
        self.axes = axes

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any = None, *, share: float = 1.0
    ) -> CommitteeConfusionDisplay:
        """Count rows by the predictions of a fitted classifier.

        Parameters
        ----------
        model : fitted classifier, or ActiveLearner
            With `decision_function` or `predict_proba`.
        X : rows
        y : labels, or None
            With labels, rows of the map are true classes and columns predictions. Without, they
            are first and second choices.
        share : number in (0, 1], default=1.0
            Count only this share of the rows, those about which the committee is least sure.
        """
        check_is_fitted(model)
        check_real(share, name="share", low=0.0, high=1.0, closed="right")
        compute_scores = getattr(model, "decision_function", None) or model.predict_proba
        scores = np.asarray(compute_scores(X), dtype=np.float64)
        classes = np.asarray(model.classes_)
        shown = least_sure(scores, share)
        first, second = (codes[shown] for codes in first_two(scores))
        if y is None:
            pair = first, second
            axes = ("first choice", "second choice")
        else:
            pair = own_class(classes, y, of="the model")[shown], first
            axes = ("true class", "predicted class")
        return cls(count_pairs(*pair, len(classes)), classes.tolist(), axes)

    def plot(
        self,
        ax: Any = None,
        *,
        values_format: str = ".0f",
        colorbar: bool = True,
        **kwargs: Any,
    ) -> CommitteeConfusionDisplay:
        """Draw the map.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        values_format : format of the numbers in the cells
        colorbar : whether to draw one
        **kwargs : properties of the map, as for ``ax.imshow``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        self.image_ = self.ax_.imshow(self.counts, **{"cmap": "cividis", **kwargs})
        self.text_ = write_cells(self.ax_, self.image_, self.counts, values_format)
        self.colorbar_ = (
            self.figure_.colorbar(self.image_, ax=self.ax_, label="rows") if colorbar else None
        )
        places, names = range(len(self.classes)), [plain(name) for name in self.classes]
        self.ax_.set_xticks(places, labels=names)
        self.ax_.set_yticks(places, labels=names)
        self.ax_.set(xlabel=self.axes[1], ylabel=self.axes[0])
        return self


def check_counts(counts: Any, n_classes: int) -> Floats:
    array = as_floats(counts)
    if array is None or array.shape != (n_classes, n_classes) or not (array >= 0).all():
        got = repr(counts) if array is None else f"shape {array.shape}"
        raise ValueError(
            f"counts must be {n_classes} rows of {n_classes} non-negative numbers, "
            f"one for each class; got {got}."
        )
    return array


def least_sure(scores: Floats, share: float) -> Ints:
    """Rows with the smallest leads, at least one if there are any."""
    n = -int(-len(scores) * share // 1)
    return np.argsort(leads(scores), kind="stable")[:n]


def count_pairs(rows: AnyArray, columns: AnyArray, n_classes: int) -> Floats:
    """
    >>> count_pairs(np.array([0, 1, 1]), np.array([1, 0, 0]), 2).tolist()
    [[0.0, 1.0], [2.0, 0.0]]
    """
    counts = np.zeros((n_classes, n_classes))
    np.add.at(counts, (rows, columns), 1.0)
    return counts
