"""Results of splits as the ensemble pruning reproduction keeps them, with chosen figures."""

from __future__ import annotations

from frugalboost.reproduce.ensemble_pruning.findings import Findings
from frugalboost.reproduce.ensemble_pruning.reasons import CHOOSING

LINES = (*CHOOSING, "reduce_error", "held_early_stopping")
CHANCE = 0.5
"""C4.5's error in what follows; AdaBoost's is 0.3, so that 0.1 is half of the gain."""


def split(whole=0.3, n_test=10, hull=0.3, auto=0.3, **relative):
    """One split; methods that are not named keep the whole gain at every level."""
    lines = {name: [1.0] * 5 for name in LINES} | relative
    errors = {name: [CHANCE - 0.2 * share for share in line] for name, line in lines.items()}
    return {
        "n_test": n_test,
        "n_members": 50,
        "single": CHANCE,
        "held_single": CHANCE,
        "whole": whole,
        "bagged": 0.4,
        "errors": {**errors, "hull": [hull], "reduce_error_auto": [auto]},
        "kept_error": {name: [0.1] * 5 for name in CHOOSING},
        "kept_kappa": {name: [0.5] * 5 for name in CHOOSING},
        "hull_size": 15,
        "auto_size": 5,
        "first_is_best": True,
        "first_is_best_on_test": True,
        "member_error": 0.2,
    }


def findings_of(diagrams=None, **domains):
    splits = {(name, "c45", 0): [each, each] for name, each in domains.items()}
    return Findings(splits, diagrams, rounds=50)
