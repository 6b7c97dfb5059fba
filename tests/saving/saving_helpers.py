"""Small fitted models of every kind, and files with anything in them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np

from frugalboost import (
    BaggedTreesClassifier,
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    C45Classifier,
    FilterBoostClassifier,
    GambleClassifier,
    OneAgainstAllClassifier,
    PrunedEnsembleClassifier,
    TandemBoostClassifier,
)

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"

N_ROWS = 150


def table(seed=0):
    """Ties, missing values, infinities, and categories in column 1."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, 5)).round(1)
    X[:, 1] = rng.choice([1.0, 2.0, 3.0, 5.0, 8.0], size=N_ROWS)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[rng.random(N_ROWS) < 0.1, 4] = np.inf
    return X


X = table()
NOISE = np.random.default_rng(9).integers(3, size=N_ROWS)
CODES = (np.nan_to_num(X[:, 0]) > 0).astype(int) + (np.nan_to_num(X[:, 2]) > 0.5)
CODES[:30] = NOISE[:30]  # so that no model is finished early
WORDS = np.array(["no", "maybe", "sí"])[CODES]
IS_YES = CODES > 0

SMALL = {"n_estimators": 6, "max_depth": 3, "categorical_features": [1]}


def fitted():
    """A model of every kind by name; labels are of several kinds, two classes and three."""
    stumps = BoostedTreesClassifier("gentle", n_estimators=4, max_depth=1)
    whole = BoostedTreesClassifier("real", **SMALL)
    stream = {"sample_constant": 20, "max_rounds": 6, "random_state": 0}
    member = FilterBoostClassifier(target_error=0.25, categorical_features=[1], **stream)
    return {
        "real": BoostedTreesClassifier("real", **SMALL).fit(X, WORDS),
        "m1": BoostedTreesClassifier("adaboost_m1", random_state=1, **SMALL).fit(X, CODES),
        "logit of two": BoostedTreesClassifier(early_stopping=True, **SMALL).fit(X, IS_YES),
        "regressor": BoostedTreesRegressor(**SMALL).fit(X, CODES * 1.5),
        "filter": FilterBoostClassifier(categorical_features=[1], **stream).fit(X, WORDS),
        "partial": FilterBoostClassifier(**stream).partial_fit(X, IS_YES),
        "tandem": TandemBoostClassifier(member, target_error=0.6, random_state=0).fit(X, IS_YES),
        "bagged": BaggedTreesClassifier(5, random_state=0).fit(X, WORDS),
        "c45": C45Classifier(categorical_features=[1]).fit(X, WORDS),
        "boosted c45": C45Classifier("adaboost_m1", n_estimators=4, random_state=0).fit(X, IS_YES),
        "gamble": GambleClassifier(**SMALL).fit(X, WORDS.astype(object)),
        "gamble of two": GambleClassifier(learning_rate=0.5, **SMALL).fit(X, CODES > 1),
        "one against all": OneAgainstAllClassifier(stumps).fit(X, WORDS),
        "default one against all": OneAgainstAllClassifier().fit(X, IS_YES),
        "pruned": PrunedEnsembleClassifier(whole, n_estimators=2, random_state=0).fit(X, WORDS),
        "pruned c45": PrunedEnsembleClassifier(
            C45Classifier("bagging", n_estimators=4, random_state=0), n_estimators=2, random_state=0
        ).fit(X, WORDS),
        "pruned by kappa": PrunedEnsembleClassifier(whole, "kappa", 3).fit(X, IS_YES),
    }


MODELS = fitted()


def fuzzing():
    """The module benchmarks/fuzz_loader.py."""
    name = "fuzz_loader"
    if name not in sys.modules:
        path = ROOT / "benchmarks" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
