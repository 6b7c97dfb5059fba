"""The model file `.fboost`: arrays and a checked header, read without running any code."""

from frugalboost.saving.container import Box
from frugalboost.saving.contents import get_column, put_column
from frugalboost.saving.container import FORMAT, BrokenFileError, pack, read_header, unpack
from frugalboost.saving.contents import (
    get_ensemble,
    get_ledger,
    get_names,
    get_schema,
    put_ensemble,
    put_ledger,
    put_schema,
)
from frugalboost.saving.contents import get_value, put_value

__all__ = [
    "FORMAT",
    "Box",
    "BrokenFileError",
    "get_column",
    "get_ensemble",
    "get_ledger",
    "get_names",
    "get_schema",
    "get_value",
    "pack",
    "put_column",
    "put_ensemble",
    "put_ledger",
    "put_schema",
    "put_value",
    "read_header",
    "unpack",
]
