"""How far a search exceeds the work that is needed (AP-Boost, figure 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from frugalboost._typing import Floats
from frugalboost.plots._checks import check_line, check_lines, check_rounds
from frugalboost.plots._lines import LinesDisplay


class GapDisplay(LinesDisplay):
    """Fraction of the gap between the exact bound, at 0, and an exhaustive search, at 1.

    Parameters
    ----------
    rounds : (n,) numbers of rounds, counted from 1 and ascending
    shares : dict of name to (n,) fractions of the gap; NaN leaves a gap in the line

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> display = GapDisplay.from_counts([1, 11], [10, 20], [50, 60], {"quick": [30, 30]})
    >>> display.shares
    {'quick': array([0.5 , 0.25])}
    >>> from matplotlib.figure import Figure
    >>> display.plot(ax=Figure().subplots()).ax_.get_xlabel()
    'round'
    """

    def __init__(self, rounds: Any, shares: Mapping[str, Any]) -> None:
        self.rounds = check_rounds(rounds, name="rounds")
        n = len(self.rounds)
        self.shares = check_lines(shares, n, name="shares", like="rounds")

    @classmethod
    def from_counts(
        cls, rounds: Any, exact: Any, full: Any, counts: Mapping[str, Any]
    ) -> GapDisplay:
        """Compute the fractions, ``(count - exact) / (full - exact)``.

        Parameters
        ----------
        rounds : (n,) numbers of rounds
        exact : (n,) bounds, such as those of `analysis.exact_bound`
        full : (n,) assessments of an exhaustive search, `full` in the ledger
            Never below `exact`; where the two are equal, there is no gap, and the fraction is NaN.
        counts : dict of name to (n,) assessments
        """
        n = len(check_rounds(rounds, name="rounds"))
        least = check_line(exact, n, name="exact", like="rounds")
        most = check_line(full, n, name="full", like="rounds")
        if (most < least).any():
            at = int(np.argmax(most < least))
            raise ValueError(
                "full must be at least exact in every round; "
                f"got {most[at]:g} and {least[at]:g} at index {at}."
            )

        def fraction(line: Floats) -> Floats:
            shares = np.full(n, np.nan)
            np.divide(line - least, most - least, out=shares, where=most > least)
            return shares

        lines = check_lines(counts, n, name="counts", like="rounds")
        return cls(rounds, {name: fraction(line) for name, line in lines.items()})

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return {name: (self.rounds, line) for name, line in self.shares.items()}

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "round", "ylabel": "gap used (0: exact bound, 1: exhaustive)"}
