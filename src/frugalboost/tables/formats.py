"""The formats of tables, by file suffix: the only list of them."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

COMMA_SEPARATED = (".csv", ".csv.gz", ".csv.bz2", ".csv.zst")
TAB_SEPARATED = (".tsv", ".tsv.gz")
CSV = (*COMMA_SEPARATED, *TAB_SEPARATED)
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
LIBSVM = tuple(f"{name}{more}" for name in (".libsvm", ".svm", ".svmlight") for more in ("", ".gz"))
NPZ = (".npz",)

NULLS = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "null", "NULL", "None"),
    *("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)
"""Strings that stand for a missing value in a CSV file, unless the caller says otherwise.

Those of pandas, and the question mark of older collections of data.
"""

CODECS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
"""How a file is compressed, by its suffix, in pyarrow's terms."""


def has_suffix(path: str | PathLike[str], suffixes: tuple[str, ...]) -> bool:
    """
    >>> has_suffix("sales.CSV.gz", CSV), has_suffix("sales.csv", PARQUET)
    (True, False)
    """
    return Path(path).name.lower().endswith(suffixes)


def codec_of(path: str | PathLike[str]) -> str | None:
    """Return how a file is compressed; None if it is not."""
    return CODECS.get(Path(path).suffix.lower())
