"""What a boosting rule, the loop and the tree grower exchange.

Named tuples: several are made in every round, and frozen data classes would take twice as long.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Literal, NamedTuple, TypeAlias

from frugalboost._typing import Floats

Layout: TypeAlias = Literal["classes", "votes", "real"]


class TreeProblem(NamedTuple):
    """What the next tree must fit.

    Attributes
    ----------
    layout : {"classes", "votes", "real"}
        ``"classes"``: a weight and a label for each row. ``"votes"``: a weight for each pair of
        a row and a class, the label's class being the right answer. ``"real"``: a weight and
        a numerator (weight times response) for each row and output.
    weights : (n,) for ``"classes"``, else (n, V)
        Positive normal numbers, never NaN. Only their ratios matter.
    numerators : (n, V), for ``"real"`` only
    """

    layout: Layout
    weights: Floats
    numerators: Floats | None = None


class LeafSums(NamedTuple):
    """Exact sums over the training rows of each leaf, in units of `TreeProblem.weights`.

    Attributes
    ----------
    sums : (n_leaves, K) for ``"classes"``, else (n_leaves, 2, V)
        The middle axis is [total, plus] for ``"votes"`` (plus: the pairs whose class is the
        row's label) and [weight, numerator] for ``"real"``.
    n_rows : int
        Training rows in all leaves; each adds a rounding error.
    n_examples : float or None
        Number of examples for smoothing: the rows, or the sum of the sample weights if that is
        larger, so that a weight of 2 counts as a repeated row. None: `n_rows`.
    grown : as `sums`, or None
        Sums over the rows that the tree grew on, which decide its leaf values; None: all rows.
    is_drawn : bool
        The tree grew on rows drawn by weight: with the same weights, the next may be different.
    """

    sums: Floats
    n_rows: int
    n_examples: float | None = None
    grown: Floats | None = None
    is_drawn: bool = False

    @property
    def telling(self) -> Floats:
        """The sums that decide the leaf values."""
        return self.sums if self.grown is None else self.grown

    @property
    def size(self) -> float:
        """`n_examples`, or `n_rows` where it is not given."""
        return float(self.n_rows) if self.n_examples is None else self.n_examples


class Action(Enum):
    """What the loop does with the tree it has just grown."""

    KEEP = auto()
    KEEP_AND_STOP = auto()
    DROP_AND_STOP = auto()
    DROP_AND_RESTART = auto()


class Verdict(NamedTuple):
    """A rule's judgement of one tree; the model adds ``step * values[leaf]``.

    Attributes
    ----------
    values : (n_leaves, V)
        Value of each leaf; V is 1 for two classes and for regression, else K.
    step : float
        Finite, not negative, learning rate included.
    error : float
        The round's error on the weighted training rows; each rule defines its own.
    action : Action
    """

    values: Floats
    step: float
    error: float
    action: Action
