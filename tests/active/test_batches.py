"""Batches hold the most useful rows, each content once, whatever the sizes of pieces."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from frugalboost.active import batches
from frugalboost.active.batches import (
    best_first,
    first_free,
    leaf_distances,
    score_distances,
    spread,
)

TIED = st.lists(st.sampled_from([0.0, 0.5, 1.0, 7.0, np.inf]), min_size=1, max_size=60)


@given(TIED, st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_best_first_is_a_sort_by_utility_then_coin(utilities, first, seed):
    utilities = np.array(utilities)
    coins = np.random.default_rng(seed).random(len(utilities))
    found = np.concatenate(list(best_first(utilities, coins, first)))
    expected = sorted(range(len(utilities)), key=lambda row: (-utilities[row], coins[row]))
    assert found.tolist() == expected


def test_only_as_much_is_sorted_as_is_taken():
    utilities = np.arange(10_000.0)
    piece = next(best_first(utilities, utilities, first=8))
    assert piece.tolist() == list(range(9999, 9991, -1))


@given(
    st.lists(st.sampled_from("abcdef"), max_size=50),
    st.sets(st.sampled_from("abcdef")),
    st.integers(1, 8),
)
def test_first_free_keeps_the_first_of_each_content_that_is_not_taken(contents, taken, n):
    pieces = iter(np.array_split(np.arange(len(contents)), 3))
    found = first_free(
        pieces,
        n,
        lambda rows: [contents[row].encode() for row in rows],
        {t.encode() for t in taken},
    )
    expected = [contents.index(c) for c in dict.fromkeys(contents) if c not in taken]
    assert found.tolist() == expected[:n]


def test_contents_are_compared_in_small_pieces():
    sizes = []

    def keys_of(rows):
        sizes.append(len(rows))
        return [bytes([row % 3]) for row in rows]

    found = first_free(iter([np.arange(5 * batches.ROWS_AT_ONCE)]), 4, keys_of, set())
    assert found.tolist() == [0, 1, 2]
    assert sizes == [batches.ROWS_AT_ONCE] * 5


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 15))
def test_spread_takes_the_first_and_then_the_farthest(seed, n_points, n):
    points = np.random.default_rng(seed).integers(0, 5, size=(n_points, 2)).astype(float)
    found = spread(score_distances(points), n_points, n)
    assert len(set(found.tolist())) == min(n, n_points)
    chosen = [0]
    while len(chosen) < min(n, n_points):
        apart = {
            at: min(np.linalg.norm(points[at] - points[c]) for c in chosen)
            for at in range(n_points)
            if at not in chosen
        }
        chosen.append(max(apart, key=lambda at: (apart[at], -at)))
    assert found.tolist() == sorted(chosen)


def test_leaves_differ_by_the_share_of_trees_that_part_two_rows():
    leaves = np.array([[1, 2, 3, 4], [1, 2, 3, 5], [0, 0, 0, 0]])
    assert leaf_distances(leaves)(0).tolist() == [0.0, 0.25, 1.0]


def test_decisions_of_two_classes_have_distances_too():
    assert score_distances(np.array([1.0, -2.0]))(0).tolist() == [0.0, 3.0]
