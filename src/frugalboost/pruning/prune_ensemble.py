"""Pruning in one call."""

from __future__ import annotations

from typing import Any

from frugalboost._checks import check_bool, check_int, names_itself
from frugalboost._progress import stages
from frugalboost.pruning.choosing import (
    RowBallots,
    amount_to_keep,
    candidate_sets,
    check_method,
    check_reweight,
    check_two_classes,
    new_factors,
    subset,
)
from frugalboost.pruning.members import check_ensemble


@names_itself
def prune_ensemble(
    ensemble: Any,
    X: Any,
    y: Any,
    method: str = "kappa",
    n_estimators: int | str | None = None,
    *,
    reweight: bool = False,
    max_sweeps: int = 100,
    sample_weight: Any = None,
    verbose: int = 0,
) -> Any:
    """Return a smaller fitted ensemble of the same kind: the members that a method keeps.

    Parameters
    ----------
    ensemble : fitted classifier
        Of this library, or scikit-learn's AdaBoostClassifier, BaggingClassifier,
        RandomForestClassifier or ExtraTreesClassifier. It is not modified.
    X, y : rows to choose by, and their labels
        For "reduce_error", for ``n_estimators="auto"`` and for `reweight`, use rows that the
        ensemble was not fitted to; for "kl", its training rows; for the other methods, either.
    method : str, default="kappa"
        "early_stopping" (the first members), "kl" (rounds with different weights), "kappa"
        (members that disagree), "hull" (the corners of the kappa-error diagram, which determine
        the number of members; `n_estimators` is ignored), "reduce_error" (the fewest errors of
        the vote on these rows, with backfitting) or "kappa_backfitting".
    n_estimators : int, "auto" or None, default=None
        Number of members to keep; "auto" keeps the smallest number with the lowest error on these
        rows, at most half of the members with "reduce_error". None: 20, an error if there are
        fewer.
    reweight : bool, default=False
        Give the remaining members the weights that minimize the log loss on these rows, instead
        of their original weights. Not for bagging and forests, whose members have no weights.
    max_sweeps : int, default=100
        Maximum number of backfitting sweeps for each number of members.
    sample_weight : array of shape (n_samples,) or None
        The weights used in the fit, for "kl".
    verbose : int, default=0
        1 shows progress bars, with the time remaining for each step.

    Returns
    -------
    pruned : the same kind of classifier
        Its ``members_`` are the positions of its members in `ensemble`, ascending.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from frugalboost import BoostedTreesClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> model = BoostedTreesClassifier("adaboost_m1", n_estimators=50, max_depth=8)
    >>> model = model.fit(X[:1000], y[:1000])
    >>> pruned = prune_ensemble(model, X[:1000], y[:1000], n_estimators=20)
    >>> len(pruned.estimators_), len(pruned.members_), len(model.estimators_)
    (20, 20, 50)
    """
    check_ensemble(ensemble)
    check_method(method)
    check_bool(reweight, name="reweight")
    check_int(max_sweeps, name="max_sweeps", low=0)
    stage = stages(check_int(verbose, name="verbose", low=0))
    n_kept = 1 if method == "hull" else amount_to_keep(n_estimators, ensemble)
    if reweight:
        check_reweight(ensemble)
    rows = RowBallots.of(ensemble, X, y, stage)
    check_two_classes(rows.labels, method)
    sets = candidate_sets(
        ensemble,
        rows,
        method,
        n_kept,
        training=(X, y, sample_weight),
        max_sweeps=max_sweeps,
        stage=stage,
    )
    members = sets[-1] if n_kept is not None else sets[rows.curve(sets, stage).best_place]
    factors = new_factors(ensemble, rows, members, stage) if reweight else None
    return subset(ensemble, members, factors)
