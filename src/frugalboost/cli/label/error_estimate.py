"""How good the model is, and how much more labels may improve it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaincinv

from frugalboost._typing import AnyArray, Ints

TRAININGS = 10
"""The most recent trainings, which predict how much the next one will change."""

MOST_WATCHED, MOST_TESTED = 1000, 5000
"""Limits on the rows that are predicted after every training, while a person waits."""


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    """Rows that the model does not learn from; `is_from_file`: read from a validation file."""

    X: AnyArray
    y: AnyArray
    is_from_file: bool


@dataclass(frozen=True, eq=False)
class ErrorEstimate:
    """What is known after a training.

    Attributes
    ----------
    has_model : bool
        Whether labels of two classes are known.
    n_tested, n_wrong : held-out rows, and how many of them the model gets wrong
    is_from_file : whether these rows came from a file, rather than from random questions
    changes : for each recent training, the share of the watched rows whose prediction it changed
    predictions : for the watched rows
    """

    has_model: bool = False
    n_tested: int = 0
    n_wrong: int = 0
    is_from_file: bool = False
    changes: tuple[float, ...] = ()
    predictions: AnyArray | None = None

    @property
    def error(self) -> float | None:
        return self.n_wrong / self.n_tested if self.n_tested else None

    @property
    def expected_change(self) -> float | None:
        """The share of predictions that the next training will change, judging by recent ones."""
        return sum(self.changes) / len(self.changes) if self.changes else None


def estimate_error(
    learner: Any, held_out: HeldOutRows, watched: AnyArray, last: ErrorEstimate
) -> ErrorEstimate:
    """Test a learner that was just trained; `last` is the estimate before that."""
    if not hasattr(learner, "model_"):
        return ErrorEstimate(is_from_file=held_out.is_from_file)
    predictions = learner.predict(watched)
    n_tested = len(held_out.y)
    n_wrong = int((learner.predict(held_out.X) != held_out.y).sum()) if n_tested else 0
    changes = last.changes
    if last.predictions is not None:
        changes = (*changes, float((predictions != last.predictions).mean()))[-TRAININGS:]
    return ErrorEstimate(True, n_tested, n_wrong, held_out.is_from_file, changes, predictions)


def confidence_interval(n_wrong: int, n_tested: int) -> tuple[float, float]:
    """Bounds on the true error at 95 % confidence (Clopper and Pearson).

    >>> [round(bound, 3) for bound in confidence_interval(3, 40)]
    [0.016, 0.204]
    """
    low = betaincinv(n_wrong, n_tested - n_wrong + 1, 0.025) if n_wrong else 0.0
    high = betaincinv(n_wrong + 1, n_tested - n_wrong, 0.975) if n_wrong < n_tested else 1.0
    return float(low), float(high)


def watched_rows(n_rows: int, seed: int) -> Ints:
    """A sample that represents the pool; the same one every time."""
    random = np.random.default_rng([seed, n_rows])
    return np.sort(random.choice(n_rows, min(n_rows, MOST_WATCHED), replace=False, shuffle=False))


def sample_rows(held_out: HeldOutRows, seed: int) -> HeldOutRows:
    """At most `MOST_TESTED` of the rows, drawn at random."""
    n_rows = len(held_out.y)
    if n_rows <= MOST_TESTED:
        return held_out
    rows = np.random.default_rng([seed, n_rows]).choice(n_rows, MOST_TESTED, replace=False)
    return HeldOutRows(held_out.X[rows], held_out.y[rows], held_out.is_from_file)


def error_text(estimate: ErrorEstimate) -> str:
    """The error in words, and the rows it was measured on.

    >>> error_text(ErrorEstimate(True, n_tested=40, n_wrong=3))
    '7.5 % (1.6 to 20.4): 3 of 40 random rows, asked as checks and not learnt from'
    """
    if not estimate.has_model:
        return "not known yet; it needs labels of two classes"
    if estimate.error is None:
        return "not known yet; it needs a check"
    low, high = confidence_interval(estimate.n_wrong, estimate.n_tested)
    rows = "rows of the validation file"
    if not estimate.is_from_file:
        rows = "random rows, asked as checks and not learnt from"
    return (
        f"{100 * estimate.error:.1f} % ({100 * low:.1f} to {100 * high:.1f}): {estimate.n_wrong} "
        f"of {estimate.n_tested} {rows}"
    )


def gain_text(estimate: ErrorEstimate, surprises: Sequence[bool]) -> str:
    """What more labels may bring; `surprises`: whether the model had expected another answer.

    >>> gain_text(ErrorEstimate(True, changes=(0.02, 0.01)), [True, False, False])
    'a training changes about 1.5 % of the predictions; 1 of the last 3 answers surprised the model'
    """
    if not estimate.has_model:
        return "not known yet; it needs labels of two classes"
    text = "not known yet; it needs another answer"
    if estimate.expected_change is not None:
        text = f"a training changes about {100 * estimate.expected_change:.1f} % of the predictions"
    if surprises:
        text += f"; {sum(surprises)} of the last {len(surprises)} answers surprised the model"
    return text
