"""Residuals that the core keeps as integers, against the reference in plain Python."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from native_helpers import make_columns, no_cuts

from frugalboost import native
from frugalboost.reference import Column
from frugalboost.tree import CRITERIA, SEARCHES

FINITE = st.floats(allow_nan=False, allow_infinity=False)
TARGETS = st.lists(FINITE, min_size=1, max_size=20)
LARGEST = np.finfo(float).max


def numerators(residuals: native.Residuals) -> list[int]:
    return [int(each) for each in residuals.rows()[:, 1]]


def rounded_fraction(number: Fraction, exponent: int) -> int:
    return round(number * Fraction(2) ** exponent)


@settings(deadline=None)
@given(TARGETS, FINITE)
@example([LARGEST, -LARGEST], LARGEST)
@example([5e-324, 0.0], 0.0)
def test_starts_at_the_targets_less_the_start(targets: list[float], start: float) -> None:
    residuals = native.Residuals(np.array(targets), start)
    weight, exponent = residuals.exponents
    found = numerators(residuals)
    exact = [Fraction(target) - Fraction(start) for target in targets]
    # Floats differ from the exact difference by one rounding in 2^52 of it, integers by half.
    for each, wanted in zip(found, exact, strict=True):
        scaled = wanted * Fraction(2) ** exponent
        assert abs(each - scaled) <= Fraction(1, 2) + abs(scaled) / 2**52
    squares = sum(Fraction(each) ** 2 for each in found) / 2**weight
    assert len(targets) * 2**weight <= 2**50
    assert squares <= 2**56 * (1 + Fraction(1, 2**20))
    if any(each != 0 for each in exact):
        assert squares > 2**49


@pytest.mark.thorough
@settings(deadline=None)
@given(data=st.data(), targets=st.lists(st.floats(-100, 100), min_size=1, max_size=20))
def test_trees_see_the_targets_less_what_leaves_said(
    data: st.DataObject, targets: list[float]
) -> None:
    residuals = native.Residuals(np.array(targets), 0.0)
    n = len(targets)
    size = data.draw(st.sampled_from([1e-3, 1.0, 1e6]))
    said = [Fraction(0)] * n
    for _ in range(data.draw(st.integers(1, 40))):
        values = data.draw(st.lists(st.floats(-size, size), min_size=3, max_size=3))
        nodes = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
        residuals.advance(np.array(values), np.array(nodes, dtype=np.int32))
        said = [total + Fraction(values[node]) for total, node in zip(said, nodes, strict=True)]
        unit = Fraction(2) ** residuals.exponents[1]
        # Half a unit for each round since they were shown anew, of which there are at most 16.
        for each, target, total in zip(numerators(residuals), targets, said, strict=True):
            assert abs(each - (Fraction(target) - total) * unit) <= 9


def test_residuals_that_become_small_are_seen_as_sharply() -> None:
    residuals = native.Residuals(np.array([1.0, -1.0, 0.5, 0.25]), 0.0)
    exponent = residuals.exponents[1]
    for _ in range(40):
        exact = np.array(numerators(residuals)) * 2.0 ** -residuals.exponents[1]
        residuals.advance(0.5 * exact, np.arange(4, dtype=np.int32))
    assert residuals.exponents[1] > exponent + 25
    assert max(map(abs, numerators(residuals))) >= 2**15


@settings(deadline=None)
@given(TARGETS, st.lists(st.floats(allow_nan=False), min_size=1, max_size=6))
def test_sums_stay_in_range_whatever_a_tree_says(targets: list[float], values: list[float]) -> None:
    residuals = native.Residuals(np.array(targets), 0.0)
    nodes = np.zeros(len(targets), dtype=np.int32)
    for value in values:
        residuals.advance(np.array([value]), nodes)
        found = numerators(residuals)
        mass = sum(int(each) for each in residuals.mass())
        squares = sum(each**2 for each in found)
        assert squares <= mass * 2 ** residuals.exponents[0] < 2 ** (61 + residuals.exponents[0])
        assert sum(map(abs, found)) < 2**61


def test_mass_is_each_square_rounded_up() -> None:
    residuals = native.Residuals(np.array([3.0, -1.0, 0.25, 0.0]), 0.1)
    weight = 2 ** residuals.exponents[0]
    for each, mass in zip(numerators(residuals), residuals.mass(), strict=True):
        exact = Fraction(each) ** 2 / weight
        assert exact <= int(mass) <= exact * (1 + Fraction(1, 2**48)) + 1
    assert residuals.mass(stride=3).tolist() == residuals.mass()[::3].tolist()


def test_reset_goes_back() -> None:
    residuals = native.Residuals(np.array([1.0, 2.0, 4.0]), 0.5)
    start, exponents = numerators(residuals), residuals.exponents
    residuals.advance(np.array([1e9]), np.zeros(3, dtype=np.int32))
    assert residuals.exponents != exponents
    residuals.reset()
    assert (numerators(residuals), residuals.exponents) == (start, exponents)


def grower(columns: native.Columns, n_features: int, **limits: int) -> native.Grower:
    given: dict[str, Any] = {"max_leaf_nodes": 7, "min_samples_leaf": 1, "n_threads": 1, **limits}
    return native.Grower(
        columns,
        **no_cuts(n_features),
        criterion=CRITERIA.index("variance"),
        search=SEARCHES.index("incremental"),
        max_depth=8,
        quick_mass=0.9,
        quick_steps=20,
        **given,
    )


@pytest.mark.parametrize("storage", ["dense8", "dense16", "sparse"])
@pytest.mark.parametrize("limits", [{}, {"min_samples_leaf": 20}, {"n_threads": 2}])
def test_roots_from_leaves_are_those_from_rows(storage: str, limits: dict[str, int]) -> None:
    random = np.random.default_rng(7)
    n, n_features = 3000, 4
    codes = np.minimum(random.geometric(0.4, size=(n_features, n)) - 1, 7)
    columns = make_columns([Column(each, n_bins=8) for each in codes], [storage] * n_features)
    targets = codes[0] * 2.0 - (codes[1] > codes[2]) + random.normal(size=n)
    residuals = native.Residuals(targets, targets.mean())
    features = np.arange(n_features, dtype=np.uint32)
    kept = grower(columns, n_features, **limits)
    reads = []
    for _ in range(6):
        followed = kept.grow_on_residuals(residuals, features)
        built = grower(columns, n_features, **limits).grow_on_residuals(residuals, features)
        mine, theirs = followed.arrays(), built.arrays()
        assert mine.keys() == theirs.keys()
        for name in mine:
            np.testing.assert_array_equal(mine[name], theirs[name], err_msg=name)
        reads.append((followed.reads, built.reads))
        sums = followed.leaf_sums()
        weight, numerator = residuals.exponents
        means = np.ldexp(sums[:, 1], -numerator) / np.ldexp(sums[:, 0], -weight)
        kept.lower(residuals, 0.3 * means)
    assert reads[0][0] == reads[0][1]
    assert all(less < more for less, more in reads[1:])


def test_bad_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="targets must be finite"):
        native.Residuals(np.array([1.0, math.nan]), 0.0)
    with pytest.raises(ValueError, match="start must be finite"):
        native.Residuals(np.array([1.0]), math.inf)
    residuals = native.Residuals(np.array([1.0, 2.0]), 0.0)
    with pytest.raises(ValueError, match="one of the nodes for each row"):
        residuals.advance(np.array([1.0]), np.zeros(3, dtype=np.int32))
    with pytest.raises(ValueError, match="one of the nodes for each row"):
        residuals.advance(np.array([1.0]), np.array([0, 1], dtype=np.int32))
    with pytest.raises(ValueError, match="stride"):
        residuals.mass(0)
    columns = make_columns([Column(np.array([0, 1]), n_bins=2)], ["dense8"])
    with pytest.raises(ValueError, match="last tree"):
        grower(columns, 1).lower(residuals, np.array([1.0]))
    longer = native.Residuals(np.array([1.0, 2.0, 3.0]), 0.0)
    with pytest.raises(ValueError, match="of the rows of the columns"):
        grower(columns, 1).grow_on_residuals(longer, np.array([0], dtype=np.uint32))
