"""The scikit-learn skin: `__init__` stores, `fit` checks and delegates."""

from frugalboost.estimators._digest import digest
from frugalboost.estimators._persist import load, save
from frugalboost.estimators._trusted import TRUSTED_TYPES
from frugalboost.estimators.active_learner import ActiveLearner
from frugalboost.estimators.bagging import BaggedTreesClassifier
from frugalboost.estimators.classifier import BoostedTreesClassifier
from frugalboost.estimators.filterboost import FilterBoostClassifier
from frugalboost.estimators.gamble import GambleClassifier
from frugalboost.estimators.one_against_all import OneAgainstAllClassifier
from frugalboost.estimators.prune_ensemble import prune_ensemble
from frugalboost.estimators.pruned import PrunedEnsembleClassifier
from frugalboost.estimators.regressor import BoostedTreesRegressor

__all__ = [
    "TRUSTED_TYPES",
    "ActiveLearner",
    "BaggedTreesClassifier",
    "BoostedTreesClassifier",
    "BoostedTreesRegressor",
    "FilterBoostClassifier",
    "GambleClassifier",
    "OneAgainstAllClassifier",
    "PrunedEnsembleClassifier",
    "digest",
    "load",
    "prune_ensemble",
    "save",
]
