"""Fitted models of every kind, with rows that try all their splits from both sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost.rules import RULES

N_ROWS, N_TREES = 150, 5
TABLES = ("numbers", "holes", "categories")
CLASSES = (2, 4)


def table(kind, n=N_ROWS, seed=0):
    """Five columns; with holes, also infinities; the last two may be categories."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 5)).round(1)
    if kind == "holes":
        X[random.random(X.shape) < 0.2] = np.nan
        X[random.random(X.shape) < 0.05] = np.inf
        X[random.random(X.shape) < 0.05] = -np.inf
    if kind == "categories":
        X[:, 3] = random.integers(0, 6, n)
        X[:, 4] = 7 * random.integers(0, 40, n)  # more than the bits of one word of a mask
        X[random.random(X.shape) < 0.1] = np.nan
    return X


def labels(X, n_classes, seed=1):
    known = np.nan_to_num(X, nan=0.5, posinf=1.0, neginf=-1.0)
    odd = known[:, 3] % 3 + (known[:, 4] // 7) % 2
    noise = np.random.default_rng(seed).normal(0, 0.3, len(X))
    return np.floor(np.abs(known[:, 0] + known[:, 1] + odd + noise) * 1.5).astype(int) % n_classes


def rows_to_try(model, X):
    """Training rows, and copies in which a value is a threshold, its neighbour, or none at all."""
    rows = [X]
    for tree in trees_of(model):
        for feature, cut in zip(tree.feature, tree.threshold, strict=True):
            if feature < 0 or np.isnan(cut):
                continue
            with np.errstate(over="ignore"):  # beyond the largest number is infinity
                around = (cut, np.nextafter(cut, -np.inf), np.nextafter(cut, np.inf))
            copies = X[: len(around)].copy()
            copies[:, feature] = around
            rows.append(copies)
    for odd in (np.nan, np.inf, -np.inf, 1e300, -1e300, 0.0, -0.0):
        copies = X[:10].copy()
        copies[np.arange(10), np.arange(10) % X.shape[1]] = odd
        rows.append(copies)
    rows.append(np.full((1, X.shape[1]), np.nan))
    return np.concatenate(rows)


def trees_of(model):
    inner = getattr(model, "ensemble_", model)
    if isinstance(inner, fb.OneAgainstAllClassifier):
        return [tree for member in inner.estimators_ for tree in member.estimators_]
    return inner.estimators_


def codes_of(model, X):
    """X as exported models take it."""
    inner = getattr(model, "ensemble_", model)
    schema = getattr(inner, "_schema", None) or inner.estimators_[0]._schema
    return np.ascontiguousarray(schema.encode(X), dtype=np.float64)


def boosted(rule, **params):
    return fb.BoostedTreesClassifier(
        rule, n_estimators=N_TREES, max_leaf_nodes=6, min_samples_leaf=1, **params
    )


ESTIMATORS = {
    "bagged": lambda **params: fb.BaggedTreesClassifier(N_TREES, random_state=0, **params),
    "filterboost": lambda **params: fb.FilterBoostClassifier(
        max_rounds=N_TREES, random_state=0, **params
    ),
    "gamble": lambda **params: fb.GambleClassifier(n_estimators=N_TREES, **params),
    "one_against_all": lambda **params: fb.OneAgainstAllClassifier(boosted("real", **params)),
    "one_against_all_bagged": lambda **params: fb.OneAgainstAllClassifier(
        fb.BaggedTreesClassifier(3, random_state=0, **params)
    ),
    "pruned": lambda **params: fb.PrunedEnsembleClassifier(
        boosted("adaboost", **params), "kappa", n_estimators=3
    ),
}


@dataclass(frozen=True)
class Case:
    """A fitted model and rows to try it on."""

    model: Any
    X: Any

    @property
    def codes(self):
        return codes_of(self.model, self.X)

    @property
    def is_classifier(self):
        return hasattr(self.model, "classes_")

    @property
    def decision(self):
        if not self.is_classifier:
            return self.model.predict(self.X)[:, np.newaxis]
        decision = self.model.decision_function(self.X)
        return decision[:, np.newaxis] if decision.ndim == 1 else decision


@cache
def loud_case(learning_rate):
    """Committees a class that all say "not me" about some rows, loudly."""
    X = table("numbers", 400)
    y = np.random.default_rng(3).integers(0, 4, 400)
    made = boosted("real", learning_rate=learning_rate)
    return Case(fb.OneAgainstAllClassifier(made).fit(X, y), X)


def names():
    by_rule = [f"{rule}-{k}-{kind}" for rule in RULES for k in CLASSES for kind in TABLES]
    others = [f"{name}-{k}-{kind}" for name in ESTIMATORS for k in CLASSES for kind in TABLES[1:]]
    return by_rule + others + [f"regressor-1-{kind}" for kind in TABLES]


@cache
def case(name):
    """The case of a name, such as "real-4-holes"."""
    maker, n_classes, kind = name.split("-")
    X = table(kind)
    params = {"categorical_features": [3, 4]} if kind == "categories" else {}
    if maker == "regressor":
        made = fb.BoostedTreesRegressor(n_estimators=N_TREES, min_samples_leaf=1, **params)
        model = made.fit(X, labels(X, 9) / 3)
    else:
        make = ESTIMATORS.get(maker)
        made = boosted(maker, **params) if make is None else make(**params)
        model = made.fit(X, labels(X, int(n_classes)))
    return Case(model, rows_to_try(model, X))
