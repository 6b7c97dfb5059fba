"""``search="auto"``: which search a round should use. Every choice gives the same model."""

from __future__ import annotations

from frugalboost import native
from frugalboost.tree import AnyProblem, GrowingProblem

COST_OF_A_JUMP = 5.0
"""What a pruning search pays for a cell, in cells of an exhaustive search, at first guess.

It reads rows in the order of their mass, anywhere in a column, and weighs its bounds again and
again. On MNIST it took 1.8 s for as many assessments as an exhaustive search makes in 0.42 s for
each cell it really reads.
"""


SAMPLED_ROWS = 16384
"""Rows that tell how the mass is spread; to look at all would cost as much as a stump does."""


class AutoSearch:
    """Prunes in rounds where few rows hold nearly all of the mass, if that has proved faster.

    The exhaustive search comes first and is timed. Once 90 % of the mass lies in a small enough
    share of the rows, the adaptive search is tried. When it takes longer, the share must halve
    before it is tried again: a fit wastes a few rounds at most.

    Parameters
    ----------
    read_share : float
        Share of the cells that an exhaustive search reads; it leaves most frequent codes out.
    """

    def __init__(self, read_share: float) -> None:
        self._largest_share = read_share / COST_OF_A_JUMP
        self._heavy_share = 1.0
        self._exhaustive_seconds: float | None = None

    def choose(self, problem: AnyProblem) -> str:
        """Name the search for this round."""
        thorough = "incremental" if isinstance(problem, GrowingProblem) else "exhaustive"
        stride = max(1, problem.n_rows // SAMPLED_ROWS)
        self._heavy_share = native.share_of_rows(problem.mass_of_every(stride), 0.9)
        if self._exhaustive_seconds is None or self._heavy_share > self._largest_share:
            return thorough
        return "adaptive"

    def learn(self, search: str, seconds: float) -> None:
        """Take the round's time into account."""
        if search != "adaptive":
            self._exhaustive_seconds = seconds
        elif self._exhaustive_seconds is not None and seconds > self._exhaustive_seconds:
            self._largest_share = self._heavy_share / 2
