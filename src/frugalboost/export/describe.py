"""From a fitted estimator to its description."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from frugalboost.active.learner import ActiveLearner
from frugalboost.boosted.bagging import BaggedTreesClassifier
from frugalboost.boosted.classifier import BoostedTreesClassifier
from frugalboost.boosted.regressor import BoostedTreesRegressor
from frugalboost.boosting import Ensemble
from frugalboost.data import Schema
from frugalboost.export.description import Description, LinkForm, Tree
from frugalboost.filtering.classifier import FilterBoostClassifier
from frugalboost.gamble.classifier import GambleClassifier
from frugalboost.gamble.one_against_all import OneAgainstAllClassifier
from frugalboost.pruning.classifier import PrunedEnsembleClassifier
from frugalboost.rules.base import Link
from frugalboost.saving.model_file import digest

OF_TREES = (
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    BaggedTreesClassifier,
    FilterBoostClassifier,
    GambleClassifier,
)
KNOWN = (*OF_TREES, OneAgainstAllClassifier, PrunedEnsembleClassifier)


def describe(model: Any) -> Description:
    """Describe a fitted estimator of the library; refuse models without the library's trees."""
    inner = unwrapped(model)
    members = inner.estimators_ if isinstance(inner, OneAgainstAllClassifier) else [inner]
    for member in members:
        check_trees(member)
    schema: Schema = members[0]._schema
    form, scale = link_of(inner, members)
    sums = [member._ensemble for member in members]
    return Description(
        trees=[tree for at, ensemble in enumerate(sums) for tree in trees_of(ensemble, at)],
        n_features=schema.n_features,
        n_outputs=sums[0].n_outputs * len(sums),
        baseline=sums[0].baseline,
        divisors=np.concatenate([divisors_of(member) for member in members]),
        link=form,
        scale=scale,
        classes=getattr(inner, "classes_", None),
        feature_names=names_of(inner, schema),
        categories=schema.categories,
        estimator=type(model).__name__,
        rule=members[0]._rule.name,
        digest=digest(model),
    )


def unwrapped(model: Any) -> Any:
    """The fitted estimator that predicts."""
    if isinstance(model, ActiveLearner):
        raise TypeError("model must hold trees; for an ActiveLearner, use its model_.")
    if isinstance(model, type) or not isinstance(model, KNOWN):
        known = ", ".join(kind.__name__ for kind in KNOWN)
        name = model.__name__ if isinstance(model, type) else type(model).__name__
        raise TypeError(f"model must be one of {known}; got {name}.")
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise NotFittedError(f"model must be fitted; this {type(model).__name__} is not.") from None
    if isinstance(model, PrunedEnsembleClassifier):
        return unwrapped(model.ensemble_)
    return model


def check_trees(model: Any) -> None:
    """Refuse committees of a user's regressors."""
    if getattr(model, "_committee", None) is not None:
        raise TypeError(
            f"{type(model).__name__} must be made of the library's trees; got one of "
            f"{model.estimator!r}."
        )


def trees_of(ensemble: Ensemble, first_output: int) -> list[Tree]:
    """The trees with their steps multiplied in, as in prediction."""
    pairs = zip(ensemble.trees, ensemble.steps, strict=True)
    return [Tree(tree, step * tree.value, first_output) for tree, step in pairs]


def divisors_of(model: Any) -> Any:
    """Divisors of the sums: bagging gives shares of the votes, the others sums."""
    ensemble = model._ensemble
    is_mean = isinstance(model, BaggedTreesClassifier)
    return np.full(ensemble.n_outputs, float(len(ensemble)) if is_mean else 1.0)


def link_of(model: Any, members: list[Any]) -> tuple[LinkForm, float]:
    """How the model's decision turns into probabilities."""
    if isinstance(model, BoostedTreesRegressor):
        return "none", 1.0
    link: Link = members[0]._rule.link
    if members[0]._rule.n_classes == 2:
        form, scale = two_class_link(link)
        if len(members) > 1:
            form = "sigmoids" if form == "sigmoid" else "halves"
        return form, scale
    forms: dict[str, LinkForm] = {
        "symmetric": "softmax",
        "one_against_rest": "one_against_rest",
        "shares": "shares",
    }
    return forms[link.form], link.scale


def two_class_link(link: Link) -> tuple[LinkForm, float]:
    """With a symmetric link, two classes have scores ``(-d, d)``."""
    if link.form == "shares":
        return "share", link.scale
    return "sigmoid", 2 * link.scale if link.form == "symmetric" else link.scale


def names_of(model: Any, schema: Schema) -> list[str]:
    """Names of the features; generated if the training table had none."""
    names = getattr(model, "feature_names_in_", schema.feature_names)
    if names is None:
        return [f"x{feature}" for feature in range(schema.n_features)]
    return [str(name) for name in names]
