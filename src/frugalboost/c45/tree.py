"""A tree with any number of branches at a node."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy.special import xlogy

from frugalboost import native
from frugalboost._typing import AnyArray, Bools, Floats, Ints


def total_info(by_class: Floats) -> Floats:
    """Bits to tell the classes of the cases of each node: their weight times the entropy.

    >>> total_info(np.array([[4.0, 4.0], [3.0, 0.0]]))
    array([8., 0.])
    """
    total = by_class.sum(axis=1)
    nats: Floats = xlogy(total, total) - xlogy(by_class, by_class).sum(axis=1)
    return np.asarray(nats / np.log(2.0))


@dataclass(frozen=True, eq=False)
class C45Tree:
    """Nodes in the order of a walk that takes the first branch first.

    Attributes
    ----------
    feature : (n_nodes,), -1 for leaves
    threshold : (n_nodes,)
        Values up to it take the first branch, others the second. NaN for categories, each of
        which has its own branch, and for leaves.
    label : (n_nodes,), class codes
    by_class : (n_nodes, n_classes)
        Weights of the cases. One with a missing value is in several branches, in shares.
    child_offset : (n_nodes + 1,)
        The branches of node i are ``children[child_offset[i] : child_offset[i + 1]]``.
    children : nodes
    """

    feature: AnyArray
    threshold: Floats
    label: AnyArray
    by_class: Floats
    child_offset: Ints
    children: AnyArray

    def __post_init__(self) -> None:
        for array in self.arrays().values():
            array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def arrays(self) -> dict[str, AnyArray]:
        """The arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def n_nodes(self) -> int:
        return len(self.feature)

    @property
    def is_leaf(self) -> Bools:
        return np.asarray(self.feature < 0)

    @property
    def n_leaves(self) -> int:
        return int(self.is_leaf.sum())

    @property
    def depth(self) -> int:
        """Tests on the longest path."""
        depth = np.zeros(self.n_nodes, dtype=np.int64)
        for node in np.flatnonzero(~self.is_leaf).tolist():  # parents first
            depth[self.branches(node)] = depth[node] + 1
        return int(depth.max())

    def branches(self, node: int) -> AnyArray:
        """The nodes below a node, in the order of its branches."""
        return np.asarray(self.children[self.child_offset[node] : self.child_offset[node + 1]])

    def gain_by_feature(self, n_features: int) -> Floats:
        """Bits that the tests on each feature save, over all their cases."""
        bits = total_info(self.by_class)
        parents = np.repeat(np.arange(self.n_nodes), np.diff(self.child_offset))
        saved = bits - np.bincount(parents, bits[self.children], minlength=self.n_nodes)
        inner = np.flatnonzero(~self.is_leaf)
        gains = np.zeros(n_features)
        np.add.at(gains, self.feature[inner], np.maximum(saved[inner], 0.0))
        return gains

    def shares(self, X: AnyArray) -> Floats:
        """The share of each class, (n, n_classes), for a matrix of numbers and codes.

        A row with a missing value goes to all branches, in proportion to their cases.
        """
        matrix = np.ascontiguousarray(X, dtype=np.float64)
        return native.c45_shares(
            self.feature,
            self.threshold,
            self.label,
            self.by_class,
            self.child_offset,
            self.children,
            matrix,
        )

    def votes(self, X: AnyArray) -> Ints:
        """The class of the largest share, ties to the lowest."""
        return np.asarray(self.shares(X).argmax(axis=1))

    def __repr__(self) -> str:
        return f"C45Tree(n_leaves={self.n_leaves}, depth={self.depth})"
