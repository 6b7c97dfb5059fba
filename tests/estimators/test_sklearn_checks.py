"""scikit-learn's own checks, for every rule and every search."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor
from frugalboost.rules import RULES

SEARCHES = ("exhaustive", "quick", "adaptive", "incremental", "two_stage", "auto")

ESTIMATORS: list[Any] = [
    *(
        BoostedTreesClassifier(rule=rule, search=search, n_estimators=6, max_depth=2)
        for rule, search in product(RULES, SEARCHES)
    ),
    *(BoostedTreesRegressor(search=search, n_estimators=6) for search in SEARCHES),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_check(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)
