"""Scores of labelled examples: margins, the classes they are confused with, acceptance.

Scores are (n, 1) for two classes, positive for class code 1, else (n, K), and probabilities are
their softmax (two classes stand for scores ``(0, F)``). The margin of an example is its log odds,
``ln(p_y / (1 - p_y))``: for two classes the paper's ``y F``. So the logistic weight function of it
is ``1 - p_y``, and theorem 2 holds for any number of classes: where another class has at least
the score of y, ``p_y <= 1/2``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.rules.links import Link
from frugalboost.rules.weights import logistic, truncated

ACCEPT: dict[str, Callable[[Floats], Floats]] = {"log": logistic, "mada": truncated}
"""Weight functions of the margin that are probabilities, by the name of the rule."""


@dataclass(frozen=True)
class FilterRule:
    """How an example's margin turns into its chance to be accepted, and scores into probabilities.

    >>> rule = FilterRule("log", n_classes=2)
    >>> rule.accept(np.array([[0.0], [2.0]]), np.array([1, 1])).round(3)
    array([0.5  , 0.119])
    """

    name: str
    n_classes: int

    @property
    def n_outputs(self) -> int:
        """Numbers that a tree says about an example."""
        return 1 if self.n_classes == 2 else self.n_classes

    def accept(self, scores: Floats, labels: AnyArray) -> Floats:
        """Probability that the filter accepts each example: the paper's ``q_t(x, y)``."""
        return ACCEPT[self.name](margins(scores, labels))

    @property
    def link(self) -> Link:
        """How a decision turns into probabilities."""
        return Link("symmetric", 0.5 if self.n_classes == 2 else 1.0)

    def probabilities(self, decision: Floats) -> Floats:
        """Class probabilities of a decision, (n,) for two classes, else (n, K)."""
        return self.link(decision)


def margins(scores: Floats, labels: AnyArray) -> Floats:
    """Log odds of the label.

    >>> margins(np.array([[1.0], [1.0]]), np.array([0, 1]))
    array([-1.,  1.])
    >>> margins(np.log([[1.0, 2.0, 5.0]]), np.array([2])).round(3)  # ln(5 / 3)
    array([0.511])
    """
    if scores.shape[1] == 1:
        return np.where(labels == 1, scores[:, 0], -scores[:, 0])
    others, top = without_label(scores, labels)
    rest = top + np.log(np.exp(others - top[:, np.newaxis]).sum(axis=1))
    return np.asarray(scores[np.arange(len(scores)), labels] - rest)


def without_label(scores: Floats, labels: AnyArray) -> tuple[Floats, Floats]:
    """Scores with minus infinity for the label's class, and the largest of the others."""
    others = scores.copy()
    others[np.arange(len(scores)), labels] = -np.inf
    return others, others.max(axis=1)


def rival_shares(scores: Floats, labels: AnyArray) -> Floats:
    """How the probability that is not the label's divides among the other classes, (n, K).

    >>> rival_shares(np.log([[1.0, 2.0, 5.0]]), np.array([2]))
    array([[0.33333333, 0.66666667, 0.        ]])
    """
    if scores.shape[1] == 1:
        return np.asarray(np.eye(2)[1 - labels])
    others, top = without_label(scores, labels)
    shares = np.exp(others - top[:, np.newaxis])
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def draw_rivals(scores: Floats, labels: AnyArray, coins: Floats) -> Ints:
    """For each example one of the other classes, drawn by `rival_shares` with a number in [0, 1).

    >>> draw_rivals(np.log([[1.0, 2.0, 5.0]] * 2), np.array([2, 2]), np.array([0.3, 0.4]))
    array([0, 1])
    """
    if scores.shape[1] == 1:
        return np.asarray(1 - labels, dtype=np.int64)
    shares = rival_shares(scores, labels)
    drawn = (np.cumsum(shares, axis=1) <= coins[:, np.newaxis]).sum(axis=1)
    # A sum may round to just below one, and a coin may lie between: then the likeliest rival.
    is_rival = (drawn < shares.shape[1]) & (drawn != labels)
    return np.asarray(np.where(is_rival, drawn, shares.argmax(axis=1)), dtype=np.int64)
