"""Runs of the filtering loop on small problems."""

from __future__ import annotations

import numpy as np

from frugalboost.boosting import Ensemble, Ledger
from frugalboost.data import Schema
from frugalboost.filtering import (
    BatchReader,
    FilterBooster,
    FilterPlan,
    FilterRule,
    IncrementalForest,
    ScoredStream,
    run,
)
from frugalboost.streams import ArrayOracle
from frugalboost.tree import TreePlan


def make_problem(n=600, n_classes=2, seed=0):
    """Integers of eight columns whose sums, noisily, tell the class."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 5, size=(n, 8)).astype(np.float64)
    total = X[:, :3].sum(axis=1) + random.normal(0, 1, n)
    cuts = np.quantile(total, np.linspace(0, 1, n_classes + 1)[1:-1])
    return X, np.searchsorted(cuts, total)


def make_plan(n_classes=2, **changes):
    values = {
        "rule": FilterRule(changes.pop("rule", "log"), n_classes),
        "mode": "practical",
        "target_error": 0.05,
        "failure_probability": 0.05,
        "edge_tolerance": 0.5,
        "sample_constant": 60,
        "confidence_rated": False,
        "max_rounds": 25,
        "tree": TreePlan(changes.pop("criterion", "error"), max_depth=changes.pop("max_depth", 1)),
        "pruning_fraction": None,
        "max_bins": 256,
    }
    return FilterPlan(**{**values, **changes})


def make_booster(plan, X, y, seed=5, oracle=None, **stream):
    oracle = oracle or ArrayOracle(X, y, random_state=3)
    schema = Schema.from_data(X, None)
    reader = BatchReader(schema, np.arange(plan.rule.n_classes))
    return FilterBooster(
        plan,
        ScoredStream(oracle, reader, IncrementalForest(), plan.rule.n_outputs, seed, **stream),
        Ensemble(X.shape[1], plan.rule.n_outputs),
        Ledger(),
    )


def fitted(plan, X, y, **options):
    booster = make_booster(plan, X, y, **options)
    reason = run(booster)
    return booster, reason


class OneByOne:
    """The examples of an oracle as the reference wants them, and a coin after each."""

    def __init__(self, X, y, seed):
        self._oracle = ArrayOracle(X, y, random_state=3, replace=True)
        self._random = np.random.default_rng(seed)

    def draw(self):
        batch = self._oracle.draw(1)
        return tuple(batch.X[0].tolist()), int(2 * batch.y[0] - 1)

    def toss(self):
        return self._random.random()
