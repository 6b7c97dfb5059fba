"""Tables of extreme shapes: all are fitted, and every search gives the same model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from estimator_helpers import digests
from frugalboost import BinnedDataset, BoostedTreesClassifier, BoostedTreesRegressor, digest
from frugalboost.rules import RULES

pytestmark = pytest.mark.thorough


def small(rule="adaboost", **options):
    return BoostedTreesClassifier(rule, **{"n_estimators": 3, "max_depth": 2, **options})


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_features", [1, 3])
def test_ten_rows(rule, n_features):
    X = np.arange(10.0 * n_features).reshape(10, n_features)
    y = np.arange(10) > 4
    model = small(rule)
    assert len(digests(model, X, y, n_jobs=(1, 2))) == 1
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize("rule", RULES)
def test_two_rows(rule):
    X, y = [[0.0], [1.0]], ["no", "yes"]
    assert small(rule).fit(X, y).predict(X).tolist() == y


def test_one_row_of_a_regression():
    model = BoostedTreesRegressor(n_estimators=3).fit([[4.0]], [2.5])
    assert model.predict([[1.0]]).tolist() == [2.5]


@pytest.mark.parametrize("n_rows", [10, 5000])
def test_one_feature(n_rows):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 1))
    y = (X[:, 0] > 0) ^ (rng.random(n_rows) < 0.1)
    y[:2] = False, True
    model = small(max_depth=3)
    assert len(digests(model, X, y, n_jobs=(1, 2))) == 1
    assert model.score(X, y) > 0.8


@pytest.fixture(scope="module")
def wide():
    """50 rows and 100,000 features, of which one in ten cells is not zero; the labels are known."""
    rng = np.random.default_rng(0)
    matrix = sparse.random_array((50, 100_000), density=0.1, rng=rng, format="csr")
    y = np.arange(50) % 2
    X = matrix.toarray().astype(np.float32)
    X[:, 77_777] = y + rng.random(50) * 0.5
    return X, y


@pytest.fixture(scope="module")
def wide_binned(wide):
    """In rows, in columns and sparse."""
    X, _ = wide
    return [
        BinnedDataset.from_data(table) for table in (X, np.asfortranarray(X), sparse.csr_array(X))
    ]


@pytest.mark.parametrize("search", ["exhaustive", "quick", "adaptive", "auto"])
def test_a_hundred_thousand_features(wide, wide_binned, search):
    X, y = wide
    model = small(search=search, n_jobs=2)
    assert len({digest(model.fit(data, y)) for data in wide_binned}) == 1
    assert model.estimators_[0].feature[0] == 77_777
    assert model.score(X, y) == 1.0
    assert model.feature_importances_.shape == (100_000,)


def test_a_sparse_table_of_a_hundred_thousand_features(wide, wide_binned):
    X, y = wide
    table = sparse.csr_array(X)
    model = small(n_jobs=2).fit(table, y)
    assert model.score(table, y) == 1.0
    assert digest(model) == digest(small(n_jobs=2).fit(wide_binned[0], y))


def test_a_hundred_thousand_features_are_stored_in_little_memory(wide_binned):
    data = wide_binned[0]
    assert data.nbytes - sum(cuts.nbytes for cuts in data.thresholds) < 10_000_000


@pytest.fixture(scope="module")
def huge_category():
    """One category holds 99 of 100 rows, 3,000 others the rest."""
    rng = np.random.default_rng(0)
    codes = np.zeros(300_000, dtype=np.int64)
    codes[rng.permutation(300_000)[:3000]] = np.arange(1, 3001)
    y = (codes % 2).astype(bool)
    return codes, y


@pytest.mark.parametrize("make", [np.asarray, sparse.csc_array])
def test_a_category_that_holds_nearly_all_rows(huge_category, make):
    codes, y = huge_category
    X = make(codes[:, np.newaxis])
    model = small(categorical_features=[0], n_estimators=1, max_depth=1, max_bins=65_535).fit(X, y)
    assert model.score(X, y) == 1.0
    data = BinnedDataset.from_data(X, categorical_features=[0])
    assert data.n_bins.tolist() == [3001]
    assert len(data.sparse_rows) == 3000


def test_sixty_thousand_categories():
    codes = np.concatenate([np.arange(60_000), np.arange(60_000)])
    y = codes % 3 == 0
    frame = pd.DataFrame(
        {"who": pd.Categorical.from_codes(codes, [f"n{i}" for i in range(60_000)])}
    )
    model = small(n_estimators=1, max_depth=1)
    assert len(digests(model, frame, y)) == 1
    assert model.score(frame, y) == 1.0


def test_sixty_thousand_numbers_that_are_all_bins():
    X = np.arange(60_000.0)[:, np.newaxis]
    y = X[:, 0] > 41_234
    model = small(max_bins=65_535)
    assert len(digests(model, X, y, n_jobs=(1, 2))) == 1
    assert model.estimators_[0].threshold[0] == 41_234.5


@pytest.mark.parametrize("n_jobs", [3, 1000, -1, 2**40])
def test_more_threads_than_cores(n_jobs, wide):
    X, y = wide[0][:, 77_000:78_000], wide[1]
    assert digest(small(n_jobs=n_jobs).fit(X, y)) == digest(small().fit(X, y))
    many = BinnedDataset.from_data(X, n_jobs=n_jobs)
    one = BinnedDataset.from_data(X)
    assert all(map(np.array_equal, many.thresholds, one.thresholds))
    for feature in (0, 777, 999):
        assert np.array_equal(many.column_codes(feature), one.column_codes(feature))
