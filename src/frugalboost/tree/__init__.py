"""Growing trees on binned columns, and flat trees that predict on raw values."""

from frugalboost.tree.fixed_point import (
    AnyProblem,
    FixedPoint,
    FixedProblem,
    GrowingProblem,
    LogitProblem,
    ResidualProblem,
    Scale,
)
from frugalboost.tree.flat import FlatTree
from frugalboost.tree.grow import CRITERIA, SEARCHES, GrownTree, TreeGrower, TreePlan

__all__ = [
    "CRITERIA",
    "SEARCHES",
    "AnyProblem",
    "FixedPoint",
    "FixedProblem",
    "FlatTree",
    "GrowingProblem",
    "GrownTree",
    "LogitProblem",
    "ResidualProblem",
    "Scale",
    "TreeGrower",
    "TreePlan",
]
