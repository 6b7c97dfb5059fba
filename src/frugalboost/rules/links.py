"""From a decision to probabilities of the classes.

A decision for two classes is (n,), positive for the second; for more it is (n, K).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import expit, log_expit

from frugalboost._typing import Floats


def sigmoid(decision: Floats, scale: float) -> Floats:
    """Two classes: the second has ``1 / (1 + exp(-scale * decision))``.

    Both columns come from `expit`, as 1 - p would lose the small one.

    >>> sigmoid(np.array([0.0, 1.0]), scale=2.0).round(3)
    array([[0.5  , 0.5  ],
           [0.119, 0.881]])
    """
    shares = np.empty((len(decision), 2))
    expit(-scale * decision, out=shares[:, 0])
    expit(scale * decision, out=shares[:, 1])
    return shares


def softmax(scores: Floats) -> Floats:
    """``exp(scores)``, each row normalised; the largest score is subtracted first."""
    shares: Floats = scores - scores.max(axis=1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def symmetric(decision: Floats, scale: float) -> Floats:
    """``softmax(scale * F)``; two classes stand for ``F = (-decision, decision)``.

    >>> symmetric(np.array([[0.0, 0.0, np.log(2.0)]]), scale=1.0)
    array([[0.25, 0.25, 0.5 ]])
    """
    if decision.ndim == 1:
        return sigmoid(decision, 2.0 * scale)
    return softmax(scale * decision)


def one_against_rest(decision: Floats, scale: float) -> Floats:
    """Each class against the others by a sigmoid, then normalised to sum to one.

    Computed as the softmax of log-sigmoids: where every class says "not me" loudly, the sigmoids
    themselves would all be zero and their ratio lost.

    >>> one_against_rest(np.array([[-800.0, -801.0, -900.0]]), scale=1.0).round(3)
    array([[0.731, 0.269, 0.   ]])
    """
    if decision.ndim == 1:
        return sigmoid(decision, scale)
    return softmax(log_expit(scale * decision))


def shares(decision: Floats, scale: float) -> Floats:
    """Decisions that are shares of votes already; for two classes the difference of the shares.

    >>> shares(np.array([-1.0, 0.5]), scale=1.0)
    array([[1.  , 0.  ],
           [0.25, 0.75]])
    """
    if decision.ndim == 1:
        return np.column_stack([1 - scale * decision, 1 + scale * decision]) / 2
    return scale * decision


Form: TypeAlias = Literal["symmetric", "one_against_rest", "shares"]
FORMS: dict[Form, Callable[[Floats, float], Floats]] = {
    "symmetric": symmetric,
    "one_against_rest": one_against_rest,
    "shares": shares,
}


@dataclass(frozen=True)
class Link:
    """One of the functions above, named: models that are exported write it down elsewhere.

    >>> Link("symmetric", scale=1.0)(np.array([0.0]))
    array([[0.5, 0.5]])
    """

    form: Form
    scale: float = 1.0

    def __call__(self, decision: Floats) -> Floats:
        return FORMS[self.form](decision, self.scale)
