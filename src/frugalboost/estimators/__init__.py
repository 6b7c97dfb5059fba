"""The scikit-learn skin: `__init__` stores, `fit` checks and delegates."""

from frugalboost.estimators._digest import digest
from frugalboost.estimators.classifier import BoostedTreesClassifier
from frugalboost.estimators.filterboost import FilterBoostClassifier
from frugalboost.estimators.regressor import BoostedTreesRegressor

__all__ = ["BoostedTreesClassifier", "BoostedTreesRegressor", "FilterBoostClassifier", "digest"]
