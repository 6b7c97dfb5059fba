"""An ensemble is the weighted sum of its trees."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from boosting_helpers import random_block, random_ensemble, stump

from frugalboost.boosting import Ensemble


@pytest.fixture(params=[1, 3], ids=["one output", "three outputs"])
def ensemble(request):
    return random_ensemble(np.random.default_rng(0), n_outputs=request.param)


@pytest.fixture
def block(ensemble):
    return random_block(np.random.default_rng(1), ensemble)


def spread(ensemble, block):
    """The block with all features again, as single trees want it."""
    X = np.full((len(block), ensemble.n_features), np.nan)
    X[:, ensemble.used_features] = block
    return X


def test_decision_is_the_baseline_and_the_trees_in_order(ensemble, block):
    expected = np.full((len(block), ensemble.n_outputs), ensemble.baseline)
    X = spread(ensemble, block)
    for tree, step in zip(ensemble.trees, ensemble.steps, strict=True):
        expected += step * tree.predict(X)
    assert (ensemble.decision(block) == expected).all()


def test_stages_are_the_decisions_of_the_heads(ensemble, block):
    X = spread(ensemble, block)
    stages = list(ensemble.staged_decision(block))
    assert len(stages) == len(ensemble)
    for n, stage in enumerate(stages, start=1):
        head = ensemble.head(n)
        columns = np.ascontiguousarray(X[:, head.used_features])
        assert (stage == head.decision(columns)).all()


def test_the_last_stage_is_the_decision_to_the_bit(ensemble, block):
    *_, last = ensemble.staged_decision(block)
    assert (last == ensemble.decision(block)).all()


def test_every_stage_is_an_array_of_its_own(ensemble, block):
    expected = [stage.copy() for stage in ensemble.staged_decision(block)]
    for stage, right in zip(ensemble.staged_decision(block), expected, strict=True):
        assert (stage == right).all()
        stage[:] = np.nan


def test_matrices_of_all_features_say_the_same(ensemble, block):
    X = spread(ensemble, block)
    assert (ensemble.decision(X) == ensemble.decision(block)).all()
    assert (ensemble.apply(X) == ensemble.apply(block)).all()
    *_, last = ensemble.staged_decision(np.asfortranarray(X))
    assert (last == ensemble.decision(block)).all()


def test_threads_change_no_bit(ensemble, block):
    many = np.tile(block, (200, 1))
    assert (ensemble.decision(many, n_threads=2) == ensemble.decision(many)).all()


def test_apply_has_a_column_for_each_tree(ensemble, block):
    X = spread(ensemble, block)
    expected = np.column_stack([tree.apply(X) for tree in ensemble.trees])
    assert (ensemble.apply(block) == expected).all()


def test_head_shares_trees_and_grows_alone(ensemble):
    head = ensemble.head(3)
    assert head.trees == ensemble.trees[:3]
    assert head.steps == ensemble.steps[:3]
    head.append(stump(np.random.default_rng(9), ensemble.n_outputs), 1.0, restarted=False)
    assert (len(head), len(ensemble)) == (4, 7)


def test_a_tree_appended_after_a_prediction_counts(ensemble, block):
    before = ensemble.decision(block)
    ensemble.append(ensemble.trees[0], 1.0, restarted=False)
    assert (ensemble.decision(block) != before).any()


def test_importances_sum_to_one_and_weigh_trees_by_their_steps(ensemble):
    expected = np.zeros(5)
    for tree, step in zip(ensemble.trees, ensemble.steps, strict=True):
        for feature, gain in zip(tree.feature, tree.gain, strict=True):
            if feature >= 0:
                expected[feature] += step * gain / tree.gain.sum()
    assert ensemble.importances() == pytest.approx(expected / expected.sum())
    assert ensemble.importances().sum() == pytest.approx(1.0)


def test_importances_of_trees_that_do_not_split_are_zero():
    ensemble = random_ensemble(np.random.default_rng(0), n_trees=1)
    tree = ensemble.trees[0]
    no_gain = replace(tree, gain=np.zeros_like(tree.gain))
    alone = Ensemble(5, 1)
    alone.append(no_gain, 1.0, restarted=False)
    assert (alone.importances() == 0).all()


def test_equal_ensembles_have_equal_digests(ensemble):
    assert pickle.loads(pickle.dumps(ensemble)).digest() == ensemble.digest()
    assert ensemble.copy().digest() == ensemble.digest()


ARRAYS = list(stump(np.random.default_rng(0)).arrays())


@pytest.mark.parametrize("name", ARRAYS)
def test_the_digest_changes_with_any_array(ensemble, name):
    tree = ensemble.trees[-1]
    array = getattr(tree, name).copy()
    array[0] = array[0] + 1 if name != "threshold" else np.nextafter(array[0], np.inf)
    changed = ensemble.copy()
    changed.trees[-1] = replace(tree, **{name: array})
    assert changed.digest() != ensemble.digest()


def test_the_digest_changes_with_steps_baseline_order_and_extra(ensemble):
    longer = ensemble.copy()
    longer.steps[2] = float(np.nextafter(longer.steps[2], 2.0))
    shifted = replace(ensemble, baseline=0.5)
    turned = ensemble.copy()
    turned.trees[:2] = turned.trees[1::-1]
    digests = {each.digest() for each in (ensemble, longer, shifted, turned, ensemble.head(6))}
    assert len(digests | {ensemble.digest(b"extra")}) == 6


def test_a_pickle_holds_no_compiled_forest(ensemble, block):
    decision = ensemble.decision(block)
    again = pickle.loads(pickle.dumps(ensemble))
    assert again._forest is again._narrow is None
    assert (again.decision(block) == decision).all()
