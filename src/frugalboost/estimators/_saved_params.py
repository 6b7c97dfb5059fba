"""Parameters of a model from a file, checked as those that a fit is given."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from frugalboost.data import check_max_bins
from frugalboost.estimators._filter_params import make_plan
from frugalboost.estimators._params import FitPlan
from frugalboost.estimators._pruned_fit import PruningPlan
from frugalboost.estimators.filterboost import FilterBoostClassifier
from frugalboost.estimators.one_against_all import OneAgainstAllClassifier
from frugalboost.estimators.pruned import PrunedEnsembleClassifier
from frugalboost.persist import BrokenFileError


def check_saved_params(model: Any) -> None:
    """Refuse parameters with which the model could not be fitted again."""
    try:
        check_params(clone(model), model)  # a generator among them must not be drawn from
    except (AttributeError, OverflowError, TypeError, ValueError) as problem:
        raise BrokenFileError(str(problem)[:300].rstrip(".")) from None


def check_params(params: Any, fitted: Any) -> None:
    """Check an estimator, and those that it is made of, beside what came out of its fit."""
    owner, rule = type(params).__name__, getattr(fitted, "_rule", None)
    if hasattr(params, "max_bins"):
        check_max_bins(params.max_bins, owner)
    if isinstance(params, PrunedEnsembleClassifier):
        PruningPlan.from_params(params, params._whole_estimator, owner)
        check_params(params._whole_estimator, fitted.ensemble_)
    elif isinstance(params, OneAgainstAllClassifier):
        check_params(params._prototype(), fitted.estimators_[0])
    elif isinstance(params, FilterBoostClassifier) and rule is not None:
        make_plan(params, rule.n_classes, owner)
    elif rule is not None:
        FitPlan.from_params(params, getattr(params, "rule", rule.name), rule.n_classes, owner)
