"""What all estimators share: reading X, undoing failed fits, predicting with trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from frugalboost._checks import NamesItself
from frugalboost._threads import count_threads
from frugalboost._typing import AnyArray, Floats
from frugalboost.base.callbacks import CallbackSupportMixin
from frugalboost.boosting import Ensemble, Ledger, as_rule_sees
from frugalboost.data import BinnedDataset, Schema, check_kind, is_plain
from frugalboost.data.columns import is_frame, read_frame
from frugalboost.data.schema import categories_for_digest
from frugalboost.data.tables import check_sides
from frugalboost.tree import FlatTree

# The core leaves so few rows to one thread, and counting cores takes longer than predicting them.
FEW_ROWS = 64


class AnyRule(Protocol):
    """What a fitted model needs from its rule."""

    @property
    def name(self) -> str: ...

    def probabilities(self, decision: Floats) -> Floats: ...


class TableEstimator(NamesItself, BaseEstimator):  # type: ignore[misc]
    """An estimator that is fitted to a table; not public."""

    @property
    def _has_callbacks(self) -> bool:
        """Whether there are callbacks; without any, small fits should not pay for them."""
        return bool(getattr(self, "_skl_callbacks", None))

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Leave the model as it was when a fit fails or is interrupted."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _read_table(self, X: Any) -> Any:
        """Record the feature names and their number, as scikit-learn does."""
        if isinstance(X, BinnedDataset):
            self.n_features_in_ = X.n_features
            if X.schema.feature_names is not None:
                self.feature_names_in_ = X.schema.feature_names
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
            return X
        check_shape(X)
        return check_names(self, X)

    def _check_table(self, X: Any) -> Any:
        if isinstance(X, BinnedDataset):
            raise TypeError("X must hold raw values for prediction; got a BinnedDataset.")
        check_shape(X)
        return check_names(self, X, reset=False)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


class ProbabilityClassifier(ClassifierMixin, TableEstimator):  # type: ignore[misc]
    """A classifier with probabilities; not public."""

    classes_: AnyArray

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):  # log 0 = -inf is the right answer
            return np.asarray(np.log(self.predict_proba(X)))


class DecisionClassifier(ProbabilityClassifier):
    """A classifier whose labels follow from its decision; not public."""

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted label of each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        labels : array of shape (n_samples,)
        """
        return self._labels_of(self.decision_function(X))

    def staged_predict(self, X: Any) -> Iterator[AnyArray]:
        """Yield the predicted labels by each decision of `staged_decision_function`."""
        for decision in self.staged_decision_function(X):
            yield self._labels_of(decision)

    def _labels_of(self, decision: Floats) -> AnyArray:
        chosen = (decision > 0).astype(np.int64) if decision.ndim == 1 else decision.argmax(axis=1)
        return np.asarray(self.classes_[chosen])


ASKS_NARWHALS = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9)


class NamedColumns:
    """A table's names and shape, for versions of scikit-learn that read them by this protocol."""

    def __init__(self, X: Any) -> None:
        self.shape = X.shape
        self._names = read_frame(X).columns

    def __dataframe__(self, **options: Any) -> NamedColumns:
        return self

    def column_names(self) -> list[str]:
        return self._names


def check_names(estimator: Any, X: Any, *, reset: bool = True) -> Any:
    """Record names and number (`reset`), or compare them with those of the fit; return X."""
    table = X
    if not ASKS_NARWHALS and is_frame(X) and not hasattr(X, "__dataframe__"):
        # polars 2 has dropped the protocol: its names would silently be lost.
        table = NamedColumns(X)
    validate_data(estimator, table, reset=reset, skip_check_array=True)
    return X


def check_shape(X: Any) -> None:
    """Raise an error if the kind or shape of X is wrong, before anything counts features."""
    check_kind(X)
    if getattr(X, "ndim", None) == 1 or (isinstance(X, list) and (not X or np.ndim(X[0]) == 0)):
        check_array(X, dtype=None, ensure_all_finite=False, input_name="X")


class EnsembleEstimator(TableEstimator):
    """An estimator that is an ensemble of trees, of any kind, once it is fitted; not public."""

    _ensemble: Any
    ledger_: Ledger

    @property
    def estimators_(self) -> list[Any]:
        """The trees."""
        check_is_fitted(self)
        trees: list[Any] = self._ensemble.trees
        return trees

    @property
    def estimator_weights_(self) -> Floats:
        """Step of each tree, which for trees that vote is the weight of the vote."""
        check_is_fitted(self)
        return np.array(self._ensemble.steps)

    @property
    def estimator_errors_(self) -> Floats:
        """The rule's error in each round, such as the weighted error."""
        check_is_fitted(self)
        return self.ledger_.error[: len(self._ensemble)]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "ledger_")


class TreesEstimator(CallbackSupportMixin, EnsembleEstimator):  # type: ignore[misc]
    """An estimator that is an ensemble of our trees once it is fitted; not public."""

    _ensemble: Ensemble
    _schema: Schema
    _rule: AnyRule

    @property
    def feature_importances_(self) -> Floats:
        """Share of the gain that each feature contributed; sums to 1 unless no tree splits."""
        check_is_fitted(self)
        return self._ensemble.importances()

    def apply(self, X: Any) -> AnyArray:
        """Return the leaf, as a node number, that each row ends in.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        leaves : int array of shape (n_samples, n_trees)
        """
        return find_leaves(*self._ready(X))

    def _ready(self, X: Any) -> tuple[Ensemble, Schema, Any, int]:
        """Return what the prediction functions take, with X checked as in scikit-learn.

        Plain arrays skip these checks, which take several times as long as predicting one row.
        """
        if not self.__sklearn_is_fitted__():
            check_is_fitted(self)  # raises scikit-learn's error; always calling it takes longer
        n_jobs = self.n_jobs
        if hasattr(self, "feature_names_in_") or not is_plain(X, self.n_features_in_):
            X = self._check_table(X)
        elif len(X) <= FEW_ROWS and (n_jobs is None or (type(n_jobs) is int and n_jobs != 0)):
            n_jobs = 1
        n_threads = count_threads(n_jobs)
        return self._ensemble, self._schema, X, n_threads

    def _digest_parts(self) -> tuple[Ensemble, bytes]:
        check_is_fitted(self)
        categories = categories_for_digest(self._schema)
        return self._ensemble, repr((self._rule.name, categories)).encode()


class TreesClassifier(DecisionClassifier, TreesEstimator):
    """Decisions, probabilities and their stages; not public."""

    def decision_function(self, X: Any) -> Floats:
        """Return the ensemble's decision.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        decision : (n_samples,) for two classes, positive for the second; else (n_samples, K)
        """
        return as_rule_sees(decide(*self._ready(X)))

    def predict_proba(self, X: Any) -> Floats:
        """Return class probabilities, by the rule's link function.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        probabilities : (n_samples, n_classes), columns in the order of ``classes_``
        """
        decision = self.decision_function(X)
        return self._rule.probabilities(decision)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the decision after each tree."""
        for decision in decide_in_stages(*self._ready(X)):
            yield as_rule_sees(decision)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities after each tree."""
        for decision in self.staged_decision_function(X):
            yield self._rule.probabilities(decision)

    def _digest_parts(self) -> tuple[Ensemble, bytes]:
        ensemble, name = super()._digest_parts()
        return ensemble, name + repr((self.classes_.dtype, self.classes_.tolist())).encode()


def decide(ensemble: Ensemble, schema: Schema, X: Any, n_threads: int) -> Floats:
    """Decision (n, n_outputs) for a user's table."""
    matrices = read(ensemble, schema, X)
    return joined([ensemble.decision(matrix, n_threads) for matrix in matrices])


def decide_in_stages(
    ensemble: Ensemble, schema: Schema, X: Any, n_threads: int
) -> Iterator[Floats]:
    """Decision after each tree; X is read once."""
    matrices = list(read(ensemble, schema, X))
    for parts in zip(*(ensemble.staged_decision(m, n_threads) for m in matrices), strict=True):
        yield joined(parts)


def find_leaves(ensemble: Ensemble, schema: Schema, X: Any, n_threads: int) -> AnyArray:
    """Node that each row ends in, (n, n_trees)."""
    matrices = read(ensemble, schema, X)
    return joined([ensemble.apply(matrix, n_threads) for matrix in matrices])


def read(ensemble: Ensemble, schema: Schema, X: Any) -> Iterable[AnyArray]:
    """X in matrices that the ensemble reads; plain arrays skip slow checks."""
    if ensemble.large_thresholds:
        check_sides(schema.read(X), ensemble.large_thresholds)
    if is_plain(X, ensemble.n_features) and not ensemble.forest.has_categories:
        return (X,)
    return schema.iter_matrices(X, ensemble.used_features.tolist())


def joined(parts: Sequence[AnyArray]) -> AnyArray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def tree_values(tree: FlatTree, schema: Schema, X: Any, n_threads: int) -> Floats:
    """The value of one tree for each row."""
    single = Ensemble(tree.n_features, tree.n_outputs)
    single.append(tree, 1.0, restarted=False)
    return decide(single, schema, X, n_threads)
