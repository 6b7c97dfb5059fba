"""Any scikit-learn regressor as a weak learner for class codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting import CodeRegressions
from frugalboost.data import take_rows
from frugalboost.rules.codes import class_codes


def check_regressor(estimator: Any) -> None:
    """Reject what cannot be fitted to numbers."""
    if estimator is None:
        return
    can_fit = all(hasattr(estimator, name) for name in ("fit", "predict", "__sklearn_tags__"))
    if isinstance(estimator, type) or not can_fit or not is_regressor(estimator):
        raise TypeError(
            f"estimator must be None, for trees, or a scikit-learn regressor; got {estimator!r}."
        )


@dataclass(frozen=True)
class FittedRegressor:
    """A fitted regressor whose predictions are checked.

    Attributes
    ----------
    regressor : object with `predict`
    n_outputs : int
    """

    regressor: Any
    n_outputs: int

    def predict(self, X: Any) -> Floats:
        """Predictions (n, n_outputs)."""
        predicted = np.asarray(self.regressor.predict(X), dtype=np.float64)
        predicted = predicted.reshape(len(predicted), -1)
        if predicted.shape[1] != self.n_outputs:
            raise ValueError(
                f"estimator must predict {self.n_outputs} numbers for each row, as "
                f"many as it was fitted to; got {predicted.shape[1]} from {self.regressor!r}."
            )
        if not np.isfinite(predicted).all():
            raise ValueError(
                "estimator must predict finite numbers; got NaN or infinity from "
                f"{self.regressor!r}."
            )
        return predicted


class RegressorLearner:
    """Fits the regressions of a round to one training table.

    Parameters
    ----------
    estimator : scikit-learn regressor, not changed
    X : table
    labels : (n,) class codes
    n_classes : int
    seed : integers from which each round's are derived
    n_jobs : for a regressor that must be fitted to one class at a time
    """

    def __init__(
        self,
        estimator: Any,
        X: Any,
        labels: AnyArray,
        n_classes: int,
        *,
        seed: tuple[int, ...],
        n_jobs: int | None,
    ) -> None:
        from sklearn.multioutput import MultiOutputRegressor  # both take long to import
        from sklearn.tree import DecisionTreeRegressor

        self._X, self._n_classes, self._seed = X, n_classes, seed
        self._codes = class_codes(labels, n_classes)
        self._takes_weights = has_fit_parameter(estimator, "sample_weight")
        # Corollary 3.1 for trees; for two classes all squares are 1.
        self._needs_squares = n_classes > 2 and not isinstance(estimator, DecisionTreeRegressor)
        is_wrapped = n_classes > 2 and not get_tags(estimator).target_tags.multi_output
        self._regressor = (
            MultiOutputRegressor(estimator, n_jobs=n_jobs) if is_wrapped else estimator
        )

    def __call__(self, weights: Floats, number: int) -> CodeRegressions:
        """The weak learner of a round; both regressions use the same rows and random numbers."""
        random = np.random.default_rng([*self._seed, number])
        seed = int(random.integers(2**31))
        rows = None if self._takes_weights else drawn_rows(weights, random)
        return CodeRegressions(
            self._n_classes,
            self._fit(self._codes, weights, rows, seed),
            self._fit(self._codes**2, weights, rows, seed) if self._needs_squares else None,
        )

    def _fit(
        self, targets: Floats, weights: Floats, rows: AnyArray | None, seed: int
    ) -> FittedRegressor:
        regressor = seeded(self._regressor, seed)
        n_outputs = targets.shape[1]
        if n_outputs == 1:
            targets = targets[:, 0]
        if rows is None:
            regressor.fit(self._X, targets, sample_weight=weights)
        else:
            regressor.fit(take_rows(self._X, rows), targets[rows])
        return FittedRegressor(regressor, n_outputs)


def regressors_of(learner: CodeRegressions) -> tuple[Any, ...]:
    """The fitted regressors themselves: for the codes and, if there is one, for their squares."""
    both = (learner.codes, learner.squares)
    return tuple(each.regressor for each in both if isinstance(each, FittedRegressor))


def drawn_rows(weights: Floats, random: np.random.Generator) -> AnyArray:
    """A weighted bootstrap: as many rows as there are, drawn in proportion to weight, in order."""
    n_rows = len(weights)
    return np.sort(random.choice(n_rows, size=n_rows, p=weights / weights.sum()))


def seeded(regressor: Any, seed: int) -> Any:
    """A fresh copy; every random_state in it, including its parts, is the seed.

    >>> from sklearn.tree import DecisionTreeRegressor
    >>> seeded(DecisionTreeRegressor(), 7)
    DecisionTreeRegressor(random_state=7)
    """
    fresh = clone(regressor)
    names = [
        name
        for name in fresh.get_params(deep=True)
        if name == "random_state" or name.endswith("__random_state")
    ]
    return fresh.set_params(**dict.fromkeys(names, seed))
