"""The compiled grower against the reference, and against itself."""

from __future__ import annotations

import signal
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_helpers import STORAGES, as_nested, grow, make_columns, nested_reference, no_cuts

from frugalboost import native
from frugalboost.reference import Column, TreeGrower, ap_boost, assessments
from frugalboost.tree import CRITERIA, SEARCHES
from strategies import TinyProblem, problems

ARRAYS = (
    "feature",
    "bin",
    "left",
    "right",
    "missing_left",
    "category_start",
    "category_words",
    "loss",
    "gain",
    "n_samples",
    "sums",
    "leaf_of_row",
)


def storages_for(problem: TinyProblem) -> st.SearchStrategy[list[str]]:
    n = len(problem.columns)
    return st.lists(st.sampled_from(STORAGES), min_size=n, max_size=n)


@pytest.mark.thorough
@settings(deadline=None, max_examples=300)
@given(data=st.data(), problem=problems(categorical=None))
def test_every_search_grows_the_reference_tree(data: st.DataObject, problem: TinyProblem) -> None:
    storages = data.draw(storages_for(problem))
    max_leaf_nodes = data.draw(st.none() | st.integers(2, 6))
    max_depth = data.draw(st.integers(1, 4))
    search = data.draw(st.sampled_from(SEARCHES))
    reference = TreeGrower(
        problem.columns,
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=problem.min_samples_leaf,
    ).grow(problem.rows())
    tree = grow(problem, storages, search, max_depth=max_depth, max_leaf_nodes=max_leaf_nodes)
    assert as_nested(tree, problem) == nested_reference(reference, problem)


@pytest.mark.thorough
@settings(deadline=None, max_examples=120)
@given(data=st.data(), problem=problems(categorical=None, max_rows=60, max_features=8))
def test_searches_storages_and_threads_agree_to_the_last_bit(
    data: st.DataObject, problem: TinyProblem
) -> None:
    n = len(problem.columns)
    limits = {
        "max_depth": data.draw(st.integers(1, 6)),
        "max_leaf_nodes": data.draw(st.none() | st.integers(2, 9)),
    }
    exact = grow(problem, ["dense8"] * n, "exhaustive", **limits)
    for search in SEARCHES:
        storages = data.draw(storages_for(problem))
        for n_threads in (1, 3):
            other = grow(problem, storages, search, n_threads=n_threads, **limits)
            for name in ARRAYS:
                assert np.array_equal(exact[name], other[name]), name
            assert other["full"] == exact["full"]
            assert other["assessments"] <= other["full"]
            assert other["full_scans"] == exact["full_scans"]


@pytest.mark.thorough
@pytest.mark.parametrize("layout", ["classes", "votes"])
@settings(deadline=None, max_examples=80)
@given(data=st.data())
def test_algorithm_1_of_ap_boost_does_the_work_of_the_reference(
    layout: str, data: st.DataObject
) -> None:
    problem = data.draw(problems(layout, "error", categorical=None, max_rows=60, max_features=8))
    tree = grow(problem, data.draw(storages_for(problem)), "ap_boost", max_depth=1)
    arms = problem.arms()
    ap_boost(arms)
    is_searched = tree["full"] > 0
    assert tree["assessments"] == (assessments(arms) if is_searched else 0)


@settings(deadline=None, max_examples=100)
@given(problem=problems(categorical=None))
def test_exhaustive_sees_everything_once_per_searched_node(problem: TinyProblem) -> None:
    # It reads less: the most frequent code of a column follows from the totals.
    storages = ["dense8"] * len(problem.columns)
    tree = grow(problem, storages, "exhaustive", max_depth=1)
    n_searched = sum(column.n_codes > 1 for column in problem.columns)
    splittable = tree["full"] > 0
    assert tree["assessments"] == tree["full"]
    assert tree["full"] == (len(problem.labels) * n_searched if splittable else 0)
    assert tree["reads"] <= tree["full"]
    n_codes = sum(column.n_codes for column in problem.columns if column.n_codes > 1)
    assert tree["scans"] == tree["full_scans"] == (n_codes if splittable else 0)


def test_only_the_rows_and_features_given_are_used(two_columns: TinyProblem) -> None:
    columns = make_columns(two_columns.columns, ["dense8", "sparse"])
    grower = native.Grower(
        columns,
        **no_cuts(2),
        criterion=0,
        search=2,
        max_depth=1,
        max_leaf_nodes=0,
        min_samples_leaf=1,
        quick_mass=0.9,
        quick_steps=20,
        n_threads=1,
    )
    tree = grower.grow(
        layout=0,
        n_outputs=2,
        labels=two_columns.labels.astype(np.uint32),
        weights=two_columns.weights[:, np.newaxis],
        mass=two_columns.weights,
        rows=np.array([3, 1, 0], dtype=np.uint32),
        features=np.array([1], dtype=np.uint32),
    ).arrays()
    assert set(tree["feature"].tolist()) <= {-1, 1}
    # The row left out is where the tree sends it: with rows of its own code.
    leaves, codes = grower.leaf_of_row(), two_columns.columns[1].codes
    assert leaves[2] in leaves[[0, 1, 3]][codes[[0, 1, 3]] == codes[2]]
    assert tree["sums"][0].sum() == two_columns.weights[[0, 1, 3]].sum()


@pytest.fixture
def two_columns() -> TinyProblem:
    return TinyProblem(
        "classes",
        "error",
        2,
        [Column(np.array([0, 1, 0, 1], np.uint8), 2), Column(np.array([0, 0, 1, 1], np.uint8), 2)],
        np.array([0, 1, 0, 1]),
        np.array([4, 3, 2, 1]),
        np.zeros((4, 1), np.int64),
        1,
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"labels": np.array([0, 2, 0, 1], np.uint32)},
            "labels must be below the number of",
        ),
        ({"rows": np.array([0, 9], np.uint32)}, "rows must be in range"),
        ({"rows": np.array([], np.uint32)}, "rows must name between one and all rows"),
        ({"rows": np.array([3, 1, 0, 3], np.uint32)}, "rows must name no row twice"),
        ({"rows": np.array([1, 1], np.uint32)}, "rows must name no row twice"),
        ({"features": np.array([1, 0], np.uint32)}, "features must be ascending"),
        ({"features": np.array([2], np.uint32)}, "features must be ascending and in range"),
        ({"mass": np.ones(3, np.int64)}, "one row per row of the columns"),
        ({"layout": 7}, "layout and n_outputs are out of range"),
    ],
)
def test_the_core_refuses_arrays_that_do_not_fit(
    two_columns: TinyProblem, change: dict[str, object], message: str
) -> None:
    options = {"criterion": 0, "search": 0, "max_depth": 1, "max_leaf_nodes": 0}
    options |= {"min_samples_leaf": 1, "quick_mass": 0.9, "quick_steps": 20, "n_threads": 1}
    columns = make_columns(two_columns.columns, ["dense8", "dense16"])
    grower = native.Grower(columns, **no_cuts(2), **options)
    arguments: dict[str, object] = {
        "layout": 0,
        "n_outputs": 2,
        "labels": two_columns.labels.astype(np.uint32),
        "weights": two_columns.weights[:, np.newaxis],
        "mass": two_columns.weights,
        "rows": np.arange(4, dtype=np.uint32),
        "features": np.arange(2, dtype=np.uint32),
    }
    with pytest.raises(ValueError, match=message):
        grower.grow(**{**arguments, **change})
    with pytest.raises(ValueError, match="there must be a last tree"):
        grower.leaf_of_row()


class InterruptionError(Exception):
    pass


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no timers there")
def test_a_grower_that_was_interrupted_has_no_tree_and_grows_the_right_one_next() -> None:
    random = np.random.default_rng(0)
    n, n_features = 200_000, 40
    codes = random.integers(0, 200, (n_features, n))
    columns = make_columns([Column(each, 200) for each in codes], ["dense8"] * n_features)
    weights = native.GrowingWeights(random.integers(0, 2, n).astype(np.uint8), None, 2)
    features = np.arange(n_features, dtype=np.uint32)
    options = {"criterion": CRITERIA.index("gini"), "search": SEARCHES.index("incremental")}
    options |= {"max_depth": 40, "max_leaf_nodes": 0, "min_samples_leaf": 1, "quick_steps": 20}

    def make() -> native.Grower:
        return native.Grower(columns, **no_cuts(n_features), **options, quick_mass=0.9, n_threads=1)

    def interrupt(*_: object) -> None:
        raise InterruptionError

    grower = make()
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(InterruptionError):
            grower.grow_on(weights, features)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(ValueError, match="there must be a last tree"):
        grower.leaf_of_row()
    with pytest.raises(ValueError, match="the last tree"):
        grower.advance(weights, np.ones((1, 2)))
    again, fresh = grower.grow_on(weights, features), make().grow_on(weights, features)
    for name, values in fresh.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], values, err_msg=name)
