"""One round of an active learner: which rows to ask about, and the model for all answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.active.answers import Answers
from frugalboost.active.batches import best_first, first_free, spread
from frugalboost.active.committee_scores import Committee
from frugalboost.active.loop import Questions
from frugalboost.active.params import ActivePlan
from frugalboost.active.pool import draws, portion, score_in_blocks
from frugalboost.active.rows import by_rows, count_rows, row_keys
from frugalboost.data import take_rows
from frugalboost.gamble.classifier import GambleClassifier

AT_RANDOM, START = "random", "random, as nothing is known yet"


def ask(
    committee: Committee | None, X: Any, n: int, answers: Answers, plan: ActivePlan, seed: int
) -> Questions:
    """The n most useful rows; without a committee rows at random.

    Only the seed and how much was answered decide what is drawn: whoever asks again before the
    next answer, or after a break, is told the same rows.
    """
    table, n_rows = by_rows(X), count_rows(X)
    random = draws(seed, answers.n_heard)
    rows = portion(n_rows, plan.pool_size, random)
    coins = random.random(n_rows if rows is None else len(rows))
    if committee is None:
        utilities = coins if plan.utility == "random" else np.full(len(coins), np.inf)
    else:
        utilities = score_in_blocks(table, rows, n_rows, plan.block_size, committee.utilities)
    at = choose(table, rows, utilities, coins, n * plan.diversity, answers)
    if rows is not None and len(at) == 0:  # the portion has nothing new, the rest may have
        return ask(committee, X, n, answers, replace(plan, pool_size=None), seed)
    chosen = at if rows is None else rows[at]
    if len(chosen) > n:
        kept = slice(n) if committee is None else apart(committee, table, chosen, n)
        at, chosen = at[kept], chosen[kept]
    return Questions(chosen, utilities[at], reasons(committee, table, chosen, plan))


def choose(
    table: Any, rows: Ints | None, utilities: Floats, coins: Floats, n: int, answers: Answers
) -> Ints:
    """Places of the most useful rows of new content, best first."""

    def keys_of(at: Ints) -> list[bytes]:
        return row_keys(take_rows(table, at if rows is None else rows[at]))

    pieces = best_first(utilities, coins, first=max(64, 2 * n))
    return first_free(pieces, n, keys_of, answers.taken)


def apart(committee: Committee, table: Any, chosen: Ints, n: int) -> Ints:
    return spread(committee.distances(take_rows(table, chosen)), len(chosen), n)


def reasons(committee: Committee | None, table: Any, chosen: Ints, plan: ActivePlan) -> list[str]:
    if committee is not None and len(chosen):
        return committee.reasons(take_rows(table, chosen))
    return [AT_RANDOM if plan.utility == "random" else START] * len(chosen)


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


def train(template: Any, X: Any, y: AnyArray, last: Any, plan: ActivePlan) -> Any:
    """Return a model for all answers; `last` is the model to go on from, or None.

    A model goes on only with the classes and categories it knows. Otherwise, and where the
    answers changed rather than grew, it is trained anew.
    """
    if plan.retrain == "warm":
        check_can_go_on(template)
        if last is not None and set(last.classes_.tolist()) == set(y.tolist()):
            with suppress(ValueError):  # a category that is new; what else is wrong, fit says below
                return go_on(last, X, y, plan.warm_rounds)
    return clone(template).fit(X, y)


def check_can_go_on(template: Any) -> None:
    params = template.get_params(deep=False)
    if not {"warm_start", "n_estimators"} <= set(params):
        raise ValueError(
            "retrain must be 'fresh' for an estimator without warm_start and "
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
