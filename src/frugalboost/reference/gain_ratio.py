"""C4.5's choice of a split (Quinlan 1993): the largest gain ratio among gains above average.

The best split of each feature is that of least entropy; features are then compared by the ratio
of the split's gain to its own entropy. A search on arms of the criterion "entropy".
"""

from __future__ import annotations

from collections.abc import Sequence

from frugalboost.reference.arms import FeatureArm
from frugalboost.reference.losses import ROUND_OFF, Cell, add_up, classes_entropy
from frugalboost.reference.splits import Stump


def gain_ratio(arms: list[FeatureArm]) -> Stump | None:
    """The stump of the largest gain ratio among those of at least average gain.

    None if no stump gains: C4.5 makes a leaf there. Ties go to the lowest feature.
    """
    for arm in arms:
        arm.assess(len(arm.node))
    stumps = [(arm, stump) for arm in arms if (stump := arm.best_stump()) and gain(arm, stump) > 0]
    enough = at_least_average([gain(*pair) for pair in stumps])
    chosen = [pair for pair, is_enough in zip(stumps, enough, strict=True) if is_enough]
    return max(chosen, key=lambda pair: ratio(*pair))[1] if chosen else None


def gain(arm: FeatureArm, stump: Stump) -> float:
    """Entropy that the split saves; 0 if that may be rounding alone."""
    saved = float(arm.node.leaf_loss) - float(stump.loss)
    return saved if saved > arm.node.loss.slack(arm.node.cell) else 0.0


def at_least_average(gains: Sequence[float]) -> list[bool]:
    """Whether each gain is at least their mean, even if the mean of equal gains is rounded up.

    >>> at_least_average([0.1, 0.1, 0.1]), at_least_average([1.0, 2.0, 4.0])
    ([True, True, True], [False, False, True])
    """
    n = float(len(gains))
    total = add_up(gains) * (1.0 - (n + 2.0) * ROUND_OFF)
    return [n * each >= total for each in gains]


def ratio(arm: FeatureArm, stump: Stump) -> float:
    """Gain over the entropy of the split."""
    return gain(arm, stump) / split_entropy(arm, stump)


def split_entropy(arm: FeatureArm, stump: Stump) -> float:
    """Entropy of a row's side, not of its label."""
    left = stump.goes_left(arm.column)[arm.node.index]
    sides = [weight(arm.node.take(side).cell, arm.node.loss.layout) for side in (left, ~left)]
    return classes_entropy(sides)


def weight(cell: Cell, layout: str) -> int:
    """Weight of the rows of a cell, over all outputs."""
    return sum(cell if layout == "classes" else cell[: len(cell) // 2])
