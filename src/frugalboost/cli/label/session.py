"""A session of labelling, without a terminal: what is asked, what was answered, how good it is.

All that is known stands in the journal; after a break the session is made from it anew.
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
from frugalboost.cli.label.gauge import Gauge, HeldOut, measure, watched_rows

CHECK = "a check: drawn at random, not learnt from"
START = "drawn at random, for a start"
RECENT = 20
"""Answers of which it is told how many surprised the model."""


@dataclass(frozen=True)
class Plan:
    """How questions are chosen.

    Attributes
    ----------
    batch : int
        Answers between two trainings.
    utility : str, see `ActiveLearner`
    start : int
        So many rows are drawn at random before the model chooses.
    check_share : float
        This share of the questions is drawn at random and held out.
    pool_size : int or None
        Rows that are looked at for a question, at most.
    rule, rounds : of the committee; None: those of `ActiveLearner`
    budget : int or None
        Answers to stop after, those of earlier sittings included.
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


class Labelling:
    """Questions and answers about the rows of a pool.

    Parameters
    ----------
    pool : Pool
    journal : Journal, opened with the fingerprint of the pool
    plan : Plan
    classes : names that are known beforehand
    held_out : HeldOut or None
        Rows to test on; None: those that are asked as checks.
    """

    def __init__(
        self,
        pool: Pool,
        journal: Journal,
        plan: Plan,
        classes: Iterable[str] = (),
        held_out: HeldOut | None = None,
    ) -> None:
        self.pool, self.journal, self.plan = pool, journal, plan
        self._held_out = held_out
        self._watched = watched_rows(pool.n_rows, plan.seed)
        self._known = self._begin(classes)
        self.now = replay(journal)
        self.gauge = Gauge()
        self.surprises: list[bool] = []
        self._guesses: dict[int, str] = {}
        self._learner: fb.ActiveLearner | None = None
        self._is_exhausted = False

    def _begin(self, classes: Iterable[str]) -> list[str]:
        """Keep the classes, and the labels of the file if the session is new."""
        params = self.journal.params
        self._check_texts(params.get("classes", []))
        known = dict.fromkeys([*params.get("classes", []), *classes])
        with self.journal.together():
            if not params.get("has_begun"):
                for row, label in enumerate(self.pool.labels):
                    if label is not None:
                        self.journal.start(row, label, content=self.pool.X[row])
                        known[label] = None
            self.journal.change_params(has_begun=True, classes=list(known), **self._for_loading())
        return list(known)

    def _check_texts(self, classes: Any) -> None:
        """Refuse a session of other labels than texts, such as those that a script has given."""
        names = classes if isinstance(classes, list) else [classes]
        found = [("classes", name) for name in names if not isinstance(name, str)]
        given = (entry for entry in self.journal if entry.label is not None)
        found += [(f"entry {e.number}", e.label) for e in given if not isinstance(e.label, str)]
        if found:
            where, value = found[0]
            raise ValueError(
                f"session {self.journal.path} must have texts as labels; got {value!r} ({where})."
            )

    def _for_loading(self) -> dict[str, Any]:
        """What `ActiveLearner.load` wants to know besides the answers."""
        plan, X = self.plan, self.pool.X
        learner = {"batch_size": plan.batch, "utility": plan.utility, "pool_size": plan.pool_size}
        table = {"kind": "array", "dtype": X.dtype.str, "columns": X.shape[1]}
        return {"seed": plan.seed, "learner": learner, "table": table}

    @property
    def classes(self) -> list[str]:
        """Those known beforehand, and others that have an answer: one that is undone goes again."""
        return list(dict.fromkeys([*self._known, *(answer.label for answer in self.answers)]))

    @property
    def answers(self) -> tuple[Answer, ...]:
        return self.now.answers

    @property
    def given(self) -> list[Answer]:
        """Answers that a person gave; the others stood in the file."""
        return [answer for answer in self.answers if answer.kind == "answered"]

    def counts(self) -> Counter[str]:
        """Answers of each class."""
        return Counter(answer.label for answer in self.answers)

    @property
    def stop_reason(self) -> str | None:
        """Why there is no further question, or None."""
        if self.plan.budget is not None and len(self.given) >= self.plan.budget:
            return f"the budget of {self.plan.budget} labels is spent"
        if self._is_exhausted:
            return "every row is answered, skipped, or equal to one that is"
        return None

    def question(self) -> Entry | None:
        """What to ask now; trains, and chooses rows, if the last batch is answered.

        The same question comes again until it is answered or skipped, also after a break.
        """
        if self.stop_reason is not None:
            return None
        if self._learner is None or not self.now.open:
            self._learn()
        if not self.now.open:
            self._ask()
        if not self.now.open:
            return None
        self._guess(self.now.open[0].row or 0)
        return self.now.open[0]

    def answer(self, label: str) -> None:
        """Keep a label for the row in question; it is on the disk when this returns."""
        asked = self.now.open[0]
        self.journal.answered(label=label, utility=asked.utility, **self._asked())
        guess = self._guesses.pop(asked.row or 0, None)
        if guess is not None:
            self.surprises = [*self.surprises, guess != label][-RECENT:]
        self.now = replay(self.journal)

    def skip(self) -> None:
        """Let the row in question be; it is not asked again."""
        self.journal.skipped(**self._asked())
        self.now = replay(self.journal)

    def _asked(self) -> dict[str, Any]:
        """What an entry says of the row in question."""
        asked = self.now.open[0]
        content = self.pool.X[asked.row or 0]
        return {"row": asked.row, "round": asked.round, "reason": asked.reason, "content": content}

    def undo(self) -> Entry | None:
        """Withdraw the last answer or skip and ask it again; return it, or None without any."""
        holding = {answer.number for answer in self.given}
        holding |= {entry.number for entry in self.now.skipped}
        if not holding:
            return None
        last = next(entry for entry in self.journal if entry.number == max(holding))
        with self.journal.together():
            self.journal.withdrawn(last.number)
            # A query of its own, so that after a break the questions come in this order too.
            for entry in (last, *self.now.open):
                self._keep_question(entry.row, entry.utility, entry.reason, self.now.n_rounds)
        if last.kind == "answered":
            self.surprises = self.surprises[:-1]
        self._changed()
        return last

    def correct(self, row: int, label: str) -> None:
        """Give an earlier answer another label."""
        found = [answer for answer in self.answers if answer.row == row]
        if not found:
            raise ValueError(f"row must be one that was answered; got {row}.")
        self.journal.corrected(found[-1].number, label)
        self._changed()

    def _guess(self, row: int) -> None:
        """What the model expects the answer to be, before it is given."""
        if self.gauge.has_model and self._learner is not None and row not in self._guesses:
            self._guesses[row] = str(self._learner.predict(self.pool.X[[row]])[0])

    def _changed(self) -> None:
        self.now = replay(self.journal)
        self._learner, self._is_exhausted = None, False

    def _learn(self) -> None:
        """Train on all answers that are no checks."""
        n_classes = len({answer.label for answer in self.answers if not is_check(answer)})
        learner = fb.ActiveLearner(
            committee(self.plan, self.pool, n_classes),
            batch_size=self.plan.batch,
            utility=self.plan.utility,
            pool_size=self.plan.pool_size,
            random_state=self.plan.seed,
        )
        labels = {answer.row: None if is_check(answer) else answer.label for answer in self.answers}
        labels |= {entry.row: None for entry in self.now.skipped}
        if labels:
            rows = np.array(list(labels), dtype=np.int64)
            learner.teach(self.pool.X[rows], list(labels.values()))
        self._learner = learner
        self.gauge = measure(learner, self._tested(), self.pool.X[self._watched], self.gauge)

    def _tested(self) -> HeldOut:
        if self._held_out is not None:
            return self._held_out
        checks = [answer for answer in self.answers if is_check(answer)]
        rows = np.array([answer.row for answer in checks], dtype=np.int64)
        return HeldOut(self.pool.X[rows], np.array([c.label for c in checks]), is_given=False)

    def _ask(self) -> None:
        """Choose the next rows and keep the questions."""
        learner = self._learner
        assert learner is not None
        n, reason = self._next()
        if reason is not None:
            learner.set_params(utility="random")
        rows, utilities = learner.query(self.pool.X, n)
        reasons = learner.questions_.reasons if reason is None else [reason] * len(rows)
        learner.set_params(utility=self.plan.utility)
        self._is_exhausted = len(rows) == 0
        round_ = self.now.n_rounds
        with self.journal.together():
            for row, utility, why in zip(rows.tolist(), utilities.tolist(), reasons, strict=True):
                self._keep_question(row, utility if reason is None else None, why, round_)
        self.now = replay(self.journal)

    def _next(self) -> tuple[int, str | None]:
        """How many rows to ask for, and why, if not for their utility."""
        n_checks = sum(map(is_check, self.answers))
        n_taught = len(self.answers) - n_checks
        left = math.inf if self.plan.budget is None else self.plan.budget - len(self.given)
        if n_checks < math.floor(self.plan.check_share * len(self.given)):
            return 1, CHECK
        if n_taught < self.plan.start:
            return int(min(self.plan.batch, left, self.plan.start - n_taught)), START
        return int(min(self.plan.batch, left)), None

    def _keep_question(self, row: int | None, utility: float | None, why: str, round_: int) -> None:
        self.journal.asked(row, round=round_, utility=utility, reason=why)


def is_check(answer: Answer) -> bool:
    return answer.reason == CHECK


def committee(plan: Plan, pool: Pool, n_classes: int) -> Any:
    """The learner's own, or another rule; categories of the pool stay categories."""
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
