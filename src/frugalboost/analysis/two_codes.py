"""The exact bound of a feature with two codes, without solving a program.

A stump predicts a class for either code and so loses one kind of row (code and label) of each. All
stumps lose enough exactly if the lighter kinds of both codes together weigh enough. So, for some
``a``, the rows taken must weigh ``a`` in both kinds of the first code and ``loss - a`` in both of
the second; the heaviest rows of a kind get there first, and trying every ``a`` at which another row
of the first code comes in gives the smallest number of rows.
"""

from __future__ import annotations

import numpy as np

from frugalboost._typing import Ints


class Code:
    """Rows of one code: for each of two labels, the weight of the heaviest 0, 1, 2, ... rows."""

    def __init__(self, weights: tuple[Ints, Ints]) -> None:
        self._totals = [np.concatenate([[0], np.cumsum(each)]) for each in weights]

    @property
    def most(self) -> int:
        """Largest weight that both labels reach."""
        return min(int(totals[-1]) for totals in self._totals)

    @property
    def steps(self) -> Ints:
        """Weights beyond which another row is needed."""
        steps = np.union1d(*self._totals)
        return np.asarray(steps[steps <= self.most])

    def n_rows(self, weights: Ints) -> Ints:
        """Fewest rows with which both labels have at least each of these weights."""
        first, second = (np.searchsorted(totals, weights) for totals in self._totals)
        return np.asarray(first + second)


def fewest_rows_of_two_codes(cells: Ints, masses: Ints, loss: int) -> int:
    """Fewest rows on which every stump loses at least `loss`, as on all rows together.

    Parameters
    ----------
    cells : 2 * code + label of each row, heaviest first
    masses : their weights, in descending order

    Examples
    --------
    A row of each label with the first code, and the same with the second:

    >>> fewest_rows_of_two_codes(np.array([0, 1, 2, 3]), np.array([5, 4, 3, 3]), loss=6)
    4
    >>> fewest_rows_of_two_codes(np.array([0, 1, 2, 3]), np.array([5, 4, 3, 3]), loss=4)
    2
    """
    kinds = [masses[cells == kind] for kind in range(4)]
    first, second = Code((kinds[0], kinds[1])), Code((kinds[2], kinds[3]))
    taken = first.steps
    left = np.maximum(loss - taken, 0)
    can_be = left <= second.most
    return int((first.n_rows(taken) + second.n_rows(left))[can_be].min())
