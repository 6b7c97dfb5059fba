"""What passes between a boosting rule, the loop and the tree grower.

Named tuples: several are made in every round, and frozen data classes take twice as long.
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
        ``"classes"``: one weight a row and its label. ``"votes"``: a weight for each pair of
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
        Training rows, all leaves together; rounding is by row.
    n_examples : float or None
        What smoothing is by: the rows, or the sum of the sample weights where that is more, so
        that a weight of 2 is worth a repeated row. None: `n_rows`.
    grown : as `sums`, or None
        Over the rows that the tree grew on, which decide what its leaves say; None: over all.
    is_drawn : bool
        The tree grew on rows drawn by weight: with the same weights, the next may be another.
    """

    sums: Floats
    n_rows: int
    n_examples: float | None = None
    grown: Floats | None = None
    is_drawn: bool = False

    @property
    def telling(self) -> Floats:
        """The sums that decide what leaves say."""
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
        What each leaf says; V is 1 for two classes and for regression, else K.
    step : float
        Finite, not negative, learning rate included.
    error : float
        The round's figure on the weighted training rows; each rule says which.
    action : Action
    """

    values: Floats
    step: float
    error: float
    action: Action
