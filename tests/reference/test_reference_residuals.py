"""Sums of residuals follow from the last ones, leaf by leaf, without reading a row."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from frugalboost.reference import histogram, next_root


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], list[int]]:
    """Codes, residuals and leaves of some rows, and the steps of the leaves."""
    n = draw(st.integers(1, 12))
    n_leaves = draw(st.integers(1, 4))
    codes = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    residuals = draw(st.lists(st.integers(-(2**50), 2**50), min_size=n, max_size=n))
    leaves = draw(st.lists(st.integers(0, n_leaves - 1), min_size=n, max_size=n))
    steps = draw(st.lists(st.integers(-(2**50), 2**50), min_size=n_leaves, max_size=n_leaves))
    return codes, residuals, leaves, steps


@given(trees())
def test_leaves_give_the_next_root(tree: tuple[list[int], list[int], list[int], list[int]]) -> None:
    codes, residuals, leaves, steps = tree
    rows = range(len(codes))
    of_leaf = [[row for row in rows if leaves[row] == leaf] for leaf in range(len(steps))]
    fallen = [residuals[row] - steps[leaves[row]] for row in rows]
    assert next_root([histogram(codes, residuals, some) for some in of_leaf], steps) == histogram(
        codes, fallen, rows
    )


def test_floats_would_not() -> None:
    residuals = np.array([0.1, 0.2, 0.3])
    fallen = residuals - 0.7
    assert residuals.sum() - 3 * 0.7 != fallen.sum()
