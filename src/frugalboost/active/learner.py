"""Learning with few labels: a classifier that asks for those that matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.base import clone

from frugalboost._checks import check_int, check_seed
from frugalboost._typing import Floats, Ints
from frugalboost.active.answered_rows import AnsweredRows
from frugalboost.active.answers import plain_label
from frugalboost.active.labelers import Labeler
from frugalboost.active.params import ActivePlan, make_limits
from frugalboost.active.rows import row_contents
from frugalboost.active.running import drive, held_out_rows
from frugalboost.active.session import (
    contents_of_skipped,
    damage_named,
    read_session,
    save_session,
    session_params,
)
from frugalboost.data import take_rows
from frugalboost.data.targets import read_labels


class ActiveLearner(AnsweredRows):
    """Asks for the labels that its committee is least sure about (GAMBLE, Algorithm 3).

    Parameters
    ----------
    estimator : classifier or None, default=None
        Trained on the answers; anything with decision_function or predict_proba. None is GAMBLE
        with trees, in a size that answers at once.
    batch_size : int, default=10
        Rows that a query asks about.
    utility : {"margin", "entropy", "disagreement", "random"}, default="margin"
        "margin": one over the lead of the first class before the second; "entropy": of the
        probabilities; "disagreement": entropy of the votes of the rounds; "random": asks no model.
    diversity : int, default=1
        A batch is chosen among this many times its rows, the most useful ones, such that they
        differ. 1 takes the most useful.
    retrain : {"fresh", "warm"}, default="fresh"
        Train anew after each batch, or let the last model make `warm_rounds` more. Warm models
        keep the trees of their first labels.
    warm_rounds : int, default=20
    pool_size : int or None, default=None
        Most rows of a pool that a query scores, drawn at random; None scores all.
    block_size : int, default=65536
        Rows that are scored at a time.
    start_size : int, default=20
        Random rows that `run` asks about first.
    classes : sequence of labels or None, default=None
        All labels that may be given: others are refused, and `run` asks about random rows, up to
        three times `start_size`, until each of them was seen.
    random_state : int, generator of NumPy or None, default=None
        Of ties, portions and random rows.
    verbose : int, default=0
        1 shows a progress bar in `run`.

    Attributes
    ----------
    classes_ : array of the labels that the model knows
    model_ : the fitted classifier, there as soon as two classes are known
    n_labels_ : int, answers that stand
    X_, y_ : rows and labels of these answers
    numbers_ : array, the number of each of them, for `correct` and `withdraw`
    questions_ : Questions of the last query: indices, utilities and reasons
    log_ : list of Entry, everything that was asked, why, and answered
    history_ : list of BatchEntry, one for each batch of `run`
    stop_reason_ : str, why the last `run` ended

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = ActiveLearner(random_state=0)
    >>> learner.run(X, labeler=lambda indices: y[indices], budget=60).n_labels_
    60
    >>> bool(learner.score(X, y) > 0.6)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        batch_size: int = 10,
        utility: str = "margin",
        diversity: int = 1,
        retrain: str = "fresh",
        warm_rounds: int = 20,
        pool_size: int | None = None,
        block_size: int = 65536,
        start_size: int = 20,
        classes: Any = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.batch_size = batch_size
        self.utility = utility
        self.diversity = diversity
        self.retrain = retrain
        self.warm_rounds = warm_rounds
        self.pool_size = pool_size
        self.block_size = block_size
        self.start_size = start_size
        self.classes = classes
        self.random_state = random_state
        self.verbose = verbose

    def query(self, X_pool: Any, n: int | None = None) -> tuple[Ints, Floats]:
        """Return the rows whose labels would help most, best first.

        Rows of equal content are asked about once, and none that was answered or skipped. Before
        two classes are known rows are random and their utility infinite. Asked again before the
        next answer, it returns the same.

        Parameters
        ----------
        X_pool : table of shape (n_rows, n_features)
        n : int or None
            At most so many; None is `batch_size`.

        Returns
        -------
        indices : int array, rows of X_pool; fewer than n, or none, when nothing else is left
        utilities : float array
        """
        plan = ActivePlan.from_params(self)
        n = plan.batch_size if n is None else check_int(n, name="n", low=1)
        self.questions_ = self._ask(X_pool, n, plan)
        contents = row_contents(take_rows(X_pool, self.questions_.indices))
        if not self._noted.was_just_asked(contents):
            self._log = self._noted.ask(self.questions_, contents)
        return self.questions_.indices, self.questions_.utilities

    def teach(self, X: Any, y: Any) -> ActiveLearner:
        """Add answers and train.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
        y : labels of shape (n_rows,)
            None skips a row: it is not asked about again.
        """
        plan = ActivePlan.from_params(self)
        rows, answers = self._read_answers(X, y, plan)
        self._learn(self._known.add(rows, answers), plan, is_growth=True)
        self._log = self._noted.hear(answers, contents_of_skipped(rows, answers))
        return self

    def fit(self, X: Any, y: Any) -> ActiveLearner:
        """Forget everything and learn these answers, of at least two classes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
        y : labels of shape (n_rows,)
        """
        fresh = clone(self)
        fresh.teach(X, read_labels(y))
        if not hasattr(fresh, "model_"):
            only = sorted(set(fresh.y_.tolist()))
            raise ValueError(f"y must hold at least two classes; got {len(only)} class, {only!r}.")
        self._take_over(fresh)
        return self

    def correct(self, number: int, label: Any) -> ActiveLearner:
        """Give an answer another label and train anew.

        Parameters
        ----------
        number : int
            Place of the answer among all that were given, from 0; see `numbers_`.
        label : the right one
        """
        plan = ActivePlan.from_params(self)
        number = check_int(number, name="number")
        plan.check_label(label)
        self._learn(self._known.correct(number, label), plan, is_growth=False)
        about = self._noted.entry_of(number)
        self._log = self._noted.add("corrected", about=about, label=plain_label(label))
        return self

    def withdraw(self, number: int) -> ActiveLearner:
        """Take an answer back and train anew; its row may be asked about again.

        Parameters
        ----------
        number : int
            Place of the answer among all that were given, from 0; see `numbers_`.
        """
        plan = ActivePlan.from_params(self)
        number = check_int(number, name="number")
        self._learn(self._known.withdraw(number), plan, is_growth=False)
        self._log = self._noted.add("withdrawn", about=self._noted.entry_of(number))
        return self

    def run(
        self,
        X_pool: Any,
        labeler: Callable[..., Any],
        *,
        budget: int | None = None,
        validation: tuple[Any, Any] | None = None,
        target_error: float | None = None,
        patience: int | None = None,
        min_utility: float | None = None,
        session: Any = None,
    ) -> ActiveLearner:
        """Ask, hear and learn until one of the limits is reached or the pool has no rows left.

        Parameters
        ----------
        X_pool : table of shape (n_rows, n_features)
        labeler : callable
            Is given some rows, or their numbers in the pool if its parameter is called `indices`
            (index, idx, i, ids, key), or both, and returns one label for each, None to skip a row,
            or None to skip all. An iterator may give them one by one.
        budget : int or None
            Labels, those known before included.
        validation : (X, y) or None
            Rows held out, on which the error after each batch is measured.
        target_error : float or None
            Stop when that error is at most this.
        patience : int or None
            Stop when that error has had no new minimum for so many batches.
        min_utility : float or None
            Stop when no row has so much.
        session : path or None
            A file that keeps every question and answer as soon as it is given. If it is there, the
            run goes on from it: the same script, started again, loses nothing and asks nothing
            twice. A file that was begun with another pool is refused.
        """
        ActivePlan.from_params(self)
        held_out = held_out_rows(validation)
        limits = make_limits(budget, target_error, patience, min_utility, held_out is not None)
        self._check_pool(X_pool)
        drive(self, X_pool, Labeler(labeler), limits, held_out, session)
        return self

    def save(self, path: Any) -> None:
        """Write everything that was asked and answered to a session file.

        `load` makes a learner of it, and `run` with ``session=path`` goes on with it. Only a file
        that is a session too is replaced. The model is not in it: it is trained again.

        Parameters
        ----------
        path : str or path
        """
        save_session(path, self._noted, self._known, session_params(self, self._known.table))

    @classmethod
    def load(cls, path: Any, estimator: Any = None, X_pool: Any = None) -> ActiveLearner:
        """Return a learner that knows what a session file holds, and train it.

        Parameters
        ----------
        path : str or path
            Written by `save`, by `run` with ``session=path`` or by ``frugalboost label``.
        estimator : classifier or None
            As it was; a file keeps no code.
        X_pool : table or None
            The pool of the session, needed if its rows are of a data frame.
        """
        params, log, answers = read_session(path, X_pool)
        with damage_named(path):
            seed = params.get("seed")
            learner = cls(estimator, **params.get("learner", {}), random_state=seed)
            check_seed(seed)
            plan = ActivePlan.from_params(learner)
        learner._learn(answers, plan, is_growth=False)
        learner._log = log
        return learner
