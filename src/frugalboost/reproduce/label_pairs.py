"""More than two classes as two: a row with a label is an example, and the label one more feature.

AP-Boost does not say how it treats several classes. This is how: K examples for each row, one for
each label, positive where the label is the row's own; the label's number comes last among the
features; the class of a row is the label whose example has the largest score. With it the errors
and assessments of satimage come out as printed.
"""

from __future__ import annotations

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.reproduce.sources import Source


def paired(source: Source) -> Source:
    """Pairs of rows and labels, those of a row one after the other; two classes stay as they are.

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
