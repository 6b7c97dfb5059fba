"""FilterBoost (Bradley, Schapire 2007)."""

from frugalboost.reproduce.filterboost.experiment import FilterBoost

__all__ = ["FilterBoost"]
