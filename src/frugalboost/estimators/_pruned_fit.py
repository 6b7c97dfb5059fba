"""One fit with pruning: rows held out where a method needs them, members, and their number."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone

from frugalboost._checks import check_bool, check_int, check_real
from frugalboost._typing import AnyArray, Ints
from frugalboost.analysis.members import check_ensemble, n_members
from frugalboost.data import take_rows
from frugalboost.estimators._prune import (
    Rows,
    candidate_sets,
    check_amount,
    check_method,
    check_reweight,
    new_factors,
)
from frugalboost.estimators._subset import subset
from frugalboost.pruning import PruningCurve


@dataclass(frozen=True, eq=False)
class Table:
    """Rows with labels and their codes."""

    X: Any
    y: AnyArray
    codes: AnyArray

    def take(self, rows: Ints) -> Table:
        return Table(take_rows(self.X, rows), self.y[rows], self.codes[rows])


@dataclass(frozen=True)
class PruningPlan:
    """Checked parameters; `n_kept` None stands for "auto"."""

    estimator: Any
    method: str
    n_kept: int | None
    pruning_fraction: float
    cv: Any
    reweight: bool
    max_sweeps: int
    random_state: Any
    owner: str

    @classmethod
    def from_params(cls, params: Any, estimator: Any, owner: str) -> PruningPlan:
        fraction = check_real(
            params.pruning_fraction,
            name="pruning_fraction",
            owner=owner,
            low=0.0,
            high=1.0,
            closed="neither",
        )
        n_whole = estimator.get_params(deep=False).get("n_estimators")
        return cls(
            estimator,
            check_method(params.method, owner),
            check_amount(params.n_estimators, n_whole if isinstance(n_whole, int) else None, owner),
            fraction,
            params.cv,
            check_bool(params.reweight, name="reweight", owner=owner),
            check_int(params.max_sweeps, name="max_sweeps", owner=owner, low=0),
            params.random_state,
            owner,
        )

    @property
    def must_choose_amount(self) -> bool:
        return self.n_kept is None and self.method != "hull"

    def must_hold_out(self, n_kept: int | None) -> bool:
        """Whether rows are needed that the ensemble was not fitted to."""
        choosing = n_kept is None and self.method != "hull"
        return choosing or self.reweight or self.method == "reduce_error"


@dataclass(frozen=True, eq=False)
class Outcome:
    """A whole ensemble, sets of its members by size, and rows it was not fitted to, if any."""

    whole: Any
    sets: list[Ints]
    held: Rows | None


def fit_pruned(plan: PruningPlan, table: Table) -> tuple[Any, PruningCurve | None]:
    """Fit, prune, and return the smaller ensemble with the curve its size was chosen by."""
    n_kept, curve = plan.n_kept, None
    if plan.must_choose_amount and plan.cv is not None:
        curve = cross_validated_curve(plan, table)
        n_kept = curve.best
    found = fit_whole(plan, table, n_kept, hold_out=plan.must_hold_out(n_kept))
    if curve is None and found.held is not None:
        curve = found.held.curve(found.sets)
    place = -1
    if plan.must_choose_amount and n_kept is None:
        assert curve is not None  # rows were held out for it
        place = curve.best_place
    members = found.sets[place]
    factors = None
    if plan.reweight:
        assert found.held is not None
        factors = new_factors(found.whole, found.held, members, plan.owner)
    return subset(found.whole, members, factors), curve


def fit_whole(plan: PruningPlan, table: Table, n_kept: int | None, *, hold_out: bool) -> Outcome:
    """Fit the whole ensemble and find sets of its members."""
    held_table = None
    if hold_out:
        kept, held = split_rows(table.codes, plan.pruning_fraction, plan.random_state, plan.owner)
        table, held_table = table.take(kept), table.take(held)
    whole = seeded(plan.estimator, plan.random_state).fit(table.X, table.y)
    check_ensemble(whole, plan.owner)
    if plan.reweight:
        check_reweight(whole, plan.owner)
    held_rows = None if held_table is None else rows_of(whole, held_table, plan.owner)
    rows = held_rows
    if rows is None or plan.method != "reduce_error":
        rows = rows_of(whole, table, plan.owner)
    # Boosting may have ended before the last round.
    most = None if n_kept is None else min(n_kept, n_members(whole))
    sets = candidate_sets(
        whole,
        rows,
        plan.method,
        most,
        training=(table.X, table.y, None),
        max_sweeps=plan.max_sweeps,
        owner=plan.owner,
    )
    return Outcome(whole, sets, held_rows)


def seeded(estimator: Any, random_state: Any) -> Any:
    """A clone to fit, which draws by our seed where it has none of its own.

    Whole fits with one seed are then the same, as users of `random_state` expect.
    """
    found = clone(estimator)
    params = found.get_params(deep=False)
    if "random_state" in params and params["random_state"] is None and random_state is not None:
        is_seed = isinstance(random_state, Integral)
        seed = random_state if is_seed else random_state.randint(2**31 - 1)
        found.set_params(random_state=int(seed))
    return found


def rows_of(model: Any, table: Table, owner: str) -> Rows:
    return Rows.of(model, table.X, table.y, owner)


def cross_validated_curve(plan: PruningPlan, table: Table) -> PruningCurve:
    """Mean error over the folds of each number of members that all folds have."""
    from sklearn.model_selection import check_cv  # takes long to import

    folds = check_cv(plan.cv, table.codes, classifier=True)
    curves = []
    for train, test in folds.split(np.zeros((len(table.codes), 1)), table.codes):
        fold = table.take(train)
        # Rows of a class that the fold has not seen are wrong with any members.
        test = test[np.isin(table.codes[test], fold.codes)]
        # As the last fit will be, with rows held out only if that one holds some out.
        found = fit_whole(plan, fold, None, hold_out=plan.must_hold_out(1))
        curves.append(rows_of(found.whole, table.take(test), plan.owner).curve(found.sets))
    n_sizes = min(len(curve.errors) for curve in curves)
    return PruningCurve(
        np.arange(1, n_sizes + 1),
        np.mean([curve.errors[:n_sizes] for curve in curves], axis=0),
        float(np.mean([curve.whole_error for curve in curves])),
        min(curve.n_members for curve in curves),
    )


def split_rows(
    codes: AnyArray, fraction: float, random_state: Any, owner: str
) -> tuple[Ints, Ints]:
    """Rows to fit and rows to prune by, both ascending; every class has a row to fit.

    Stratified where each class can be in both parts.
    """
    n = len(codes)
    counts = np.bincount(codes)
    n_classes = np.count_nonzero(counts)
    n_held = int(np.clip(round(fraction * n), 1, max(n - 1, 1)))
    is_stratified = counts[counts > 0].min() >= 2 and min(n_held, n - n_held) >= n_classes
    from sklearn.model_selection import train_test_split  # takes long to import

    kept, held = train_test_split(
        np.arange(n),
        test_size=n_held,
        random_state=random_state,
        stratify=codes if is_stratified else None,
    )
    lacking = np.setdiff1d(codes[held], codes[kept])
    first = np.array([held[codes[held] == code][0] for code in lacking], dtype=np.int64)
    held = np.setdiff1d(held, first)
    if not len(held):
        raise ValueError(
            f"{owner}: X must have a row to prune by besides one of each class to fit; got {n} "
            f"rows of {n_classes} classes."
        )
    return np.sort(np.concatenate([kept, first])), held
