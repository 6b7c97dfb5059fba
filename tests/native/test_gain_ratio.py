"""Gain ratios in the core: the reference's trees, from every search, storage and thread."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_helpers import STORAGES, as_nested, grow, nested_reference

from frugalboost.reference import TreeGrower, gain_ratio
from frugalboost.tree import SEARCHES
from strategies import TinyProblem, problems

pytestmark = pytest.mark.thorough

RATIO = {"criterion": "gain_ratio"}  # which the reference has as a search on entropies
ARRAYS = ("feature", "bin", "left", "missing_left", "category_words", "loss", "gain", "sums")


def storages_for(problem: TinyProblem) -> st.SearchStrategy[list[str]]:
    n = len(problem.columns)
    return st.lists(st.sampled_from(STORAGES), min_size=n, max_size=n)


@pytest.mark.parametrize("layout", ["classes", "votes"])
@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_every_search_grows_the_reference_tree(layout: str, data: st.DataObject) -> None:
    problem = data.draw(problems(layout, "entropy", categorical=None))
    limits = {
        "max_depth": data.draw(st.integers(1, 4)),
        "max_leaf_nodes": data.draw(st.none() | st.integers(2, 6)),
    }
    reference = TreeGrower(
        problem.columns, gain_ratio, min_samples_leaf=problem.min_samples_leaf, **limits
    ).grow(problem.rows())
    tree = grow(
        problem,
        data.draw(storages_for(problem)),
        data.draw(st.sampled_from(SEARCHES)),
        **RATIO,
        **limits,
    )
    assert as_nested(tree, problem) == nested_reference(reference, problem)


@settings(deadline=None, max_examples=80)
@given(data=st.data(), layout=st.sampled_from(["classes", "votes"]))
def test_searches_storages_and_threads_agree_to_the_last_bit(
    data: st.DataObject, layout: str
) -> None:
    problem = data.draw(problems(layout, "entropy", categorical=None, max_rows=60, max_features=8))
    limits = {"max_depth": data.draw(st.integers(1, 6))}
    exact = grow(problem, ["dense8"] * len(problem.columns), "exhaustive", **RATIO, **limits)
    for search in SEARCHES:
        storages = data.draw(storages_for(problem))
        for n_threads in (1, 3):
            other = grow(problem, storages, search, n_threads=n_threads, **RATIO, **limits)
            for name in ARRAYS:
                assert np.array_equal(exact[name], other[name]), name
