"""``search="auto"``: which search a round should use. Every choice gives the same model."""

from __future__ import annotations

from frugalboost._typing import Rows
from frugalboost.tree import FixedProblem

COST_OF_A_JUMP = 5.0
"""What a pruning search pays for a cell, in cells of an exhaustive search.

It reads rows in the order of their mass, anywhere in a column, and weighs its bounds again and
again. On MNIST it took 1.8 s for as many assessments as an exhaustive search makes in 0.42 s for
each cell it really reads.
"""


def choose_search(problem: FixedProblem, order: Rows, read_share: float) -> str:
    """Prune when few enough rows hold nearly all of the mass, else read everything in order.

    Parameters
    ----------
    problem : FixedProblem
    order : rows by decreasing mass
    read_share : float
        Share of the cells that an exhaustive search reads; it leaves most frequent codes out.
    """
    n_heavy = max(1, int(read_share / COST_OF_A_JUMP * len(order)))
    heavy = problem.mass[order[:n_heavy]].sum()
    return "adaptive" if heavy >= 0.9 * problem.mass.sum() else "exhaustive"
