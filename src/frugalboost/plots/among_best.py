"""How soon the best feature is among the leading ones (Quick Boost, figure 3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from frugalboost._checks import check_int, check_real
from frugalboost._typing import AnyArray, Floats
from frugalboost.analysis import probability_among_best
from frugalboost.plots._checks import check_lines, check_numbers
from frugalboost.plots._lines import LinesDisplay


class AmongBestDisplay(LinesDisplay):
    """Probability that the best feature is among the K best of a subset of the rows.

    Parameters
    ----------
    shares : (n_shares,) shares of the weight that the subsets hold, ``Z_m / Z``
    probabilities : dict of name to (n_shares,) probabilities

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> import numpy as np
    >>> errors = np.array([[0.1, 0.3], [0.2, 0.1]])
    >>> display = AmongBestDisplay.from_errors([0.5, 1.0], [errors], ks=[1, 2])
    >>> display.probabilities
    {'K = 1': array([0., 1.]), 'K = 2': array([1., 1.])}
    >>> from matplotlib.figure import Figure
    >>> list(display.plot(ax=Figure().subplots()).lines_)
    ['K = 1', 'K = 2']
    """

    def __init__(self, shares: Any, probabilities: Mapping[str, Any]) -> None:
        self.shares = check_numbers(shares, name="shares")
        self.probabilities = check_lines(
            probabilities, len(self.shares), name="probabilities", like="shares"
        )

    @classmethod
    def from_errors(
        cls, shares: Any, errors: Sequence[AnyArray], ks: Iterable[int | float]
    ) -> AmongBestDisplay:
        """Compute the probabilities over several nodes with `analysis.probability_among_best`.

        Parameters
        ----------
        shares : (n_shares,) as given to `analysis.preliminary_errors`, the last being 1
        errors : results of `analysis.preliminary_errors` for these shares, at least one
        ks : integers of at least 1, or numbers below 1 for a share of the features, rounded up
        """
        parts = check_numbers(shares, name="shares")
        tables = [np.asarray(table) for table in errors]
        shapes = sorted({table.shape for table in tables})
        if len(shapes) != 1 or shapes[0][1:] != parts.shape:
            raise ValueError(
                "errors must be one or more tables of the same features and "
                f"{len(parts)} shares; got the shapes {shapes}."
            )
        wanted = dict(read_k(k, len(tables[0])) for k in ks)
        if not wanted:
            raise ValueError("ks must be one or more numbers of features; got none.")
        return cls(parts, {name: probability_among_best(tables, k) for name, k in wanted.items()})

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return {name: (self.shares, line) for name, line in self.probabilities.items()}

    def _axes(self) -> dict[str, Any]:
        return {
            "xlabel": "share of the weight seen (Z_m / Z)",
            "ylabel": "P(best feature is among the K best)",
        }


def read_k(k: Any, n_features: int) -> tuple[str, int]:
    """Name of a line, and its number of features."""
    if isinstance(k, float):
        name = "each of ks that is not an integer"
        check_real(k, name=name, low=0.0, high=1.0, closed="neither")
        # Without the last factor, 0.07 of 100 features would be 8: the product is just above 7.
        return f"K = {k:.3g} of the features", math.ceil(k * n_features * (1 - 2.0**-50))
    return f"K = {k}", check_int(k, name="each of ks", low=1)
