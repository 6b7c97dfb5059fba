"""Bounds on information gain (AP-Boost, appendix B), in bits, in the paper's words.

A leaf is given by the weight of each label among its seen rows, and among its unseen ones. The
smaller the conditional entropy of the leaves, the larger the gain of the split.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Weights = Sequence[float]
"""Weight of each label."""


def entropy_mass(leaf: Weights) -> float:
    """``Z e``: the entropy of a leaf's labels times its weight.

    >>> entropy_mass([2.0, 2.0]), entropy_mass([4.0, 0.0])
    (4.0, 0.0)
    """
    total = math.fsum(leaf)
    return math.fsum(weight * math.log2(total / weight) for weight in leaf if weight > 0)


def bernoulli_divergence(p: float, q: float) -> float:
    """``KL(B(p) || B(q))``.

    >>> bernoulli_divergence(0.5, 0.5), bernoulli_divergence(1.0, 0.25)
    (0.0, 2.0)
    """
    pairs = ((p, q), (1 - p, 1 - q))
    return math.fsum(a * math.log2(a / b) if b > 0 else math.inf for a, b in pairs if a > 0)


def entropy_lower(seen: Sequence[Weights]) -> float:
    """Equation (2): the unseen rows can only add to it.

    >>> entropy_lower([[2.0, 2.0], [1.0, 0.0]])
    4.0
    """
    return math.fsum(map(entropy_mass, seen))


def entropy_upper(seen: Sequence[Weights], unseen: Weights) -> float:
    """Equation (3); `unseen` is the weight of each label that is unseen in all leaves together.

    Infinite until every leaf has seen some weight of every label, so that alone it prunes little.

    >>> entropy_upper([[2.0, 2.0]], unseen=[0.0, 0.0])  # twice the true 4 bits
    8.0
    >>> entropy_upper([[2.0, 0.0]], unseen=[0.0, 1.0])
    inf
    """
    rest = math.fsum(unseen)
    if any(weight == 0 for leaf in seen for weight in leaf):
        return math.inf
    return math.fsum(
        entropy_mass(leaf)
        + rest * math.log2(len(leaf))
        + math.fsum(
            (weight + more) * math.log2((math.fsum(leaf) + rest) / weight)
            for weight, more in zip(leaf, unseen, strict=True)
        )
        for leaf in seen
    )
