"""What holds for every oracle: the order, the end, the count, and going on from a state."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streams_helpers import MAKERS, N_ROWS, small_table, take

from frugalboost.streams import Oracle

every = pytest.mark.parametrize("kind", MAKERS)
few = settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
draw_sizes = st.lists(st.integers(1, 60), min_size=1, max_size=5)

ALL = sorted((*row, label) for row, label in zip(*(a.tolist() for a in small_table()), strict=True))


@every
def test_it_is_an_oracle(kind, tmp_path):
    assert isinstance(MAKERS[kind](tmp_path), Oracle)


@every
@few
@given(sizes=draw_sizes)
def test_how_many_are_asked_for_does_not_matter(kind, tmp_path, sizes):
    n = 3 * N_ROWS
    oracle = MAKERS[kind](tmp_path, recycle=True)
    assert take(oracle, n, sizes) == take(MAKERS[kind](tmp_path, recycle=True), n, [7])
    assert oracle.n_given == n


@every
@few
@given(at=st.integers(0, 3 * N_ROWS), sizes=draw_sizes)
def test_it_goes_on_from_its_state(kind, tmp_path, at, sizes):
    first, second = (MAKERS[kind](tmp_path, recycle=True) for _ in range(2))
    take(first, at, sizes)
    second.restore(json.loads(json.dumps(first.state())))
    assert second.state() == first.state()
    assert second.n_given == at
    assert take(second, 2 * N_ROWS) == take(first, 2 * N_ROWS)
    assert second.state() == first.state()


@every
def test_a_state_can_be_gone_back_to(kind, tmp_path):
    oracle = MAKERS[kind](tmp_path, recycle=True)
    take(oracle, 20)
    state = oracle.state()
    later = take(oracle, N_ROWS)
    oracle.restore(state)
    assert take(oracle, N_ROWS) == later


@every
def test_an_epoch_holds_every_row_once(kind, tmp_path):
    oracle = MAKERS[kind](tmp_path, recycle=True)
    epochs = [take(oracle, N_ROWS) for _ in range(2)]
    if "replacement" in kind:
        assert all(set(epoch) < set(ALL) for epoch in epochs)
    else:
        assert [sorted(epoch) for epoch in epochs] == [ALL, ALL]


@every
def test_it_ends_if_not_recycled(kind, tmp_path):
    oracle = MAKERS[kind](tmp_path, recycle=False)
    assert len(take(oracle, 10 * N_ROWS)) == N_ROWS
    for _ in range(2):
        X, y = oracle.draw(5)[:2]
        assert (X.shape, len(y)) == ((0, 2), 0)
    assert oracle.n_given == N_ROWS
    again = MAKERS[kind](tmp_path, recycle=False)
    again.restore(oracle.state())
    take(again, 1)
    assert again.n_given == N_ROWS


@every
def test_row_numbers_are_those_of_the_data(kind, tmp_path):
    oracle = MAKERS[kind](tmp_path, recycle=True)
    by_number = {}
    for _ in range(30):
        batch = oracle.draw(9)
        if batch.rows is None:
            assert kind.startswith(("batches", "rows", "csv", "arrow", "parquet, filtered"))
            return
        assert batch.rows.dtype == np.int64
        for row, x in zip(batch.rows.tolist(), batch.X.tolist(), strict=True):
            assert by_number.setdefault(row, x) == x
    assert oracle.n_rows == N_ROWS
    assert set(by_number) == set(range(N_ROWS))
    if kind != "blocks":
        assert [by_number[row] for row in range(N_ROWS)] == small_table()[0].tolist()


@every
@pytest.mark.parametrize("n", [0, -1, 2.5, True, "3", None])
def test_one_asks_for_a_number_of_examples(kind, tmp_path, n):
    oracle = MAKERS[kind](tmp_path)
    with pytest.raises((TypeError, ValueError), match=r"Oracle: n must be an integer >= 1; got"):
        oracle.draw(n)


@every
@pytest.mark.parametrize(
    "change",
    [
        {"oracle": "Other"},
        {"n_rows": N_ROWS + 1},
        {"settings": {"shuffle": "another"}},
        {"epoch": -1},
        {"position": None},
        {"n_given": 1.5},
    ],
)
def test_a_state_of_something_else_is_refused(kind, tmp_path, change):
    oracle = MAKERS[kind](tmp_path)
    take(oracle, 10)
    state = oracle.state()
    with pytest.raises((TypeError, ValueError), match=r"^\w+Oracle: state.* must .*got"):
        oracle.restore({**state, **change})
    assert oracle.state() == state


@every
def test_what_is_no_state_is_refused(kind, tmp_path):
    with pytest.raises(ValueError, match=r"^\w+Oracle: state must come from an oracle of the same"):
        MAKERS[kind](tmp_path).restore(None)


@every
@pytest.mark.parametrize("recycle", [None, 1, "yes"])
def test_recycle_is_true_or_false(kind, tmp_path, recycle):
    with pytest.raises(TypeError, match=r"Oracle: recycle must be True or False; got"):
        MAKERS[kind](tmp_path, recycle=recycle)
