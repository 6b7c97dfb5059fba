"""The distributions over the training rows that the members of an ensemble were fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._progress import OnShare, counted, ignore_progress
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.boosting.state import TrainingData, replayed
from frugalboost.data import bin_table
from frugalboost.pruning.ballots import WeightedVotes
from frugalboost.pruning.members import (
    check_ensemble,
    class_codes,
    has_equal_votes,
    has_votes,
    is_of,
    is_own,
    member_ballots,
    n_members,
)
from frugalboost.tree import AnyProblem


def round_weights(
    model: Any, X: Any, y: Any, sample_weight: Any = None, *, on_share: OnShare = ignore_progress
) -> Floats:
    """Return the weight of each training row in the round of each member; every round sums to 1.

    Parameters
    ----------
    model : fitted BoostedTreesClassifier, boosted C45Classifier, or scikit-learn's \
AdaBoostClassifier
        The weights are recomputed as in the fit. Members of bagging and of forests have no rounds,
        and those of FilterBoostClassifier no training rows in common: both raise an error.
    X, y, sample_weight : as in the fit
        If a row has several weights, as with rule "real" and many classes, their sum counts.
    on_share : callable, called now and then with the share of the rounds that are done

    Returns
    -------
    weights : (n_members, n_rows)

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from frugalboost import BoostedTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BoostedTreesClassifier("adaboost", n_estimators=3, max_depth=2).fit(X, y)
    >>> weights = round_weights(model, X, y)
    >>> weights.shape, bool((weights[0] == 1 / 150).all())
    ((3, 150), True)
    """
    check_ensemble(model)
    if not has_rounds(model):
        raise ValueError(
            "'kl' needs the distributions of the rounds over the training rows, which a "
            f"{type(model).__name__} does not have; got {model!r}."
        )
    n_rows = len(y)
    codes = class_codes(model, y, n_rows)
    weights = np.ones(n_rows) if sample_weight is None else np.asarray(sample_weight, float)
    if is_of(model, "AdaBoostClassifier"):
        by_round = samme_weights(model, X, codes, weights, on_share)
    else:
        by_round = own_weights(model, X, codes, weights, on_share)
    return np.asarray(by_round / by_round.sum(axis=1, keepdims=True))


def has_rounds(model: Any) -> bool:
    """Whether each member determined the weights of fixed training rows for the next."""
    if is_of(model, "AdaBoostClassifier"):
        return True
    is_boosted = is_own(model) and not has_equal_votes(model)
    return is_boosted and hasattr(model._rule, "problem") and hasattr(model, "resample")


def own_weights(model: Any, X: Any, codes: Ints, weights: Floats, on_share: OnShare) -> Floats:
    if has_votes(model):
        masses = counted(model._round_weights(X, codes, weights), n_members(model), on_share)
        return np.array([mass.astype(np.float64) for mass in masses])
    dataset = bin_table(X, categorical_features=model.categorical_features)
    data = TrainingData(dataset, codes, weights)
    states = replayed(model, data, model.apply(X))
    counted_states = counted(states, n_members(model), on_share)
    return np.array([row_weights(state.problem()) for state in counted_states])


def row_weights(problem: AnyProblem) -> AnyArray:
    """Weights of a round's problem; the layout "real" keeps numerators after them."""
    n_weights = problem.scale.n_outputs if problem.scale.layout == "real" else None
    return np.asarray(problem.weights[:, :n_weights].sum(axis=1, dtype=np.float64))


def samme_weights(model: Any, X: Any, codes: Ints, weights: Floats, on_share: OnShare) -> Floats:
    """SAMME's: a member multiplies the weights of rows it gets wrong by e to its own weight."""
    ballots = member_ballots(model, X, on_share=on_share)
    assert isinstance(ballots, WeightedVotes)
    with np.errstate(divide="ignore"):  # a weight of zero stays zero
        logs = np.log(weights)
    weights_by_round = np.empty((n_members(model), len(codes)))
    for member, (vote, weight) in enumerate(zip(ballots.votes, ballots.weights, strict=True)):
        weights_by_round[member] = np.exp(logs - logs.max())
        logs = logs + weight * (vote != codes)
    return weights_by_round
