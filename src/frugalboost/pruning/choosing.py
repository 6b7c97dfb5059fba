"""Pruning a fitted ensemble: which members stay, with which weights, and the smaller ensemble."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from frugalboost._checks import check_choice, check_int
from frugalboost._progress import OnShare, Stage, counted, ignore_progress, part_of, without_bar
from frugalboost._typing import Floats, Ints
from frugalboost.boosting import Ensemble, Ledger, as_rule_sees
from frugalboost.pruning.amount import PruningCurve
from frugalboost.pruning.ballots import Ballots
from frugalboost.pruning.counting import errors_of, make_counter
from frugalboost.pruning.members import (
    class_codes,
    has_equal_votes,
    has_votes,
    is_of,
    is_own,
    member_ballots,
    n_members,
)
from frugalboost.pruning.methods import METHODS, Material, choose_sets
from frugalboost.pruning.reweight import best_factor, reweight, scores_of, targets
from frugalboost.pruning.round_weights import round_weights

OF_THE_WHOLE = ("oob_score_", "oob_decision_function_", "certificate_")
"""Attributes that describe all members together, and do not hold for a subset."""


def subset(model: Any, members: Ints, factors: Floats | None = None) -> Any:
    """Return a copy with these members only; `factors` multiply their weights."""
    smaller = copy(model)
    for name in OF_THE_WHOLE:
        if hasattr(smaller, name):
            delattr(smaller, name)
    if has_votes(model):
        scale = np.ones(len(members)) if factors is None else factors
        smaller._keep_members(members.tolist(), scale.tolist())
    elif is_own(model):
        _keep_trees(smaller, members, factors)
    else:
        _keep_estimators(smaller, members, factors)
    if "n_estimators" in smaller.get_params(deep=False):
        # scikit-learn's bagging divides by it, and a refit should have the same size.
        smaller.n_estimators = len(members)
    smaller.members_ = members
    return smaller


def _keep_trees(model: Any, members: Ints, factors: Floats | None) -> None:
    whole: Ensemble = model._ensemble
    scale = np.ones(len(members)) if factors is None else factors
    kept = Ensemble(whole.n_features, whole.n_outputs, whole.baseline)
    for at, factor in zip(members.tolist(), scale.tolist(), strict=True):
        kept.append(whole.trees[at], whole.steps[at] * factor, restarted=whole.restarts[at])
    model._ensemble = kept
    model.ledger_ = Ledger([model.ledger_.entries[at] for at in members.tolist()])
    model.n_estimators_ = len(members)
    if hasattr(model, "validation_losses_"):
        model.validation_losses_ = None


def _keep_estimators(model: Any, members: Ints, factors: Floats | None) -> None:
    model.estimators_ = [model.estimators_[at] for at in members.tolist()]
    if is_of(model, "AdaBoostClassifier"):
        model.estimator_weights_ = model.estimator_weights_[members]
        model.estimator_errors_ = model.estimator_errors_[members]
        if factors is not None:
            model.estimator_weights_ = model.estimator_weights_ * factors
    if is_of(model, "BaggingClassifier"):
        model.estimators_features_ = [model.estimators_features_[at] for at in members.tolist()]
        if hasattr(model, "_seeds"):  # estimators_samples_ draws the rows again
            model._seeds = np.asarray(model._seeds)[members]


DEFAULT_AMOUNT = 20
"""Members that `prune_ensemble` keeps unless it is told otherwise."""

BY_LABELS = ("hull", "reduce_error")
"""Methods that use errors; the others use only votes or weights."""


@dataclass(frozen=True, eq=False)
class RowBallots:
    """The ballots of an ensemble's members on some rows, and the rows' labels."""

    ballots: Ballots
    labels: Ints

    @classmethod
    def of(cls, model: Any, X: Any, y: Any, stage: Stage = without_bar) -> RowBallots:
        with stage("predicting with each member") as on_share:
            ballots = member_ballots(model, X, on_share=on_share)
        return cls(ballots, class_codes(model, y, ballots.n_rows))

    def errors(self, sets: list[Ints], on_share: OnShare = ignore_progress) -> Floats:
        counter = make_counter(self.ballots, self.labels)
        return errors_of(counter, counted(sets, len(sets), on_share))

    def curve(self, sets: list[Ints], stage: Stage = without_bar) -> PruningCurve:
        """Errors of the sets on these rows, along with that of all members."""
        sizes = np.array([len(members) for members in sets])
        with stage("counting errors") as on_share:
            all_members = np.arange(len(self.ballots))
            *errors, whole = self.errors([*sets, all_members], on_share).tolist()
        return PruningCurve(sizes, np.array(errors), whole, len(self.ballots))


def check_amount(n_estimators: Any, n_whole: int | None) -> int | None:
    """Return the number of members to keep, None for "auto"."""
    if isinstance(n_estimators, str):
        check_choice(n_estimators, ["auto"], name="n_estimators")
        return None
    return check_int(n_estimators, name="n_estimators", low=1, high=n_whole)


def amount_to_keep(n_estimators: Any, model: Any) -> int | None:
    """`check_amount` for a fitted ensemble, where None stands for the default."""
    n_whole = n_members(model)
    if n_whole == 1 and (n_estimators is None or is_above(n_estimators, 1)):
        raise ValueError(
            f"ensemble must have at least two trees to be pruned; got a {type(model).__name__} of "
            "one tree."
        )
    if n_estimators is None and n_whole < DEFAULT_AMOUNT:
        raise ValueError(
            f"n_estimators must be given, as an integer from 1 to {n_whole} or 'auto', for an "
            "ensemble with fewer members than are kept by default; got None."
        )
    return check_amount(DEFAULT_AMOUNT if n_estimators is None else n_estimators, n_whole)


def is_above(value: Any, limit: int) -> bool:
    return isinstance(value, Integral) and int(value) > limit


def check_method(method: Any) -> str:
    return check_choice(method, METHODS, name="method")


def candidate_sets(
    model: Any,
    rows: RowBallots,
    method: str,
    n_kept: int | None,
    *,
    training: tuple[Any, Any, Any],
    max_sweeps: int,
    stage: Stage = without_bar,
) -> list[Ints]:
    """Sets of each size up to `n_kept` (None: `most_members`), with members in ascending order.

    `training` is a table, labels and weights as in the fit, for "kl".
    """
    distributions = None
    if method == "kl":
        with stage("computing the weights of the rounds") as on_share:
            distributions = round_weights(model, *training, on_share=on_share)
    material = Material(rows.ballots, rows.labels, distributions)
    most = most_members(method, n_members(model)) if n_kept is None else n_kept
    with stage(f"choosing by {method}") as on_share:
        sets = choose_sets(method, material, most, max_sweeps=max_sweeps, on_share=on_share)
    return [np.sort(members) for members in sets]


def most_members(method: str, n_whole: int) -> int:
    """Largest number that "auto" may keep: all, or half if more would take longest and save least.

    Backfitting revisits each member of a set after each step, so the second half of the sizes
    takes three times as long as the first.
    """
    return (n_whole + 1) // 2 if method == "reduce_error" else n_whole


def check_two_classes(labels: Ints, method: str) -> None:
    """Refuse a single class: members that never predict another would be the best.

    Not for rows that were held out from a small table: its user cannot choose them.
    """
    if method in BY_LABELS and (labels == labels[0]).all():
        raise ValueError(f"y must hold at least two classes for method {method!r}; got 1 class.")


def check_reweight(model: Any) -> None:
    if has_equal_votes(model):
        raise ValueError(
            f"reweight must be False for a {type(model).__name__}, whose members have no "
            "weights; got True."
        )


def new_factors(model: Any, rows: RowBallots, members: Ints, stage: Stage = without_bar) -> Floats:
    """Factors of the weights; a common one makes the model's own probabilities fit best."""
    check_reweight(model)
    with stage("finding new weights") as on_share:
        on_part = part_of(on_share, 0.0, 0.9)
        factors = reweight(rows.ballots, rows.labels, members, on_part)
        return factors * own_factor(model, rows, members, factors)


def own_factor(model: Any, rows: RowBallots, members: Ints, factors: Floats) -> float:
    if not is_own(model):
        return 1.0
    decision = sums_of(rows.ballots, members, factors)
    if len(model.classes_) == 2:
        decision = decision[:, 1:] - decision[:, :1]
    own = targets(rows.labels, len(model.classes_))

    def loss(factor: float) -> float:
        shares = model._rule.probabilities(as_rule_sees(factor * decision))
        return -float((own * np.log(np.maximum(shares, np.finfo(np.float64).tiny))).sum())

    return best_factor(loss)


def sums_of(ballots: Ballots, members: Ints, factors: Floats) -> Floats:
    return np.tensordot(factors, scores_of(ballots, members), axes=1)
