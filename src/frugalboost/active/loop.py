"""The loop of questions and answers (GAMBLE, Algorithm 3); only here are batches counted."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from frugalboost._typing import Floats, Ints
from frugalboost.active.labelers import Labeler
from frugalboost.active.stopping import BatchEntry, Limits, StopReason


@dataclass(frozen=True, eq=False)
class Questions:
    """Rows to label, the most useful first, and the reason for each."""

    indices: Ints
    utilities: Floats
    reasons: list[str]

    def __len__(self) -> int:
        return len(self.indices)

    @property
    def largest(self) -> float:
        return float(self.utilities.max())


class Learner(Protocol):
    """What the loop requires of a learner."""

    @property
    def n_labels(self) -> int: ...

    def ask(self, n_left: int | None) -> Questions:
        """Return at most `n_left` questions; those asked before an interruption come first."""

    def rows(self, questions: Questions) -> Any:
        """Return the rows in question, as the labeler sees them."""

    def record(self, questions: Questions, at: int, answer: Any) -> None:
        """Record one answer; it must not be lost from here on."""

    def learn(self) -> None:
        """Train on the recorded answers."""

    def error(self) -> float | None:
        """Return the held-out error, or None without held-out rows or a model."""


def run(
    learner: Learner,
    labeler: Labeler,
    limits: Limits,
    on_batch: Callable[[BatchEntry], None],
) -> StopReason:
    """Ask, record and learn until a limit is reached.

    If the labeler raises, its earlier answers are learnt before the exception propagates.
    """
    errors = known([learner.error()])
    while (reason := limits.reached(learner.n_labels, errors)) is None:
        started = time.perf_counter()
        questions = learner.ask(None if limits.budget is None else limits.budget - learner.n_labels)
        seconds = time.perf_counter() - started
        if len(questions) == 0:
            return "pool"
        if limits.is_too_low(questions.largest):
            return "utility"
        try:
            record_all(learner, labeler, questions)
        finally:
            started = time.perf_counter()
            learner.learn()
            seconds += time.perf_counter() - started
        entry = BatchEntry(learner.n_labels, learner.error(), questions.largest, seconds)
        errors += known([entry.error])
        on_batch(entry)
    return reason


def known(errors: list[float | None]) -> list[float]:
    return [error for error in errors if error is not None]


def record_all(learner: Learner, labeler: Labeler, questions: Questions) -> None:
    """Record every valid answer, then raise the error of the first invalid one."""
    problem: ValueError | None = None
    for at, answer in enumerate(labeler(learner.rows(questions), questions.indices)):
        try:
            learner.record(questions, at, answer)
        except ValueError as error:
            problem = problem or error
    if problem is not None:
        raise problem
