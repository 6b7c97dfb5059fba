"""A classifier that fits an ensemble and prunes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.base.callbacks import CallbackSupportMixin, StepTasks, with_callbacks
from frugalboost.base.tree_estimators import TableEstimator
from frugalboost.boosted.boosted_trees import Sample
from frugalboost.boosted.classifier import BoostedTreesClassifier
from frugalboost.boosting import Ensemble
from frugalboost.data import BinnedDataset
from frugalboost.data.targets import count_rows, encode_labels, read_labels, read_weights
from frugalboost.pruning.amount import PruningCurve
from frugalboost.pruning.fitting import LabelledRows, PruningPlan, check_reweight_of, fit_pruned


def ensemble_has(name: str) -> Any:
    """Make a method available only if the ensemble has it."""

    def check(model: Any) -> bool:
        getattr(getattr(model, "ensemble_", model._whole_estimator), name)
        return True

    return check


class PrunedEnsembleClassifier(
    CallbackSupportMixin,  # type: ignore[misc]
    MetaEstimatorMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    TableEstimator,
):
    """Classifier that fits an ensemble, keeps the members that matter, and drops the others.

    Parameters
    ----------
    estimator : classifier or None, default=None
        A classifier of this library, or scikit-learn's AdaBoostClassifier, BaggingClassifier,
        RandomForestClassifier or ExtraTreesClassifier; None: ``BoostedTreesClassifier()``.
    method : str, default="reduce_error"
        As in `prune_ensemble`.
    n_estimators : int or "auto", default="auto"
        Number of members to keep, or all if boosting ends with fewer; "auto" keeps the smallest
        number with the lowest error on held-out rows, or in cross-validation if `cv` is given, at
        most half of the members with "reduce_error". Ignored by "hull".
    pruning_fraction : float in (0, 1), default=0.15
        Share of the rows held out from the fit of the ensemble, if needed: for "reduce_error",
        for ``n_estimators="auto"`` without `cv`, and for `reweight`. The other methods use the
        training rows, as in the paper.
    cv : int, splitter or None, default=None
        Folds for choosing the number of members; the final fit then uses all rows, except those
        that "reduce_error" and `reweight` hold out.
    reweight : bool, default=False
        New weights for the remaining members, as in `prune_ensemble`.
    max_sweeps : int, default=100
    random_state : int, RandomState or None, default=None
        Seed for holding out rows, and for `estimator` if its random_state is None.
    verbose : int, default=0
        1 shows progress bars while pruning; `estimator` has its own setting.

    Attributes
    ----------
    ensemble_ : the pruned ensemble, a classifier of the same class as `estimator`
    members_ : positions of its members in the whole ensemble
    n_estimators_ : int, number of members kept
    curve_ : PruningCurve or None
        Errors by the number of members, on the held-out rows or, with `cv`, in cross-validation.
        None if no rows were held out.
    estimators_, feature_importances_ : those of the pruned ensemble, if it has them
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> whole = BoostedTreesClassifier("real", n_estimators=60, max_depth=4)
    >>> model = PrunedEnsembleClassifier(whole, n_estimators=20, random_state=0)
    >>> len(model.fit(X[:1000], y[:1000]).ensemble_.estimators_)
    20
    >>> bool(model.score(X[1000:], y[1000:]) > 0.85)
    True
    """

    ensemble_: Any
    curve_: PruningCurve | None

    def __init__(
        self,
        estimator: Any = None,
        method: str = "reduce_error",
        n_estimators: int | str = "auto",
        *,
        pruning_fraction: float = 0.15,
        cv: Any = None,
        reweight: bool = False,
        max_sweeps: int = 100,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.n_estimators = n_estimators
        self.pruning_fraction = pruning_fraction
        self.cv = cv
        self.reweight = reweight
        self.max_sweeps = max_sweeps
        self.random_state = random_state
        self.verbose = verbose

    @property
    def _whole_estimator(self) -> Any:
        return BoostedTreesClassifier() if self.estimator is None else self.estimator

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PrunedEnsembleClassifier:
        """Fit and prune.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : labels of shape (n_samples,)
        sample_weight : array of shape (n_samples,) or None
            Non-negative weights for fitting the ensemble, and thus for the rounds that "kl"
            compares. Rows of weight zero are left out. Members, and their number, are chosen by
            unweighted counts of rows.

        Returns
        -------
        self
        """
        if isinstance(X, BinnedDataset):
            raise TypeError("X must hold raw values; got a BinnedDataset.")
        if sample_weight is not None:
            self._check_takes_weights()
        plan = PruningPlan.from_params(self, self._whole_estimator)
        check_reweight_of(plan)
        with self._all_or_nothing():
            X = self._read_table(X)
            if isinstance(X, list):
                X = np.asarray(X)
            labels = read_labels(y)
            weights = read_weights(sample_weight, count_rows(X, labels))
            rows = Sample(X, labels, weights).without_zero_weights()
            codes = encode_labels(rows.labels)[1]
            given = None if sample_weight is None else rows.weights
            self._fit_table(plan, LabelledRows(rows.X, rows.labels, codes, given))
        return self

    @with_callbacks  # type: ignore[untyped-decorator]
    def _fit_table(self, plan: PruningPlan, table: LabelledRows) -> None:
        folds = plan.folds(table.codes)
        # Each fit of an ensemble is followed by a choice.
        rows = {"X": table.X, "y": table.y, "metadata": table.metadata}
        tasks = StepTasks(self, 2 * (len(folds) + 1), rows)
        self.ensemble_, self.curve_ = fit_pruned(plan, table, folds, tasks.step)
        tasks.close()

    def _check_takes_weights(self) -> None:
        whole = self._whole_estimator
        if not has_fit_parameter(whole, "sample_weight"):
            raise ValueError(
                "sample_weight must be None for an estimator whose fit takes none, "
                f"such as {type(whole).__name__}; got weights."
            )

    @property
    def classes_(self) -> AnyArray:
        """Labels in order."""
        check_is_fitted(self, "ensemble_")
        return np.asarray(self.ensemble_.classes_)

    @property
    def members_(self) -> Ints:
        """Positions of the members in the whole ensemble."""
        check_is_fitted(self, "ensemble_")
        return np.asarray(self.ensemble_.members_)

    @property
    def n_estimators_(self) -> int:
        """Number of members kept."""
        return len(self.members_)

    @property
    def estimators_(self) -> Any:
        """The members kept."""
        return self._ready().estimators_

    @property
    def feature_importances_(self) -> Floats:
        """Those of the pruned ensemble."""
        return np.asarray(self._ready().feature_importances_)

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted label of each row."""
        return np.asarray(self._ready().predict(X))

    @available_if(ensemble_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return class probabilities, columns in the order of ``classes_``."""
        return np.asarray(self._ready().predict_proba(X))

    @available_if(ensemble_has("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of `predict_proba`."""
        return np.asarray(self._ready().predict_log_proba(X))

    @available_if(ensemble_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Floats:
        """Return the ensemble's decision function."""
        return np.asarray(self._ready().decision_function(X))

    @available_if(ensemble_has("staged_predict"))  # type: ignore[untyped-decorator]
    def staged_predict(self, X: Any) -> Iterator[AnyArray]:
        """Yield the predicted labels after each member that was kept."""
        yield from self._ready().staged_predict(X)

    @available_if(ensemble_has("staged_predict_proba"))  # type: ignore[untyped-decorator]
    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities after each member that was kept."""
        yield from self._ready().staged_predict_proba(X)

    @available_if(ensemble_has("shap_values"))  # type: ignore[untyped-decorator]
    def shap_values(self, X: Any) -> Floats:
        """Return what each feature adds to the decision of the members that were kept."""
        return np.asarray(self._ready().shap_values(X))

    @available_if(ensemble_has("shap_values"))  # type: ignore[untyped-decorator]
    def shap_explanation(self, X: Any) -> Any:
        """Return `shap_values` as a ``shap.Explanation``."""
        return self._ready().shap_explanation(X)

    @property
    def expected_value_(self) -> Any:
        """The decision for a row about which nothing is known."""
        return self._ready().expected_value_

    def _ready(self) -> Any:
        check_is_fitted(self, "ensemble_")
        return self.ensemble_

    def _digest_parts(self) -> tuple[Ensemble, bytes]:
        inner = self._ready()
        if not hasattr(inner, "_digest_parts"):
            raise TypeError(
                "digest: model must hold an ensemble of frugalboost; "
                f"got one of {type(inner).__name__}."
            )
        ensemble, extra = inner._digest_parts()
        return ensemble, extra

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "ensemble_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._whole_estimator)
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.sparse = inner.input_tags.sparse
        return tags
