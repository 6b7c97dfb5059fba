"""What the two boosted-tree estimators share: reading X, keeping results, going on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from frugalboost._checks import count_threads
from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.data import BinnedDataset, Schema, is_plain
from frugalboost.estimators._fit import Fitted, Sample, fit
from frugalboost.estimators._params import FitPlan
from frugalboost.estimators._predict import find_leaves
from frugalboost.estimators._rows import check_shape
from frugalboost.tree import FlatTree

# The core leaves so few rows to one thread, and counting cores takes longer than their prediction.
FEW_ROWS = 64


class AnyRule(Protocol):
    """What a fitted model needs of its rule."""

    @property
    def name(self) -> str: ...

    def probabilities(self, decision: Floats) -> Floats: ...


class BoostedTrees(BaseEstimator):  # type: ignore[misc]
    """Attributes and methods of both estimators; not public."""

    _ensemble: Ensemble
    _schema: Schema
    _rule: AnyRule
    ledger_: Ledger

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
        return validate_data(self, X, skip_check_array=True)

    def _fit(
        self, X: Any, labels: AnyArray, weights: Floats, plan: FitPlan, baseline: float
    ) -> None:
        previous = self._previous(plan)
        if previous is not None:
            baseline = previous.baseline
        fitted = fit(
            plan,
            Sample(X, labels, weights).without_zero_weights(),
            baseline=baseline,
            binning={
                "max_bins": self.max_bins,
                "categorical_features": self.categorical_features,
                "n_jobs": self.n_jobs,
            },
            random_state=self.random_state,
            previous=None if previous is None else (previous, self._schema),
            owner=self._owner,
        )
        self._keep(fitted, plan, len(previous) if previous is not None else 0)

    def _previous(self, plan: FitPlan) -> Ensemble | None:
        """The ensemble to go on from, if asked and if there is one."""
        if not plan.warm_start or not hasattr(self, "_ensemble"):
            return None
        if plan.rule.name != self._rule.name:
            raise ValueError(
                f"{self._owner}: rule must be {self._rule.name!r}, that of the trees fitted so "
                f"far, when warm_start=True; got {plan.rule.name!r}."
            )
        if plan.n_estimators < len(self._ensemble):
            raise ValueError(
                f"{self._owner}: n_estimators must be at least {len(self._ensemble)}, the trees "
                f"fitted so far, when warm_start=True; got {plan.n_estimators!r}."
            )
        if self._ensemble.n_features != self.n_features_in_:
            raise ValueError(
                f"{self._owner}: X must have the {self._ensemble.n_features} features of the "
                f"first fit when warm_start=True; got {self.n_features_in_}."
            )
        return self._ensemble

    def _keep(self, fitted: Fitted, plan: FitPlan, n_before: int) -> None:
        entries = self.ledger_.entries[:n_before] if n_before else []
        self._rule = plan.rule
        self._ensemble = fitted.ensemble
        self._schema = fitted.schema
        self.ledger_ = Ledger([*entries, *fitted.ledger.entries])
        self.validation_losses_ = fitted.validation_losses
        self.n_estimators_ = len(fitted.ensemble)

    @property
    def estimators_(self) -> list[FlatTree]:
        """The trees."""
        check_is_fitted(self)
        return self._ensemble.trees

    @property
    def estimator_weights_(self) -> Floats:
        """Step of each tree."""
        check_is_fitted(self)
        return np.array(self._ensemble.steps)

    @property
    def estimator_errors_(self) -> Floats:
        """Each round's figure of the rule, such as the weighted error."""
        check_is_fitted(self)
        return self.ledger_.error[: len(self._ensemble)]

    @property
    def feature_importances_(self) -> Floats:
        """Share of the gain that each feature brought; sums to 1 unless no tree splits."""
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

    def _ready(self, X: Any) -> tuple[Ensemble, Schema, Any, int, str]:
        """What the prediction functions take; X is checked as scikit-learn does.

        Not a plain array: its checks would take several times as long as predicting one row.
        """
        if not self.__sklearn_is_fitted__():
            check_is_fitted(self)  # raises scikit-learn's error; asking it takes longer
        n_jobs = self.n_jobs
        if hasattr(self, "feature_names_in_") or not is_plain(X, self.n_features_in_):
            X = self._check_table(X)
        elif len(X) <= FEW_ROWS and type(n_jobs) is int and n_jobs != 0:
            n_jobs = 1
        n_threads = count_threads(n_jobs, owner=self._owner)
        return self._ensemble, self._schema, X, n_threads, self._owner

    def _check_table(self, X: Any) -> Any:
        if isinstance(X, BinnedDataset):
            raise TypeError(
                f"{self._owner}: X must hold raw values for prediction; got a BinnedDataset."
            )
        check_shape(X, self._owner)
        return validate_data(self, X, reset=False, skip_check_array=True)

    def _digest_parts(self) -> tuple[Ensemble, bytes]:
        check_is_fitted(self)
        categories = [
            None if known is None else (str(known.dtype), known.tolist())
            for known in self._schema.categories
        ]
        return self._ensemble, repr((self._rule.name, categories)).encode()

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "ledger_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags
