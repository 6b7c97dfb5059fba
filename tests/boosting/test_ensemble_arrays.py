"""An ensemble taken apart and put together is the same, bit for bit."""

from __future__ import annotations

import io

import numpy as np
import pytest
from boosting_helpers import random_block, random_ensemble

from frugalboost.boosting import Ensemble
from frugalboost.boosting.ensemble import from_arrays, to_arrays


def through_a_file(arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    with np.load(file, allow_pickle=False) as found:
        return dict(found)


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("seed", range(5))
def test_there_and_back(n_outputs, seed):
    rng = np.random.default_rng(seed)
    ensemble = random_ensemble(rng, n_outputs=n_outputs)
    again = from_arrays(through_a_file(to_arrays(ensemble)))
    assert again.digest() == ensemble.digest()
    assert again.steps == ensemble.steps
    assert again.restarts == ensemble.restarts
    assert (again.baseline, again.n_features) == (ensemble.baseline, ensemble.n_features)
    block = random_block(rng, ensemble)
    assert (again.decision(block) == ensemble.decision(block)).all()
    for tree, other in zip(ensemble.trees, again.trees, strict=True):
        for name, array in tree.arrays().items():
            assert other.arrays()[name].dtype == array.dtype
            np.testing.assert_array_equal(other.arrays()[name], array)


def test_without_trees():
    empty = Ensemble(4, 2, 0.5)
    again = from_arrays(through_a_file(to_arrays(empty)))
    assert (len(again), again.n_features, again.n_outputs, again.baseline) == (0, 4, 2, 0.5)


def test_it_can_grow_on():
    """Trees of the copy do not share memory with the file's arrays."""
    ensemble = random_ensemble(np.random.default_rng(0))
    arrays = to_arrays(ensemble)
    again = from_arrays(arrays)
    for array in arrays.values():
        array[...] = 0
    assert again.digest() == ensemble.digest()
    again.append(ensemble.trees[0], 0.25, restarted=False)
    assert len(again) == len(ensemble) + 1
