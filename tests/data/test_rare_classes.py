"""Targets of texts that can hardly be meant for classes."""

from __future__ import annotations

import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import clone

from frugalboost import BoostedTreesClassifier, FilterBoostClassifier, OneAgainstAllClassifier
from frugalboost.data.targets import RareClassesWarning, why_implausible
from frugalboost.streams import IterableOracle, ParquetOracle

X = np.arange(120.0)[:, None]
COMMAS = np.array([f"{n},5" for n in range(120)])
STUMP = BoostedTreesClassifier(n_estimators=1, max_depth=1)
FILTER = FilterBoostClassifier(max_rounds=1, max_depth=1, sample_constant=20, random_state=0)

FITS = {
    "boosted": lambda: clone(STUMP).fit(X, COMMAS),
    "one against all": lambda: OneAgainstAllClassifier(STUMP).fit(X, COMMAS),
    "filter": lambda: clone(FILTER).fit(X, COMMAS),
    "stream": lambda: clone(FILTER).fit_stream(IterableOracle([(X, COMMAS)])),
    "partial": lambda: clone(FILTER).partial_fit(X, COMMAS),
}


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_a_fit_to_numbers_with_decimal_commas_warns(fit):
    with pytest.warns(RareClassesWarning, match="120 classes in 120 rows.*decimal commas"):
        fit()


@pytest.mark.parametrize(
    "y",
    [
        np.repeat([f"c{n}" for n in range(1000)], 20),
        np.array([chr(97 + n % 26) for n in range(40)]),
        np.array([f"row {n}" for n in range(100)]),
        np.repeat([f"c{n}" for n in range(150)], 3),
        np.arange(500),
    ],
    ids=["many rows each", "letters", "not many", "three rows each", "numbers"],
)
def test_other_labels_are_left_alone(y):
    assert why_implausible(y) is None


def test_so_does_a_stream_that_begins_again(tmp_path):
    """Each row is seen many times, and counts once."""
    pq.write_table(pa.table({"x": X[:, 0], "y": COMMAS}), tmp_path / "data.parquet")
    oracle = ParquetOracle(tmp_path / "data.parquet", "y", recycle=True, random_state=0)
    with pytest.warns(RareClassesWarning, match="120 classes in 120 rows.*decimal commas"):
        clone(FILTER).fit_stream(oracle)


def test_classes_that_were_named_are_meant():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = clone(FILTER).fit_stream(IterableOracle([(X, COMMAS)]), classes=COMMAS)
    assert model.classes_.tolist() == sorted(COMMAS)


def test_other_fits_do_not_warn():
    y = np.repeat([f"c{n}" for n in range(110)], 3)
    X = np.arange(330.0)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BoostedTreesClassifier(n_estimators=1, max_depth=1).fit(X, y)
    assert len(model.classes_) == 110
