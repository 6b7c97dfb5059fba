"""Trees of the library and of the reference in one form, so that `==` compares them."""

from __future__ import annotations

import numpy as np

from frugalboost.reference import Column


def as_columns(dataset):
    return [
        Column(
            dataset.column_codes(feature),
            int(dataset.n_bins[feature]),
            bool(dataset.has_missing[feature]),
            bool(dataset.is_categorical[feature]),
        )
        for feature in range(dataset.n_features)
    ]


def nested(tree, leaf_says, node=0):
    """A flat tree as nested tuples."""
    if tree.feature[node] < 0:
        return leaf_says(tree.value[node])
    start, n = tree.category_start[node], tree.n_categories[node]
    left_set = None
    if start >= 0:
        word = int(tree.category_words[start])
        left_set = tuple(code for code in range(n) if word >> code & 1)
    return (
        int(tree.feature[node]),
        left_set if start >= 0 else float(tree.threshold[node]),
        bool(tree.missing_left[node]),
        nested(tree, leaf_says, tree.left[node]),
        nested(tree, leaf_says, tree.right[node]),
    )


def nested_reference(node, dataset, says):
    """A reference tree as the same nested tuples; `says` yields the leaves' classes in order."""
    if node.stump is None:
        return next(says)
    stump = node.stump
    where = stump.categories
    if where is None:
        where = float(np.append(dataset.thresholds[stump.feature], np.inf)[stump.bin])
    left = nested_reference(node.left, dataset, says)
    return (
        stump.feature,
        where,
        bool(stump.missing_left),
        left,
        nested_reference(node.right, dataset, says),
    )


def named_class(value):
    return int(value[0] > 0) if len(value) == 1 else int(np.argmax(value))
