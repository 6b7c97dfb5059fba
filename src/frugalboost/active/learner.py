"""Active learning: a classifier that asks for the labels that matter most."""

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
    damage_explained,
    read_session,
    save_session,
    session_params,
)
from frugalboost.data import take_rows
from frugalboost.data.targets import read_labels


class ActiveLearner(AnsweredRows):
    """Active learner that asks for the labels its model is least sure about.

    The loop of queries and answers is GAMBLE, Algorithm 3.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Trained on the answers; any classifier with decision_function or predict_proba. None uses
        a `GambleClassifier` of trees, small enough to be retrained without a noticeable wait.
    batch_size : int, default=10
        Number of rows in a query.
    utility : {"margin", "entropy", "disagreement", "random"}, default="margin"
        "margin": the reciprocal of the lead of the best class over the second; "entropy": the
        entropy of the probabilities; "disagreement": the entropy of the votes of the rounds;
        "random": rows at random, without a model.
    diversity : int, default=1
        A batch is chosen from this many times as many rows, the most useful ones, so that its
        rows differ from each other. 1 takes the most useful rows.
    retrain : {"fresh", "warm"}, default="fresh"
        Retrain from scratch after each batch, or continue the last model for `warm_rounds` more
        rounds. Warm models keep the trees that were trained on the first labels.
    warm_rounds : int, default=20
    pool_size : int or None, default=None
        Maximum number of rows that a query scores, drawn at random from the pool; None scores
        all rows.
    block_size : int, default=65536
        Number of rows scored at a time.
    start_size : int, default=20
        Number of random rows that `run` asks about first.
    classes : sequence of labels or None, default=None
        All labels that may be given. Any other label is an error, and `run` asks about random
        rows, up to three times `start_size`, until each class has been seen.
    random_state : int, NumPy generator or None, default=None
        Breaks ties and draws random rows.
    verbose : int, default=0
        1 shows a progress bar in `run`.

    Attributes
    ----------
    classes_ : array of the labels that the model knows
    model_ : the fitted classifier, available as soon as two classes are known
    n_labels_ : int, number of answers, without the withdrawn ones
    X_, y_ : rows and labels of these answers
    numbers_ : array, the number of each answer, for `correct` and `withdraw`
    questions_ : Questions of the last query: indices, utilities and reasons
    log_ : list of Entry, every question, with its reason, and every answer
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

        Duplicate rows are asked about once; rows that were answered or skipped are left out. Until
        two classes are known, rows are random and their utility is infinite. Called again before
        the next answer, it returns the same rows.

        Parameters
        ----------
        X_pool : table of shape (n_rows, n_features)
        n : int or None
            Maximum number of rows; None means `batch_size`.

        Returns
        -------
        indices : int array, rows of X_pool; fewer than n, or empty, if the pool is exhausted
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
            None skips a row, which is not asked about again.
        """
        plan = ActivePlan.from_params(self)
        rows, answers = self._read_answers(X, y, plan)
        self._learn(self._known.add(rows, answers), plan, is_growth=True)
        self._log = self._noted.add_answers(answers, contents_of_skipped(rows, answers))
        return self

    def fit(self, X: Any, y: Any) -> ActiveLearner:
        """Forget everything and learn these labels, of at least two classes.

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
        """Change the label of an answer and retrain from scratch.

        Parameters
        ----------
        number : int
            Place of the answer among all that were given, from 0; see `numbers_`.
        label : the correct label
        """
        plan = ActivePlan.from_params(self)
        number = check_int(number, name="number")
        plan.check_label(label)
        self._learn(self._known.correct(number, label), plan, is_growth=False)
        about = self._noted.entry_of(number)
        self._log = self._noted.add("corrected", about=about, label=plain_label(label))
        return self

    def withdraw(self, number: int) -> ActiveLearner:
        """Withdraw an answer and retrain from scratch; its row may be asked about again.

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
        """Ask, record the answers and train until a limit is reached or the pool is exhausted.

        Parameters
        ----------
        X_pool : table of shape (n_rows, n_features)
        labeler : callable
            Called with rows, with their numbers in the pool if its parameter is named `indices`
            (or index, idx, i, ids, key), or with both. Returns one label for each row, None to skip
            a row, or a single None to skip all. It may return an iterator.
        budget : int or None
            Maximum number of labels, including those known before.
        validation : (X, y) or None
            Held-out rows on which the error is measured after each batch.
        target_error : float or None
            Stop when the held-out error is at most this.
        patience : int or None
            Stop when the held-out error has had no new minimum for this many batches.
        min_utility : float or None
            Stop when no row has a utility of at least this.
        session : path or None
            A file that saves every question and answer as soon as it is given. If the file exists,
            the run resumes from it: the same script, started again, loses nothing and asks nothing
            twice. A file that was begun with another pool is an error.
        """
        ActivePlan.from_params(self)
        held_out = held_out_rows(validation)
        limits = make_limits(budget, target_error, patience, min_utility, held_out is not None)
        self._check_pool(X_pool)
        drive(self, X_pool, Labeler(labeler), limits, held_out, session)
        return self

    def save(self, path: Any) -> None:
        """Write all questions and answers to a session file.

        `load` restores a learner from it, and `run` with ``session=path`` resumes it. An existing
        file is overwritten only if it is a session. The model is not saved; it is trained again.

        Parameters
        ----------
        path : str or path
        """
        save_session(path, self._noted, self._known, session_params(self, self._known.table))

    @classmethod
    def load(cls, path: Any, estimator: Any = None, X_pool: Any = None) -> ActiveLearner:
        """Return a learner with the content of a session file, and train it.

        Parameters
        ----------
        path : str or path
            Written by `save`, by `run` with ``session=path`` or by ``frugalboost label``.
        estimator : classifier or None
            The estimator of the saved learner; a session file contains no code.
        X_pool : table or None
            The pool of the session, needed if it is a data frame.
        """
        params, log, answers = read_session(path, X_pool)
        with damage_explained(path):
            seed = params.get("seed")
            learner = cls(estimator, **params.get("learner", {}), random_state=seed)
            check_seed(seed)
            plan = ActivePlan.from_params(learner)
        learner._learn(answers, plan, is_growth=False)
        learner._log = log
        return learner
