"""One fit with pruning: hold out rows if needed, choose the members and their number."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import clone

from frugalboost._checks import check_bool, check_int, check_real
from frugalboost._progress import Stage, stages
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.base.callbacks import Step
from frugalboost.data import take_rows
from frugalboost.data.tables import NumberTable, SparseTable
from frugalboost.pruning.amount import PruningCurve
from frugalboost.pruning.choosing import (
    RowBallots,
    candidate_sets,
    check_amount,
    check_method,
    check_reweight,
    new_factors,
    subset,
)
from frugalboost.pruning.members import check_ensemble, n_members


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Rows with labels, their class codes and optional weights."""

    X: Any
    y: AnyArray
    codes: AnyArray
    weights: Floats | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """Further arguments of fit."""
        return {} if self.weights is None else {"sample_weight": self.weights}

    def take(self, rows: Ints) -> LabelledRows:
        weights = None if self.weights is None else self.weights[rows]
        return LabelledRows(take_rows(self.X, rows), self.y[rows], self.codes[rows], weights)


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
    stage: Stage

    @classmethod
    def from_params(cls, params: Any, estimator: Any) -> PruningPlan:
        fraction = check_real(
            params.pruning_fraction, name="pruning_fraction", low=0.0, high=1.0, closed="neither"
        )
        if isinstance(estimator, type) or not hasattr(estimator, "get_params"):
            raise TypeError(
                f"estimator must be None or an ensemble of classifiers; got {estimator!r}."
            )
        n_whole = estimator.get_params(deep=False).get("n_estimators")
        return cls(
            estimator,
            check_method(params.method),
            check_amount(params.n_estimators, n_whole if isinstance(n_whole, int) else None),
            fraction,
            params.cv,
            check_bool(params.reweight, name="reweight"),
            check_int(params.max_sweeps, name="max_sweeps", low=0),
            params.random_state,
            stages(check_int(params.verbose, name="verbose", low=0)),
        )

    @property
    def must_choose_amount(self) -> bool:
        return self.n_kept is None and self.method != "hull"

    def folds(self, codes: AnyArray) -> Folds:
        """Return the folds of the cross-validation that chooses the number of members, if any."""
        if not self.must_choose_amount or self.cv is None:
            return []
        from sklearn.model_selection import check_cv  # takes long to import

        splitter = check_cv(self.cv, codes, classifier=True)
        return list(splitter.split(np.zeros((len(codes), 1)), codes))

    def must_hold_out(self, n_kept: int | None) -> bool:
        """Whether rows are needed that the ensemble was not fitted to."""
        choosing = n_kept is None and self.method != "hull"
        return choosing or self.reweight or self.method == "reduce_error"


def check_reweight_of(plan: PruningPlan) -> None:
    """Before a fit. Not in `from_params`, which files that are loaded go through as well."""
    if plan.reweight:
        check_reweight(clone(plan.estimator))  # the rule of an earlier fit says nothing


@dataclass(frozen=True, eq=False)
class WholeEnsemble:
    """A whole ensemble, the rows it was fitted to, and those it was not, if any."""

    model: Any
    fitted: LabelledRows
    held: LabelledRows | None


Folds: TypeAlias = list[tuple[Ints, Ints]]


def fit_pruned(
    plan: PruningPlan, table: LabelledRows, folds: Folds, step: Step
) -> tuple[Any, PruningCurve | None]:
    """Fit, prune, and return the smaller ensemble with the curve its size was chosen by."""
    n_kept, curve = plan.n_kept, None
    if folds:
        curve = cross_validated_curve(plan, table, folds, step)
        n_kept = curve.best
    whole = fit_whole(plan, table, step, hold_out=plan.must_hold_out(n_kept))
    with step("choice"):
        return prune(plan, whole, n_kept, curve)


def prune(
    plan: PruningPlan, whole: WholeEnsemble, n_kept: int | None, curve: PruningCurve | None
) -> tuple[Any, PruningCurve | None]:
    """Keep `n_kept` members, or as many as are best on the held-out rows."""
    held = None if whole.held is None else rows_of(whole.model, whole.held, plan)
    sets = sets_of(plan, whole, held, n_kept)
    if curve is None and held is not None:
        curve = held.curve(sets, plan.stage)
    place = -1
    if plan.must_choose_amount and n_kept is None:
        assert curve is not None  # rows were held out for it
        place = curve.best_place
    members = sets[place]
    factors = None
    if plan.reweight:
        assert held is not None
        factors = new_factors(whole.model, held, members, plan.stage)
    return subset(whole.model, members, factors), curve


def fit_whole(
    plan: PruningPlan, table: LabelledRows, step: Step, *, hold_out: bool
) -> WholeEnsemble:
    """Fit the whole ensemble, to all rows or to those that are not held out."""
    held = None
    if hold_out:
        kept, rest = split_rows(table.codes, plan.pruning_fraction, plan.random_state)
        table, held = table.take(kept), table.take(rest)
    model = seeded(plan.estimator, plan.random_state)
    with step("ensemble", model):
        model.fit(table.X, table.y, **table.metadata)
    check_ensemble(model)
    if held is not None:
        check_values(model, held.X)
    return WholeEnsemble(model, table, held)


def check_values(model: Any, X: Any) -> None:
    """Refuse rows that a fit would refuse.

    A prediction reads only the columns that trees use, so whether a value that is not a number is
    an error would depend on which rows were held out. Scikit-learn's ensembles read all columns.
    """
    schema = getattr(model, "_schema", None)
    if schema is None:
        return
    table = schema.read(X)
    if not isinstance(table, (NumberTable, SparseTable)):  # those hold only numbers
        for _ in schema.iter_blocks(table, range(schema.n_features)):
            pass


def sets_of(
    plan: PruningPlan, whole: WholeEnsemble, held: RowBallots | None, n_kept: int | None
) -> list[Ints]:
    """Sets of members by size; `held` are the rows that were held out."""
    rows = held
    if rows is None or plan.method != "reduce_error":
        rows = rows_of(whole.model, whole.fitted, plan)
    # Boosting may have ended before the last round.
    most = None if n_kept is None else min(n_kept, n_members(whole.model))
    return candidate_sets(
        whole.model,
        rows,
        plan.method,
        most,
        training=(whole.fitted.X, whole.fitted.y, whole.fitted.weights),
        max_sweeps=plan.max_sweeps,
        stage=plan.stage,
    )


def seeded(estimator: Any, random_state: Any) -> Any:
    """A clone to fit, which takes our seed if it has none of its own.

    Fits with the same seed are then identical, as users of `random_state` expect.
    """
    unfitted = clone(estimator)
    params = unfitted.get_params(deep=False)
    if "random_state" in params and params["random_state"] is None and random_state is not None:
        is_seed = isinstance(random_state, Integral)
        seed = random_state if is_seed else random_state.randint(2**31 - 1)
        unfitted.set_params(random_state=int(seed))
    return unfitted


def rows_of(model: Any, table: LabelledRows, plan: PruningPlan) -> RowBallots:
    return RowBallots.of(model, table.X, table.y, plan.stage)


def cross_validated_curve(
    plan: PruningPlan, table: LabelledRows, folds: Folds, step: Step
) -> PruningCurve:
    """Mean error over the folds for each number of members that all folds have."""
    curves = []
    for train, test in folds:
        fold = table.take(train)
        # Rows of a class that the fold has not seen are wrong whatever the members.
        test = test[np.isin(table.codes[test], fold.codes)]
        # Like the final fit, with rows held out only if that one holds some out.
        whole = fit_whole(plan, fold, step, hold_out=plan.must_hold_out(1))
        with step("choice"):
            held = None if whole.held is None else rows_of(whole.model, whole.held, plan)
            sets = sets_of(plan, whole, held, None)
            tested = rows_of(whole.model, table.take(test), plan)
            curves.append(tested.curve(sets, plan.stage))
    n_sizes = min(len(curve.errors) for curve in curves)
    return PruningCurve(
        np.arange(1, n_sizes + 1),
        np.mean([curve.errors[:n_sizes] for curve in curves], axis=0),
        float(np.mean([curve.whole_error for curve in curves])),
        min(curve.n_members for curve in curves),
    )


def split_rows(codes: AnyArray, fraction: float, random_state: Any) -> tuple[Ints, Ints]:
    """Return rows to fit and rows to prune by, ascending; every class has a row to fit.

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
            f"X must have a row to prune by besides one of each class to fit; got {n} "
            f"rows of {n_classes} classes."
        )
    return np.sort(np.concatenate([kept, first])), held
