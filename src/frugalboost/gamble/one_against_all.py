"""Several classes as one question for each: this class, or another?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from frugalboost._progress import stages
from frugalboost._typing import AnyArray, Floats
from frugalboost.base.callbacks import CallbackSupportMixin, with_callbacks
from frugalboost.base.joint import JointClassifier
from frugalboost.base.shap import explanation
from frugalboost.boosted.boosted_trees import Sample, TableClassifier, encode_counted
from frugalboost.boosted.classifier import BoostedTreesClassifier
from frugalboost.data import BinnedDataset, bin_table
from frugalboost.data.targets import count_rows, read_labels, read_weights, warn_if_rare


class OneAgainstAllClassifier(CallbackSupportMixin, JointClassifier):  # type: ignore[misc]
    """A two-class committee for each class, all on the same bins.

    By default this is Gentle AdaBoost.MH (Friedman, Hastie, Tibshirani 2000), to which GAMBLE is
    compared: it grows as many trees per round as there are classes, GAMBLE only one.

    Parameters
    ----------
    estimator : BoostedTreesClassifier, GambleClassifier or None, default=None
        The classifier for each class. None: rule "gentle" with full steps and trees of 15 leaves,
        ``BoostedTreesClassifier("gentle", learning_rate=1.0, max_leaf_nodes=15,
        min_samples_leaf=1)``.

    Attributes
    ----------
    classes_ : array of labels
    estimators_ : list of fitted classifiers, one for each class; only one for two classes
    feature_importances_ : array, the mean over `estimators_`
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> stumps = BoostedTreesClassifier("gentle", learning_rate=1.0, max_depth=1, n_estimators=20)
    >>> model = OneAgainstAllClassifier(stumps).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.993
    """

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OneAgainstAllClassifier:
        """Fit a committee for each class.

        Parameters
        ----------
        X : array, scipy.sparse matrix, data frame or BinnedDataset of shape (n_samples, n_features)
        y : labels of shape (n_samples,), of any hashable type
        sample_weight : array of shape (n_samples,) or None
            Non-negative; rows of weight zero are left out.

        Returns
        -------
        self
        """
        prototype = self._prototype()
        with self._all_or_nothing():
            X = self._read_table(X)
            labels = read_labels(y)
            weights = read_weights(sample_weight, count_rows(X, labels))
            classes, codes = encode_counted(labels, weights)
            warn_if_rare(classes, codes)
            sample = Sample(X, codes, weights).without_zero_weights()
            table = with_shared_bins(sample.X, prototype)
            own_codes = [1] if len(classes) == 2 else range(len(classes))
            self.classes_ = classes
            self._fit_committees(
                prototype, table, [sample.labels == code for code in own_codes], sample.weights
            )
        return self

    @with_callbacks  # type: ignore[untyped-decorator]
    def _fit_committees(
        self, prototype: TableClassifier, table: Any, questions: list[AnyArray], weights: Floats
    ) -> None:
        """Fit a committee per question; callbacks that propagate to sub-estimators see each."""
        self.estimators_ = [clone(prototype) for _ in questions]
        parts = zip(self.estimators_, questions, strict=True)
        if not self._has_callbacks:
            for committee, is_class in parts:
                committee.fit(table, is_class, weights)
            return
        whole = self._init_callback_context(max_subtasks=len(questions))
        whole.call_on_fit_task_begin(estimator=self)
        for committee, is_class in parts:
            task = whole.subcontext(task_name="class")
            with task.propagate_callback_context(committee):
                task.call_on_fit_task_begin(estimator=self)
                committee.fit(table, is_class, weights)
                task.call_on_fit_task_end(estimator=self)
        whole.call_on_fit_task_end(estimator=self, reconstruction_attributes={})

    def _prototype(self) -> TableClassifier:
        if self.estimator is None:
            return BoostedTreesClassifier(
                "gentle", learning_rate=1.0, max_leaf_nodes=15, min_samples_leaf=1
            )
        if not isinstance(self.estimator, TableClassifier):
            raise TypeError(
                "estimator must be None, a BoostedTreesClassifier or a "
                f"GambleClassifier; got {self.estimator!r}."
            )
        return self.estimator

    def decision_function(self, X: Any) -> Floats:
        """Return the decision of each committee.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        decision : (n_samples,) for two classes, positive for the second; else (n_samples, K), and
            the largest names the class
        """
        X = self._checked(X)
        return joined([model.decision_function(X) for model in self.estimators_])

    def predict_proba(self, X: Any) -> Floats:
        """Return the committees' probabilities of "this class", normalised to sum to one.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        probabilities : (n_samples, n_classes), columns in the order of ``classes_``
        """
        X = self._checked(X)
        if len(self.estimators_) == 1:
            return np.asarray(self.estimators_[0].predict_proba(X))
        shares = np.column_stack([model.predict_proba(X)[:, 1] for model in self.estimators_])
        all_zero = shares.max(axis=1) == 0
        if all_zero.any():  # too unlikely for a float in every class: the highest decision wins
            decision = joined([model.decision_function(X) for model in self.estimators_])
            shares[all_zero, decision[all_zero].argmax(axis=1)] = 1.0
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the decision after each round; committees that have ended keep their last one."""
        X = self._checked(X)
        stages = [model.staged_decision_function(X) for model in self.estimators_]
        decisions: list[Any] = [None] * len(stages)
        for _ in range(max(model.n_estimators_ for model in self.estimators_)):
            decisions = [next(stage, last) for stage, last in zip(stages, decisions, strict=True)]
            yield joined(decisions)

    def shap_values(self, X: Any) -> Floats:
        """Return what each feature adds to each committee's decision; for trees only.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        values : (n_samples, n_features) for two classes, else (n_samples, n_features, K)
        """
        X = self._checked(X)
        return stacked([model.shap_values(X) for model in self.estimators_])

    @property
    def expected_value_(self) -> Any:
        """Decision when no feature is known: a float, or one for each class."""
        check_is_fitted(self)
        expected = stacked([np.asarray(model.expected_value_) for model in self.estimators_])
        return float(expected) if expected.ndim == 0 else expected

    def shap_explanation(self, X: Any) -> Any:
        """Return `shap_values` as a ``shap.Explanation``, with base values, data and names."""
        check_is_fitted(self)
        return explanation(self, X, self.estimators_[0]._schema)

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._check_table(X)

    def _digest_extra(self) -> bytes:
        return repr((self.classes_.dtype, self.classes_.tolist())).encode()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if isinstance(self.estimator, TableClassifier):
            tags.input_tags = get_tags(self.estimator).input_tags
        return tags


def with_shared_bins(X: Any, prototype: TableClassifier) -> Any:
    """Bin X once for all committees, unless they need raw values."""
    is_raw = prototype.early_stopping or getattr(prototype, "estimator", None) is not None
    if is_raw or isinstance(X, BinnedDataset):
        return X
    with stages(prototype.verbose)("OneAgainstAllClassifier: binning") as on_share:
        return bin_table(
            X,
            max_bins=prototype.max_bins,
            categorical_features=prototype.categorical_features,
            n_jobs=prototype.n_jobs,
            on_share=on_share,
        )


def stacked(values: list[Floats]) -> Floats:
    """One committee's values as they are, those of several along a last axis."""
    return values[0] if len(values) == 1 else np.stack(values, axis=-1)


def joined(decisions: list[Any]) -> Floats:
    """One committee's decision as it is, those of several side by side."""
    return np.asarray(decisions[0]) if len(decisions) == 1 else np.column_stack(decisions)
