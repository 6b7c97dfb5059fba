"""Memory that a run may take, and models read from the files that runs leave behind."""

from __future__ import annotations

import mmap

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.datasets import make_majority
from frugalboost.filtering.memory import (
    divide_memory,
    needed_bytes,
    peak_bytes,
    resident_bytes,
)
from frugalboost.filtering.scored_stream import CHUNK_BYTES, scores_bytes
from frugalboost.streams import ArrayOracle

X, y = make_majority(3000, n_features=12, n_relevant=5, noise=0.1, random_state=0)
MEGABYTE = 1 << 20


def model(**params):
    params = {"max_rounds": 12, "sample_constant": 60, "max_depth": 2, **params}
    return fb.FilterBoostClassifier(random_state=3, **params)


@pytest.mark.parametrize("spare", [40, 4000])
def test_a_limit_does_not_change_the_model(spare):
    limit = resident_bytes() + spare * MEGABYTE
    assert fb.digest(model(memory_limit=limit).fit(X, y)) == fb.digest(model().fit(X, y))


@pytest.mark.parametrize("fit", ["fit", "fit_stream", "partial_fit"])
def test_too_small_a_limit_says_how_much_is_needed(fit):
    given = (ArrayOracle(X, y, random_state=0),) if fit == "fit_stream" else (X, y)
    rule = r"memory_limit must be at least [\d,]+ MB for this run; .*; got"
    for limit, said in ((10_000_000, "10,000,000"), (1000, "1,000")):
        with pytest.raises(ValueError, match=rf"{rule} {said} bytes\.$"):
            getattr(model(memory_limit=limit), fit)(*given)


@pytest.mark.parametrize("limit", [0, -5])
def test_a_limit_is_a_number_of_bytes(limit):
    with pytest.raises(ValueError, match="memory_limit must be an integer >= 1"):
        model(memory_limit=limit).fit(X, y)


def test_a_limit_is_whole():
    with pytest.raises(TypeError, match="memory_limit must be an integer"):
        model(memory_limit=3e8).fit(X, y)


def plan_of(**params):
    estimator = model(**params)
    return estimator._setting(np.array([0, 1])).plan


@pytest.mark.parametrize("n_rows", [None, 10_000, 10_000_000])
@pytest.mark.parametrize("spare", [1, 30, 300])
def test_room_is_within_what_the_limit_leaves(n_rows, spare):
    plan = plan_of()
    needed = needed_bytes(plan, 160)
    limit = resident_bytes() + needed + spare * MEGABYTE
    budget = divide_memory(limit, plan, 160, n_rows)
    assert 256 * 160 <= budget.chunk_bytes <= CHUNK_BYTES
    wanted = scores_bytes(n_rows or 0, 1)
    # Other parts of the process may have taken or given back some pages meanwhile.
    if wanted < 0.9 * (spare - 1) * MEGABYTE:
        assert budget.kept_bytes == wanted
    else:
        assert 0.9 * (spare - 1) * MEGABYTE <= budget.kept_bytes <= 0.9 * (spare + 1) * MEGABYTE
    assert budget.kept_bytes + budget.chunk_bytes <= (spare + 1) * MEGABYTE + 256 * 160


def test_larger_rounds_and_trees_need_more():
    least = needed_bytes(plan_of(), 160)
    for params in ({"sample_constant": 6000}, {"max_rounds": 4000}, {"max_depth": 9}):
        assert needed_bytes(plan_of(**params), 160) > least


def test_peak_is_at_least_what_is_held_now():
    held = resident_bytes()
    assert held > 10 * MEGABYTE
    # From the system, for an allocator may answer with pages that it never gave back.
    with mmap.mmap(-1, 30 * MEGABYTE) as block:
        block.write(b"1" * (30 * MEGABYTE))
        assert resident_bytes() > held + 20 * MEGABYTE
    assert peak_bytes() > held + 20 * MEGABYTE


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"rule": "mada", "confidence_rated": True},
        {"pruning_fraction": 0.3, "criterion": "entropy", "max_depth": None},
    ],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_checkpoint_holds_the_model(tmp_path, params, n_classes):
    path = tmp_path / "run"
    labels = np.array(["a", "b", "c"])[(y > 0) * 1 + (n_classes == 3) * (X[:, 7] > 0)]
    fitted = model(checkpoint=path, **params).fit(X, labels)
    read = fb.FilterBoostClassifier.from_checkpoint(path)
    assert fb.digest(read) == fb.digest(fitted)
    assert read.classes_.tolist() == fitted.classes_.tolist()
    assert (read.predict_proba(X) == fitted.predict_proba(X)).all()
    assert (read.predict(X) == fitted.predict(X)).all()
    assert read.stop_reason_ == fitted.stop_reason_ == "rounds"
    assert read.n_examples_ == fitted.n_examples_
    assert read.certificate_ == fitted.certificate_
    assert read.ledger_.entries == fitted.ledger_.entries
    for name in params:
        assert getattr(read, name) == params[name]


class BreaksOff(ArrayOracle):
    """A source that fails after some examples."""

    def draw(self, n):
        if self.n_given > 14_000:
            raise ConnectionError("gone")
        return super().draw(n)


def test_a_run_that_was_broken_off_has_left_a_model(tmp_path):
    path = tmp_path / "run"
    with pytest.raises(ConnectionError, match="gone"):
        model(checkpoint=path, checkpoint_rounds=1, max_rounds=500).fit_stream(
            BreaksOff(X, y, random_state=0)
        )
    read = fb.FilterBoostClassifier.from_checkpoint(path)
    assert read.stop_reason_ == "unfinished"
    assert not read.certificate_.holds
    assert 0 < read.n_estimators_ < 500
    assert read.score(X, y) > 0.6
    whole = model(max_rounds=read.n_estimators_).fit_stream(ArrayOracle(X, y, random_state=0))
    assert fb.digest(whole) == fb.digest(read)


def test_a_checkpoint_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing"):
        fb.FilterBoostClassifier.from_checkpoint(tmp_path / "nothing")
