"""A tree says the same in other codes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_helpers import N_CATEGORIES, random_rows, random_tree, walk

from frugalboost.tree.flat import members, pack_bits, recode_categories, recoded


def known_codes(rng, sizes=N_CATEGORIES):
    """Which code each position stands for, for the two categorical features; in order."""
    return [np.sort(rng.choice(200, size=size, replace=False)).astype(float) for size in sizes]


def in_codes(X, known):
    """Positions replaced by their codes; those beyond become a code that is not known."""
    out = X.copy()
    for at, codes in enumerate(known, start=2):
        unknown = float(np.setdiff1d(np.arange(300), codes)[7])
        for row, x in enumerate(X[:, at]):
            if not np.isnan(x):
                out[row, at] = codes[int(x)] if x < len(codes) else unknown
    return out


@given(st.integers(0, 2**32), st.sampled_from([1, 3]))
def test_predictions_are_the_same_in_other_codes(seed, n_outputs):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=8, n_outputs=n_outputs)
    known = known_codes(rng)
    other = recode_categories(tree, [None, None, *known])
    X = random_rows(rng, 60)
    coded = in_codes(X, known)
    assert (other.predict(coded) == tree.predict(X)).all()
    assert other.apply(coded).tolist() == [walk(tree, row) for row in X]
    assert other.apply(coded).tolist() == [walk(other, row) for row in coded]


@given(st.integers(0, 2**32))
def test_sets_shorter_than_what_is_known(seed):
    """Positions that a set leaves out go where missing values go, before and after."""
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=8)
    known = known_codes(rng, (6, 90))
    other = recode_categories(tree, [None, None, *known])
    X = random_rows(rng, 60)
    X[:, 2] = rng.integers(0, 6, size=60)
    X[:, 3] = rng.integers(0, 90, size=60)
    assert (other.apply(in_codes(X, known)) == tree.apply(X)).all()


@given(st.integers(0, 2**32))
def test_unknown_codes_go_where_missing_values_go(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=8)
    known = known_codes(rng)
    other = recode_categories(tree, [None, None, *known])
    X = random_rows(rng, 40)
    X[:, 2:] = np.nan
    unknown = X.copy()
    for at, codes in enumerate(known, start=2):
        absent = np.setdiff1d(np.arange(400), codes)
        unknown[:, at] = rng.choice(absent, size=40)
    assert (other.apply(unknown) == other.apply(X)).all()


def test_only_the_sets_change():
    rng = np.random.default_rng(0)
    tree = random_tree(rng, n_splits=12)
    other = recode_categories(tree, [None, None, *known_codes(rng)])
    sets = {"category_start", "n_categories", "category_words"}
    for name, array in tree.arrays().items():
        assert other.arrays()[name].dtype == array.dtype
        if name not in sets:
            np.testing.assert_array_equal(other.arrays()[name], array)
    assert ((tree.category_start >= 0) == (other.category_start >= 0)).all()
    assert (-(-other.n_categories // 64)).sum() == len(other.category_words)


def test_a_tree_without_sets_stays_what_it_is():
    tree = random_tree(np.random.default_rng(1), n_features=2)
    assert recode_categories(tree, [None, None]) is tree


@pytest.mark.parametrize("n", [1, 63, 64, 65, 128, 200])
def test_bits_go_into_words_and_back(n):
    rng = np.random.default_rng(n)
    bits = rng.random(n) < 0.5
    words = pack_bits(bits)
    assert words.dtype == np.uint64
    assert len(words) == -(-n // 64)
    assert [bool(int(words[i // 64]) >> (i % 64) & 1) for i in range(n)] == bits.tolist()
    tree = random_tree(np.random.default_rng(1), n_features=2)
    first, size = np.full_like(tree.category_start, -1), np.zeros_like(tree.n_categories)
    first[0], size[0] = 0, n
    tree = replace(tree, category_start=first, n_categories=size, category_words=words)
    assert (members(tree, 0) == bits).all()


def test_recoded_sets():
    known = np.array([1, 3, 4])
    goes_left = np.array([True, False, True])
    assert recoded(goes_left, known, False).tolist() == [False, True, False, False, True]
    assert recoded(goes_left, known, True).tolist() == [True, True, True, False, True]
