"""The paper's experiment, and others that differ from it in one thing or two.

To add one, give it a line in `VARIANTS`: `trees` may hold any option of the tree grower.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from frugalboost.reproduce.ensemble_pruning.published import HELD_OUT

PRUNED_C45 = MappingProxyType({"criterion": "gain_ratio", "pruning": "pessimistic"})
C45 = MappingProxyType({"criterion": "gain_ratio", "pruning": None})
GINI = MappingProxyType({"criterion": "gini", "pruning": None, "min_samples_leaf": 1})
ENTROPY = MappingProxyType({"criterion": "entropy", "pruning": None, "min_samples_leaf": 1})
TWO_ROWS = MappingProxyType({"min_samples_leaf": 2})
"""With fewer, a tree on weighted rows makes no error, and boosting ends with the first one."""


@dataclass(frozen=True)
class Variant:
    """One way to do the experiment.

    Attributes
    ----------
    title : str
    trees : dict
        Options of the tree grower.
    resample : bool
        Trees grow on samples drawn by weight (section 2), or on the weighted rows.
    held_out : float
        Share of the training rows for Reduce-Error pruning.
    methods : tuple of str
        Whose results differ from the paper's experiment; empty: all.
    """

    title: str
    trees: Mapping[str, Any] = field(default_factory=lambda: PRUNED_C45)
    resample: bool = True
    held_out: float = HELD_OUT
    methods: tuple[str, ...] = ()


PAPER = "c45"
"""The variant that follows the paper's text: samples drawn by weight, C4.5 with pruning."""

VARIANTS = {
    PAPER: Variant("as in the paper"),
    "unpruned": Variant("C4.5's trees, not pruned", C45),
    "weighted": Variant("weighted rows", resample=False),
    "weighted_unpruned": Variant("weighted rows, C4.5's trees not pruned", C45, resample=False),
    "gini": Variant("CART's trees (Gini), not pruned", GINI),
    "entropy": Variant("CART's trees (entropy), not pruned", ENTROPY),
    "weighted_gini": Variant(
        "weighted rows, CART's trees (Gini) not pruned", GINI | TWO_ROWS, resample=False
    ),
    "weighted_entropy": Variant(
        "weighted rows, CART's trees (entropy) not pruned", ENTROPY | TWO_ROWS, resample=False
    ),
    "held30": Variant(
        "30 % held out for Reduce-Error",
        held_out=0.30,
        methods=("reduce_error", "reduce_error_auto"),
    ),
}
