"""Whether the parts of a model from a file belong together."""

from __future__ import annotations

from typing import Any

from frugalboost.estimators._class_fit import TableClassifier
from frugalboost.persist import BrokenFileError


def check_names(model: Any) -> None:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return
    is_text = names.dtype == object and all(type(name) is str for name in names)
    _require(is_text and len(names) == model.n_features_in_, "its features and their names differ")


def check_trees(model: Any) -> None:
    """Of a model that is an ensemble."""
    ensemble, rule = model._ensemble, model._rule
    n_features = model.n_features_in_
    _require(
        ensemble.n_features == n_features == model._schema.n_features,
        "its trees and its table have different features",
    )
    _require(model.n_estimators_ == len(ensemble) > 0, "its trees are not as many as it says")
    n_classes = len(model.classes_) if hasattr(model, "classes_") else 1
    n_outputs = 1 if n_classes <= 2 else n_classes
    _require(rule.n_classes == n_classes, "its classes are not as many as its rule says")
    _require(ensemble.n_outputs == n_outputs, "its trees and its classes do not match")
    places = getattr(model, "members_", None)
    if places is not None:
        is_ascending = (places[:1] >= 0).all() and (places[1:] > places[:-1]).all()
        _require(len(places) == len(ensemble) and is_ascending, "the places of its trees are wrong")


def check_committees(model: Any) -> None:
    """Of a model that has a fitted classifier for each class, or one for two."""
    n_classes, members = len(model.classes_), model.estimators_
    _require(
        n_classes >= 2 and len(members) == (1 if n_classes == 2 else n_classes),
        "its members and its classes do not match",
    )
    for member in members:
        _require(
            isinstance(member, TableClassifier)
            and len(member.classes_) == 2
            and member.n_features_in_ == model.n_features_in_,
            "a member is not one of its own",
        )


def check_pruned(model: Any) -> None:
    """Of a model that holds a pruned ensemble."""
    inner, curve = model.ensemble_, model.curve_
    _require(
        hasattr(inner, "_ensemble")
        and hasattr(inner, "classes_")
        and inner.n_features_in_ == model.n_features_in_,
        "its ensemble is not one of its own",
    )
    _require(hasattr(inner, "members_"), "its ensemble does not know its places")
    if curve is not None:
        sizes = curve.n_estimators
        is_ascending = (sizes[:1] >= 1).all() and (sizes[1:] > sizes[:-1]).all()
        _require(len(sizes) == len(curve.errors) > 0 and is_ascending, "its curve is damaged")


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise BrokenFileError(reason)
