"""A smaller fitted ensemble of the same kind: some members of a larger one."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from frugalboost._typing import Floats, Ints
from frugalboost.analysis.members import is_of, is_own
from frugalboost.boosting import Ensemble, Ledger

OF_THE_WHOLE = ("oob_score_", "oob_decision_function_", "certificate_")
"""What a fit says about all members together is not true of some."""


def subset(model: Any, members: Ints, factors: Floats | None = None) -> Any:
    """Return a copy with these members only; `factors` multiply their weights."""
    smaller = copy(model)
    for name in OF_THE_WHOLE:
        if hasattr(smaller, name):
            delattr(smaller, name)
    if is_own(model):
        _keep_trees(smaller, members, factors)
    else:
        _keep_estimators(smaller, members, factors)
    if "n_estimators" in smaller.get_params(deep=False):
        # scikit-learn's bagging divides by it, and a refit should be of the same size.
        smaller.n_estimators = len(members)
    smaller.members_ = members
    return smaller


def _keep_trees(model: Any, members: Ints, factors: Floats | None) -> None:
    whole: Ensemble = model._ensemble
    scale = np.ones(len(members)) if factors is None else factors
    kept = Ensemble(whole.n_features, whole.n_outputs, whole.baseline)
    for at, factor in zip(members.tolist(), scale.tolist(), strict=True):
        kept.append(whole.trees[at], whole.steps[at] * factor, restarted=whole.restarts[at])
    model._ensemble = kept
    model.ledger_ = Ledger([model.ledger_.entries[at] for at in members.tolist()])
    model.n_estimators_ = len(members)
    if hasattr(model, "validation_losses_"):
        model.validation_losses_ = None


def _keep_estimators(model: Any, members: Ints, factors: Floats | None) -> None:
    model.estimators_ = [model.estimators_[at] for at in members.tolist()]
    if is_of(model, "AdaBoostClassifier"):
        model.estimator_weights_ = model.estimator_weights_[members]
        model.estimator_errors_ = model.estimator_errors_[members]
        if factors is not None:
            model.estimator_weights_ = model.estimator_weights_ * factors
    if is_of(model, "BaggingClassifier"):
        model.estimators_features_ = [model.estimators_features_[at] for at in members.tolist()]
        if hasattr(model, "_seeds"):  # estimators_samples_ draws the rows again
            model._seeds = np.asarray(model._seeds)[members]
