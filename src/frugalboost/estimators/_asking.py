"""Which rows of a pool to ask about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from frugalboost._typing import Floats, Ints
from frugalboost.active import (
    Answers,
    Questions,
    best_first,
    draws,
    first_free,
    portion,
    score_in_blocks,
    spread,
)
from frugalboost.active.rows import by_rows, count_rows, row_keys
from frugalboost.data import take_rows
from frugalboost.estimators._active_params import ActivePlan
from frugalboost.estimators._voices import Committee

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
