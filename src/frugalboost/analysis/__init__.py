"""What a search could save at best, to measure real searches by."""

from frugalboost.analysis.exact_bound import ExactBound, exact_bound
from frugalboost.analysis.preliminary import (
    preliminary_errors,
    probability_among_best,
    subset_mass,
)
from frugalboost.analysis.rounds import FittedRound, fitted_rounds
from frugalboost.analysis.sweep import QuickSweep, quick_sweep
from frugalboost.analysis.weight_order import weight_order_bound, weight_order_prefixes

__all__ = [
    "ExactBound",
    "FittedRound",
    "QuickSweep",
    "exact_bound",
    "fitted_rounds",
    "preliminary_errors",
    "probability_among_best",
    "quick_sweep",
    "subset_mass",
    "weight_order_bound",
    "weight_order_prefixes",
]
