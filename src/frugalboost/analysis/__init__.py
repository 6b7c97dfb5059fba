"""What a search could save at best, and what the members of an ensemble say."""

from frugalboost.analysis.exact_bound import ExactBound, exact_bound
from frugalboost.analysis.kappa_error import KappaError, kappa_error
from frugalboost.analysis.preliminary import (
    preliminary_errors,
    probability_among_best,
    subset_mass,
)
from frugalboost.analysis.rounds import FittedRound, fitted_rounds
from frugalboost.analysis.sweep import QuickSweep, quick_sweep
from frugalboost.analysis.weight_order import weight_order_bound, weight_order_prefixes
from frugalboost.pruning.members import member_ballots
from frugalboost.pruning.round_weights import round_weights

__all__ = [
    "ExactBound",
    "FittedRound",
    "KappaError",
    "QuickSweep",
    "exact_bound",
    "fitted_rounds",
    "kappa_error",
    "member_ballots",
    "preliminary_errors",
    "probability_among_best",
    "quick_sweep",
    "round_weights",
    "subset_mass",
    "weight_order_bound",
    "weight_order_prefixes",
]
