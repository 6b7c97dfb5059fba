"""Runs on iterables: broken off anywhere, they continue from a new generator."""

from __future__ import annotations

import numpy as np
import pytest
from filterboost_helpers import same, small_model

from frugalboost.streams import ArrayOracle, IterableOracle

pytestmark = pytest.mark.thorough

N_BATCHES, BATCH = 60, 500


def batches():
    for number in range(N_BATCHES):
        X = np.random.default_rng(number).integers(0, 2, (BATCH, 9))
        yield X, X[:, :5].sum(axis=1) > 2


def rows():
    for X, y in batches():
        yield from zip(X.tolist(), y.tolist(), strict=True)


class Breaking:
    """A generator of batches that Ctrl-C stops after so many."""

    def __init__(self, most):
        self.items, self.left = batches(), most

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return next(self.items)


def model(path=None, **options):
    options = {"max_depth": 1, "max_rounds": 12, "sample_constant": 300, **options}
    return small_model(checkpoint=path, checkpoint_rounds=1, **options)


@pytest.fixture(scope="module")
def whole():
    return model().fit_stream(IterableOracle(batches()))


@pytest.mark.parametrize("source", [batches, rows])
@pytest.mark.parametrize("n_rounds", [1, 6, 7, 8, 11, 12])
def test_a_new_generator_continues_a_run(tmp_path, whole, n_rounds, source):
    path = tmp_path / "run"
    part = model(path, max_rounds=n_rounds).fit_stream(IterableOracle(source()))
    assert (n_rounds < 7) == (part.n_examples_ < 10_000)  # before and after the first chunk
    again = model(path).fit_stream(IterableOracle(source()), resume=True)
    assert same(again, whole)


def test_so_it_does_round_after_round(tmp_path, whole):
    for n_rounds in range(1, 13):
        oracle = IterableOracle(batches())
        again = model(tmp_path / "run", max_rounds=n_rounds).fit_stream(oracle, resume=True)
    assert same(again, whole)


@pytest.mark.parametrize("most", [20, 25, 31, 40])
def test_so_it_does_after_an_interruption(tmp_path, whole, most):
    path = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        model(path).fit_stream(IterableOracle(Breaking(most)))
    assert path.exists()
    assert same(model(path).fit_stream(IterableOracle(batches()), resume=True), whole)


def test_so_it_does_after_the_last_example(tmp_path):
    whole = model(max_rounds=500).fit_stream(IterableOracle(batches()))
    assert whole.stop_reason_ == "stream"
    path = tmp_path / "run"
    for _ in range(2):
        again = model(path, max_rounds=500).fit_stream(IterableOracle(batches()), resume=True)
        assert same(again, whole)


def test_a_generator_that_was_drawn_from_is_refused(tmp_path):
    path = tmp_path / "run"
    oracle = IterableOracle(batches())
    model(path, max_rounds=7).fit_stream(oracle)
    held = path.read_bytes()
    with pytest.raises(ValueError, match="oracle must be a new one") as error:
        model(path).fit_stream(oracle, resume=True)
    assert str(error.value) == (
        "FilterBoostClassifier: oracle must be a new one to resume, as its source can be iterated "
        f"only once; got one that has yielded {oracle._n_items} items. Create an oracle from a new "
        "generator, or from a function that returns one; see docs/streams.md."
    )
    assert path.read_bytes() == held


def test_another_kind_of_oracle_or_a_shorter_source_is_said_with_the_file(tmp_path):
    path = tmp_path / "run"
    model(path, max_rounds=7).fit_stream(IterableOracle(batches()))
    X, y = next(batches())
    said = "checkpoint must be of a run with the same kind of oracle, on the same source; got .*run"
    for oracle, reason in (
        (
            ArrayOracle(X, y),
            "state must come from an oracle of the same kind; got 'IterableOracle'",
        ),
        (IterableOracle([(X, y)]), r"source must yield the \d+ examples .*; got 500\.$"),
    ):
        with pytest.raises(ValueError, match=f"{said}.*{reason}"):
            model(path).fit_stream(oracle, resume=True)
