"""Ensemble pruning (Margineantu, Dietterich 1997): which members of an ensemble to keep.

`fb.prune_ensemble` prunes a fitted model; the functions exported here work on arrays.
"""

from frugalboost.pruning.amount import PruningCurve, smallest_best
from frugalboost.pruning.ballots import Ballots, RealVotes, WeightedVotes
from frugalboost.pruning.counting import errors_of, make_counter
from frugalboost.pruning.methods import METHODS, Material, choose_sets

__all__ = [
    "METHODS",
    "Ballots",
    "Material",
    "PruningCurve",
    "RealVotes",
    "WeightedVotes",
    "choose_sets",
    "errors_of",
    "make_counter",
    "smallest_best",
]
