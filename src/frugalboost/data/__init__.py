"""From a user's table to binned columns, and back to tables for prediction."""

from frugalboost.data.binned import BinnedDataset, bin_table, check_max_bins
from frugalboost.data.columns import take_rows
from frugalboost.data.schema import Schema
from frugalboost.data.tables import check_kind, is_plain

__all__ = [
    "BinnedDataset",
    "Schema",
    "bin_table",
    "check_kind",
    "check_max_bins",
    "is_plain",
    "take_rows",
]
