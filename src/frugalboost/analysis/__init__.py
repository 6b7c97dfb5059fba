"""What a search could save at best, to measure real searches by."""

from frugalboost.analysis.weight_order import weight_order_bound, weight_order_prefixes

__all__ = ["weight_order_bound", "weight_order_prefixes"]
