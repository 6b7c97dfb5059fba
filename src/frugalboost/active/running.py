"""Running an active learner in the loop of questions and answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from frugalboost._progress import Update, progress_bar
from frugalboost.active.answered_rows import AnsweredRows
from frugalboost.active.journal import Journal
from frugalboost.active.labelers import Labeler
from frugalboost.active.log import Log, write
from frugalboost.active.loop import Questions
from frugalboost.active.loop import run as run_loop
from frugalboost.active.params import ActivePlan
from frugalboost.active.replay import Entry
from frugalboost.active.replay import replay as replay_entries
from frugalboost.active.rows import by_rows, row_contents, row_keys
from frugalboost.active.rows import count_rows as count_pool
from frugalboost.active.session import known_after, open_session, session_params
from frugalboost.active.stopping import BatchEntry, Limits
from frugalboost.base.tree_estimators import check_shape
from frugalboost.data import take_rows
from frugalboost.data.targets import count_rows, read_labels

LONGEST_START = 3
"""Missing classes are searched for among this many times `start_size` random rows."""

HeldOut = tuple[Any, Any]


def drive(
    learner: AnsweredRows,
    X_pool: Any,
    labeler: Labeler,
    limits: Limits,
    held_out: HeldOut | None,
    session: Any,
) -> None:
    """Run until a limit is reached; sets `history_` and `stop_reason_` of the learner."""
    plan = ActivePlan.from_params(learner)
    learner.history_ = learner.__dict__.get("history_", [])
    with open_journal(learner, X_pool, plan, session) as (journal, waiting):
        total = limits.budget or count_pool(X_pool)
        with labels_bar(plan.verbose, learner, total) as update:

            def on_batch(entry: BatchEntry) -> None:
                learner.history_.append(entry)
                if update is not None:
                    error = "unknown" if entry.error is None else f"{entry.error:.4f}"
                    update(completed=entry.labels, error=error)

            in_loop = RunLearner(learner, X_pool, plan, held_out, journal, waiting)
            learner.stop_reason_ = run_loop(in_loop, labeler, limits, on_batch)


@contextmanager
def open_journal(
    learner: AnsweredRows, X_pool: Any, plan: ActivePlan, session: Any
) -> Iterator[tuple[Journal | None, list[Entry]]]:
    """Open the session file, if any, and bring the learner up to date with it.

    Also yields the questions that are still unanswered.
    """
    if session is None:
        yield None, []
        return
    log = learner._noted
    params = session_params(learner, X_pool)
    journal, entries = open_session(session, X_pool, log, learner._known, params)
    with journal:
        learner._drawn_seed = journal.params.get("seed", learner._seed)
        if len(entries) > len(log):
            answers = known_after(entries, X_pool)
            learner._log = Log(tuple(entries))
            learner._learn(answers, plan, is_growth=False)
        yield journal, [entry for entry in replay_entries(entries).open if entry.row is not None]


@contextmanager
def labels_bar(verbose: int, learner: AnsweredRows, total: int) -> Iterator[Update | None]:
    """Show a progress bar of labels, with the held-out error after the last batch."""
    text = "error {task.fields[error]}"
    done = learner.n_labels_
    with progress_bar(
        verbose, type(learner).__name__, text, total=total, completed=done, error="unknown"
    ) as update:
        yield update


class RunLearner:
    """Adapts an `ActiveLearner` to the `Learner` protocol of the loop."""

    def __init__(
        self,
        learner: AnsweredRows,
        X_pool: Any,
        plan: ActivePlan,
        held_out: HeldOut | None,
        journal: Journal | None,
        waiting: list[Entry],
    ) -> None:
        self.learner, self.pool, self.plan = learner, by_rows(X_pool), plan
        self.held_out, self.journal, self.waiting = held_out, journal, waiting
        self._new_answers: list[tuple[int, Any]] = []

    @property
    def n_labels(self) -> int:
        return self.learner.n_labels_

    def ask(self, n_left: int | None) -> Questions:
        n = self.plan.batch_size if self.n_labels else self.plan.start_size
        questions = self._asked_before(n_left)
        if len(questions) == 0:
            n = n if n_left is None else min(n, n_left)
            questions = self.learner._ask(self.pool, n, self.plan, self._is_start())
            self._note(self.learner._noted.ask(questions))
        self.learner.questions_ = questions
        return questions

    def _asked_before(self, n_left: int | None) -> Questions:
        """Return the unanswered questions from before an interruption; they are repeated first."""
        taken = self.learner._known.taken
        waiting, self.waiting = self.waiting, []
        if waiting:
            keys = row_keys(take_rows(self.pool, np.array([entry.row for entry in waiting])))
            waiting = [e for e, key in zip(waiting, keys, strict=True) if key not in taken]
        waiting = waiting[:n_left]
        return Questions(
            np.array([entry.row for entry in waiting], dtype=np.int64),
            np.array([entry.utility for entry in waiting], dtype=np.float64),
            [entry.reason for entry in waiting],
        )

    def rows(self, questions: Questions) -> Any:
        return take_rows(self.pool, questions.indices)

    def record(self, questions: Questions, at: int, answer: Any) -> None:
        row, log = int(questions.indices[at]), self.learner._noted
        number = log.n_rounds - 1
        content = row_contents(take_rows(self.pool, np.array([row])))[0]
        if answer is None:
            self._note(log.add("skipped", row=row, round=number, content=content), content)
        else:
            self.plan.check_label(answer)
            self._note(log.add("answered", row=row, round=number, label=answer), content)
        self._new_answers.append((row, answer))

    def learn(self) -> None:
        new_answers, self._new_answers = self._new_answers, []
        if not new_answers:
            return
        rows = take_rows(self.pool, np.array([row for row, _ in new_answers]))
        answers = [answer for _, answer in new_answers]
        # Kept at once: answers must not be lost if training fails or is interrupted.
        self.learner._answers = self.learner._known.add(rows, answers)
        if any(answer is not None for answer in answers):
            self.learner._learn(self.learner._answers, self.plan, is_growth=True)

    def error(self) -> float | None:
        if self.held_out is None or not hasattr(self.learner, "model_"):
            return None
        X, y = self.held_out
        return float(np.mean(self.learner.predict(X) != y))

    def _note(self, log: Log, content: Any = None) -> None:
        """Keep the new entries of the log, on disk first."""
        if self.journal is not None:
            new = log.entries[len(self.learner._noted) :]
            write(self.journal, new, [content] * len(new))
        self.learner._log = log

    def _is_start(self) -> bool:
        """Return whether to ask about random rows, as some given classes are still unseen."""
        if self.plan.classes is None or self.n_labels >= LONGEST_START * self.plan.start_size:
            return False
        return not set(self.plan.classes) <= set(self.learner._known.standing_labels())


def held_out_rows(validation: Any) -> HeldOut | None:
    """Return the rows and labels to measure the error on, or None."""
    if validation is None:
        return None
    try:
        X, y = validation
    except (TypeError, ValueError):
        raise ValueError(f"validation must be a pair (X, y) or None; got {validation!r}.") from None
    check_shape(X)
    labels = read_labels(y)
    count_rows(X, labels)
    return X, labels
