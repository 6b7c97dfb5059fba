"""``search="auto"``: which search a round should use. Every choice gives the same model."""

from __future__ import annotations

from frugalboost._typing import Rows
from frugalboost.tree import FixedProblem

HEAVY_SHARE = 0.25
"""Pruning pays when at most this share of the rows holds 90 % of the mass: the pruning searches
read rows out of memory order, at about three times the cost of a row read in order."""


def choose_search(problem: FixedProblem, order: Rows) -> str:
    """Prune when few rows hold nearly all of the mass, else read everything in order."""
    n_heavy = max(1, int(HEAVY_SHARE * len(order)))
    heavy = problem.mass[order[:n_heavy]].sum()
    return "adaptive" if heavy >= 0.9 * problem.mass.sum() else "exhaustive"
