"""Ctrl-C is heard while the core bins, not only afterwards."""

from __future__ import annotations

import signal
import time

import numpy as np
import pytest

from frugalboost import native

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")


@pytest.fixture
def heard():
    """Moments at which a signal was heard that comes again and again."""
    moments = []
    before = signal.signal(signal.SIGALRM, lambda *_: moments.append(time.perf_counter()))
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    yield moments
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def table(n_rows, n_columns=8):
    """Many rows that take no memory: all are the same."""
    return np.broadcast_to(np.linspace(0, 1, n_columns, dtype=np.float32), (n_rows, n_columns))


def find_bins(n_rows):
    return lambda: native.find_bins([table(n_rows)], 256, 1)


def encode(n_rows):
    """All columns are written to the same place."""
    X, nothing = table(n_rows), np.empty(0, dtype=np.uint16)
    places = {
        "dense8": np.empty((1, n_rows), dtype=np.uint8),
        "dense16": np.empty((0, n_rows), dtype=np.uint16),
        "sparse_indptr": np.zeros(1, dtype=np.int64),
        "sparse_rows": np.empty(0, dtype=np.uint32),
        "sparse_codes": nothing,
        "sparse_default": nothing,
        "storage": np.zeros(X.shape[1], dtype=np.int8),
        "slot": np.zeros(X.shape[1], dtype=np.int32),
    }
    offsets = np.zeros(X.shape[1] + 1, dtype=np.int64)
    return lambda: native.encode([X], np.empty(0), offsets, **places, n_threads=1)


@pytest.mark.thorough
@pytest.mark.parametrize("work", [find_bins, encode])
def test_signals_are_heard_in_the_middle_of_a_call(work, heard):
    for n_rows in (1_000_000 * 2**doubled for doubled in range(8)):
        call = work(n_rows)
        started = time.perf_counter()
        call()
        ended = time.perf_counter()
        if ended - started > 0.6:
            # One that is only heard at the end is heard after it.
            assert sum(started < moment < ended - 0.1 for moment in heard) >= 2
            return
    pytest.skip("this machine is too fast")
