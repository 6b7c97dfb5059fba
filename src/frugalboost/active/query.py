"""One round of an active learner: choosing the rows to ask about, and training the model."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.active.answers import Answers
from frugalboost.active.batches import best_first, first_free, spread
from frugalboost.active.committee_scores import CommitteeScores
from frugalboost.active.loop import Questions
from frugalboost.active.params import ActivePlan
from frugalboost.active.pool import draws, portion, score_in_blocks
from frugalboost.active.rows import by_rows, count_rows, row_keys
from frugalboost.data import take_rows
from frugalboost.gamble.classifier import GambleClassifier

AT_RANDOM, START = "random", "random, as nothing is known yet"


def ask(
    committee: CommitteeScores | None, X: Any, n: int, answers: Answers, plan: ActivePlan, seed: int
) -> Questions:
    """Return the n most useful rows, or random rows without a committee.

    Only the seed and the number of answers determine the random draws, so asking again before
    the next answer, or after an interruption, returns the same rows.
    """
    table, n_rows = by_rows(X), count_rows(X)
    random = draws(seed, answers.n_heard)
    rows = portion(n_rows, plan.pool_size, random)
    tie_breakers = random.random(n_rows if rows is None else len(rows))
    if committee is None:
        utilities = tie_breakers if plan.utility == "random" else np.full(len(tie_breakers), np.inf)
    else:
        utilities = score_in_blocks(table, rows, n_rows, plan.block_size, committee.utilities)
    at = choose(table, rows, utilities, tie_breakers, n * plan.diversity, answers)
    if rows is not None and len(at) == 0:  # nothing new in the portion; try the whole pool
        return ask(committee, X, n, answers, replace(plan, pool_size=None), seed)
    chosen = at if rows is None else rows[at]
    if len(chosen) > n:
        kept = slice(n) if committee is None else apart(committee, table, chosen, n)
        at, chosen = at[kept], chosen[kept]
    return Questions(chosen, utilities[at], reasons(committee, table, chosen, plan))


def choose(
    table: Any, rows: Ints | None, utilities: Floats, tie_breakers: Floats, n: int, answers: Answers
) -> Ints:
    """Return the positions of the most useful rows with new content, best first."""

    def keys_of(at: Ints) -> list[bytes]:
        return row_keys(take_rows(table, at if rows is None else rows[at]))

    pieces = best_first(utilities, tie_breakers, first=max(64, 2 * n))
    return first_free(pieces, n, keys_of, answers.taken)


def apart(committee: CommitteeScores, table: Any, chosen: Ints, n: int) -> Ints:
    return spread(committee.distances(take_rows(table, chosen)), len(chosen), n)


def reasons(
    committee: CommitteeScores | None, table: Any, chosen: Ints, plan: ActivePlan
) -> list[str]:
    if committee is not None and len(chosen):
        return committee.reasons(take_rows(table, chosen))
    return [AT_RANDOM if plan.utility == "random" else START] * len(chosen)


def default_committee(seed: int, n_classes: int) -> GambleClassifier:
    """Return a GAMBLE model sized for few labels and quick training; figures in docs/active.md.

    With a learning rate of 1, boosting would end with the first tree that makes no mistake, which
    with few answers comes soon, and a single tree is no committee. Feature sampling makes the
    trees differ. For two classes, GAMBLE's steps are twice as long as its Newton steps.
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
    """Return a model trained on all answers; `last` is the model to continue, or None.

    A model can only be continued with the classes and categories it knows. Otherwise, and if
    answers were changed rather than added, it is retrained from scratch.
    """
    if plan.retrain == "warm":
        check_can_continue(template)
        if last is not None and set(last.classes_.tolist()) == set(y.tolist()):
            with suppress(ValueError):  # a new category; fit below reports other errors
                return continue_fit(last, X, y, plan.warm_rounds)
    return clone(template).fit(X, y)


def check_can_continue(template: Any) -> None:
    params = template.get_params(deep=False)
    if not {"warm_start", "n_estimators"} <= set(params):
        raise ValueError(
            "retrain must be 'fresh' for an estimator without warm_start and "
            f"n_estimators, such as {type(template).__name__}; got 'warm'."
        )


def continue_fit(last: Any, X: Any, y: AnyArray, n_rounds: int) -> Any:
    """Train the last model for some more rounds, on old and new rows."""
    before = {name: last.get_params(deep=False)[name] for name in ("warm_start", "n_estimators")}
    n_trees = getattr(last, "n_estimators_", before["n_estimators"])
    try:
        return last.set_params(warm_start=True, n_estimators=n_trees + n_rounds).fit(X, y)
    except BaseException:
        last.set_params(**before)
        raise
