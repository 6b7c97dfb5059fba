"""The network is not asked: these start from what scikit-learn's fetch_openml returns."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils import Bunch

from frugalboost.datasets.catalogue import find_entry
from frugalboost.datasets.openml import from_bunch

pandas = pytest.importorskip("pandas")


def test_amounts_stored_as_categories_become_numbers():
    frame = pandas.DataFrame({"Elevation": [2596, 2590], "Soil": ["0", "1"]})
    frame = frame.astype({"Soil": "category"})
    target = pandas.Series(["5", "2"], dtype="category", name="class")
    data = from_bunch(Bunch(data=frame, target=target), find_entry("covertype"))
    np.testing.assert_array_equal(data.X, [[2596.0, 0.0], [2590.0, 1.0]])
    np.testing.assert_array_equal(data.y, [5, 2])
    assert data.n_train is None
    assert data.feature_names == ("Elevation", "Soil")


def test_categories_and_missing_values_stay():
    frame = pandas.DataFrame({"age": [25, 38], "workclass": ["Private", None]})
    frame = frame.astype({"workclass": "category"})
    target = pandas.Series(["<=50K", ">50K"], dtype="category", name="class")
    data = from_bunch(Bunch(data=frame, target=target), find_entry("adult"))
    assert data.categorical == ("workclass",)
    assert list(data.X["workclass"].isna()) == [False, True]
    assert list(data.y) == ["<=50K", ">50K"]


def test_mnist_comes_with_its_split():
    frame = pandas.DataFrame({"pixel1": np.zeros(70000, dtype=np.uint8)})
    target = pandas.Series(np.repeat(["5", "4"], [60000, 10000]), dtype="category")
    data = from_bunch(Bunch(data=frame, target=target), find_entry("mnist"))
    assert set(data.y_train) == {5}
    assert set(data.y_test) == {4}
