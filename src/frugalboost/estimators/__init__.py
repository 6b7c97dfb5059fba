"""The scikit-learn skin: `__init__` stores, `fit` checks and delegates."""

from frugalboost.estimators._digest import digest
from frugalboost.estimators.active_learner import ActiveLearner
from frugalboost.estimators.classifier import BoostedTreesClassifier
from frugalboost.estimators.filterboost import FilterBoostClassifier
from frugalboost.estimators.gamble import GambleClassifier
from frugalboost.estimators.one_against_all import OneAgainstAllClassifier
from frugalboost.estimators.regressor import BoostedTreesRegressor

__all__ = [
    "ActiveLearner",
    "BoostedTreesClassifier",
    "BoostedTreesRegressor",
    "FilterBoostClassifier",
    "GambleClassifier",
    "OneAgainstAllClassifier",
    "digest",
]
