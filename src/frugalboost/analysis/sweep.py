"""The quick search, swept over its two parameters (Quick Boost, Appel et al. 2013, figure 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from frugalboost._checks import check_int, check_real, names_itself
from frugalboost._typing import Floats, Ints
from frugalboost.boosting import Ledger

VARIED = ("search", "quick_mass", "quick_steps")


@dataclass(frozen=True, eq=False)  # comparing arrays gives no single truth value
class QuickSweep:
    """Cost of the quick search by the share of the weight it starts with and its subsets.

    Attributes
    ----------
    masses : (n_masses,) shares of the weight, `quick_mass`
    steps : (n_steps,) numbers of subsets, `quick_steps`
    shares : (n_masses, n_steps) assessments, divided by those of an exhaustive search
    costs : (n_masses, n_steps) or None
        The same with one operation more for each code that is gone through to weigh a feature.
        Every subset needs a bound, so it is these that say how many subsets are worth their cost.

    Examples
    --------
    >>> sweep = QuickSweep(np.array([0.5, 0.9]), np.array([20]), np.array([[0.3], [0.2]]))
    >>> float(sweep.masses[sweep.shares.min(axis=1).argmin()])
    0.9
    """

    masses: Floats
    steps: Ints
    shares: Floats
    costs: Floats | None = None

    @property
    def with_bounds(self) -> QuickSweep:
        """The sweep with `costs` for `shares`, to be drawn or asked for the best."""
        if self.costs is None:
            raise ValueError("costs must be known; got None.")
        return QuickSweep(self.masses, self.steps, self.costs)

    @property
    def best(self) -> tuple[float, int]:
        """The mass and the steps with the lowest cost, the first if tied."""
        row, column = np.unravel_index(int(self.shares.argmin()), self.shares.shape)
        return float(self.masses[row]), int(self.steps[column])


@names_itself
def quick_sweep(
    model: Any,
    X: Any,
    y: Any,
    masses: Iterable[float],
    steps: Iterable[int],
    sample_weight: Any = None,
    on_fit: Callable[[float, int], object] | None = None,
) -> QuickSweep:
    """Fit with the quick search for every pair of a first mass and a number of steps.

    The trees are the same every time, so only the work differs.

    Parameters
    ----------
    model : BoostedTreesClassifier or BoostedTreesRegressor
        Copies of it are fitted; it is not modified.
    X, y, sample_weight : as `model.fit` takes them
        With a BinnedDataset for X, the table is binned once and not for every fit.
    masses : shares of the weight above 0 and at most 1, at least one
    steps : integers from 1 to 10000, at least one
    on_fit : called with the mass and the steps after each fit, to show progress; or None

    Returns
    -------
    QuickSweep

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frugalboost import BinnedDataset, BoostedTreesClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BoostedTreesClassifier("adaboost", max_depth=1, n_estimators=5)
    >>> sweep = quick_sweep(model, BinnedDataset.from_data(X), y, masses=[0.5, 0.9], steps=[1, 20])
    >>> sweep.shares.shape
    (2, 2)
    >>> bool((sweep.shares <= 1).all())
    True
    """
    check_model(model)
    all_masses = check_masses(masses)
    all_steps = check_steps(steps)
    shares, costs = np.empty((2, len(all_masses), len(all_steps)))
    for row, mass in enumerate(all_masses):
        for column, n_steps in enumerate(all_steps):
            copy = clone(model).set_params(search="quick", quick_mass=mass, quick_steps=n_steps)
            ledger = copy.fit(X, y, sample_weight=sample_weight).ledger_
            shares[row, column] = ledger.share
            costs[row, column] = share_of_operations(ledger)
            if on_fit is not None:
                on_fit(mass, n_steps)
    return QuickSweep(np.array(all_masses), np.array(all_steps, dtype=np.int64), shares, costs)


def share_of_operations(ledger: Ledger) -> float:
    """Assessments and codes gone through, divided by those of an exhaustive search."""
    full = ledger.total("full") + ledger.total("full_scans")
    return (ledger.total("assessments") + ledger.total("scans")) / full if full else 1.0


def check_model(model: Any) -> None:
    is_estimator = hasattr(model, "get_params") and not isinstance(model, type)
    if not is_estimator or not set(VARIED) <= set(model.get_params()):
        raise TypeError(
            f"model must be an estimator with the parameters {', '.join(VARIED)}; got {model!r}."
        )


def check_masses(masses: Any) -> list[float]:
    rule = {"name": "each of masses"}
    values = at_least_one(masses, "masses", "shares above 0 and at most 1")
    return [check_real(value, low=0.0, high=1.0, closed="right", **rule) for value in values]


def check_steps(steps: Any) -> list[int]:
    rule = {"name": "each of steps"}
    values = at_least_one(steps, "steps", "integers from 1 to 10000")
    return [check_int(value, low=1, high=10_000, **rule) for value in values]


def at_least_one(values: Any, name: str, allowed: str) -> list[Any]:
    is_list = isinstance(values, Iterable) and not isinstance(values, str)
    listed = list(values) if is_list else []
    if not listed:
        raise ValueError(f"{name} must be one or more {allowed}; got {values!r}.")
    return listed
