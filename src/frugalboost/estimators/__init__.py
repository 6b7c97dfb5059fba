"""The scikit-learn skin: `__init__` stores, `fit` checks and delegates."""

from frugalboost.saving.model_file import digest
from frugalboost.saving.model_file import load, save
from frugalboost.saving.trusted import TRUSTED_TYPES
from frugalboost.active.learner import ActiveLearner
from frugalboost.boosted.bagging import BaggedTreesClassifier
from frugalboost.boosted.classifier import BoostedTreesClassifier
from frugalboost.filtering.classifier import FilterBoostClassifier
from frugalboost.gamble.classifier import GambleClassifier
from frugalboost.gamble.one_against_all import OneAgainstAllClassifier
from frugalboost.pruning.prune_ensemble import prune_ensemble
from frugalboost.pruning.classifier import PrunedEnsembleClassifier
from frugalboost.boosted.regressor import BoostedTreesRegressor

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
