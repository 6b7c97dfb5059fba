"""Oracles: sources of examples, drawn a few at a time."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from frugalboost.streams.arrays import ArrayOracle
from frugalboost.streams.iterables import IterableOracle
from frugalboost.streams.oracle import Batch, EpochOracle, Oracle

if TYPE_CHECKING:
    from frugalboost.streams.arrow import ArrowOracle
    from frugalboost.streams.blocks import BlockOracle, BlockStore
    from frugalboost.streams.csv_files import CsvOracle
    from frugalboost.streams.parquet import ParquetOracle

__all__ = [
    "ArrayOracle",
    "ArrowOracle",
    "Batch",
    "BlockOracle",
    "BlockStore",
    "CsvOracle",
    "EpochOracle",
    "IterableOracle",
    "Oracle",
    "ParquetOracle",
]

LATER = {
    "ArrowOracle": "arrow",
    "BlockOracle": "blocks",
    "BlockStore": "blocks",
    "CsvOracle": "csv_files",
    "ParquetOracle": "parquet",
}
"""Modules of the oracles that read files; imported on first use."""


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(import_module(f"{__name__}.{LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
