"""A classifier for the answers so far: trained anew, or the last one taken further."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sklearn.base import clone

from frugalboost._typing import AnyArray
from frugalboost.estimators._active_params import ActivePlan
from frugalboost.estimators.gamble import GambleClassifier


def default_committee(seed: int, n_classes: int) -> GambleClassifier:
    """GAMBLE in a size that suits few labels and answers at once; docs/active.md has the figures.

    With a learning rate of 1 it would end with the first tree that makes no mistake, and one tree
    soon tells few answers apart: no committee. A share of the features makes its trees differ.
    For two classes GAMBLE's steps are twice as long as its Newton steps.
    """
    return GambleClassifier(
        n_estimators=100,
        learning_rate=0.9 if n_classes > 2 else 0.45,
        max_leaf_nodes=31,
        max_bins=32,
        feature_fraction=0.5,
        random_state=seed % 2**32,
    )


def train(template: Any, X: Any, y: AnyArray, last: Any, plan: ActivePlan, owner: str) -> Any:
    """Return a model for all answers; `last` is the model to go on from, or None.

    A model goes on only with the classes and categories it knows. Otherwise, and where the
    answers changed rather than grew, it is trained anew.
    """
    if plan.retrain == "warm":
        check_can_go_on(template, owner)
        if last is not None and set(last.classes_.tolist()) == set(y.tolist()):
            with suppress(ValueError):  # a category that is new; what else is wrong, fit says below
                return go_on(last, X, y, plan.warm_rounds)
    return clone(template).fit(X, y)


def check_can_go_on(template: Any, owner: str) -> None:
    params = template.get_params(deep=False)
    if not {"warm_start", "n_estimators"} <= set(params):
        raise ValueError(
            f"{owner}: retrain must be 'fresh' for an estimator without warm_start and "
            f"n_estimators, such as {type(template).__name__}; got 'warm'."
        )


def go_on(last: Any, X: Any, y: AnyArray, n_rounds: int) -> Any:
    """Some rounds more, with the new rows among the old."""
    before = {name: last.get_params(deep=False)[name] for name in ("warm_start", "n_estimators")}
    n_trees = getattr(last, "n_estimators_", before["n_estimators"])
    try:
        return last.set_params(warm_start=True, n_estimators=n_trees + n_rounds).fit(X, y)
    except BaseException:
        last.set_params(**before)
        raise
