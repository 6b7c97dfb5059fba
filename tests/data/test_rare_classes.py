"""Targets of texts that can hardly be meant for classes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from frugalboost import BoostedTreesClassifier
from frugalboost.data.rare_classes import RareClassesWarning, why_implausible


def test_a_fit_to_numbers_with_decimal_commas_warns():
    y = np.array([f"{n},5" for n in range(120)])
    X = np.arange(120.0)[:, None]
    with pytest.warns(RareClassesWarning, match="120 classes in 120 rows.*decimal commas"):
        BoostedTreesClassifier(n_estimators=1, max_depth=1).fit(X, y)


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


def test_other_fits_do_not_warn():
    y = np.repeat([f"c{n}" for n in range(110)], 3)
    X = np.arange(330.0)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BoostedTreesClassifier(n_estimators=1, max_depth=1).fit(X, y)
