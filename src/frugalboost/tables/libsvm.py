"""LIBSVM files: a label in each line, and the numbers that are not zero."""

from __future__ import annotations

import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.tables.files import Bar, counted_file
from frugalboost.tables.formats import codec_of
from frugalboost.tables.matrix import Matrix, MatrixFile, numbered
from frugalboost.tables.table import TableFile

LABEL = "label"

MOST_FEATURES = 1_000_000
"""A single wrong number could mean billions."""


class LibsvmFile(MatrixFile):
    """Numbered features, most of them zero, and a label each.

    By its definition the format counts features from 1, but some programs count from 0. A file
    without a feature 0 cannot tell, as it may merely be zero in all rows: then it counts from 1,
    unless `numbered_from` says otherwise.
    """

    def __init__(self, path: Path, numbers: Any, y: AnyArray, bar: Bar, first: int) -> None:
        X = moved(numbers, -first)
        super().__init__(path, Matrix(X, numbered(X.shape[1]), False, {LABEL: y}), LABEL, bar)
        self.first_number = first

    def numbered_from(self, first: int | None) -> TableFile:
        if first == self.first_number or first not in (0, 1):
            return self
        X, y = self.matrix.X, self.matrix.asides[LABEL]
        if first == 0:
            return LibsvmFile(self.path, moved(X, 1), y, self.bar, 0)
        at = int(np.searchsorted(X.indptr, np.argmin(X.indices), side="right"))
        raise ValueError(
            f"{self.path}: features must have numbers from 1, as the model's have; got 0 in row "
            f"{at}."
        )


def moved(X: Any, by: int) -> Any:
    """Return a sparse matrix with its columns moved to the right, or to the left."""
    from scipy import sparse

    shape = X.shape[0], X.shape[1] + by
    return sparse.csr_matrix((X.data, X.indices + by, X.indptr), shape)


def read_libsvm(path: Path, bar: Bar) -> LibsvmFile:
    from sklearn.datasets import load_svmlight_file

    try:
        with warnings.catch_warnings(), counted_file(path, bar) as file:
            warnings.simplefilter("ignore")
            # scikit-learn decompresses a file if it is given the name.
            source = file if codec_of(path) is None else str(path)
            X, y = load_svmlight_file(source, zero_based=True)
    except (ValueError, OSError, EOFError, zlib.error, OverflowError, MemoryError) as problem:
        reason = " ".join(str(problem).split())[:200]
        raise ValueError(f"{path} cannot be read as LIBSVM: {reason}") from None
    if X.shape[0] == 0:
        raise ValueError(f"{path}: the file is empty.")
    if X.shape[1] - 1 > MOST_FEATURES:
        raise ValueError(
            f"{path}: features must have numbers up to {MOST_FEATURES:,}; got {X.shape[1] - 1:,}."
        )
    return LibsvmFile(path, X, y, bar, first=int(X.indices.min(initial=1)))
