"""The ledger holds what each round cost."""

from __future__ import annotations

import numpy as np
import pytest
from boosting_helpers import noisy_table

from frugalboost import BoostedTreesClassifier
from frugalboost.rules import RULES

SEARCHES = ("exhaustive", "quick", "adaptive", "ap_boost", "incremental", "two_stage", "auto")


def wide_table(n_rows=400, n_features=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)).round(1)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, (np.nan_to_num(X[:, 0]) + rng.normal(size=n_rows) > 0).astype(int)


@pytest.fixture(scope="module", params=SEARCHES)
def model(request):
    X, y = wide_table()
    return BoostedTreesClassifier(
        "adaboost", search=request.param, n_estimators=30, max_depth=2
    ).fit(X, y)


def test_one_entry_a_tree(model):
    assert len(model.ledger_) == len(model.estimators_) == 30
    assert [entry.n_leaves for entry in model.ledger_.entries] == [
        tree.n_leaves for tree in model.estimators_
    ]


def test_no_search_assesses_more_than_everything(model):
    ledger = model.ledger_
    assert (ledger.assessments > 0).all()
    assert (ledger.assessments <= ledger.full).all()
    assert 0 < ledger.share <= 1
    if model.search == "exhaustive":
        assert (ledger.assessments == ledger.full).all()
        assert ledger.share == 1.0
        assert (ledger.reads <= ledger.assessments).all()
    if model.search in ("quick", "adaptive", "ap_boost"):
        assert ledger.share < 1


def test_searches_that_prune_weigh_features_again(model):
    ledger = model.ledger_
    assert (ledger.full_scans > 0).all()
    assert (ledger.scans >= ledger.full_scans).all()
    if model.search in ("exhaustive", "incremental"):
        assert (ledger.scans == ledger.full_scans).all()
    elif model.search != "auto":
        assert ledger.total("scans") > ledger.total("full_scans")


def test_every_bound_is_a_scan_of_the_codes():
    n_rows, n_features, n_codes = 200, 30, 7
    random = np.random.default_rng(0)
    X = random.permuted(np.tile(np.arange(n_rows)[:, None] % n_codes, n_features), axis=0)
    y = (X[:, 0] + random.integers(0, 4, n_rows) > 5).astype(int)
    # All weights are equal, so the first subset holds half of the rows, and the other one all.
    stump = BoostedTreesClassifier(
        "adaboost",
        criterion="error",
        search="quick",
        quick_mass=0.5,
        quick_steps=1,
        n_estimators=1,
        max_depth=1,
    )
    entry = stump.fit(X, y).ledger_[0]
    n_finished = (entry.assessments - n_features * n_rows // 2) // (n_rows // 2)
    assert 1 <= n_finished < n_features
    assert entry.scans == n_codes * (n_features + n_finished)
    assert entry.full_scans == n_codes * n_features
    whole = stump.set_params(quick_mass=1.0).fit(X, y).ledger_[0]
    assert whole.scans == whole.full_scans


@pytest.mark.parametrize(
    ("n_scans", "options"),
    [
        (2, {"criterion": "error"}),  # its bounds are found in one scan
        (3, {"criterion": "error", "min_samples_leaf": 5}),
        (3, {"criterion": "gini"}),
        (2, {"criterion": "entropy"}),  # without an upper bound
        (2, {"criterion": "gini", "categorical_features": [0]}),  # likewise
    ],
)
def test_ap_boost_scans_again_where_its_two_bounds_need_it(n_scans, options):
    n_codes = 9
    X = np.arange(180)[:, np.newaxis] % n_codes
    y = (X[:, 0] + np.arange(180) % 4 > 5).astype(int)
    # A single feature has no rival: its bounds on half of the rows, then its best split on all.
    stump = BoostedTreesClassifier(
        "adaboost", search="ap_boost", n_estimators=1, max_depth=1, **options
    )
    assert stump.fit(X, y).ledger_[0].scans == n_scans * n_codes


def test_full_is_every_row_on_every_feature_at_every_node_searched(model):
    n_rows, n_features = 400, 8
    for tree, full in zip(model.estimators_, model.ledger_.full, strict=True):
        assert tree.depth == 2
        inner = tree.n_samples[tree.feature >= 0].sum()
        # Nodes at depth 1 that were searched in vain, or pure and not searched, bound the rest.
        assert n_features * inner <= full <= n_features * 2 * n_rows


def test_seconds_errors_and_searches(model):
    ledger = model.ledger_
    assert (ledger.seconds >= 0).all()
    assert (ledger.error == model.estimator_errors_).all()
    assert (ledger.error < 0.5).all()
    if model.search == "auto":
        assert set(ledger.search) <= {"exhaustive", "adaptive", "incremental", "two_stage"}
    else:
        assert set(ledger.search) == {model.search}


def test_totals_are_sums_of_the_columns(model):
    ledger = model.ledger_
    for name in ("assessments", "reads", "full", "scans", "full_scans"):
        assert ledger.total(name) == sum(getattr(entry, name) for entry in ledger.entries)
    assert ledger.share == ledger.total("assessments") / ledger.total("full")
    assert repr(ledger).startswith("Ledger(rounds=30, assessments=")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_rule_keeps_its_books(rule, n_classes):
    X, y = noisy_table(n_classes=n_classes)
    model = BoostedTreesClassifier(rule, n_estimators=20, max_depth=2, search="adaptive")
    ledger = model.fit(X, y).ledger_
    assert len(ledger) == len(model.estimators_)
    assert (ledger.assessments <= ledger.full).all()
    assert np.isfinite(ledger.error).all()


def test_full_does_not_depend_on_the_search():
    X, y = wide_table()
    ledgers = [
        BoostedTreesClassifier("real", search=search, n_estimators=15, max_depth=3)
        .fit(X, y)
        .ledger_
        for search in SEARCHES
    ]
    assert len({ledger.total("full") for ledger in ledgers}) == 1
    assert len({ledger.total("full_scans") for ledger in ledgers}) == 1
