"""What leaves say, against the same formulas in NumPy: equal to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugalboost import native

SIZES = [1, 2, 7, 8, 9, 15, 16, 31, 127, 128, 129, 300, 1000]


def random_sums(n_leaves: int, *shape: int) -> np.ndarray:
    """Sums that differ by many orders of magnitude, so that the order of addition shows."""
    rng = np.random.default_rng(n_leaves)
    return rng.lognormal(0.0, 8.0, (n_leaves, *shape))


@pytest.mark.parametrize("n_leaves", SIZES)
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_leaves_name_their_heaviest_class(n_leaves, n_classes):
    sums = random_sums(n_leaves, n_classes)
    classes = sums.argmax(axis=1)
    lost = sums.copy()
    lost[np.arange(n_leaves), classes] = 0.0
    codes, right, wrong = native.name_classes(sums)
    assert right == sums.max(axis=1).sum()
    assert wrong == (sums.min(axis=1).sum() if n_classes == 2 else lost.sum())
    named = codes[:, 0] > 0 if n_classes == 2 else codes.argmax(axis=1)
    assert (named == classes).all()
    assert set(codes.ravel().tolist()) <= {1.0, -1 / (n_classes - 1)}


def test_ties_go_to_the_lowest_class():
    codes, right, wrong = native.name_classes(np.array([[2.0, 2.0], [0.0, 0.0]]))
    assert codes.tolist() == [[-1.0], [-1.0]]
    assert (right, wrong) == (2.0, 2.0)
    assert native.name_classes(np.array([[1.0, 4.0, 4.0]]))[0].tolist() == [[-0.5, 1.0, -0.5]]


@pytest.mark.parametrize("values", [[[0.5], [-0.5]], [[-0.25, -0.25, 0.5], [0.5, -0.25, -0.25]]])
def test_only_misses_rise(values):
    rise = native.raise_misses(np.array(values), 0.7)
    named = [1, 0] if len(values[0]) == 1 else [2, 0]
    expected = np.full(rise.shape, 0.7)
    expected[[0, 1], named] = 0.0
    assert rise.tolist() == expected.tolist()


@pytest.mark.parametrize("n_leaves", SIZES)
def test_newton_values(n_leaves):
    sums = random_sums(n_leaves, 2, 1)
    sums[::2, 1] *= -1
    values, error, largest = native.newton_values(sums, 1.5, 4.0)
    weight, numerator = sums[:, 0], sums[:, 1]
    expected = np.clip(numerator / (weight + 1.5), -4.0, 4.0)
    assert values.tolist() == expected.tolist()
    assert error == (weight * expected**2).sum() / weight.sum()
    assert largest == np.abs(expected).max()


@pytest.mark.parametrize("n_leaves", SIZES)
def test_mean_values(n_leaves):
    sums = random_sums(n_leaves, 2, 1)
    sums[1::2, 1] *= -1
    values, mean_square, largest = native.mean_values(sums)
    weight, numerator = sums[:, 0], sums[:, 1]
    expected = numerator / weight
    assert values.tolist() == expected.tolist()
    assert mean_square == (weight / weight.sum() * expected**2).sum()
    assert largest == np.abs(expected).max()


@given(
    st.lists(st.tuples(*[st.integers(-(2**62), 2**62)] * 4), min_size=1, max_size=20),
    st.integers(-1100, 1100),
    st.integers(-1100, 1100),
)
def test_sums_are_scaled_by_halves(rows, first, second):
    sums = np.array(rows, dtype=np.int64)
    with np.errstate(over="ignore"):
        expected = np.hstack([np.ldexp(sums[:, :2], -first), np.ldexp(sums[:, 2:], -second)])
    assert native.scale_sums(sums, first, second).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: native.name_classes(np.ones((2, 1))), "at least two classes"),
        (lambda: native.name_classes(np.ones((0, 2))), "at least two classes"),
        (lambda: native.raise_misses(np.ones((2, 0)), 1.0), "values must have a column"),
        (lambda: native.newton_values(np.ones((2, 2, 3)), 1.0, 1.0), "a single output"),
        (lambda: native.mean_values(np.ones((0, 2, 1))), "a single output"),
    ],
)
def test_shapes_are_checked(call, message):
    with pytest.raises(ValueError, match=message):
        call()
