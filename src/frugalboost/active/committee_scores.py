"""Scores, probabilities or votes of a fitted classifier, in the form each utility needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.active.batches import leaf_distances, score_distances
from frugalboost.active.utilities import UTILITIES, count_votes, explain
from frugalboost.tree import FlatTree


class CommitteeScores:
    """The outputs of a fitted classifier that one utility is computed from."""

    def __init__(self, model: Any, utility: str) -> None:
        self.model, self.utility = model, utility
        self.scores = SOURCES[utility](model)

    def utilities(self, X: Any) -> Floats:
        """Return how much the label of each row would help."""
        utilities = UTILITIES[self.utility](self.scores(X))
        if np.isnan(utilities).any():
            raise ValueError(
                "estimator must give a number for every row; got NaN from "
                f"{type(self.model).__name__}."
            )
        return utilities

    def reasons(self, X: Any) -> list[str]:
        """Return, in words, why each row is asked about."""
        return explain(self.utility, self.scores(X), self.model.classes_)

    def distances(self, X: Any) -> Callable[[int], Floats]:
        """Return distances between rows: by leaves if the model has trees, otherwise by scores."""
        if has_flat_trees(self.model):
            return leaf_distances(self.model.apply(X))
        return score_distances(self.scores(X))


Source = Callable[[Any], Floats]


def scores_of(model: Any) -> Source:
    """Return the decision function, or probabilities if the model has none."""
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
    """Return the number of rounds, or members, that vote for each class."""
    if has_flat_trees(model):
        vote_of_leaf = [votes_by_node(tree) for tree in model.estimators_]
        return lambda X: count_votes(model.apply(X), vote_of_leaf, len(model.classes_))
    if hasattr(model, "staged_decision_function"):
        return lambda X: staged_votes(model, X)
    if hasattr(model, "estimators_"):
        return lambda X: member_votes(model, X)
    raise TypeError(
        "estimator must have rounds or members that can vote for utility='disagreement'; "
        f"got {type(model).__name__}."
    )


SOURCES: dict[str, Callable[[Any], Source]] = {
    "margin": scores_of,
    "entropy": probabilities_of,
    "disagreement": votes_of,
}


def has_flat_trees(model: Any) -> bool:
    """Return whether this is one of frugalboost's tree ensembles."""
    trees = getattr(model, "estimators_", None)
    return isinstance(trees, list) and len(trees) > 0 and isinstance(trees[0], FlatTree)


def votes_by_node(tree: FlatTree) -> Ints:
    """Return the class code each node votes for; a positive single value means the second class."""
    if tree.value.shape[1] == 1:
        return (tree.value[:, 0] > 0).astype(np.int64)
    return np.asarray(tree.value.argmax(axis=1), dtype=np.int64)


def staged_votes(model: Any, X: Any) -> Floats:
    """Count the votes of the rounds: each votes for the class whose score it raises most."""
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
    """Count the votes of the members of a forest or bag, which return labels or class codes."""
    members = np.ravel(np.asarray(model.estimators_, dtype=object))
    subsets = getattr(model, "estimators_features_", [None] * len(members))
    counts = np.zeros((X.shape[0], len(model.classes_)))
    for member, features in zip(members, subsets, strict=True):
        predicted = member.predict(X if features is None else X[:, features])
        counts[np.arange(len(predicted)), codes_of(predicted, member, model.classes_)] += 1.0
    return counts


def codes_of(predicted: AnyArray, member: Any, classes: AnyArray) -> Ints:
    if set(np.asarray(member.classes_).tolist()) <= set(classes.tolist()):
        place = {label: code for code, label in enumerate(classes.tolist())}
        return np.array([place[label] for label in predicted.tolist()], dtype=np.int64)
    return predicted.astype(np.int64)
