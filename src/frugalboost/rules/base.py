"""The interface of a boosting rule, its link to probabilities, and what all rules share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from scipy.special import expit, log_expit

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.held_out import errors_as_leaf
from frugalboost.rules.leaves import add_rows_by_leaf
from frugalboost.rules.problem import Action, Layout, LeafSums, TreeProblem, Verdict


def sigmoid(decision: Floats, scale: float) -> Floats:
    """Probabilities of two classes; the second has ``1 / (1 + exp(-scale * decision))``.

    Both columns come from `expit`, as 1 - p would lose a small probability.

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
    """``softmax(scale * F)``; for two classes, ``F = (-decision, decision)``.

    >>> symmetric(np.array([[0.0, 0.0, np.log(2.0)]]), scale=1.0)
    array([[0.25, 0.25, 0.5 ]])
    """
    if decision.ndim == 1:
        return sigmoid(decision, 2.0 * scale)
    return softmax(scale * decision)


def one_against_rest(decision: Floats, scale: float) -> Floats:
    """A sigmoid for each class against the others, normalised to sum to one.

    Computed as the softmax of log-sigmoids: if every class is very unlikely, the sigmoids
    themselves would all be zero and their ratios lost.

    >>> one_against_rest(np.array([[-800.0, -801.0, -900.0]]), scale=1.0).round(3)
    array([[0.731, 0.269, 0.   ]])
    """
    if decision.ndim == 1:
        return sigmoid(decision, scale)
    return softmax(log_expit(scale * decision))


def shares(decision: Floats, scale: float) -> Floats:
    """Decisions that are already shares of votes; for two classes, the difference of the shares.

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
    """One of the functions above, by name, so that exported models can express it elsewhere.

    >>> Link("symmetric", scale=1.0)(np.array([0.0]))
    array([[0.5, 0.5]])
    """

    form: Form
    scale: float = 1.0

    def __call__(self, decision: Floats) -> Floats:
        return FORMS[self.form](decision, self.scale)


CLASS_CRITERIA = ("error", "gini", "entropy", "z", "variance", "gain_ratio")

ROUNDING = 2.0**-50
"""Each fixed-point weight is rounded to about this share of their total.

So an advantage of at most ``n_rows * ROUNDING`` over guessing may be rounding alone. Without
this, trees that have nothing left to learn (from a constant column, say) would be kept for ever,
with steps of 1e-16.
"""

LARGEST_STEP = 2.0**512
"""Square root of the float range: a step times a leaf value, added up over rounds, stays finite
whatever the learning rate."""


def criteria_led_by(own: str) -> tuple[str, ...]:
    """All criteria for classes, the rule's own first.

    >>> criteria_led_by("z")
    ('z', 'error', 'gini', 'entropy', 'variance', 'gain_ratio')
    """
    return (own, *(name for name in CLASS_CRITERIA if name != own))


@dataclass(frozen=True)
class Rule(ABC):
    """What to fit, with which weights, what value a leaf has and how far to step.

    A rule holds no state of its own. The loop keeps one array, made by `start`; in each round it
    gets the `problem`, grows a tree, has it judged by its leaf sums and lets the rule `advance`
    the array. For two classes the decision is (n,), positive for class code 1; for K > 2 it is
    (n, K).

    Parameters
    ----------
    n_classes : int
        At least 2; 1 for regression.
    learning_rate : float
        Above 0; multiplies every step.
    """

    n_classes: int
    learning_rate: float

    name: ClassVar[str]
    criteria: ClassVar[tuple[str, ...]]
    default_learning_rate: ClassVar[float]
    smallest_n_classes: ClassVar[int] = 2
    names_classes: ClassVar[bool] = False
    """Whether a leaf just names its heaviest class, so that wrong answers can be counted."""

    def __post_init__(self) -> None:
        if self.n_classes < self.smallest_n_classes:
            raise ValueError(
                f"{type(self).__name__}: n_classes must be at least {self.smallest_n_classes}; "
                f"got {self.n_classes!r}."
            )
        if not (math.isfinite(self.learning_rate) and self.learning_rate > 0):
            raise ValueError(
                f"{type(self).__name__}: learning_rate must be a finite number above 0; "
                f"got {self.learning_rate!r}."
            )

    @classmethod
    def auto_learning_rate(cls, n_classes: int) -> float:
        """What ``learning_rate="auto"`` stands for; most rules ignore the number of classes."""
        return cls.default_learning_rate

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """Layout of the statistics the tree grower must keep."""

    @property
    def n_outputs(self) -> int:
        """Values per leaf: 1 for two classes and for regression, else one per class."""
        return 1 if self.n_classes <= 2 else self.n_classes

    @property
    def state_is_per_class(self) -> bool:
        """Whether the state is (n, K) rather than (n,)."""
        return False

    def start(self, n_rows: int, baseline: float = 0.0) -> Floats:
        """Return a fresh state; `baseline` is the prediction before any tree (regression)."""
        shape = (n_rows, self.n_classes) if self.state_is_per_class else (n_rows,)
        return np.full(shape, baseline, dtype=np.float64)

    @abstractmethod
    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        """Return what the next tree must fit.

        Parameters
        ----------
        state : array from `start`
        labels : (n,) class codes, or targets for regression
        sample_weight : (n,) finite, above 0
        n_threads : int
            Threads for passes over the rows; the problem does not depend on it.
        """

    @abstractmethod
    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        """Judge the grown tree by its leaves.

        Parameters
        ----------
        leaves : LeafSums
        is_first : bool
            No tree has been kept yet, so the model would be empty without this one.
        is_fresh : bool
            The state is as `start` made it: first round, or just restarted.
        """

    def held_out_loss(self, growing: AnyArray, held: AnyArray, example: float) -> AnyArray:
        """Loss of the held-out rows at each node of a tree if it were a leaf, for pruning.

        Parameters
        ----------
        growing, held : (n_nodes, K) or (n_nodes, 2, V), as `LeafSums.sums`
            Sums over the rows of each node that the tree grew on and over those held out;
            integers unless the layout is "real".
        example : float
            Weight of an average example, in the same units.

        Returns
        -------
        loss : (n_nodes,)
            A sum over rows, up to a constant for each row. By default the weight of the rows that
            are not of the node's heaviest class.
        """
        return errors_as_leaf(growing, held)

    def advance(
        self,
        state: Floats,
        verdict: Verdict,
        leaf_of_row: AnyArray,
        labels: AnyArray,
        n_threads: int = 1,
    ) -> None:
        """Update the state with a kept tree: in place, each row independently.

        By default the state is the decision of the rows, to which the tree's values are added.
        """
        add_rows_by_leaf(state, verdict.step * verdict.values, leaf_of_row, n_threads)

    def rise(self, verdict: Verdict) -> Floats | None:
        """How much a kept tree raises the log weight of a row, by leaf and label.

        Returns
        -------
        rise : (n_leaves, K), or None
            None if leaf and label alone do not determine the ratio of a row's next weight to its
            last. Otherwise a table that agrees with `problem` after `advance`; zeros stand for
            weights that stay the same bit for bit, and the loop then keeps the weights itself.
        """
        return None

    @property
    def tells_rise(self) -> bool:
        """Whether `rise` returns a table."""
        return False

    @property
    def fits_residuals(self) -> bool:
        """Whether a tree fits the targets minus the prediction, by least squares."""
        return False

    @property
    def logit_limits(self) -> tuple[float, float] | None:
        """For a rule whose trees fit label minus probability, as LogitBoost's do: the largest
        response of a row and the smallest curvature. None for other rules."""
        return None

    @abstractmethod
    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        """Weighted mean of the loss this rule lowers."""

    @property
    @abstractmethod
    def link(self) -> Link:
        """How a decision turns into probabilities."""

    def probabilities(self, decision: Floats) -> Floats:
        """Turn a decision, (n,) or (n, K), into (n, K) probabilities."""
        return self.link(decision)

    def shrunk(self, step: float) -> float:
        """A step times the learning rate, kept finite."""
        return min(self.learning_rate * step, LARGEST_STEP)


def is_rounding(advantage: float, n_terms: int) -> bool:
    """Whether an advantage over guessing, a share of the total, may be rounding alone."""
    return advantage <= n_terms * ROUNDING


def settle(
    values: Floats, step: float, error: float, *, useless: bool, perfect: bool, is_first: bool
) -> Verdict:
    """Verdict of a rule that stops at a useless tree, or at a perfect one.

    A useless first tree is kept with step 0: a model needs a tree to predict with.
    """
    if useless:
        return Verdict(
            values, 0.0, error, Action.KEEP_AND_STOP if is_first else Action.DROP_AND_STOP
        )
    return Verdict(values, step, error, Action.KEEP_AND_STOP if perfect else Action.KEEP)


def perfect_log_odds(n_terms: float) -> float:
    """Log odds granted to a tree without errors, where ``ln((1 - err) / err)`` is infinite:
    those of half an average example (or pair) wrong, ``err = 1 / (2 n)``.

    >>> round(perfect_log_odds(100), 4)
    5.2933
    """
    return math.log(2 * n_terms - 1)
