"""The heaviest rows that hold a share of the mass, found without sorting all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost import native

MASSES = st.lists(st.integers(0, 2**55) | st.integers(0, 3), min_size=1, max_size=60)
SHARES = st.floats(0, 1, exclude_min=True) | st.sampled_from([0.5, 0.9, 1.0])


def by_sorting(mass: list[int], share: float, rows: list[int]) -> list[int]:
    """Row after row, the heaviest first, of equal ones the first, until the share is there."""
    wanted = share * float(sum(mass[row] for row in rows))
    taken: list[int] = []
    for row in sorted(rows, key=lambda row: (-mass[row], row)):
        if float(sum(mass[each] for each in taken)) >= wanted:
            break
        taken.append(row)
    return sorted(taken)


@settings(deadline=None, max_examples=300)
@given(MASSES, SHARES)
def test_of_all_rows(mass: list[int], share: float) -> None:
    found = native.heaviest_rows(np.array(mass), share)
    assert found.tolist() == by_sorting(mass, share, list(range(len(mass))))


@settings(deadline=None, max_examples=300)
@given(st.data(), MASSES, SHARES)
def test_of_some_rows(data: st.DataObject, mass: list[int], share: float) -> None:
    among = sorted(data.draw(st.sets(st.integers(0, len(mass) - 1), min_size=1)))
    found = native.heaviest_rows(np.array(mass), share, np.array(among, dtype=np.uint32))
    assert found.tolist() == by_sorting(mass, share, among)


def test_bad_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        native.heaviest_rows(np.array([1, -1]), 0.5)
    for among in ([1, 0], [0, 2], [1, 1]):
        with pytest.raises(ValueError, match="ascending and in range"):
            native.heaviest_rows(np.array([1, 1]), 0.5, np.array(among, dtype=np.uint32))
