"""From a user's table to binned columns, and back to tables for prediction."""

from frugalboost.data.bins import BinnedDataset
from frugalboost.data.schema import Schema
from frugalboost.data.take import take_rows

__all__ = ["BinnedDataset", "Schema", "take_rows"]
