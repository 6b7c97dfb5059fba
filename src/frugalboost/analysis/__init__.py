"""What a search could save at best, and how the members of an ensemble behave."""

from frugalboost._checks import names_itself
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
from frugalboost.pruning import members
from frugalboost.pruning import round_weights as rounds_of_members

# Pruning calls both on behalf of other functions, so only here do they name themselves.
member_ballots = names_itself(members.member_ballots)
round_weights = names_itself(rounds_of_members.round_weights)
member_ballots.__module__ = round_weights.__module__ = __name__  # where pickle finds them

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
