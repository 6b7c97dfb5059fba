"""Quick Boost (Appel, Fuchs, Dollár, Perona 2013)."""

from frugalboost.reproduce.quick_boost.experiment import QuickBoost

__all__ = ["QuickBoost"]
