"""What "auto" stands for, and that the defaults are the documented ones."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_regression

from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor, digest

KINDS = (BoostedTreesClassifier, BoostedTreesRegressor)


def table_for(kind):
    make = make_classification if kind is BoostedTreesClassifier else make_regression
    return make(600, 8, random_state=0)


@pytest.mark.parametrize("kind", KINDS)
def test_untouched_trees_have_31_leaves_of_20_rows(kind):
    X, y = table_for(kind)
    said = kind(max_depth=None, max_leaf_nodes=31, min_samples_leaf=20).fit(X, y)
    assert digest(kind().fit(X, y)) == digest(said)


@pytest.mark.parametrize("kind", KINDS)
def test_a_depth_is_the_only_limit_of_trees_that_have_one(kind):
    X, y = table_for(kind)
    said = kind(max_depth=7, max_leaf_nodes=None, min_samples_leaf=1).fit(X, y)
    by_depth = kind(max_depth=7).fit(X, y)
    assert digest(by_depth) == digest(said)
    assert max(tree.is_leaf.sum() for tree in by_depth.estimators_) > 31


@pytest.mark.parametrize("kind", KINDS)
def test_a_number_of_leaves_keeps_the_rows_of_a_leaf(kind):
    X, y = table_for(kind)
    model = kind(max_leaf_nodes=8).fit(X, y)
    assert max(tree.is_leaf.sum() for tree in model.estimators_) == 8
    assert min(tree.n_samples[tree.is_leaf].min() for tree in model.estimators_) == 20


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "invalid", "auto"),
    [
        ("max_leaf_nodes", 1, "'auto', None or an"),
        ("min_samples_leaf", 0, "'auto' or an"),
        ("learning_rate", 0, "'auto' or a"),
    ],
)
def test_no_text_but_auto_stands_for_a_number(kind, name, invalid, auto):
    X, y = table_for(kind)
    with pytest.raises(ValueError, match=f"{name} must be ") as by_number:
        kind(**{name: invalid}).fit(X, y)
    numbers = re.search(r"(finite number|integer) .*(?=; got)", str(by_number.value))[0]
    expected = re.escape(f"{name} must be {auto} {numbers}; got 'many'.")
    with pytest.raises(ValueError, match=expected):
        kind(**{name: "many"}).fit(X, y)


@pytest.mark.parametrize("n_classes", [2, 3, 8])
def test_the_untouched_classifier_is_logit_with_a_step_that_grows_with_the_classes(n_classes):
    X, y = make_classification(
        400, 8, n_informative=6, n_classes=n_classes, n_clusters_per_class=1, random_state=0
    )
    model = BoostedTreesClassifier().fit(X, y)
    rate = 0.1 * np.sqrt(n_classes / 2)
    assert digest(model) == digest(BoostedTreesClassifier("logit", learning_rate=rate).fit(X, y))
    assert model.estimator_weights_ == pytest.approx(np.full(100, rate))


def test_the_untouched_regressor_takes_steps_of_a_tenth():
    X, y = table_for(BoostedTreesRegressor)
    model = BoostedTreesRegressor().fit(X, y)
    assert model.estimator_weights_ == pytest.approx(np.full(100, 0.1))
