"""The votes or scores of the members of a fitted ensemble, of this library or scikit-learn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from frugalboost._progress import OnShare, counted, ignore_progress
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.data import check_kind
from frugalboost.data.targets import read_labels
from frugalboost.pruning.ballots import Ballots
from frugalboost.pruning.collect import collect

FORESTS = ("RandomForestClassifier", "ExtraTreesClassifier")
OTHERS = ("AdaBoostClassifier", "BaggingClassifier", *FORESTS)
"""Supported ensembles of scikit-learn."""


def is_of(model: Any, *names: str) -> bool:
    """Return whether a model is an instance of one of these classes of `sklearn.ensemble`.

    That package is slow to import, and before it is imported there are no models of its classes.

    >>> from sklearn.ensemble import RandomForestClassifier
    >>> forest = RandomForestClassifier()
    >>> is_of(forest, *FORESTS), is_of(forest, "VotingClassifier")
    (True, False)
    """
    package = sys.modules.get("sklearn.ensemble")
    return package is not None and isinstance(model, tuple(getattr(package, n) for n in names))


def member_ballots(model: Any, X: Any, *, on_share: OnShare = ignore_progress) -> Ballots:
    """Return what each member of an ensemble adds to the sums that determine its predictions.

    Parameters
    ----------
    model : fitted classifier
        Of this library, or scikit-learn's AdaBoostClassifier, BaggingClassifier,
        RandomForestClassifier or ExtraTreesClassifier.
    X : table of shape (n_samples, n_features)
    on_share : callable, called now and then with the share of the members that are done

    Returns
    -------
    ballots : WeightedVotes or RealVotes
        Votes and their weights if a member adds the same number to whichever class it votes for,
        as with the rules "adaboost" and "adaboost_m1"; otherwise the numbers it adds to the
        classes, as with the other rules and with forests, which average probabilities.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from frugalboost import BoostedTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BoostedTreesClassifier("adaboost", n_estimators=4, max_depth=2).fit(X, y)
    >>> ballots = member_ballots(model, X)
    >>> ballots.votes.shape, ballots.weights.shape
    ((4, 150), (4,))
    """
    check_ensemble(model)
    scores = own_scores(model, X) if is_own(model) else other_scores(model, X)
    n = n_members(model)
    return collect(counted(scores, n, on_share), n)


def n_members(model: Any) -> int:
    return len(model.estimators_)


def is_own(model: Any) -> bool:
    """Whether it is of this library, by what it has: `gamble` must not be imported from here."""
    return hasattr(model, "_digest_parts") and (has_votes(model) or hasattr(model, "apply"))


def has_votes(model: Any) -> bool:
    """Whether it tells the votes of its members itself, as `C45Classifier` does."""
    return hasattr(model, "_member_scores")


def has_equal_votes(model: Any) -> bool:
    """Whether the members of an ensemble, fitted or not, have one vote each, as in forests.

    An estimator of this library says so by `_has_equal_votes`.
    """
    is_one_of_others = is_of(model, "BaggingClassifier", *FORESTS)
    return is_one_of_others or getattr(model, "_has_equal_votes", False)


def check_ensemble(model: Any) -> None:
    """Raise an error unless this is a fitted, supported classifier with one label per row."""
    if hasattr(model, "ensemble_") and hasattr(model, "_digest_parts"):
        raise TypeError(
            f"ensemble must be an ensemble itself; got a {type(model).__name__}: use its ensemble_."
        )
    if hasattr(model, "estimators_") and hasattr(model, "_digest_parts") and not is_own(model):
        raise TypeError(
            f"ensemble must be one committee of trees; got a {type(model).__name__}, whose "
            "estimators_ are ensembles themselves."
        )
    if isinstance(model, type) or not (is_of(model, *OTHERS) or is_own(model)):
        raise TypeError(
            "ensemble must be a fitted classifier of frugalboost, or an "
            "AdaBoostClassifier, BaggingClassifier, RandomForestClassifier or "
            f"ExtraTreesClassifier of scikit-learn; got {model!r}."
        )
    check_is_fitted(model)
    if not hasattr(model, "classes_"):
        raise TypeError(f"ensemble must be a classifier; got {model!r}.")
    if isinstance(model.classes_, list):
        raise ValueError(f"ensemble must have one output; got one with {len(model.classes_)}.")


def class_codes(model: Any, y: Any, n_rows: int) -> Ints:
    """Codes of labels in the order of the model's classes."""
    labels = read_labels(y)
    if len(labels) != n_rows:
        raise ValueError(
            f"y must have one entry for each of the {n_rows} rows of X; got {len(labels)}."
        )
    return codes_in(model.classes_, labels)


def codes_in(classes: AnyArray, labels: AnyArray) -> Ints:
    """Position of each label among the classes."""
    places = {label: place for place, label in enumerate(classes.tolist())}
    codes = [places.get(label, -1) for label in labels.tolist()]
    if -1 in codes:
        unknown = labels.tolist()[codes.index(-1)]
        raise ValueError(
            f"y must only hold classes of the ensemble, {classes.tolist()!r}; got {unknown!r}."
        )
    return np.array(codes, dtype=np.int64)


def own_scores(model: Any, X: Any) -> Iterator[Floats]:
    """Yield leaf values times steps; for two classes, zeros and the score of the second."""
    if has_votes(model):
        yield from model._member_scores(X)
        return
    leaves = model.apply(X)
    ensemble = model._ensemble
    for at, (tree, step) in enumerate(zip(ensemble.trees, ensemble.steps, strict=True)):
        scores = (step * tree.value)[leaves[:, at]]
        yield scores if scores.shape[1] > 1 else np.hstack([np.zeros_like(scores), scores])


def other_scores(model: Any, X: Any) -> Iterator[Floats]:
    """Weighted votes of AdaBoost, probabilities of the others."""
    check_kind(X)
    table = validate_data(
        model, X, reset=False, accept_sparse=["csr", "csc"], dtype=None, ensure_all_finite=False
    )
    if is_of(model, "AdaBoostClassifier"):
        for member, weight in zip(model.estimators_, model.estimator_weights_, strict=False):
            yield weight * one_hot(codes_in(model.classes_, member.predict(table)), model)
    elif is_of(model, *FORESTS):
        for member in model.estimators_:
            yield member.predict_proba(table)
    else:
        for member, features in zip(model.estimators_, model.estimators_features_, strict=True):
            yield bagged_scores(member, table[:, features], model)


def bagged_scores(member: Any, table: Any, model: Any) -> Floats:
    """Probabilities if the member has any, otherwise its votes; its classes are codes."""
    if not hasattr(member, "predict_proba"):
        return one_hot(np.asarray(member.predict(table), dtype=np.int64), model)
    scores = np.zeros((table.shape[0], len(model.classes_)))
    scores[:, np.asarray(member.classes_, dtype=np.int64)] = member.predict_proba(table)
    return scores


def one_hot(codes: Ints, model: Any) -> Floats:
    return np.eye(len(model.classes_))[codes]
