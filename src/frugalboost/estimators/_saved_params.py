"""Parameters of a model from a file, checked as those that a fit is given."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from frugalboost.estimators._filter_params import make_plan
from frugalboost.estimators._params import FitPlan
from frugalboost.estimators._pruned_fit import PruningPlan
from frugalboost.estimators.filterboost import FilterBoostClassifier
from frugalboost.estimators.pruned import PrunedEnsembleClassifier
from frugalboost.persist import BrokenFileError


def check_saved_params(model: Any) -> None:
    """Refuse parameters with which the model could not be fitted again."""
    owner, rule = type(model).__name__, getattr(model, "_rule", None)
    try:
        again: Any = clone(model)  # a generator among the parameters must not be drawn from
        if isinstance(model, PrunedEnsembleClassifier):
            PruningPlan.from_params(again, again._whole_estimator, owner)
        elif isinstance(model, FilterBoostClassifier) and rule is not None:
            make_plan(again, rule.n_classes, owner)
        elif rule is not None:
            FitPlan.from_params(again, rule.name, rule.n_classes, owner)
    except (AttributeError, OverflowError, TypeError, ValueError) as problem:
        raise BrokenFileError(str(problem)[:300].rstrip(".")) from None
