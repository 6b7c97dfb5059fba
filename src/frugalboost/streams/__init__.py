"""Oracles: where examples come from, a few at a time."""

from frugalboost.streams.arrays import ArrayOracle
from frugalboost.streams.arrow import ArrowOracle
from frugalboost.streams.blocks import BlockOracle, BlockStore
from frugalboost.streams.csv_files import CsvOracle
from frugalboost.streams.iterables import IterableOracle
from frugalboost.streams.oracle import Batch, EpochOracle, Oracle
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
