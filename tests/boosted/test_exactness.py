"""Every search, thread count and storage gives the same model, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from estimator_helpers import (
    RULES_AND_CRITERIA,
    SEARCHES,
    binned_in_every_way,
    classifier,
    digests,
    mixed_table,
    noisy_labels,
    noisy_targets,
    regressor,
    stored_in_every_way,
)
from frugalboost import BinnedDataset
from frugalboost.rules import RULES

N_CLASSES = (2, 3)
EXTREME = np.where(np.arange(90) % 7 == 0, 1e200, np.where(np.arange(90) % 3, 1e-200, 1.0))


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table()


@pytest.fixture(scope="module")
def binned(X):
    """Binned once for all; with dense and sparse columns, categories and missing values."""
    data = binned_in_every_way(X)
    assert set(data.storage) == {0, 2}
    assert data.has_missing[[1, 3]].all()
    return data


@pytest.mark.parametrize(("rule", "criterion"), RULES_AND_CRITERIA)
@pytest.mark.parametrize("n_classes", N_CLASSES)
def test_every_search_gives_the_same_classifier(rule, criterion, n_classes, X, binned):
    model = classifier(rule, criterion=criterion)
    assert len(digests(model, binned, noisy_labels(X, n_classes))) == 1
    assert len(model.estimators_) > 1


@pytest.mark.thorough
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_classes", N_CLASSES)
@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": None, "max_leaf_nodes": 6},
        {"min_samples_leaf": 7},
        {"max_depth": 1, "n_estimators": 40, "learning_rate": 1.0},
        {"quick_mass": 0.3, "quick_steps": 3, "max_depth": 5},
    ],
    ids=str,
)
def test_every_shape_of_tree(rule, n_classes, options, X, binned):
    assert len(digests(classifier(rule, **options), binned, noisy_labels(X, n_classes))) == 1


@pytest.mark.parametrize(("rule", "criterion"), RULES_AND_CRITERIA)
def test_extreme_sample_weights(rule, criterion, X, binned):
    model = classifier(rule, criterion=criterion)
    assert len(digests(model, binned, noisy_labels(X, 3), EXTREME)) == 1


@pytest.mark.parametrize(
    "options",
    [{}, {"max_depth": None, "max_leaf_nodes": 5}, {"min_samples_leaf": 6}, {"learning_rate": 1.0}],
    ids=str,
)
@pytest.mark.parametrize("weights", [None, EXTREME], ids=["even", "extreme"])
def test_every_search_gives_the_same_regressor(options, weights, X, binned):
    model = regressor(**options)
    assert len(digests(model, binned, noisy_targets(X), weights, n_jobs=(1, 2))) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("rule", [*RULES, "l2"])
def test_threads_that_really_share_the_work(rule):
    """Below some tens of thousands of cells one thread does it all."""
    X = np.tile(mixed_table(4000, seed=1), 2)
    # The same features twice: ties between threads.
    model = regressor(n_estimators=3) if rule == "l2" else classifier(rule, n_estimators=3)
    y = noisy_targets(X) if rule == "l2" else noisy_labels(X, 3)
    assert len(digests(model, X, y, n_jobs=(1, 2, 3))) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("rule", [*RULES, "l2"])
def test_however_the_columns_are_stored(rule, monkeypatch):
    """Columns of which nearly all rows hold one code: zero, another number, missing, a category."""
    X = mixed_table(300, seed=2)
    rare = np.random.default_rng(0).random(X.shape) < 0.1
    usual = np.array([0.0, np.nan, 4.0, 3.0, np.inf, 0.0, 0.0])
    X = np.column_stack([X, np.where(rare, X, usual)])
    y = noisy_targets(X) if rule == "l2" else noisy_labels(X, 3)
    options = {"categorical_features": [3, 10]}
    model = regressor(**options) if rule == "l2" else classifier(rule, **options)
    mixed = BinnedDataset.from_data(X, **options)
    from_sparse = BinnedDataset.from_data(stored_in_every_way(X), **options)
    monkeypatch.setattr("frugalboost.data.binning.ENTRY_COST", len(X) + 1)
    dense = BinnedDataset.from_data(X, **options)
    assert np.count_nonzero(mixed.storage == 2) == 8
    assert not dense.storage.any()
    assert dense.nbytes > mixed.nbytes
    found = set()
    for data in (mixed, from_sparse, dense):
        found |= digests(model, data, y, n_jobs=(1, 2))
    assert len(found) == 1


def test_the_searches_differ_in_work(X, binned):
    """Else the tests above would compare one search with itself."""
    y = noisy_labels(X, 2)
    shares = {}
    for search in SEARCHES:
        model = classifier("adaboost", search=search, n_estimators=60, max_depth=1)
        shares[search] = model.fit(binned, y).ledger_.share
    assert shares["exhaustive"] == 1.0
    assert shares["quick"] < 1
    assert shares["adaptive"] < 1
    assert shares["quick"] != shares["adaptive"]


# Weights of one kind each: all alike, nearly alike, at the ends of the range, of any size.
KINDS = [
    st.just(1.0),
    st.sampled_from([1.0, 2.0]),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([5e-324, 1e308]),
    st.sampled_from([2.0**-50, 2.0**-49, 1.0]),
    st.integers(-60, 0).map(lambda bits: 2.0**bits),
    st.floats(0.0, 1e308),
]


@st.composite
def weighted_tables(draw):
    n = draw(st.integers(2, 16))
    n_features = draw(st.integers(1, 4))
    cells = st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan, np.inf])
    X = np.array(draw(st.lists(cells, min_size=n * n_features, max_size=n * n_features)))
    y = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    kind = draw(st.sampled_from(KINDS))
    weights = np.array(draw(st.lists(kind, min_size=n, max_size=n)))
    assume(len(np.unique(y[weights > 0])) > 1)
    return X.reshape(n, n_features), y, weights


@pytest.mark.thorough
@given(weighted_tables(), st.sampled_from(RULES_AND_CRITERIA), st.integers(1, 3), st.booleans())
@settings(deadline=None, max_examples=80)
def test_tied_one_unit_and_extreme_weights(problem, names, min_samples_leaf, categorical):
    X, y, weights = problem
    model = classifier(
        names[0],
        criterion=names[1],
        n_estimators=5,
        min_samples_leaf=min_samples_leaf,
        categorical_features=[0] if categorical else None,
    )
    assert len(digests(model, X, y, weights)) == 1
    assert np.isfinite(model.predict_proba(X)).all()


@given(weighted_tables(), st.sampled_from([1e-100, 1.0, 1e100]), st.integers(1, 3))
@settings(deadline=None, max_examples=40)
def test_targets_of_any_size_with_any_weights(problem, size, min_samples_leaf):
    X, y, weights = problem
    model = regressor(n_estimators=5, min_samples_leaf=min_samples_leaf, categorical_features=None)
    assert len(digests(model, X, (y - 1.0) * size, weights)) == 1
    assert np.isfinite(model.predict(X)).all()
