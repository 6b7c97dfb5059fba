"""Searches for the best stump: each returns the same one, after looking at different rows.

A search takes fresh arms and records in them how far it looked (`assessments`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from frugalboost.reference.arms import FeatureArm
from frugalboost.reference.losses import LossValue
from frugalboost.reference.splits import Stump

Search: TypeAlias = Callable[[list[FeatureArm]], "Stump | None"]


def exhaustive(arms: list[FeatureArm]) -> Stump | None:
    """Assess every feature on every row. None if no feature has a valid split."""
    for arm in arms:
        arm.assess(len(arm.node))
    return best_of(arms)


def quick(arms: list[FeatureArm], first_mass: float = 0.9, n_subsets: int = 20) -> Stump | None:
    """Quick Stump Training (Quick Boost, section 4)."""
    if not arms:
        return None
    first, *further = subset_schedule(arms[0].node.total_mass, first_mass, n_subsets)
    for arm in arms:
        arm.assess_weight(first)
    finished: list[FeatureArm] = []
    for arm in sorted(arms, key=preliminary):
        for mass in further:
            if any(is_beaten(arm, best) for best in finished):
                break
            arm.assess_weight(mass - arm.seen_weight)
        if arm.is_complete:
            finished = [min([*finished, arm], key=preliminary)]
    return best_of(finished)


def subset_schedule(total_mass: int, first_mass: float, n_subsets: int) -> list[int]:
    """The first mass, and `n_subsets` masses equally spaced from there to all of it.

    >>> subset_schedule(100, 0.9, 5)
    [90, 92, 94, 96, 98, 100]
    """
    first = min(int(first_mass * total_mass), total_mass)
    rest = total_mass - first
    return [first + rest * step // n_subsets for step in range(n_subsets + 1)]


def adaptive(arms: list[FeatureArm], unit_steps: bool = False) -> Stump | None:
    """Adaptive-Pruning Stump (AP-Boost), best first.

    Always advance the feature with the smallest lower bound, by the weight that it still needs
    to be beaten. With `unit_steps`, by one row: then the error criterion assesses exactly the
    paper's weight order lower bound.
    """
    queue = [(arm.lower, arm.feature, arm) for arm in arms]
    heapify(queue)
    best: FeatureArm | None = None
    while queue:
        _, _, arm = heappop(queue)
        if best is not None and is_beaten(arm, best):
            break  # nor can any arm behind it win
        arm.assess_weight(1 if unit_steps else missing_weight(arm, arms, best is not None))
        if not arm.is_complete:
            heappush(queue, (arm.lower, arm.feature, arm))
        elif best is None or is_beaten(best, arm):
            best = arm
    return None if best is None else best.best_stump()


def ap_boost(arms: list[FeatureArm]) -> Stump | None:
    """Adaptive-Pruning Stump (AP-Boost, Algorithm 1) as it is printed, line by line.

    Its a and b are the leader, the feature with the smallest upper bound, and the rival, the one of
    the others with the smallest lower bound. The printed swap test is the wrong way round. The
    paper leaves out that one row at least is looked at, and that ties go to the lowest feature.
    """
    if not arms:
        return None
    for arm in arms:
        arm.assess_weight((arm.node.total_mass + 1) // 2)
    leader = min(arms, key=by_both)
    while rivals := [arm for arm in arms if arm is not leader and not is_beaten(arm, leader)]:
        rival = min(rivals, key=preliminary)
        leader.assess_weight(gap(leader, rival))
        if not is_beaten(rival, leader):
            rival.assess_weight(gap(leader, rival))
        if by_upper(rival) < by_upper(leader):
            leader = rival
    leader.assess(len(leader.node))
    return leader.best_stump()


def gap(leader: FeatureArm, rival: FeatureArm) -> LossValue:
    """The least weight after which the rival's lower bound can reach the leader's upper bound."""
    if math.isinf(leader.upper):  # so may the rival's bounds be, if it has no valid split
        return math.inf
    return max(leader.upper - rival.lower, 1)


def is_beaten(arm: FeatureArm, by: FeatureArm) -> bool:
    """Whether `arm` certainly loses to `by`: ties go to the lowest feature index."""
    both_known = arm.is_complete and by.is_complete
    slack = 0 if both_known else arm.slack
    return (arm.lower, arm.feature) > (by.upper + slack, by.feature)


def missing_weight(arm: FeatureArm, arms: Sequence[FeatureArm], is_final: bool) -> LossValue:
    """Return how far the arm's lower bound is below the smallest upper bound.

    For the error this is the least weight after which the arm can be beaten, if that bound is
    `is_final`, the loss of a finished feature; until then it will still fall, and a third is taken.
    The other losses are in units of weight too, so the step has the right size; exactness does not
    need it.
    """
    smallest_upper = min(min(other.upper for other in arms), arm.node.leaf_loss)
    gap = smallest_upper - arm.lower
    return max(gap if is_final else gap / 3, 1)


def preliminary(arm: FeatureArm) -> tuple[LossValue, int]:
    return arm.lower, arm.feature


def by_upper(arm: FeatureArm) -> tuple[LossValue, int]:
    return arm.upper, arm.feature


def by_both(arm: FeatureArm) -> tuple[LossValue, LossValue, int]:
    """Features that have no upper bound yet are ranked by the lower one."""
    return arm.upper, arm.lower, arm.feature


def best_of(finished: Sequence[FeatureArm]) -> Stump | None:
    return min(finished, key=preliminary).best_stump() if finished else None


SEARCHES: dict[str, Search] = {
    "exhaustive": exhaustive,
    "quick": quick,
    "adaptive": adaptive,
    "ap_boost": ap_boost,
}
