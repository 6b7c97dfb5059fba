"""New weights for the remaining members: those with the least log loss on some rows.

Not in the paper, which keeps the weights of boosting. Those suit the whole ensemble: its remaining
members may need others, and a smaller sum of votes is less sure than the whole one was.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_softmax

from frugalboost._progress import OnShare, ignore_progress
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.pruning.ballots import Ballots, RealVotes

WIDEST = 20.0 * np.log(2.0)
"""A common factor is searched for between 2^-20 and 2^20."""

SMALLEST_FALL = 10_000_000 * float(np.finfo(np.float64).eps)
"""The search ends when a step lowers the loss by less than this share; SciPy's default."""

Objective = Callable[[Floats], tuple[float, Floats]]


def reweight(
    ballots: Ballots, labels: Ints, members: Ints, on_share: OnShare = ignore_progress
) -> Floats:
    """Return the non-negative factors by which to multiply what the members add.

    They minimise the log loss of the softmax of the sums against `targets`, plus half the square of
    each factor's deviation from the best common one, as a share of it: a member counts twice, or
    not at all, only if that lowers the sum of the losses by more than one half.

    Parameters
    ----------
    ballots : on rows that the ensemble was not fitted to
    labels : (n_rows,) class codes
    members : (n_kept,)
    on_share : called with the estimated share of the work done
    """
    scores = scores_of(ballots, members)
    own = targets(labels, ballots.n_classes)
    sums = scores.sum(axis=0)
    # The surest row is at least as sure as 1: members may be informative where their sum is not.
    least = 1.0 / max(float(np.ptp(sums, axis=1).max()), 2.0**-20)
    common = max(best_factor(lambda factor: log_loss(factor * sums, own)), least)

    def objective(shares: Floats) -> tuple[float, Floats]:
        logs = log_softmax(common * np.tensordot(shares, scores, axes=1), axis=1)
        slope = common * np.tensordot(scores, np.exp(logs) - own, axes=2)
        away = shares - 1.0
        return -float((own * logs).sum()) + float(away @ away) / 2, slope + away

    bounds = [(0.0, None)] * len(members)
    optimum = minimize(
        followed(objective, on_share),
        np.ones(len(members)),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"ftol": SMALLEST_FALL},
    )
    return np.asarray(common * optimum.x)


def followed(objective: Objective, on_share: OnShare) -> Objective:
    """The same objective, which also reports progress.

    Each step lowers the loss by less than the last, with falls shrinking by about the same factor:
    progress is how far the logarithm of the fall has come on its way to the smallest one.
    """
    lowest, share = np.inf, 0.0

    def tell(at: Floats) -> tuple[float, Floats]:
        nonlocal lowest, share
        loss, slope = objective(at)
        fall = (lowest - loss) / lowest if np.isfinite(lowest) else 1.0
        if fall > 0:
            share = min(max(share, float(np.log(fall) / np.log(SMALLEST_FALL))), 1.0)
            on_share(share)
        lowest = min(lowest, loss)
        return loss, slope

    return tell


def targets(labels: Ints, n_classes: int) -> Floats:
    """Target probabilities of the rows, (n_rows, n_classes).

    With ones and zeros, larger factors would always be better if all rows are right. So targets
    are only as sure as n right answers in a row make one of the next, by Laplace's rule:
    ``(n + 1) / (n + 2)``.

    >>> targets(np.array([0, 1]), 2)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    wrong = 1.0 / (len(labels) + 2)
    shares = np.full((len(labels), n_classes), wrong / (n_classes - 1))
    shares[np.arange(len(labels)), labels] = 1.0 - wrong
    return shares


def best_factor(loss: Callable[[float], float]) -> float:
    """The common factor with the least loss; 1 if none is better."""
    optimum = minimize_scalar(
        lambda log: loss(float(np.exp(log))), bounds=(-WIDEST, WIDEST), method="bounded"
    )
    return float(np.exp(optimum.x)) if optimum.fun < loss(1.0) else 1.0


def log_loss(sums: Floats, own: Floats) -> float:
    return -float((own * log_softmax(sums, axis=1)).sum())


def scores_of(ballots: Ballots, members: Ints) -> AnyArray:
    """What these members add to every class, (n_kept, n_rows, n_classes)."""
    if isinstance(ballots, RealVotes):
        return ballots.scores[members].astype(np.float64)
    one_hot = np.eye(ballots.n_classes)[ballots.votes[members]]
    return np.asarray(one_hot * ballots.weights[members][:, np.newaxis, np.newaxis])
