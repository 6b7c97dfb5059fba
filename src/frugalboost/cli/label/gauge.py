"""How good the model is, and how much further labels may still bring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaincinv

from frugalboost._typing import AnyArray, Ints

TRAININGS = 10
"""How many of the last ones say what the next may be expected to change."""

WATCHED = 1000
TESTED = 5000
"""Rows of these numbers at most are predicted after every training: a person waits for it."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows that the model does not learn from; `is_given`: from a file of their own."""

    X: AnyArray
    y: AnyArray
    is_given: bool


@dataclass(frozen=True, eq=False)
class Gauge:
    """What is known after a training.

    Attributes
    ----------
    has_model : bool
        Whether labels of two classes are known.
    n_tested, n_wrong : rows held out, and those that the model gets wrong
    is_given : whether these rows came from a file; else they were drawn at random and asked
    changes : for the last trainings the share of the pool whose prediction each has changed
    predictions : of the rows that are watched
    """

    has_model: bool = False
    n_tested: int = 0
    n_wrong: int = 0
    is_given: bool = False
    changes: tuple[float, ...] = ()
    predictions: AnyArray | None = None

    @property
    def error(self) -> float | None:
        return self.n_wrong / self.n_tested if self.n_tested else None

    @property
    def expected_change(self) -> float | None:
        """What the next training may be expected to change: as much as the last ones."""
        return sum(self.changes) / len(self.changes) if self.changes else None


def bounds(n_wrong: int, n_tested: int) -> tuple[float, float]:
    """Between which errors the true one is, with 95 % confidence (Clopper, Pearson).

    >>> [round(bound, 3) for bound in bounds(3, 40)]
    [0.016, 0.204]
    """
    low = betaincinv(n_wrong, n_tested - n_wrong + 1, 0.025) if n_wrong else 0.0
    high = betaincinv(n_wrong + 1, n_tested - n_wrong, 0.975) if n_wrong < n_tested else 1.0
    return float(low), float(high)


def watched_rows(n_rows: int, seed: int) -> Ints:
    """The rows that stand for the pool, always the same ones."""
    random = np.random.default_rng([seed, n_rows])
    return np.sort(random.choice(n_rows, min(n_rows, WATCHED), replace=False, shuffle=False))


def some_rows(held_out: HeldOut, seed: int) -> HeldOut:
    """At most `TESTED` of them, drawn at random."""
    n_rows = len(held_out.y)
    if n_rows <= TESTED:
        return held_out
    rows = np.random.default_rng([seed, n_rows]).choice(n_rows, TESTED, replace=False)
    return HeldOut(held_out.X[rows], held_out.y[rows], held_out.is_given)


def measure(learner: Any, held_out: HeldOut, watched: AnyArray, last: Gauge) -> Gauge:
    """Test a learner that was just trained; `last` is what was known before."""
    if not hasattr(learner, "model_"):
        return Gauge(is_given=held_out.is_given)
    predictions = learner.predict(watched)
    n_tested = len(held_out.y)
    n_wrong = int((learner.predict(held_out.X) != held_out.y).sum()) if n_tested else 0
    changes = last.changes
    if last.predictions is not None:
        changes = (*changes, float((predictions != last.predictions).mean()))[-TRAININGS:]
    return Gauge(True, n_tested, n_wrong, held_out.is_given, changes, predictions)
