"""How to grow a tree: names and numbers, checked once."""

from __future__ import annotations

from dataclasses import dataclass

from frugalboost import native

CRITERIA = native.CRITERIA
"""By their numbers in the core."""

SEARCHES = native.SEARCHES
"""By their numbers in the core; ``"auto"`` is a choice among them."""

NO_DEPTH_LIMIT = 2**30


@dataclass(frozen=True)
class TreePlan:
    """Parameters of a tree, all valid.

    Attributes
    ----------
    criterion : one of `CRITERIA`
    search : one of `SEARCHES` or ``"auto"``
    max_depth : int or None
    max_leaf_nodes : int or None
        None grows depth first, a number grows best first.
    min_samples_leaf : int
    quick_mass, quick_steps : the quick search's first share of the weight and its subsets
    n_threads : int
    confidence : float or None
        Of pessimistic pruning; None: trees are not pruned by the rows they grew on.
    """

    criterion: str
    search: str = "auto"
    max_depth: int | None = 1
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    quick_mass: float = 0.9
    quick_steps: int = 20
    n_threads: int = 1
    confidence: float | None = None

    @property
    def depth_limit(self) -> int:
        """`max_depth` as the core takes it."""
        return NO_DEPTH_LIMIT if self.max_depth is None else self.max_depth


def served_search(criterion: str, search: str) -> str:
    """The search that does the work: no bound holds for gain ratios, so nothing can be pruned.

    >>> served_search("gini", "quick"), served_search("gain_ratio", "quick")
    ('quick', 'exhaustive')
    """
    if criterion != "gain_ratio" or search == "incremental":
        return search
    return "incremental" if search == "auto" else "exhaustive"
