"""Several classes as two, the way AP-Boost's numbers show that it did."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.reproduce.sources import Source


def paired(source: Source) -> Source:
    """More than two classes as two: one example for each row and label; two stay as they are.

    AP-Boost does not say how it treats several classes. This reproduces its errors and assessments
    of satimage: K examples for each row, positive for the row's own label, whose number is the last
    feature. The class of a row is the label whose example has the largest score.

    >>> train, test = (np.array([[5], [6]]), np.array([2, 9])), (np.array([[7]]), np.array([4]))
    >>> pairs = paired(Source("tiny", *train, *test))
    >>> pairs.X_train.tolist(), pairs.y_train.tolist()
    ([[5, 0], [5, 1], [5, 2], [6, 0], [6, 1], [6, 2]], [1, -1, -1, -1, -1, 1])
    """
    labels = np.union1d(source.y_train, source.y_test)
    if len(labels) == 2:
        return source
    return Source(
        source.name,
        with_labels(source.X_train, len(labels)),
        is_own(source.y_train, labels),
        with_labels(source.X_test, len(labels)),
        is_own(source.y_test, labels),
        n_labels=len(labels),
    )


def with_labels(X: AnyArray, n_labels: int) -> AnyArray:
    n, n_features = X.shape
    pairs = np.empty((n * n_labels, n_features + 1), dtype=X.dtype)
    pairs[:, :-1] = np.repeat(X, n_labels, axis=0)
    pairs[:, -1] = np.tile(np.arange(n_labels), n)
    return pairs


def is_own(y: AnyArray, labels: AnyArray) -> AnyArray:
    return np.where(y[:, np.newaxis] == labels, 1, -1).ravel()


def label_first(source: Source) -> Source:
    """The same examples with the label's number as the first feature: it then wins its ties."""
    train, test = (np.roll(X, 1, axis=1) for X in (source.X_train, source.X_test))
    return replace(source, X_train=train, X_test=test)
