"""Pruning Adaptive Boosting (Margineantu, Dietterich 1997)."""

from frugalboost.reproduce.ensemble_pruning.experiment import EnsemblePruning

__all__ = ["EnsemblePruning"]
