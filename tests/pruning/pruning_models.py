"""Fitted ensembles of every kind that can be pruned."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier

from frugalboost import (
    BaggedTreesClassifier,
    BoostedTreesClassifier,
    C45Classifier,
    FilterBoostClassifier,
)

N_MEMBERS = 15


def ensembles() -> dict[str, Any]:
    stump = DecisionTreeClassifier(max_depth=3)
    return {
        "adaboost": BoostedTreesClassifier("adaboost", n_estimators=N_MEMBERS, max_depth=4),
        "adaboost_m1": BoostedTreesClassifier("adaboost_m1", n_estimators=N_MEMBERS, max_depth=4),
        "real": BoostedTreesClassifier("real", n_estimators=N_MEMBERS, max_depth=4),
        "logit": BoostedTreesClassifier(n_estimators=N_MEMBERS),
        "filter": FilterBoostClassifier(
            target_error=0.01, max_rounds=N_MEMBERS, max_depth=2, random_state=0
        ),
        "bagged": BaggedTreesClassifier(N_MEMBERS, random_state=0),
        "bagged_c45": C45Classifier("bagging", n_estimators=N_MEMBERS, random_state=0),
        "AdaBoost": AdaBoostClassifier(stump, n_estimators=N_MEMBERS, random_state=0),
        "Bagging": BaggingClassifier(n_estimators=N_MEMBERS, max_features=0.5, random_state=0),
        "forest": RandomForestClassifier(N_MEMBERS, random_state=0),
        "extra": ExtraTreesClassifier(N_MEMBERS, max_depth=5, random_state=0),
    }


NAMES = list(ensembles())
OWN = NAMES[:7]
EQUAL_VOTES = ("bagged", "bagged_c45", "Bagging", "forest", "extra")
WITHOUT_ROUNDS = ("filter", *EQUAL_VOTES)


@cache
def rows() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    few = y < 5
    return X[few], np.array(list("vwxyz"))[y[few]]


def training_rows() -> tuple[np.ndarray, np.ndarray]:
    X, y = rows()
    return X[:400], y[:400]


def other_rows() -> tuple[np.ndarray, np.ndarray]:
    X, y = rows()
    return X[400:], y[400:]


@cache
def fitted(name: str) -> Any:
    return ensembles()[name].fit(*training_rows())
