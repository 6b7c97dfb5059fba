"""A labelling session: what is asked, what was answered, how good the model is.

Everything is kept in the journal, from which a later run restores the session.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost.active import Answer, Entry, Journal, replay
from frugalboost.active.query import default_committee
from frugalboost.cli.label.data import Pool
from frugalboost.cli.label.error_estimate import (
    ErrorEstimate,
    HeldOutRows,
    estimate_error,
    watched_rows,
)

CHECK_ROWS = "check_rows"
"""Where the session file lists the rows that were drawn to measure the error."""

CHECK_REASON = "a check: drawn at random, not learnt from"
START_REASON = "drawn at random, for a start"

RECENT = 20
"""How many recent answers are compared with what the model expected."""

MOST_CLASSES = 12
BAR_WIDTH = 20


@dataclass(frozen=True)
class Plan:
    """How questions are chosen.

    Attributes
    ----------
    batch : int
        Answers between two trainings.
    utility : str, see `ActiveLearner`
    start : int
        Rows drawn at random before the model chooses.
    check_share : float
        Share of the questions that are drawn at random and held out.
    pool_size : int or None
        The most rows considered for a question.
    rule, rounds : of the committee; None for the defaults of `ActiveLearner`
    budget : int or None
        Answers to stop after, including those of earlier runs.
    seed : int
    """

    batch: int = 1
    utility: str = "margin"
    start: int = 10
    check_share: float = 0.1
    pool_size: int | None = 50_000
    rule: str | None = None
    rounds: int | None = None
    budget: int | None = None
    seed: int = 0


class LabelSession:
    """Questions and answers about the rows of a pool.

    Parameters
    ----------
    pool : Pool
    journal : Journal, opened with the fingerprint of the pool
    plan : Plan
    classes : names known in advance
    held_out : HeldOutRows or None
        Rows to test on; None: the rows asked as checks.
    """

    def __init__(
        self,
        pool: Pool,
        journal: Journal,
        plan: Plan,
        classes: Iterable[str] = (),
        held_out: HeldOutRows | None = None,
    ) -> None:
        self.pool, self.journal, self.plan = pool, journal, plan
        self._held_out = held_out
        self._watched = watched_rows(pool.n_rows, plan.seed)
        self._check_rows = read_check_rows(journal, pool.n_rows)
        self._known = self._begin(classes)
        self.state = replay(journal)
        self.estimate = ErrorEstimate()
        self.surprises: list[bool] = []
        self._guesses: dict[int, str] = {}
        self._learner: fb.ActiveLearner | None = None
        self._is_exhausted = False

    def _begin(self, classes: Iterable[str]) -> list[str]:
        """Keep the classes, and the labels of the file if the session is new."""
        params = self.journal.params
        self._check_strings(params.get("classes", []))
        known = dict.fromkeys([*params.get("classes", []), *classes])
        with self.journal.together():
            if not params.get("has_begun"):
                for row, label in enumerate(self.pool.labels):
                    if label is not None:
                        self.journal.start(row, label, content=self.pool.X[row])
                        known[label] = None
            self.journal.change_params(has_begun=True, classes=list(known), **self._for_loading())
            self._keep_check_rows()
        return list(known)

    def _check_strings(self, classes: Any) -> None:
        """Refuse a session whose labels are not strings, such as one that a script wrote."""
        names = classes if isinstance(classes, list) else [classes]
        wrong = [("classes", name) for name in names if not isinstance(name, str)]
        given = (entry for entry in self.journal if entry.label is not None)
        wrong += [(f"entry {e.number}", e.label) for e in given if not isinstance(e.label, str)]
        if wrong:
            where, value = wrong[0]
            raise ValueError(
                f"session {self.journal.path} must have strings as labels; got {value!r} ({where})."
            )

    def _for_loading(self) -> dict[str, Any]:
        """What `ActiveLearner.load` needs besides the answers."""
        plan, X = self.plan, self.pool.X
        learner = {"batch_size": plan.batch, "utility": plan.utility, "pool_size": plan.pool_size}
        table = {"kind": "array", "dtype": X.dtype.str, "columns": X.shape[1]}
        return {"seed": plan.seed, "learner": learner, "table": table}

    def _keep_check_rows(self) -> None:
        self.journal.change_params(**{CHECK_ROWS: sorted(self._check_rows)})

    @property
    def classes(self) -> list[str]:
        """The names known in advance, then others while they have an answer."""
        return list(dict.fromkeys([*self._known, *(answer.label for answer in self.answers)]))

    @property
    def answers(self) -> tuple[Answer, ...]:
        return self.state.answers

    @property
    def given(self) -> list[Answer]:
        """Answers that a person gave; the others were in the file."""
        return [answer for answer in self.answers if answer.kind == "answered"]

    def is_check(self, answer: Answer) -> bool:
        """Whether an answer measures the error and is not learnt from."""
        return answer.kind == "answered" and answer.row in self._check_rows

    def counts(self) -> Counter[str]:
        """Answers of each class."""
        return Counter(answer.label for answer in self.answers)

    @property
    def stop_reason(self) -> str | None:
        """Why there are no more questions, or None."""
        if self.plan.budget is not None and len(self.given) >= self.plan.budget:
            return f"the budget of {self.plan.budget} labels is spent"
        if self._is_exhausted:
            return "every row is answered, skipped, or equal to one that is"
        return None

    def question(self) -> Entry | None:
        """What to ask now; trains and chooses rows if the last batch is answered.

        The same question is returned until it is answered or skipped, also by a later run.
        """
        if self.stop_reason is not None:
            return None
        if self._learner is None or not self.state.open:
            self._learn()
        if not self.state.open:
            self._ask()
        if not self.state.open:
            return None
        self._guess(self.state.open[0].row or 0)
        return self.state.open[0]

    def answer(self, label: str) -> None:
        """Keep a label for the row in question; it is on disk when this returns."""
        asked = self.state.open[0]
        self.journal.answered(label=label, utility=asked.utility, **self._asked())
        guess = self._guesses.pop(asked.row or 0, None)
        if guess is not None:
            self.surprises = [*self.surprises, guess != label][-RECENT:]
        self.state = replay(self.journal)

    def skip(self) -> None:
        """Leave the row in question without a label; it is not asked again."""
        self.journal.skipped(**self._asked())
        self.state = replay(self.journal)

    def _asked(self) -> dict[str, Any]:
        """What an entry says about the row in question."""
        asked = self.state.open[0]
        content = self.pool.X[asked.row or 0]
        return {"row": asked.row, "round": asked.round, "reason": asked.reason, "content": content}

    def undo(self) -> Entry | None:
        """Withdraw the last answer or skip and ask it again; None if there is neither."""
        holding = {answer.number for answer in self.given}
        holding |= {entry.number for entry in self.state.skipped}
        if not holding:
            return None
        last = next(entry for entry in self.journal if entry.number == max(holding))
        with self.journal.together():
            self.journal.withdrawn(last.number)
            # As a new query, so that a later run asks the questions in this order too.
            for entry in (last, *self.state.open):
                self._keep_question(entry.row, entry.utility, entry.reason, self.state.n_rounds)
        if last.kind == "answered":
            self.surprises = self.surprises[:-1]
        self._restart()
        return last

    def correct(self, row: int, label: str) -> None:
        """Give an earlier answer another label."""
        answers = [answer for answer in self.answers if answer.row == row]
        if not answers:
            raise ValueError(f"row must be one that was answered; got {row}.")
        self.journal.corrected(answers[-1].number, label)
        self._restart()

    def _guess(self, row: int) -> None:
        """Note what the model expects, before the answer is given."""
        if self.estimate.has_model and self._learner is not None and row not in self._guesses:
            self._guesses[row] = str(self._learner.predict(self.pool.X[[row]])[0])

    def _restart(self) -> None:
        """Train anew before the next question, because earlier answers have changed."""
        self.state = replay(self.journal)
        self._learner, self._is_exhausted = None, False

    def _learn(self) -> None:
        """Train on all answers except checks."""
        taught = {answer.label for answer in self.answers if not self.is_check(answer)}
        learner = fb.ActiveLearner(
            committee(self.plan, self.pool, len(taught)),
            batch_size=self.plan.batch,
            utility=self.plan.utility,
            pool_size=self.plan.pool_size,
            random_state=self.plan.seed,
        )
        labels = {a.row: None if self.is_check(a) else a.label for a in self.answers}
        labels |= {entry.row: None for entry in self.state.skipped}
        if labels:
            rows = np.array(list(labels), dtype=np.int64)
            learner.teach(self.pool.X[rows], list(labels.values()))
        self._learner = learner
        watched = self.pool.X[self._watched]
        self.estimate = estimate_error(learner, self._tested(), watched, self.estimate)

    def _tested(self) -> HeldOutRows:
        if self._held_out is not None:
            return self._held_out
        checks = [answer for answer in self.answers if self.is_check(answer)]
        rows = np.array([answer.row for answer in checks], dtype=np.int64)
        labels = np.array([check.label for check in checks])
        return HeldOutRows(self.pool.X[rows], labels, is_from_file=False)

    def _ask(self) -> None:
        """Choose the next rows and keep the questions."""
        learner = self._learner
        assert learner is not None
        is_check = self._is_check_due()
        n, reason = (1, CHECK_REASON) if is_check else self._next()
        if reason is not None:
            learner.set_params(utility="random")
        rows, utilities = learner.query(self.pool.X, n)
        reasons = learner.questions_.reasons if reason is None else [reason] * len(rows)
        learner.set_params(utility=self.plan.utility)
        self._is_exhausted = len(rows) == 0
        round_ = self.state.n_rounds
        with self.journal.together():
            if is_check:
                self._check_rows.update(rows.tolist())
                self._keep_check_rows()
            for row, utility, why in zip(rows.tolist(), utilities.tolist(), reasons, strict=True):
                self._keep_question(row, utility if reason is None else None, why, round_)
        self.state = replay(self.journal)

    def _is_check_due(self) -> bool:
        n_checks = sum(map(self.is_check, self.answers))
        return n_checks < math.floor(self.plan.check_share * len(self.given))

    def _next(self) -> tuple[int, str | None]:
        """How many rows to ask about, and why, unless for their utility."""
        n_taught = sum(not self.is_check(answer) for answer in self.answers)
        left = math.inf if self.plan.budget is None else self.plan.budget - len(self.given)
        if n_taught < self.plan.start:
            return int(min(self.plan.batch, left, self.plan.start - n_taught)), START_REASON
        return int(min(self.plan.batch, left)), None

    def _keep_question(self, row: int | None, utility: float | None, why: str, round_: int) -> None:
        self.journal.asked(row, round=round_, utility=utility, reason=why)


def read_check_rows(journal: Journal, n_rows: int) -> set[int]:
    """The rows that the file lists as checks; older files mark them by the reason alone."""
    rows = journal.params.get(CHECK_ROWS)
    if rows is None:
        return {e.row for e in journal if e.row is not None and e.reason == CHECK_REASON}
    is_list = isinstance(rows, list)
    if not is_list or not all(type(row) is int and 0 <= row < n_rows for row in rows):
        raise ValueError(
            f"session {journal.path} must have a list of rows below {n_rows} as "
            f"{CHECK_ROWS}; got {repr(rows)[:60]}."
        )
    return set(rows)


def progress_text(session: LabelSession) -> str:
    """Labels given, labels of each class, and skips."""
    n, budget = len(session.given), session.plan.budget
    parts = [f"labels {n}"]
    if budget is not None:
        filled = min(BAR_WIDTH * n // budget, BAR_WIDTH)
        parts = [f"labels {n} of {budget} {'█' * filled}{'░' * (BAR_WIDTH - filled)}"]
    if len(session.answers) > n:
        parts.append(f"{len(session.answers) - n} from the file")
    counts = session.counts().most_common(MOST_CLASSES)
    if counts:
        parts.append(", ".join(f"{name}: {count}" for name, count in counts))
    if session.state.skipped:
        parts.append(f"skipped {len(session.state.skipped)}")
    return " · ".join(parts)


def committee(plan: Plan, pool: Pool, n_classes: int) -> Any:
    """The learner's default, or another rule; categories of the pool stay categories."""
    model: Any = default_committee(plan.seed, n_classes)
    if plan.rule is not None:
        model = fb.BoostedTreesClassifier(
            plan.rule, max_leaf_nodes=15, min_samples_leaf=1, random_state=plan.seed
        )
    if plan.rounds is not None:
        model.set_params(n_estimators=plan.rounds)
    if pool.words:
        model.set_params(categorical_features=list(pool.words))
    return model
