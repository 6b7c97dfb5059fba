"""Weight functions of the margin, and how they become the weights of a tree.

A weight function is minus the derivative of its loss with respect to the margin: how much the loss
would fall if this example's margin rose a little. Batch rules use it as a weight; a filter uses it
as the probability of accepting an example (`truncated` and `logistic` stay within 0 and 1).
"""

from __future__ import annotations

import math
import sys
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.special import expit

from frugalboost import native
from frugalboost._typing import AnyArray, Floats

LARGEST_EXPONENT = math.floor(math.log(sys.float_info.max))
"""``exp`` of this is still finite."""

BAND = native.WEIGHT_BAND
"""Width of the bands in which `tree_weights` keeps its base, in units of the log weight.

A power of two, so that dividing by it, truncating and multiplying back are exact at any size.
Within a band no weight exceeds 2 * exp(256) = 3e111, so sums over any number of rows are finite,
and the heaviest weight is at least exp(-256) = 7e-112 of a unit example: 196 powers of ten above
the smallest normal number, far more than any sum of the tree can resolve.
"""

WeightFunction: TypeAlias = Literal["exponential", "truncated", "logistic"]
WEIGHT_FUNCTIONS = get_args(WeightFunction)
"""In the order of the core's ``PairWeight``."""


def each_once(weights: Floats) -> Floats:
    """The weights, or just one of them if all rows share a single number in memory.

    >>> each_once(np.broadcast_to(1.0, 3)), each_once(np.array([1.0, 0.0]))
    (array([1.]), array([1., 0.]))
    """
    return weights[:1] if weights.strides == (0,) else weights


def exponential(margin: Floats) -> Floats:
    """AdaBoost: above 0, one at the boundary; kept finite for hopeless margins.

    >>> exponential(np.array([-1.0, 0.0, 1.0])).round(3)
    array([2.718, 1.   , 0.368])
    """
    return np.exp(np.minimum(-margin, LARGEST_EXPONENT))


def truncated(margin: Floats) -> Floats:
    """MadaBoost: in (0, 1]. The FilterBoost paper prints ``exp(+yF)``; the sign is a slip.

    >>> truncated(np.array([-1.0, 0.0, 1.0])).round(3)
    array([1.   , 1.   , 0.368])
    """
    return np.exp(-np.maximum(margin, 0.0))


def logistic(margin: Floats) -> Floats:
    """AdaBoost-LOG and FilterBoost (``q_t``): in (0, 1), one half at the boundary.

    >>> logistic(np.array([-2.0, 0.0, 2.0])).round(3)
    array([0.881, 0.5  , 0.119])
    """
    return np.asarray(expit(-margin), dtype=np.float64)


def tree_weights(log_weight: Floats, sample_weight: Floats, n_threads: int = 1) -> Floats:
    """Return ``sample_weight * exp(log_weight - base)``, positive and finite.

    Parameters
    ----------
    log_weight : (n,) or (n, V)
        Any finite numbers; after many rounds they may differ by thousands.
    sample_weight : (n,)

    Notes
    -----
    Subtracting the maximum itself would change every weight whenever the heaviest row changes.
    The base is the maximum cut down to a multiple of `BAND`, so it stays the same for hundreds of
    rounds, and a row whose log weight has not changed keeps its weight bit for bit: histograms can
    then be updated from the changed rows alone.

    Weights too small for a float are raised to about the smallest normal number: a zero weight
    would remove the row from its leaf.

    >>> tree_weights(np.array([0.0, 1.0, -2000.0]), np.ones(3))
    array([1.00000000e+000, 2.71828183e+000, 3.30755300e-308])
    """
    scales = unit_scaled(sample_weight, n_threads)
    weights = native.exponential_weights(by_row(log_weight), scales, n_threads)
    return weights.reshape(log_weight.shape)


def pair_weights(
    kind: WeightFunction,
    scores: Floats,
    labels: AnyArray,
    sample_weight: Floats,
    n_threads: int = 1,
) -> Floats:
    """Return ``sample_weight`` times a weight function of the margins, as `tree_weights` would for
    its logarithm: correct even where the weights themselves would all underflow.

    Parameters
    ----------
    kind : {"exponential", "truncated", "logistic"}
    scores : (n,) for two classes, else (n, K)
    labels : (n,)
    sample_weight : (n,)

    >>> scores, ones = np.array([-1.0, 0.0, 1.0]), np.ones(3)
    >>> pair_weights("truncated", scores, np.ones(3, dtype=int), ones).round(3)
    array([1.   , 1.   , 0.368])
    """
    weights = native.pair_weights(
        by_row(scores),
        labels.astype(np.int64, copy=False),
        unit_scaled(sample_weight, n_threads),
        WEIGHT_FUNCTIONS.index(kind),
        n_threads,
    )
    return weights.reshape(scores.shape)


def unit_scaled(sample_weight: Floats, n_threads: int = 1) -> Floats:
    """Scale by a power of two, hence exactly, so that the largest weight is in [1, 2).

    >>> unit_scaled(np.array([3.0, 12.0]))
    array([0.375, 1.5  ])
    """
    # Ones may be one number that is read many times: the core would copy it, and report running
    # out of memory for the copy as a wrong argument.
    sample_weight = np.ascontiguousarray(sample_weight)
    exponent = math.frexp(native.largest(sample_weight, n_threads))[1]
    if exponent == 1:  # the usual case, all weights 1: nothing to do
        return sample_weight
    return np.asarray(np.ldexp(sample_weight, 1 - exponent))


def example_scaled(sample_weight: Floats) -> Floats:
    """Scale so that one example weighs 1, for rules that count prior examples.

    Weights above 1 on average count as repetitions and stay. Smaller ones may have been
    normalised, so there an example is the average row.

    >>> example_scaled(np.array([1.0, 3.0])), example_scaled(np.array([0.125, 0.375]))
    (array([1., 3.]), array([0.5, 1.5]))
    """
    n_rows, total = len(sample_weight), float(sample_weight.sum())
    if total >= n_rows:
        return sample_weight if math.isfinite(total) else unit_scaled(sample_weight)
    # First to about 1, which is exact: the factor for the tiniest weights would be infinite.
    scaled = unit_scaled(sample_weight)
    return np.asarray(scaled * (n_rows / float(scaled.sum())))


def by_row(values: Floats) -> Floats:
    """(n,) as (n, 1); (n, V) unchanged."""
    return values if values.ndim == 2 else values[:, np.newaxis]


def per_output(row_values: Floats, like: Floats) -> Floats:
    """Give (n,) values a trailing axis when `like` has one, so that they multiply row by row."""
    return row_values if like.ndim == 1 else row_values[:, np.newaxis]


def all_count(weights: Floats) -> bool:
    """Whether no weight is zero.

    >>> all_count(np.broadcast_to(1.0, 3)), all_count(np.array([1.0, 0.0]))
    (True, False)
    """
    return bool(each_once(weights).all())
