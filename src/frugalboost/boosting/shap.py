"""What each feature adds to the decisions of an ensemble: exact Shapley values of its trees."""

from __future__ import annotations

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting.ensemble import Ensemble


class Explainer:
    """Explains rows by the numbers of training rows in the nodes of an ensemble's trees.

    The values of a row and `expected` sum to its decision. A feature that no tree splits on has
    value 0.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble
        self._n_samples = counts_of(ensemble)

    def values(self, X: AnyArray, n_threads: int = 1) -> Floats:
        """What each feature adds, (n, n_features, n_outputs).

        X is a matrix of all features or of the used ones only; its width tells which.
        """
        ensemble = self._ensemble
        if not len(ensemble):
            return np.zeros((len(X), ensemble.n_features, ensemble.n_outputs))
        if X.shape[1] == ensemble.n_features:
            return self._of(ensemble.forest).values(X, n_threads)
        values = np.zeros((len(X), ensemble.n_features, ensemble.n_outputs))
        values[:, ensemble.used_features] = self._of(ensemble.narrow_forest).values(X, n_threads)
        return values

    @property
    def expected(self) -> Floats:
        """The decision when no feature is known, (n_outputs,)."""
        ensemble = self._ensemble
        if not len(ensemble):
            return np.full(ensemble.n_outputs, ensemble.baseline)
        return ensemble.baseline + self._of(ensemble.forest).expected()

    def _of(self, forest: native.Forest) -> native.ShapForest:
        return native.ShapForest(forest, self._n_samples)


def counts_of(ensemble: Ensemble) -> AnyArray:
    """Training rows in the nodes of all trees, one tree after the other."""
    counts = np.concatenate([np.zeros(0, np.int64), *(tree.n_samples for tree in ensemble.trees)])
    if len(counts) and counts.min() < 1:
        raise ValueError(
            "Shapley values need the number of training rows in every node of the trees, "
            "which a fit records; this model has nodes without any."
        )
    return counts
