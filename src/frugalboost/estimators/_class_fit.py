"""From a user's labels to a fit, for the classifiers that boost over a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from frugalboost._threads import count_threads
from frugalboost._typing import AnyArray, Floats
from frugalboost.data.labels import encode_labels, read_labels
from frugalboost.data.rare_classes import warn_if_rare
from frugalboost.estimators._decisions import TreesClassifier
from frugalboost.estimators._params import FitPlan
from frugalboost.estimators._rows import count_rows
from frugalboost.estimators._targets import all_count, read_weights


class TableClassifier(TreesClassifier):
    """Reading labels and weights; not public."""

    def _fit_classes(
        self, X: Any, y: Any, sample_weight: Any, plan_for: Callable[[int], FitPlan]
    ) -> None:
        """Fit to labelled rows; `plan_for` makes the plan for a number of classes."""
        owner = self._owner
        with self._all_or_nothing():
            X = self._read_table(X)
            labels = read_labels(y, owner)
            weights = read_weights(sample_weight, count_rows(X, labels, owner), owner)
            classes, codes = self._encode(labels, weights)
            self.classes_ = classes
            self._fit(X, codes, weights, plan_for(len(classes)), baseline=0.0)

    def _labels_given(self, labels: AnyArray) -> AnyArray:
        return np.asarray(self.classes_[labels])

    def _encode(self, labels: AnyArray, weights: Floats) -> tuple[AnyArray, AnyArray]:
        """Codes of the labels; classes that only rows of weight zero have do not count."""
        n_threads = count_threads(self.n_jobs, owner=self._owner)
        classes, codes = encode_counted(labels, weights, self._owner, n_threads)
        warn_if_rare(classes, codes, self._owner)
        if self.warm_start and hasattr(self, "classes_") and list(classes) != list(self.classes_):
            raise ValueError(
                f"{self._owner}: y must hold the classes of the first fit, "
                f"{self.classes_.tolist()!r}, when warm_start=True; got {classes.tolist()!r}."
            )
        return classes, codes


def encode_counted(
    labels: AnyArray, weights: Floats, owner: str, n_threads: int = 1
) -> tuple[AnyArray, AnyArray]:
    """Classes of the rows whose weight is above zero, and codes; 0 for the other rows."""
    if all_count(weights):
        return encode_labels(labels, owner, n_threads)
    counted = weights > 0
    classes, codes = encode_labels(labels[counted], owner, n_threads)
    codes_of_all = np.zeros(len(labels), dtype=codes.dtype)
    codes_of_all[counted] = codes
    return classes, codes_of_all
