"""Which features a model relies on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import NamesItself, check_choice, check_int
from frugalboost._typing import Floats
from frugalboost.plots._axes import COLOURS, open_axes, plain
from frugalboost.plots._checks import check_line, check_numbers


class ImportancesDisplay(NamesItself):
    """Bars for the most important features, in decreasing order from the top.

    Parameters
    ----------
    importances : (n_features,) numbers
    names : (n_features,) names of features
    spreads : (n_features,) numbers or None
        How far each may be off, drawn as error bars.
    measure : what the numbers are, the label of their axis
    max_features : int
        Maximum number of features drawn.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    bars_ : the bars, from the most important feature on, after `plot`

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from frugalboost import BoostedTreesClassifier
    >>> X, y = load_iris(as_frame=True, return_X_y=True)
    >>> model = BoostedTreesClassifier(n_estimators=10).fit(X, y)
    >>> display = ImportancesDisplay.from_estimator(model, max_features=2)
    >>> [name for name, *_ in display.shown]
    ['petal length (cm)', 'petal width (cm)']
    """

    def __init__(
        self,
        importances: Any,
        names: Any,
        spreads: Any = None,
        measure: str = "importance",
        max_features: int = 20,
    ) -> None:
        self.importances = check_numbers(importances, name="importances")
        n = len(self.importances)
        self.names = [str(name) for name in names]
        if len(self.names) != n:
            raise ValueError(f"names must be {n}, as many as importances; got {len(self.names)}.")
        like = "importances"
        self.spreads = (
            None if spreads is None else check_line(spreads, n, name="spreads", like=like)
        )
        self.measure = measure
        self.max_features = check_int(max_features, name="max_features", low=1)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any = None,
        y: Any = None,
        *,
        kind: str = "gain",
        n_repeats: int = 5,
        random_state: Any = None,
        max_features: int = 20,
    ) -> ImportancesDisplay:
        """Compute the importances of a fitted model's features.

        Parameters
        ----------
        model : fitted model
        X, y : table and labels or targets, for the kinds "permutation" and "shap" (X alone)
        kind : {"gain", "cover", "permutation", "shap"}
            Share of the loss reduction due to a feature's splits (``feature_importances_``);
            share of the training rows that its splits sent left or right, summed over nodes; drop
            in the score when the feature's column is shuffled; mean absolute Shapley value.
        n_repeats, random_state : for "permutation": how often each column is shuffled, and the seed
        max_features : as in the class
        """
        check_is_fitted(model)
        kind = check_choice(kind, KINDS, name="kind")
        if kind in ("permutation", "shap") and (X is None or (y is None and kind != "shap")):
            raise ValueError(f"X and y must be given for kind {kind!r}; got None.")
        if kind == "permutation":
            from sklearn.inspection import permutation_importance  # imports all of its trees

            permuted = permutation_importance(
                model, X, y, n_repeats=n_repeats, random_state=random_state
            )
            values, spreads = permuted.importances_mean, permuted.importances_std
        else:
            values, spreads = COMPUTE[kind](model, X), None
        names = getattr(model, "feature_names_in_", None)
        if names is None:
            names = [f"feature {number}" for number in range(len(values))]
        return cls(values, names, spreads, KINDS[kind], max_features)

    @property
    def shown(self) -> list[tuple[str, float, float | None]]:
        """Name, importance and spread of the features drawn, the most important first."""
        order = np.argsort(-self.importances, kind="stable")[: self.max_features]
        return [
            (
                self.names[at],
                float(self.importances[at]),
                None if self.spreads is None else float(self.spreads[at]),
            )
            for at in order
        ]

    def plot(self, ax: Any = None, **kwargs: Any) -> ImportancesDisplay:
        """Draw a bar for each feature.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        **kwargs : properties of the bars, as for ``ax.barh``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        names, values, spreads = zip(*self.shown, strict=True)
        style = {
            "color": COLOURS[0],
            "ecolor": "black",
            "capsize": 3,
            "xerr": None if self.spreads is None else spreads,
            **kwargs,
        }
        places = np.arange(len(names))
        self.bars_ = self.ax_.barh(places, values, **style)
        # A name may contain a dollar sign, which would begin a formula.
        self.ax_.set_yticks(places, [plain(name) for name in names])
        self.ax_.invert_yaxis()
        self.ax_.set(xlabel=self.measure, ylabel="feature")
        return self


def gain_shares(model: Any, X: Any) -> Floats:
    return np.asarray(model.feature_importances_)


def cover_shares(model: Any, X: Any) -> Floats:
    """Training rows in the nodes that split on each feature, as a share of those in all splits."""
    total = np.zeros(model.n_features_in_)
    for tree in model.estimators_:
        inner = ~tree.is_leaf
        np.add.at(total, tree.feature[inner], tree.n_samples[inner].astype(np.float64))
    return total / total.sum() if total.sum() > 0 else total


def mean_shap(model: Any, X: Any) -> Floats:
    """Mean of the absolute values over rows, and over classes where there are several outputs."""
    if not hasattr(model, "shap_values"):
        raise TypeError(
            "model must have a method shap_values for the kind 'shap'; got a "
            f"{type(model).__name__}."
        )
    values = np.abs(model.shap_values(X))
    return np.asarray(values.mean(axis=(0, 2)) if values.ndim == 3 else values.mean(axis=0))


KINDS = {
    "gain": "share of the gain",
    "cover": "share of the rows that splits divide",
    "permutation": "fall of the score when shuffled",
    "shap": "mean absolute Shapley value",
}
COMPUTE: dict[str, Callable[[Any, Any], Floats]] = {
    "gain": gain_shares,
    "cover": cover_shares,
    "shap": mean_shap,
}
