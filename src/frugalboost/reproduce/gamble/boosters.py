"""GAMBLE and its rivals, by the keys of the jobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import frugalboost as fb

LEAVES = 15
"""Section 3.2.1: about so many."""
SMALL = 8
LARGE = 60


@dataclass(frozen=True)
class Options:
    """What all boosters of a job share."""

    rounds: int
    leaves: int = LEAVES
    categorical: tuple[int, ...] = ()
    n_jobs: int | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        return {
            "n_estimators": self.rounds,
            "max_depth": None,
            "max_leaf_nodes": self.leaves,
            "min_samples_leaf": 1,
            "categorical_features": list(self.categorical) or None,
            "n_jobs": self.n_jobs,
        }


@dataclass(frozen=True)
class Booster:
    """A booster of the tables.

    Attributes
    ----------
    title : str
    rule : str or None
        Of `BoostedTreesClassifier`; None: `GambleClassifier`.
    options : dict
        What differs from the options that all share.
    """

    title: str
    rule: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def make(self, shared: Options) -> Any:
        parameters = {**shared.parameters, **self.options}
        if self.rule is None:
            return fb.GambleClassifier(**parameters)
        return fb.BoostedTreesClassifier(self.rule, **parameters)


def samme(title: str, criterion: str, **options: Any) -> Booster:
    return Booster(title, "adaboost", {"criterion": criterion, **options})


# By resampling, boosters grow trees on copies of rows, for learners that take no weights.
RESAMPLED = {"resample": True, "random_state": 0}

BOOSTERS = {
    "gamble": Booster("GAMBLE"),
    "samme": samme("SAMME", "error"),
    "gamble-slow": Booster("GAMBLE, learning_rate=0.1", options={"learning_rate": 0.1}),
    "real": Booster("AdaBoost.MH", "real", {"learning_rate": 1.0}),
    "gamble-small": Booster(f"GAMBLE, {SMALL} leaves", options={"max_leaf_nodes": SMALL}),
    "gamble-large": Booster(f"GAMBLE, {LARGE} leaves", options={"max_leaf_nodes": LARGE}),
    "samme-small": samme(f"SAMME, {SMALL} leaves", "error", max_leaf_nodes=SMALL),
    "samme-gini": samme("SAMME by Gini", "gini"),
    "samme-gini-small": samme(f"SAMME by Gini, {SMALL} leaves", "gini", max_leaf_nodes=SMALL),
    "samme-resampled": samme("SAMME by Gini, resampled", "gini", **RESAMPLED),
    "samme-large": samme(f"SAMME by Gini, {LARGE} leaves", "gini", max_leaf_nodes=LARGE),
}
"""GAMBLE's trees are grown by least squares, which is Gini; SAMME's by what it minimizes, the
weighted error, unless it says so: figure 6 (b) comes out with these, and not with trees by Gini."""

RIVALS = ("gamble", "samme")
"""The boosters of the paper."""
OTHERS = ("gamble-slow", "real")
"""Beside them in the tables, not the paper's."""
LEARNERS = (*RIVALS, *OTHERS)
VARIANTS = ("gamble-small", "samme-small", "samme-gini", "samme-gini-small", "samme-resampled")
"""What else SAMME may have been."""
WEIGHED = (*RIVALS, "gamble-slow", "samme-gini")
"""Whose weights are looked at."""
SPHERE_VARIANTS = ("samme-gini", "samme-resampled", "samme-large", "gamble-large")


def make_booster(key: str, shared: Options) -> Any:
    """A booster by its key."""
    return BOOSTERS[key].make(shared)


@dataclass(frozen=True)
class Committee:
    """How Active learns, if otherwise.

    Attributes
    ----------
    title : str
    options : dict
        Of GAMBLE.
    batch : int
        Labels that are asked for at a time, in multiples of what is usual.
    """

    title: str
    options: Mapping[str, Any] = field(default_factory=dict)
    batch: int = 1

    def make(self, shared: Options) -> Any:
        return Booster(self.title, options=self.options).make(shared)


COMMITTEES = {
    "short": Committee("100 rounds", {"n_estimators": 100}),
    "large-batches": Committee("batches of 50 labels", batch=5),
    "small-trees": Committee("trees of 8 leaves", {"max_leaf_nodes": SMALL}),
    "sampled": Committee(
        "half of the features for each tree", {"feature_fraction": 0.5, "random_state": 0}
    ),
}
AT_RANDOM = {
    "plain": Committee("as above"),
    "long": Committee("1000 rounds", {"n_estimators": 1_000}),
    **{key: COMMITTEES[key] for key in ("short", "small-trees", "sampled")},
}
"""Committees that learn random rows."""
RACERS = {
    "plain": Committee("as above"),
    "large-batches": COMMITTEES["large-batches"],
    "short": COMMITTEES["short"],
}
