"""The paper's experiment, and others that differ from it in one thing or two.

To add one, give it a line in `VARIANTS`. `trees` may hold any option of the library's tree grower;
for an estimator of its own, `make` is a function like `library_model`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import frugalboost as fb

MAX_BINS = 1024
"""More than any feature has values, so that every threshold is tried, as in C4.5."""


@dataclass(frozen=True)
class Wanted:
    """What a model of one fit is made of.

    Attributes
    ----------
    ensemble : "adaboost_m1", "bagging" or None
        None: a single tree.
    rounds, seed : int
    resample : bool
        Boosted trees grow on samples drawn by weight, or on the weighted rows.
    trees : dict
        Options of the tree grower.
    categorical : list of int or None
        Columns that hold codes of categories.
    n_jobs : int or None
    """

    ensemble: str | None
    rounds: int
    seed: int
    resample: bool
    trees: Mapping[str, Any]
    categorical: list[int] | None
    n_jobs: int | None


def library_model(wanted: Wanted) -> Any:
    """The library's own trees: no limit of depth, and every threshold is tried."""
    trees = {
        "max_depth": None,
        "max_leaf_nodes": None,
        "max_bins": MAX_BINS,
        "categorical_features": wanted.categorical,
        "n_jobs": wanted.n_jobs,
        **wanted.trees,
    }
    if wanted.ensemble == "bagging":
        return fb.BaggedTreesClassifier(wanted.rounds, random_state=wanted.seed, **trees)
    if wanted.ensemble is None:
        return fb.BoostedTreesClassifier("adaboost_m1", n_estimators=1, **trees)
    return fb.BoostedTreesClassifier(
        wanted.ensemble,
        resample=wanted.resample,
        n_estimators=wanted.rounds,
        random_state=wanted.seed,
        **trees,
    )


def release_8(wanted: Wanted) -> Any:
    """C4.5, release 8, with all its details, which the other variants have only in part."""
    return fb.C45Classifier(
        wanted.ensemble,
        resample=wanted.resample,
        categorical_features=wanted.categorical,
        random_state=wanted.seed,
        n_estimators=wanted.rounds,
        **wanted.trees,
    )


PRUNED_C45 = MappingProxyType({"criterion": "gain_ratio", "pruning": "pessimistic"})
C45 = MappingProxyType({"criterion": "gain_ratio", "pruning": None})
GINI = MappingProxyType({"criterion": "gini", "pruning": None, "min_samples_leaf": 1})
ENTROPY = MappingProxyType({"criterion": "entropy", "pruning": None, "min_samples_leaf": 1})
TWO_ROWS = MappingProxyType({"min_samples_leaf": 2})
"""With fewer, a tree on weighted rows makes no error, and boosting ends with the first one."""
RELEASE_8: Mapping[str, Any] = MappingProxyType({})
UNPRUNED_RELEASE_8 = MappingProxyType({"pruning": None})


@dataclass(frozen=True)
class Variant:
    """One way to do the experiment.

    Attributes
    ----------
    title : str
    trees : dict
        Options of the tree grower.
    resample : bool
        Trees grow on samples drawn by weight (section 2), or on the weighted rows.
    make : callable
        From what is wanted to a model that is not fitted.
    """

    title: str
    trees: Mapping[str, Any] = field(default_factory=lambda: PRUNED_C45)
    resample: bool = True
    make: Callable[[Wanted], Any] = library_model


PAPER = "c45"
"""The variant that follows the paper's text: samples drawn by weight, C4.5 with pruning."""

VARIANTS = {
    PAPER: Variant("as in the paper"),
    "unpruned": Variant("C4.5's trees, not pruned", C45),
    "weighted": Variant("weighted rows", resample=False),
    "weighted_unpruned": Variant("weighted rows, C4.5's trees not pruned", C45, resample=False),
    "gini": Variant("CART's trees (Gini), not pruned", GINI),
    "entropy": Variant("CART's trees (entropy), not pruned", ENTROPY),
    "weighted_gini": Variant(
        "weighted rows, CART's trees (Gini) not pruned", GINI | TWO_ROWS, resample=False
    ),
    "weighted_entropy": Variant(
        "weighted rows, CART's trees (entropy) not pruned", ENTROPY | TWO_ROWS, resample=False
    ),
    "release_8": Variant("C4.5, release 8", RELEASE_8, make=release_8),
    "weighted_release_8": Variant(
        "weighted rows, C4.5, release 8", RELEASE_8, resample=False, make=release_8
    ),
    "weighted_unpruned_release_8": Variant(
        "weighted rows, C4.5, release 8, not pruned",
        UNPRUNED_RELEASE_8,
        resample=False,
        make=release_8,
    ),
}
