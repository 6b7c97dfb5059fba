"""What all estimators share: reading X, y and weights, failing without a trace, predicting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from frugalboost.data import BinnedDataset
import sklearn
from sklearn.utils.validation import validate_data
from frugalboost.data.frames import is_frame, read_frame
import numpy as np
from sklearn.utils import check_array, check_consistent_length
from frugalboost._typing import AnyArray
from frugalboost.data import BinnedDataset, check_kind
import math
import sys
from sklearn.utils import check_array, column_or_1d
from frugalboost._typing import Floats
from frugalboost.rules.weights import each_once
from collections.abc import Iterable, Iterator, Sequence
from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting import Ensemble
from frugalboost.data import BinnedDataset, Schema, is_plain
from frugalboost.data.tables import check_sides
from frugalboost.tree import FlatTree
from sklearn.base import ClassifierMixin
from frugalboost.boosting import Ensemble, as_rule_sees
from frugalboost.boosted.boosted_trees import BoostedTrees


class TableEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that is fitted to a table; not public."""

    @property
    def _owner(self) -> str:
        return type(self).__name__

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
        """Take note of feature names and their number, as scikit-learn does."""
        if isinstance(X, BinnedDataset):
            self.n_features_in_ = X.n_features
            if X.schema.feature_names is not None:
                self.feature_names_in_ = X.schema.feature_names
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
            return X
        check_shape(X, self._owner)
        return check_names(self, X)

    def _check_table(self, X: Any) -> Any:
        if isinstance(X, BinnedDataset):
            raise TypeError(
                f"{self._owner}: X must hold raw values for prediction; got a BinnedDataset."
            )
        check_shape(X, self._owner)
        return check_names(self, X, reset=False)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


ASKS_NARWHALS = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9)


class NamedColumns:
    """A table's names and shape, for versions of scikit-learn that ask by this protocol."""

    def __init__(self, X: Any, owner: str) -> None:
        self.shape = X.shape
        self._names = read_frame(X, owner=owner).columns

    def __dataframe__(self, **options: Any) -> NamedColumns:
        return self

    def column_names(self) -> list[str]:
        return self._names


def check_names(estimator: Any, X: Any, *, reset: bool = True) -> Any:
    """Take note of names and number (`reset`), or compare them with those of the fit; return X."""
    table = X
    if not ASKS_NARWHALS and is_frame(X) and not hasattr(X, "__dataframe__"):
        # polars 2 has given the protocol up: its names would be lost without a word.
        table = NamedColumns(X, type(estimator).__name__)
    validate_data(estimator, table, reset=reset, skip_check_array=True)
    return X


def count_rows(X: Any, y: AnyArray, owner: str) -> int:
    """Return the number of rows, or say that X and y differ."""
    if isinstance(X, BinnedDataset):
        if X.n_rows != len(y):
            raise ValueError(
                f"{owner}: y must have one entry for each of the {X.n_rows} rows of X; "
                f"got {len(y)}."
            )
        return X.n_rows
    check_consistent_length(X, y)
    if len(y) == 0:
        raise ValueError(
            f"Found array with 0 sample(s) while a minimum of 1 is required by {owner}."
        )
    return len(y)


def check_shape(X: Any, owner: str) -> None:
    """Say what is wrong with the kind or shape of X, before anything counts features."""
    check_kind(X, owner=owner)
    if getattr(X, "ndim", None) == 1 or (isinstance(X, list) and (not X or np.ndim(X[0]) == 0)):
        check_array(X, dtype=None, ensure_all_finite=False, estimator=owner, input_name="X")


def read_targets(y: Any, owner: str) -> Floats:
    """Return real targets as floats, finite and of a size that can be squared."""
    if y is None:
        raise ValueError(
            f"{owner}: y must hold a target for each row; got None. This estimator "
            "requires y to be passed, but the target y is None."
        )
    targets = check_array(
        column_or_1d(y, warn=True),
        dtype=np.float64,
        ensure_2d=False,
        input_name="y",
        estimator=owner,
    )
    largest = float(np.abs(targets).max(initial=0.0))
    if largest > 1e100:
        raise ValueError(
            f"{owner}: y must be within -1e100 and 1e100, so that squares do not overflow; "
            f"got {largest:g}."
        )
    return np.asarray(targets, dtype=np.float64)


def read_weights(sample_weight: Any, n_rows: int, owner: str) -> Floats:
    """Return sample weights as floats; None stands for ones."""
    rule = f"{owner}: sample_weight must be one finite number >= 0 for each row, not all zero"
    if sample_weight is None:
        return np.broadcast_to(1.0, n_rows)  # one number, read n_rows times
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{rule}; {error}.") from None
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.ndim != 1:
        raise ValueError(f"{rule}; Sample weights must be 1D array or scalar, got {weights.ndim}D.")
    if len(weights) != n_rows:
        raise ValueError(f"{rule}; got {len(weights)} weights for {n_rows} rows.")
    if not np.isfinite(weights).all():
        kind = "NaN" if np.isnan(weights).any() else "infinity"
        raise ValueError(f"{rule}; got {kind}.")
    if (weights < 0).any():
        raise ValueError(f"{rule}; got {float(weights.min())!r}.")
    if not weights.any():
        raise ValueError(f"{rule}; got only zeros.")
    return of_ordinary_size(weights)


def all_count(weights: Floats) -> bool:
    """Whether no weight is zero.

    >>> all_count(np.broadcast_to(1.0, 3)), all_count(np.array([1.0, 0.0]))
    (True, False)
    """
    return bool(each_once(weights).all())


def of_ordinary_size(weights: Floats) -> Floats:
    """Scale extreme weights by a power of two, hence exactly, so that no sum over- or underflows.

    Positive weights stay positive; those beyond 2^100 count as so many repetitions at most.

    >>> of_ordinary_size(np.array([0.0, 3.0 * 2.0**-200, 2.0**-198]))
    array([0.   , 0.375, 0.5  ])
    """
    exponent = math.frexp(float(weights.max()))[1]
    if abs(exponent) <= 100:
        return weights
    scaled = np.ldexp(weights, (100 if exponent > 100 else 0) - exponent)
    return np.where(weights > 0, np.maximum(scaled, sys.float_info.min), 0.0)


def decide(ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str) -> Floats:
    """Decision (n, n_outputs) for a user's table."""
    matrices = read(ensemble, schema, X, owner)
    return joined([ensemble.decision(matrix, n_threads) for matrix in matrices])


def decide_in_stages(
    ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str
) -> Iterator[Floats]:
    """Decision after each tree; X is read once."""
    matrices = list(read(ensemble, schema, X, owner))
    for parts in zip(*(ensemble.staged_decision(m, n_threads) for m in matrices), strict=True):
        yield joined(parts)


def find_leaves(ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str) -> AnyArray:
    """Node that each row ends in, (n, n_trees)."""
    matrices = read(ensemble, schema, X, owner)
    return joined([ensemble.apply(matrix, n_threads) for matrix in matrices])


def read(ensemble: Ensemble, schema: Schema, X: Any, owner: str) -> Iterable[AnyArray]:
    """X in matrices that the ensemble reads; plain arrays without the time that checks take."""
    if ensemble.large_thresholds:
        check_sides(schema.read(X, owner), ensemble.large_thresholds)
    if is_plain(X, ensemble.n_features) and not ensemble.forest.has_categories:
        return (X,)
    return schema.iter_matrices(X, ensemble.used_features.tolist(), owner)


def joined(parts: Sequence[AnyArray]) -> AnyArray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def find_binned_leaves(
    ensemble: Ensemble, dataset: BinnedDataset, n_threads: int, owner: str
) -> AnyArray:
    """Node that each binned row ends in, (n, n_trees), for trees that split between these bins."""
    features = ensemble.used_features.tolist()
    for feature in features:
        for tree in ensemble.trees:
            cuts = tree.threshold[(tree.feature == feature) & np.isfinite(tree.threshold)]
            if not np.isin(cuts, dataset.thresholds[feature]).all():
                raise ValueError(
                    f"{owner}: X must have the bins of the first fit when warm_start=True; "
                    f"got a BinnedDataset with other thresholds for column {feature}."
                )
    block = np.empty((dataset.n_rows, len(features)))
    for at, feature in enumerate(features):
        block[:, at] = value_by_code(dataset, feature)[dataset.column_codes(feature)]
    return ensemble.apply(block, n_threads)


def value_by_code(dataset: BinnedDataset, feature: int) -> Floats:
    """A value in each bin of a feature (its upper end), then NaN, as prediction reads them."""
    if dataset.is_categorical[feature]:
        return np.append(np.arange(float(dataset.n_bins[feature])), np.nan)
    return np.append(dataset.thresholds[feature], [np.inf, np.nan])


def tree_values(tree: FlatTree, schema: Schema, X: Any, n_threads: int, owner: str) -> Floats:
    """What one tree says about each row."""
    single = Ensemble(tree.n_features, tree.n_outputs)
    single.append(tree, 1.0, restarted=False)
    return decide(single, schema, X, n_threads, owner)


class TreesClassifier(ClassifierMixin, BoostedTrees):  # type: ignore[misc]
    """Predictions, probabilities and their stages; not public."""

    classes_: AnyArray

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

    def predict_proba(self, X: Any) -> Floats:
        """Return class probabilities through the rule's link.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        probabilities : (n_samples, n_classes), columns in the order of ``classes_``
        """
        decision = self.decision_function(X)
        return self._rule.probabilities(decision)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):  # log 0 = -inf is the right answer
            return np.log(self.predict_proba(X))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the decision after each tree."""
        for decision in decide_in_stages(*self._ready(X)):
            yield as_rule_sees(decision)

    def staged_predict(self, X: Any) -> Iterator[AnyArray]:
        """Yield the predicted labels after each tree."""
        for decision in self.staged_decision_function(X):
            yield self._labels_of(decision)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities after each tree."""
        for decision in self.staged_decision_function(X):
            yield self._rule.probabilities(decision)

    def _labels_of(self, decision: Floats) -> AnyArray:
        chosen = (decision > 0).astype(np.int64) if decision.ndim == 1 else decision.argmax(axis=1)
        return np.asarray(self.classes_[chosen])

    def _digest_parts(self) -> tuple[Ensemble, bytes]:
        ensemble, name = super()._digest_parts()
        return ensemble, name + repr((self.classes_.dtype, self.classes_.tolist())).encode()
