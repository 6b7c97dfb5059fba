"""How often a data frame is asked for what it has to list anew each time."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from frugalboost import BoostedTreesClassifier

MAKERS = [pd.DataFrame, pl.DataFrame, pa.table]


def narwhals_calls(function):
    """Names of the functions of narwhals that are called, with how often."""
    calls = Counter()

    def count(frame, event, _):
        if event == "call" and "narwhals" in frame.f_code.co_filename:
            calls[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls


def table(make, n_columns):
    X = np.random.default_rng(0).random((12, n_columns))
    return make({f"c{at}": X[:, at] for at in range(n_columns)})


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("method", ["fit", "predict"])
def test_names_are_listed_as_often_for_many_columns_as_for_few(make, method):
    def listed(n_columns):
        X, y = table(make, n_columns), np.arange(12) % 2
        model = BoostedTreesClassifier(n_estimators=2, max_depth=1, n_jobs=1).fit(X, y)
        calls = {"fit": lambda: model.fit(X, y), "predict": lambda: model.predict(X)}
        return narwhals_calls(calls[method])["columns"]

    assert listed(40) == listed(20)
