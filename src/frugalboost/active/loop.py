"""The loop of questions and answers (GAMBLE, Algorithm 3); batches are counted here alone."""

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
    """Rows to be labelled, the most useful first, and why each of them."""

    indices: Ints
    utilities: Floats
    reasons: list[str]

    def __len__(self) -> int:
        return len(self.indices)

    @property
    def largest(self) -> float:
        return float(self.utilities.max())


class Learner(Protocol):
    """What the loop needs of whoever learns."""

    @property
    def n_labels(self) -> int: ...

    def ask(self, n_left: int | None) -> Questions:
        """The next questions, `n_left` at most; what was asked before a break comes first."""

    def rows(self, questions: Questions) -> Any:
        """The rows in question, as the labeler sees them."""

    def hear(self, questions: Questions, at: int, answer: Any) -> None:
        """Take down one answer; it must not be lost from here on."""

    def learn(self) -> None:
        """Train with what was taken down."""

    def error(self) -> float | None:
        """On rows held out, if there are any and a model to be tested."""


def run(
    learner: Learner,
    labeler: Labeler,
    limits: Limits,
    on_batch: Callable[[BatchEntry], None],
) -> StopReason:
    """Ask, hear and learn until a limit is reached.

    Where the labeler raises, what it has answered before is learnt, and the exception goes on.
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
            hear_all(learner, labeler, questions)
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


def hear_all(learner: Learner, labeler: Labeler, questions: Questions) -> None:
    """Take down every answer that can be used, then tell of the first that cannot."""
    problem: ValueError | None = None
    for at, answer in enumerate(labeler(learner.rows(questions), questions.indices)):
        try:
            learner.hear(questions, at, answer)
        except ValueError as error:
            problem = problem or error
    if problem is not None:
        raise problem
