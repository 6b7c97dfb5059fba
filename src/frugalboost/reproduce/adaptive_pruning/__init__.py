"""AP-Boost (Aziz, Anderton, Aslam 2018)."""

from frugalboost.reproduce.adaptive_pruning.experiment import AdaptivePruning

__all__ = ["AdaptivePruning"]
