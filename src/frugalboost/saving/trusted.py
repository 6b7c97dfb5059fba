"""Types that a model is made of, for `skops`, which loads only what it is told to trust.

skops has no place where a library could declare them once and for all; users pass the list to
``skops.io.load``.
"""

from __future__ import annotations

from frugalboost.active import Answers, Log
from frugalboost.active import Entry as AnswerEntry
from frugalboost.active.learner import ActiveLearner
from frugalboost.boosted.bagging import BaggedTreesClassifier
from frugalboost.boosted.classifier import BoostedTreesClassifier
from frugalboost.boosted.regressor import BoostedTreesRegressor
from frugalboost.boosting import Committee, Ensemble, Entry, Ledger
from frugalboost.boosting.committee import CodeRegressions
from frugalboost.c45.classifier import C45Classifier
from frugalboost.c45.committee import C45Committee
from frugalboost.c45.tree import C45Tree
from frugalboost.data import Schema
from frugalboost.filtering import Certificate, FilterEntry
from frugalboost.filtering.classifier import FilterBoostClassifier
from frugalboost.filtering.filter import FilterRule
from frugalboost.filtering.tandem_classifier import TandemBoostClassifier
from frugalboost.gamble.classifier import GambleClassifier
from frugalboost.gamble.one_against_all import OneAgainstAllClassifier
from frugalboost.gamble.regressors import FittedRegressor
from frugalboost.pruning import PruningCurve
from frugalboost.pruning.classifier import PrunedEnsembleClassifier
from frugalboost.rules import CLASSIFIER_RULES, REGRESSOR_RULES, VOTING_RULES
from frugalboost.tree import FlatTree

_RULES = CLASSIFIER_RULES | REGRESSOR_RULES | VOTING_RULES
_TYPES: tuple[type, ...] = (
    *(ActiveLearner, BaggedTreesClassifier, BoostedTreesClassifier, BoostedTreesRegressor),
    *(FilterBoostClassifier, GambleClassifier, OneAgainstAllClassifier, PrunedEnsembleClassifier),
    *(Answers, Log, AnswerEntry, Committee, CodeRegressions, FittedRegressor),
    *(C45Classifier, C45Committee, C45Tree, TandemBoostClassifier),
    *(Ensemble, Entry, FilterEntry, Ledger, Schema, FlatTree),
    *(Certificate, FilterRule, PruningCurve),
    *_RULES.values(),
    frozenset,
)

TRUSTED_TYPES = sorted({f"{each.__module__}.{each.__qualname__}" for each in _TYPES})
"""Names of the types of fitted models: ``skops.io.load(path, trusted=TRUSTED_TYPES)``."""
