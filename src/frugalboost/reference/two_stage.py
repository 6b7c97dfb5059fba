"""The two-stage search for two classes by error: rounded weights first, then exact ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from frugalboost.reference.arms import FeatureArm
from frugalboost.reference.losses import LossValue
from frugalboost.reference.rows import WeightedRows
from frugalboost.reference.searches import best_of
from frugalboost.reference.splits import Stump


def two_stage(arms: list[FeatureArm], bits: int = 25, share: float = 0.99) -> Stump | None:
    """Bound every feature by rounded weights of the heavy rows; assess what may still win."""
    bounds = rounded_bounds(arms, bits, share)
    finished: list[FeatureArm] = []
    for bound, arm in sorted(zip(bounds, arms, strict=True), key=lambda pair: pair[0]):
        if any((bound, arm.feature) > (best.lower, best.feature) for best in finished):
            continue
        arm.assess(len(arm.node))
        finished.append(arm)
    return best_of(finished)


def rounded_bounds(arms: Sequence[FeatureArm], bits: int, share: float) -> list[LossValue]:
    """Bound each feature's loss by the rows that hold `share` of the mass, rounded to `bits`.

    Weights are rounded down. An error is a sum of weights, so no feature's error can have risen.
    """
    if not arms:
        return []
    node = arms[0].node
    shift = max(0, node.total_mass.bit_length() - bits)
    rounded = round_down(node, shift)
    n_heavy = int(np.searchsorted(np.cumsum(node.masses), share * node.total_mass)) + 1
    n_seen = min(n_heavy, int(np.count_nonzero(rounded.masses)))
    bounds = []
    for arm in arms:
        narrow = FeatureArm(arm.feature, arm.column, rounded, 1, 0)
        narrow.assess(n_seen)
        bounds.append(narrow.lower * 2**shift)
    return bounds


def round_down(node: WeightedRows, shift: int) -> WeightedRows:
    """Divide all weights by a power of two; the order of the rows stays the same."""
    return replace(node, cells=node.cells >> shift, masses=node.masses >> shift)
