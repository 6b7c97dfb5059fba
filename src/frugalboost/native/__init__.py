"""The compiled core, as the rest of the library sees it."""

from frugalboost._core import (
    Columns,
    Forest,
    Grower,
    GrowingWeights,
    add_by_leaf,
    encode,
    encode_sparse,
    find_bins,
    find_bins_sparse,
    logit_rows,
    merge_by_mass,
    share_of_rows,
    to_fixed,
)

__all__ = [
    "Columns",
    "Forest",
    "Grower",
    "GrowingWeights",
    "add_by_leaf",
    "encode",
    "encode_sparse",
    "find_bins",
    "find_bins_sparse",
    "logit_rows",
    "merge_by_mass",
    "share_of_rows",
    "to_fixed",
]
