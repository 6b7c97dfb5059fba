"""Small nodes, and all stumps of their features."""

from __future__ import annotations

from itertools import chain, combinations, product

import numpy as np
from hypothesis import strategies as st

import frugalboost as fb
from strategies import fixed_weights


@st.composite
def nodes(draw, n_classes=None, categorical=None):
    """A table with missing values, copied columns and some rows of it that are a node.

    Returns (X, is_categorical, labels, weights, rows), in which the rows differ in some feature.
    """
    n = draw(st.integers(2, 9))
    k = n_classes or draw(st.integers(2, 3))
    table = []
    for _ in range(draw(st.integers(1, 4))):
        values = st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])
        drawn = draw(st.lists(values, min_size=n, max_size=n))
        table.append(table[-1] if table and draw(st.booleans()) else drawn)
    is_categorical = np.zeros(len(table), dtype=bool)
    if k == 2 and categorical is None:
        is_categorical[draw(st.integers(0, len(table) - 1))] = draw(st.booleans())
    labels = np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))
    weights = np.array(draw(fixed_weights(n)), dtype=np.int64)
    rows = draw(st.lists(st.integers(0, n - 1), min_size=2, unique=True))
    X = np.array(table).T
    if not any(len(np.unique(column)) > 1 for column in X[rows].T):
        X[rows[0], draw(st.integers(0, len(table) - 1))] = 4.0
    return X, is_categorical, labels, weights, rows


def as_training_needs(labels, weights):
    """The node's labels with every class present, two at least, and positive weights below 2^40."""
    labels = np.unique(labels, return_inverse=True)[1]
    if labels.max() == 0:
        labels[0] = 1
    too_long = max(int(weights.max()).bit_length() - 40, 0)
    return labels, np.maximum(weights >> too_long, 1)


def binned(X, is_categorical):
    return fb.BinnedDataset.from_data(X, categorical_features=is_categorical)


def sides(column, is_categorical):
    """Which rows go left, for every stump of a feature, one-sided ones among them."""
    missing = np.isnan(column)
    values = np.unique(column[~missing])
    if is_categorical:
        subsets = chain.from_iterable(combinations(values, r) for r in range(len(values) + 1))
        cuts = [np.isin(column, subset) for subset in subsets]
    else:
        cuts = [column <= cut for cut in [-np.inf, *values]]
    return [np.where(missing, side, left) for left in cuts for side in (False, True)]


def losses_by_trying(node, feature):
    """L_m for m = 0 .. n, the least over the stumps of a feature, by trying all of them."""
    X, is_categorical, labels, weights, rows = node
    order = sorted(rows, key=lambda row: -weights[row])
    y = labels[order]
    classes = range(labels.max() + 1)
    every = []
    for left in sides(X[order, feature], is_categorical[feature]):
        for says in product(classes, classes):
            wrong = np.where(left, *says) != y
            added = [int(weights[row]) * int(miss) for row, miss in zip(order, wrong, strict=True)]
            every.append(np.cumsum([0, *added]))
    return np.min(every, axis=0)
