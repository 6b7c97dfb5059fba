"""Which estimators a file can hold, the parts of each, and whether the parts belong together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from frugalboost._checks import naming
from frugalboost.base.params import FitPlan
from frugalboost.boosted.bagging import BaggedTreesClassifier
from frugalboost.boosted.boosted_trees import TableClassifier
from frugalboost.boosted.classifier import BoostedTreesClassifier
from frugalboost.boosted.regressor import BoostedTreesRegressor
from frugalboost.boosting import Entry
from frugalboost.c45.classifier import C45Classifier
from frugalboost.c45.params import FitC45
from frugalboost.data import check_max_bins
from frugalboost.filtering import FilterEntry
from frugalboost.filtering.classifier import FilterBoostClassifier
from frugalboost.filtering.plan import make_filter_plan
from frugalboost.filtering.tandem_classifier import TandemBoostClassifier
from frugalboost.gamble.classifier import GambleClassifier
from frugalboost.gamble.one_against_all import OneAgainstAllClassifier
from frugalboost.pruning.classifier import PrunedEnsembleClassifier
from frugalboost.pruning.fitting import PruningPlan
from frugalboost.saving.attributes import (
    Curve,
    Features,
    Labels,
    Losses,
    Number,
    Part,
    Places,
    Proof,
    Rounds,
    Text,
    Trees,
    UsedRule,
    Waiting,
    filter_rule,
    table_rule,
)
from frugalboost.saving.c45_trees import C45Trees, c45_rule, check_c45
from frugalboost.saving.container import BrokenFileError, require


def check_feature_names(model: Any) -> None:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return
    is_text = names.dtype == object and all(type(name) is str for name in names)
    require(is_text and len(names) == model.n_features_in_, "its features and their names differ")


def check_trees(model: Any) -> None:
    """Check a model that is an ensemble."""
    ensemble, rule = model._ensemble, model._rule
    n_features = model.n_features_in_
    require(
        ensemble.n_features == n_features == model._schema.n_features,
        "its trees and its table have different features",
    )
    require(model.n_estimators_ == len(ensemble) > 0, "its number of trees is wrong")
    n_classes = len(model.classes_) if hasattr(model, "classes_") else 1
    n_outputs = 1 if n_classes <= 2 else n_classes
    require(rule.n_classes == n_classes, "its number of classes is not that of its rule")
    require(ensemble.n_outputs == n_outputs, "its trees and its classes do not match")
    places = getattr(model, "members_", None)
    if places is not None:
        is_ascending = (places[:1] >= 0).all() and (places[1:] > places[:-1]).all()
        require(len(places) == len(ensemble) and is_ascending, "its tree positions are wrong")


def check_committees(model: Any) -> None:
    """Check a model that has a fitted classifier for each class, or one for two classes."""
    n_classes, members = len(model.classes_), model.estimators_
    require(
        n_classes >= 2 and len(members) == (1 if n_classes == 2 else n_classes),
        "its members and its classes do not match",
    )
    check_members(model, TableClassifier)


def check_members(model: Any, kind: type[Any]) -> None:
    for member in model.estimators_:
        require(
            isinstance(member, kind)
            and len(member.classes_) == 2
            and member.n_features_in_ == model.n_features_in_,
            "a member does not belong to it",
        )


def check_tandem(model: Any) -> None:
    """Check a model whose members vote."""
    members, counts = model.estimators_, model._counts
    require(len(members) > 0 and len(model.classes_) == 2, "it has no members, or not two classes")
    check_members(model, FilterBoostClassifier)
    n_counts = sum(2 * (j + 2) for j in range(len(members)))
    is_whole = len(counts) == n_counts and 0 <= counts.min() <= counts.max() < 1 << 40
    require(bool(is_whole), "its votes are not counted")
    used = model.member_examples_
    is_ascending = bool((used[:1] >= 0).all() and (used[1:] >= used[:-1]).all())
    require(len(used) == len(members) and is_ascending, "its members' examples are wrong")


def check_pruned(model: Any) -> None:
    """Check a model that holds a pruned ensemble."""
    inner, curve = model.ensemble_, model.curve_
    require(
        hasattr(inner, "_ensemble")
        and hasattr(inner, "classes_")
        and inner.n_features_in_ == model.n_features_in_,
        "its ensemble does not belong to it",
    )
    require(hasattr(inner, "members_"), "its ensemble has no tree positions")
    if curve is not None:
        sizes = curve.n_estimators
        is_ascending = (sizes[:1] >= 1).all() and (sizes[1:] > sizes[:-1]).all()
        require(len(sizes) == len(curve.errors) > 0 and is_ascending, "its curve is damaged")


def check_saved_params(model: Any) -> None:
    """Refuse parameters with which the model could not be fitted again."""
    try:
        check_params(clone(model), model)  # a generator among them must not be drawn from
    except (AttributeError, OverflowError, TypeError, ValueError) as problem:
        raise BrokenFileError(str(problem)[:300].rstrip(".")) from None


def check_params(params: Any, fitted: Any) -> None:
    """Check the parameters of an estimator and of those inside it, given the fitted one."""
    if isinstance(params, PrunedEnsembleClassifier):
        check_params(params._whole_estimator, fitted.ensemble_)
    elif isinstance(params, TandemBoostClassifier):
        params._setting(fitted.classes_, seed=0)
    elif isinstance(params, OneAgainstAllClassifier):
        check_params(params._prototype(), fitted.estimators_[0])
    with naming(type(params).__name__):
        check_own_params(params, getattr(fitted, "_rule", None))


def check_own_params(params: Any, rule: Any) -> None:
    if hasattr(params, "max_bins"):
        check_max_bins(params.max_bins)
    if isinstance(params, PrunedEnsembleClassifier):
        PruningPlan.from_params(params, params._whole_estimator)
    elif isinstance(params, FilterBoostClassifier) and rule is not None:
        make_filter_plan(params, rule.n_classes)
    elif isinstance(params, C45Classifier):
        if rule is not None:
            FitC45.from_params(params, rule.n_classes)
    elif rule is not None:
        FitPlan.from_params(params, getattr(params, "rule", rule.name), rule.n_classes)


NAMES: tuple[Part, ...] = (Number("n_features_in_"), Labels("feature_names_in_"))
TREES: tuple[Part, ...] = (*NAMES, Trees(), Features(), Number("n_estimators_"), Places("members_"))
TABLE: tuple[Part, ...] = (
    *TREES,
    UsedRule(table_rule),
    Rounds(Entry),
    Losses("validation_losses_"),
)
STREAM: tuple[Part, ...] = (
    *TREES,
    UsedRule(filter_rule),
    Rounds(FilterEntry),
    Number("_seed"),
    Waiting(),
    Number("n_examples_"),
    Text("stop_reason_"),
    Proof(),
)
C45: tuple[Part, ...] = (
    *NAMES,
    Features(),
    UsedRule(c45_rule),
    C45Trees(),
    Number("n_estimators_"),
    Places("members_"),
    Rounds(Entry),
)
CLASSES: tuple[Part, ...] = (Labels("classes_"),)

OPTIONAL = ("feature_names_in_", "certificate_", "members_")
"""Parts that not all models have, or that older files lack."""


@dataclass(frozen=True)
class Kind:
    """A class of estimators with its parts.

    Attributes
    ----------
    fits : callable
        Refuses a model whose parts do not belong together.
    members : str or None
        Name of a list of fitted estimators, each of a kind of its own.
    inner : str or None
        Name of one fitted estimator.
    """

    made: type[Any]
    parts: tuple[Part, ...]
    fits: Callable[[Any], None] = check_trees
    members: str | None = None
    inner: str | None = None

    @property
    def name(self) -> str:
        return self.made.__name__

    def check(self, model: Any) -> None:
        """Refuse a model that could not have come out of a fit."""
        for part in self.parts:
            if part.name not in OPTIONAL and not hasattr(model, part.name):
                raise BrokenFileError(f"its {self.name} has no {part.name}")
        check_feature_names(model)
        self.fits(model)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(BoostedTreesClassifier, TABLE + CLASSES),
        Kind(BoostedTreesRegressor, TABLE),
        Kind(BaggedTreesClassifier, TABLE + CLASSES),
        Kind(C45Classifier, C45 + CLASSES, check_c45),
        Kind(FilterBoostClassifier, STREAM + CLASSES),
        Kind(GambleClassifier, TABLE + CLASSES),
        Kind(
            TandemBoostClassifier,
            (
                *(*NAMES, *CLASSES, Places("_counts"), Places("member_examples_"), Proof()),
                *(Number("n_examples_"), Text("stop_reason_")),
            ),
            check_tandem,
            members="estimators_",
        ),
        Kind(OneAgainstAllClassifier, NAMES + CLASSES, check_committees, members="estimators_"),
        Kind(PrunedEnsembleClassifier, (*NAMES, Curve("curve_")), check_pruned, inner="ensemble_"),
    )
}
