"""What a fitted classifier says about rows, in the form that each utility takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.active.batches import leaf_distances, score_distances
from frugalboost.active.utilities import UTILITIES, count_votes, explain
from frugalboost.tree import FlatTree


class Committee:
    """A fitted classifier and the name of a utility."""

    def __init__(self, model: Any, utility: str) -> None:
        self.model, self.utility = model, utility
        self.says = SOURCES[utility](model)

    def utilities(self, X: Any) -> Floats:
        """How much each row is worth asking about."""
        found = UTILITIES[self.utility](self.says(X))
        if np.isnan(found).any():
            raise ValueError(
                "estimator must give a number for every row; got NaN from "
                f"{type(self.model).__name__}."
            )
        return found

    def reasons(self, X: Any) -> list[str]:
        """Why each row is asked, in words."""
        return explain(self.utility, self.says(X), self.model.classes_)

    def distances(self, X: Any) -> Callable[[int], Floats]:
        """How differently rows are seen: by leaves where there are trees, else by scores."""
        if has_flat_trees(self.model):
            return leaf_distances(self.model.apply(X))
        return score_distances(self.says(X))


Source = Callable[[Any], Floats]


def scores_of(model: Any) -> Source:
    """The decision, or probabilities where there is none."""
    if hasattr(model, "decision_function"):
        return lambda X: np.asarray(model.decision_function(X), dtype=np.float64)
    return probabilities_of(model)


def probabilities_of(model: Any) -> Source:
    if not hasattr(model, "predict_proba"):
        raise TypeError(
            "estimator must have predict_proba or, for utility='margin', "
            f"decision_function; got {type(model).__name__}."
        )
    return lambda X: np.asarray(model.predict_proba(X), dtype=np.float64)


def votes_of(model: Any) -> Source:
    """How many rounds, or members, vote for each class."""
    if has_flat_trees(model):
        vote_of_leaf = [votes_by_node(tree) for tree in model.estimators_]
        return lambda X: count_votes(model.apply(X), vote_of_leaf, len(model.classes_))
    if hasattr(model, "staged_decision_function"):
        return lambda X: staged_votes(model, X)
    if hasattr(model, "estimators_"):
        return lambda X: member_votes(model, X)
    raise TypeError(
        "estimator must have rounds or members that vote for utility='disagreement'; "
        f"got {type(model).__name__}."
    )


SOURCES: dict[str, Callable[[Any], Source]] = {
    "margin": scores_of,
    "entropy": probabilities_of,
    "disagreement": votes_of,
}


def has_flat_trees(model: Any) -> bool:
    """Whether this is one of our ensembles of trees."""
    trees = getattr(model, "estimators_", None)
    return isinstance(trees, list) and len(trees) > 0 and isinstance(trees[0], FlatTree)


def votes_by_node(tree: FlatTree) -> Ints:
    """Class code that each node says; of two classes the second where its value is positive."""
    if tree.value.shape[1] == 1:
        return (tree.value[:, 0] > 0).astype(np.int64)
    return np.asarray(tree.value.argmax(axis=1), dtype=np.int64)


def staged_votes(model: Any, X: Any) -> Floats:
    """A round votes for the class whose score it raises most."""
    counts: Floats | None = None
    before: Any = 0.0
    for decision in model.staged_decision_function(X):
        now = np.asarray(decision, dtype=np.float64).reshape(len(decision), -1)
        change = now - before
        votes = (change[:, 0] > 0).astype(np.int64) if now.shape[1] == 1 else change.argmax(axis=1)
        if counts is None:
            counts = np.zeros((len(now), len(model.classes_)))
        counts[np.arange(len(now)), votes] += 1.0
        before = now
    assert counts is not None
    return counts


def member_votes(model: Any, X: Any) -> Floats:
    """Votes of the members of a forest or bag, which know classes by label or by code."""
    members = np.ravel(np.asarray(model.estimators_, dtype=object))
    subsets = getattr(model, "estimators_features_", [None] * len(members))
    counts = np.zeros((X.shape[0], len(model.classes_)))
    for member, features in zip(members, subsets, strict=True):
        said = member.predict(X if features is None else X[:, features])
        counts[np.arange(len(said)), codes_of(said, member, model.classes_)] += 1.0
    return counts


def codes_of(said: AnyArray, member: Any, classes: AnyArray) -> Ints:
    if set(np.asarray(member.classes_).tolist()) <= set(classes.tolist()):
        place = {label: code for code, label in enumerate(classes.tolist())}
        return np.array([place[label] for label in said.tolist()], dtype=np.int64)
    return said.astype(np.int64)
