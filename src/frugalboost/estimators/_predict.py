"""Predictions for tables of any kind, read in blocks of bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting import Ensemble
from frugalboost.data import BinnedDataset, Schema, is_plain
from frugalboost.data.large_integers import check_sides
from frugalboost.tree import FlatTree


def decide(ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str) -> Floats:
    """Decision (n, n_outputs) for a user's table."""
    matrices = read(ensemble, schema, X, owner)
    return joined([ensemble.decision(matrix, n_threads) for matrix in matrices])


def decide_in_stages(
    ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str
) -> Iterator[Floats]:
    """Decision after each tree; X is read once."""
    matrices = list(read(ensemble, schema, X, owner))
    for parts in zip(*(ensemble.staged_decision(m, n_threads) for m in matrices), strict=True):
        yield joined(parts)


def find_leaves(ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str) -> AnyArray:
    """Node that each row ends in, (n, n_trees)."""
    matrices = read(ensemble, schema, X, owner)
    return joined([ensemble.apply(matrix, n_threads) for matrix in matrices])


def read(ensemble: Ensemble, schema: Schema, X: Any, owner: str) -> Iterable[AnyArray]:
    """X in matrices that the ensemble reads; plain arrays without the time that checks take."""
    if ensemble.large_thresholds:
        check_sides(schema.read(X, owner), ensemble.large_thresholds)
    if is_plain(X, ensemble.n_features) and not ensemble.forest.has_categories:
        return (X,)
    return schema.iter_matrices(X, ensemble.used_features.tolist(), owner)


def joined(parts: Sequence[AnyArray]) -> AnyArray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def find_binned_leaves(
    ensemble: Ensemble, dataset: BinnedDataset, n_threads: int, owner: str
) -> AnyArray:
    """Node that each binned row ends in, (n, n_trees), for trees that split between these bins."""
    features = ensemble.used_features.tolist()
    for feature in features:
        for tree in ensemble.trees:
            cuts = tree.threshold[(tree.feature == feature) & np.isfinite(tree.threshold)]
            if not np.isin(cuts, dataset.thresholds[feature]).all():
                raise ValueError(
                    f"{owner}: X must have the bins of the first fit when warm_start=True; "
                    f"got a BinnedDataset with other thresholds for column {feature}."
                )
    block = np.empty((dataset.n_rows, len(features)))
    for at, feature in enumerate(features):
        block[:, at] = value_by_code(dataset, feature)[dataset.column_codes(feature)]
    return ensemble.apply(block, n_threads)


def value_by_code(dataset: BinnedDataset, feature: int) -> Floats:
    """A value in each bin of a feature (its upper end), then NaN, as prediction reads them."""
    if dataset.is_categorical[feature]:
        return np.append(np.arange(float(dataset.n_bins[feature])), np.nan)
    return np.append(dataset.thresholds[feature], [np.inf, np.nan])


def tree_values(tree: FlatTree, schema: Schema, X: Any, n_threads: int, owner: str) -> Floats:
    """What one tree says about each row."""
    single = Ensemble(tree.n_features, tree.n_outputs)
    single.append(tree, 1.0, restarted=False)
    return decide(single, schema, X, n_threads, owner)
