"""How part of the weight reflects the whole (Quick Boost, Appel et al. 2013, figures 1 to 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frugalboost._checks import check_int, names_itself
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.analysis.weight_order import Node, check_integers, searched_features
from frugalboost.data import BinnedDataset


@names_itself
def subset_mass(weights: Any, shares: Any) -> Floats:
    """Return ``Z_m / Z``: the share of the weight that the heaviest rows hold (figure 1).

    Parameters
    ----------
    weights : (n,) non-negative integers
    shares : shares of the rows, ``m / n``, from 0 to 1; m is rounded up

    Returns
    -------
    masses : array, one for each share

    Examples
    --------
    >>> subset_mass([1, 6, 1, 2], shares=[0.25, 0.5, 1.0])
    array([0.6, 0.8, 1. ])
    """
    masses = check_integers(weights, "weights", len(weights), low=0)
    parts = check_shares(shares)
    seen = np.concatenate([[0], np.cumsum(np.sort(masses)[::-1])])
    # A share such as 3 / 7 times 7 may come out above 3.
    m = np.ceil(parts * len(masses) * (1 - 2.0**-50)).astype(int)
    return np.asarray(seen[m] / max(seen[-1], 1))


@names_itself
def preliminary_errors(
    dataset: BinnedDataset, labels: Any, weights: Any, shares: Any, rows: Any = None
) -> Floats:
    """Return the best preliminary error of every feature on ever larger subsets (figure 2).

    The m-subset of a share consists of the fewest heaviest rows that hold that share of the weight.
    An error is the least weight that a stump of the feature gets wrong in the subset, divided by
    the subset's weight.

    Parameters
    ----------
    dataset, labels, weights, rows : as in `weight_order_bound`
    shares : ``Z_m / Z``, from 0 to 1 and ascending

    Returns
    -------
    errors : (n_features, n_shares), NaN for constant features and where m is 0

    Examples
    --------
    >>> data = BinnedDataset.from_data([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> preliminary_errors(data, [0, 1, 0, 1], [4, 4, 1, 1], shares=[0.4, 0.8, 1.0])
    array([[0. , 0.5, 0.5],
           [0. , 0. , 0. ]])
    """
    parts = check_shares(shares)
    node = Node.from_arrays(dataset, labels, weights, rows)
    seen = np.concatenate([[0], np.cumsum(node.masses)])
    ends = np.searchsorted(seen, parts * float(seen[-1]), side="left")
    errors = np.full((dataset.n_features, len(parts)), np.nan)
    some = ends > 0
    for feature in searched_features(dataset) if some.any() else ():
        column = node.column(feature)
        losses = column.best_losses(column.sums_of_parts(ends[some]))
        errors[feature, some] = losses / seen[ends[some]].astype(np.float64)
    return errors


@names_itself
def probability_among_best(errors: Sequence[AnyArray], k: int) -> Floats:
    """Return how often the best feature is among the k best of a subset (figure 3).

    Parameters
    ----------
    errors : results of `preliminary_errors` for several nodes, the last share being 1
    k : int of at least 1

    Returns
    -------
    probability : (n_shares,)

    Examples
    --------
    >>> first = np.array([[0.1, 0.3], [0.2, 0.1]])
    >>> probability_among_best([first, first[::-1]], k=1)
    array([0., 1.])
    """
    check_int(k, name="k", low=1)
    is_among_best = []
    for table in errors:
        ranks = ranks_of(table)
        is_among_best.append(ranks[int(np.nanargmin(table[:, -1]))] < k)
    return np.asarray(np.mean(is_among_best, axis=0))


def ranks_of(table: AnyArray) -> Ints:
    """Number of features better than each, by column; ties go to the lowest feature."""
    order = np.argsort(np.where(np.isnan(table), np.inf, table), axis=0, kind="stable")
    ranks = np.empty(order.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.arange(len(table))[:, np.newaxis], axis=0)
    return ranks


def check_shares(shares: Any) -> Floats:
    parts = np.asarray(shares, dtype=np.float64)
    is_fit = parts.ndim == 1 and len(parts) > 0 and np.isfinite(parts).all()
    if not is_fit or parts.min() < 0 or parts.max() > 1 or (np.diff(parts) < 0).any():
        raise ValueError(
            f"shares must be ascending numbers from 0 to 1, at least one; got {shares!r}."
        )
    return parts
