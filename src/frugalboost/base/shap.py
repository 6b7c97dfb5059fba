"""Shapley values of features, in the form that the plots of the `shap` package expect."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import NamesItself, needing
from frugalboost._typing import AnyArray, Floats
from frugalboost.base.tree_estimators import read
from frugalboost.boosting import Ensemble, Explainer
from frugalboost.data import Schema


class Explained(NamesItself):
    """Methods of estimators whose decision is a sum of trees; not public."""

    _ensemble: Ensemble
    _schema: Schema

    def _ready(self, X: Any) -> tuple[Ensemble, Schema, Any, int]:
        raise NotImplementedError

    @property
    def _n_shared(self) -> int:
        """The number that decisions are divided by."""
        return 1

    def shap_values(self, X: Any) -> Floats:
        """Return what each feature adds to the decision: exact Shapley values (TreeSHAP).

        The values of a row and `expected_value_` sum to its decision (`decision_function`, or
        `predict` of a regressor). Where a feature is not known, the expectation is the mean over
        both sides of a split, weighted by the training rows that went there (path-dependent).

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        values : (n_samples, n_features), or (n_samples, n_features, n_classes) for more than two \
classes
        """
        ensemble, schema, X, n_threads = self._ready(X)
        explainer = Explainer(ensemble)
        parts = [explainer.values(part, n_threads) for part in read(ensemble, schema, X)]
        return as_outputs(np.concatenate(parts) if len(parts) != 1 else parts[0], self._n_shared)

    @property
    def expected_value_(self) -> Any:
        """Decision when no feature is known: a float, or one for each class."""
        check_is_fitted(self)
        expected = as_outputs(Explainer(self._ensemble).expected, self._n_shared)
        return float(expected) if expected.ndim == 0 else expected

    def shap_explanation(self, X: Any) -> Any:
        """Return `shap_values` as a ``shap.Explanation``, with base values, data and names.

        Requires the package `shap`: ``pip install "frugalboost[shap]"``. For categorical features,
        ``data`` has their codes and ``display_data`` the categories.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        explanation : shap.Explanation
        """
        check_is_fitted(self)
        return explanation(self, X, self._schema)


def as_outputs(values: Floats, n_shared: int = 1) -> Floats:
    """Drop the last axis if there is one output; divide as the decision is divided."""
    values = values[..., 0] if values.shape[-1] == 1 else values
    return values if n_shared == 1 else np.asarray(values / n_shared)


def explanation(model: Any, X: Any, schema: Schema) -> Any:
    """A ``shap.Explanation`` of a fitted model's decisions."""
    message = (
        "shap_explanation needs shap; install it with "
        'pip install "frugalboost[shap]". shap_values does not need it.'
    )
    with needing("shap", message):
        import shap
    values = model.shap_values(X)
    base = np.asarray(model.expected_value_)
    names = getattr(model, "feature_names_in_", None)
    dense: Any = X.toarray() if sparse.issparse(X) else X  # type: ignore[attr-defined]
    data = schema.encode(dense)
    return shap.Explanation(
        values,
        base_values=np.broadcast_to(base, (len(values), *base.shape)).copy(),
        data=data,
        display_data=with_categories(data, schema),
        feature_names=None if names is None else names.tolist(),
        output_names=None if base.ndim == 0 else [str(label) for label in model.classes_],
    )


def with_categories(data: AnyArray, schema: Schema) -> AnyArray | None:
    """The table with categories instead of their codes; None if no feature is categorical."""
    if not schema.is_categorical.any():
        return None
    shown = data.astype(object)
    for feature, known in enumerate(schema.categories):
        if known is None:
            continue
        codes = data[:, feature]
        is_known = ~np.isnan(codes)
        shown[is_known, feature] = known[codes[is_known].astype(np.int64)]
    return shown
