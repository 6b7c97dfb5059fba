"""How many members to keep: the smallest number with the lowest error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frugalboost._typing import Floats, Ints


@dataclass(frozen=True, eq=False)
class PruningCurve:
    """Error of the vote by the number of members kept.

    Attributes
    ----------
    n_estimators : (n,), ascending
    errors : (n,), shares of rows that the vote gets wrong
    whole_error : error of the whole ensemble on the same rows
    n_members : int, of the whole ensemble

    Examples
    --------
    >>> curve = PruningCurve(np.array([1, 5, 10]), np.array([0.2, 0.1, 0.1]), 0.1, 10)
    >>> int(curve.n_estimators[smallest_best(curve.errors)])
    5
    """

    n_estimators: Ints
    errors: Floats
    whole_error: float
    n_members: int

    @property
    def best(self) -> int:
        """The smallest number of members with the lowest error."""
        return int(self.n_estimators[self.best_place])

    @property
    def best_place(self) -> int:
        """Its position in the curve."""
        return smallest_best(self.errors)


def smallest_best(errors: Floats) -> int:
    """Position of the lowest error, the first if tied.

    Parameters
    ----------
    errors : (n,) array

    Returns
    -------
    place : int

    Examples
    --------
    >>> smallest_best(np.array([0.5, 0.25, 0.25]))
    1
    """
    return int(np.argmin(errors))
