"""From the parameters of `C45Classifier` to a plan, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.utils import check_random_state

from frugalboost._checks import check_bool, check_int, check_seed, optional_choice
from frugalboost.base.params import pessimistic_confidence
from frugalboost.c45.coding import C45Plan
from frugalboost.rules import AdaBoostM1, Bagging, Rule

ENSEMBLES = (AdaBoostM1.name, Bagging.name)


@dataclass(frozen=True)
class FitC45:
    """Everything that a fit needs besides the data.

    Attributes
    ----------
    seed : tuple of int, or None
        For drawing rows; None: none are drawn.
    """

    rule: Rule
    tree: C45Plan
    n_estimators: int
    seed: tuple[int, ...] | None
    is_single: bool
    verbose: int

    @classmethod
    def from_params(cls, estimator: Any, n_classes: int) -> FitC45:
        """Check the parameters of `estimator`."""
        check_seed(estimator.random_state)
        name = optional_choice(estimator.ensemble, ENSEMBLES, name="ensemble")
        n_estimators = check_int(estimator.n_estimators, name="n_estimators", low=1)
        kind = AdaBoostM1 if name == AdaBoostM1.name else Bagging
        resamples = check_bool(estimator.resample, name="resample") or name == Bagging.name
        return cls(
            rule=kind(n_classes, 1.0),
            tree=C45Plan(
                min_cases=check_int(estimator.min_cases, name="min_cases", low=1),
                confidence=pessimistic_confidence(estimator),
            ),
            n_estimators=1 if name is None else n_estimators,
            seed=make_seed(estimator) if resamples and name is not None else None,
            is_single=name is None,
            verbose=check_int(estimator.verbose, name="verbose", low=0),
        )


def make_seed(estimator: Any) -> tuple[int, ...]:
    random = check_random_state(estimator.random_state)
    return tuple(random.randint(2**31, size=4).tolist())
