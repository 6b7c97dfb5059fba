"""Loss at a node, if it were a leaf, of rows that the tree did not grow on, for pruning.

Sums are by node, over the rows that the tree grew on (they decide the leaf values) and over those
held out (they judge them). Sums of integers stay integers, so that ties are ties.
"""

from __future__ import annotations

import numpy as np

from frugalboost._typing import AnyArray, Floats


def errors_as_leaf(growing: AnyArray, held: AnyArray) -> AnyArray:
    """Held-out weight that is wrong if a leaf names its heaviest class, the lowest in ties.

    Parameters
    ----------
    growing, held : (n_nodes, K) weights of the classes

    >>> errors_as_leaf(np.array([[5, 2], [1, 1]]), np.array([[3, 1], [0, 4]]))
    array([1, 4])
    """
    named = growing.argmax(axis=1)
    return np.asarray(held.sum(axis=1) - held[np.arange(len(held)), named])


def votes_as_leaf(growing: tuple[AnyArray, AnyArray], held: tuple[AnyArray, AnyArray]) -> AnyArray:
    """Held-out weight of the pairs that a leaf's votes get wrong; a tie is a no.

    Parameters
    ----------
    growing, held : weights of the pairs whose answer is no and yes, (n_nodes, V) each

    >>> votes_as_leaf((np.array([[5]]), np.array([[2]])), (np.array([[3]]), np.array([[1]])))
    array([1])
    """
    return np.asarray(np.where(growing[1] > growing[0], *held).sum(axis=1))


def squares_as_leaf(values: Floats, weight: AnyArray, numerator: AnyArray) -> Floats:
    """Held-out squared distance between responses and leaf values, without the squares of the
    responses, which no pruning changes.

    Parameters
    ----------
    values : (n_nodes, V)
    weight, numerator : (n_nodes, V) sums over the held-out rows

    >>> squares_as_leaf(np.array([[2.0]]), np.array([[3.0]]), np.array([[5.0]]))
    array([-8.])
    """
    return np.asarray((values * (values * weight - 2 * numerator)).sum(axis=1))


def exponential_of_pairs(values: Floats, minus: AnyArray, plus: AnyArray) -> Floats:
    """Held-out weight times ``exp(-margin)`` of pairs whose answer is no and yes, (n_nodes, V)."""
    return np.asarray((minus * np.exp(values) + plus * np.exp(-values)).sum(axis=1))
