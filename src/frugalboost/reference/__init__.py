"""The papers' algorithms in short plain Python, in the papers' words.

This is the specification of the compiled core and the oracle of the tests: read it to see
what a search does, not to train a model. docs/notation.md maps the papers' symbols to the
names used here, docs/exactness.md holds the proofs.

>>> import numpy as np
>>> column = Column(np.array([0, 0, 1, 2, 2]), n_bins=3)
>>> labels, weights = np.array([0, 0, 1, 1, 0]), np.array([4, 3, 5, 2, 1])
>>> arms = make_arms([column], class_rows("error", labels, weights, n_classes=2))
>>> stump = adaptive(arms)
>>> stump.bin, stump.loss
(0, 1)
"""

from frugalboost.reference.adaboost import Round, adaboost
from frugalboost.reference.adaboost_m1 import adaboost_m1
from frugalboost.reference.arms import FeatureArm, assessments, make_arms
from frugalboost.reference.c45 import C45Grower, C45Node
from frugalboost.reference.c45_pruning import C45Pruner
from frugalboost.reference.c45_splits import Attribute, SplitFinder
from frugalboost.reference.fixed_point import choose_shift, fixed_point, keep_shift
from frugalboost.reference.gain_ratio import gain_ratio
from frugalboost.reference.gamble import gamble, gamble_trees
from frugalboost.reference.losses import Loss
from frugalboost.reference.pessimistic import predicted_errors, upper_limit
from frugalboost.reference.reduced_error import all_prunings, best_pruning
from frugalboost.reference.residuals import histogram, next_root, rounded_step
from frugalboost.reference.rows import WeightedRows, class_rows, real_rows, vote_rows
from frugalboost.reference.searches import (
    SEARCHES,
    adaptive,
    ap_boost,
    exhaustive,
    quick,
)
from frugalboost.reference.shapley import CountedTree, shapley_values
from frugalboost.reference.splits import Column, Stump
from frugalboost.reference.subsets import lazy, sampled, trimmed
from frugalboost.reference.trees import Node, TreeGrower
from frugalboost.reference.two_stage import two_stage

__all__ = [
    "SEARCHES",
    "Attribute",
    "C45Grower",
    "C45Node",
    "C45Pruner",
    "Column",
    "CountedTree",
    "FeatureArm",
    "Loss",
    "Node",
    "Round",
    "SplitFinder",
    "Stump",
    "TreeGrower",
    "WeightedRows",
    "adaboost",
    "adaboost_m1",
    "adaptive",
    "all_prunings",
    "ap_boost",
    "assessments",
    "best_pruning",
    "choose_shift",
    "class_rows",
    "exhaustive",
    "fixed_point",
    "gain_ratio",
    "gamble",
    "gamble_trees",
    "histogram",
    "keep_shift",
    "lazy",
    "make_arms",
    "next_root",
    "predicted_errors",
    "quick",
    "real_rows",
    "rounded_step",
    "sampled",
    "shapley_values",
    "trimmed",
    "two_stage",
    "upper_limit",
    "vote_rows",
]
