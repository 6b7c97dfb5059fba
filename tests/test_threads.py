"""How many threads a fit takes: what was asked for, and never more than it is allowed."""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import get_context

import joblib
import pytest
from threadpoolctl import threadpool_limits

from frugalboost._checks import count_threads
from frugalboost._core import max_threads

CORES = min(joblib.cpu_count(), max_threads())

needs_two = pytest.mark.skipif(CORES < 2, reason="needs two cores and OpenMP")

# Prints how many threads a fit and a prediction started, and the model's digest. The table is large
# enough for a team of threads to be worth waking.
FIT = """
import os, sys
import numpy as np
import frugalboost as fb
from contextlib import nullcontext
from threadpoolctl import threadpool_limits

n_jobs, limit = (eval(argument) for argument in sys.argv[1:])
rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 30)).astype(np.float32)
y = X[:, 0] + rng.normal(size=len(X)) > 0
model = fb.BoostedTreesClassifier("adaboost", n_estimators=3, max_depth=2, n_jobs=n_jobs)
count = lambda: len(os.listdir("/proc/self/task"))
before = count()
with threadpool_limits(limit) if limit else nullcontext():
    model.fit(X, y).predict(X)
print(count() - before, fb.digest(model))
"""


def threads_started(n_jobs, limit=None, **environment):
    command = [sys.executable, "-c", FIT, repr(n_jobs), repr(limit)]
    variables = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"} | environment
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    started, digest = done.stdout.split()
    return int(started), digest


def test_none_is_one_thread_unless_joblib_is_told_otherwise():
    assert count_threads(None, owner="Model") == 1
    with joblib.parallel_config(n_jobs=2):
        assert count_threads(None, owner="Model") == min(2, CORES)
        assert count_threads(1, owner="Model") == 1
    with joblib.parallel_config(n_jobs=-1):
        assert count_threads(None, owner="Model") == CORES


def test_large_numbers_are_all_cores_and_negative_ones_count_from_them():
    assert count_threads(2**40, owner="Model") == CORES
    assert count_threads(-1, owner="Model") == CORES
    assert count_threads(-1 - joblib.cpu_count(), owner="Model") == 1


@needs_two
def test_limits_of_threadpoolctl_hold():
    assert count_threads(64, owner="Model") == CORES
    with threadpool_limits(1):
        assert count_threads(64, owner="Model") == 1
        assert count_threads(-1, owner="Model") == 1
    assert count_threads(2, owner="Model") == 2


@needs_two
def test_limit_of_cores_holds(monkeypatch):
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    assert count_threads(-1, owner="Model") == 1
    assert count_threads(64, owner="Model") == 1


@needs_two
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs a system with affinity")
def test_affinity_holds():
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(mine)})
    try:
        assert count_threads(-1, owner="Model") == 1
    finally:
        os.sched_setaffinity(0, mine)


def test_workers_of_joblib_share_the_cores():
    n_workers = 2
    with joblib.Parallel(n_jobs=n_workers, backend="loky") as parallel:
        for n_jobs in (None, -1, 64):
            calls = [joblib.delayed(count_threads)(n_jobs, owner="Model")] * n_workers
            assert sum(parallel(calls)) <= max(n_workers, CORES)


@needs_two
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
class TestThreadsThatRun:
    def test_two_jobs_start_one_more_thread_and_fit_the_same_model(self):
        alone, digest = threads_started(None)
        assert alone == 0
        assert threads_started(2) == (1, digest)

    def test_many_jobs_start_no_more_threads_than_cores(self):
        assert threads_started(64)[0] == CORES - 1

    def test_no_thread_is_started_where_one_is_allowed(self):
        assert threads_started(2, limit=1)[0] == 0
        assert threads_started(2, OMP_NUM_THREADS="1")[0] == 0


def fit_digest(n_jobs):
    import numpy as np

    import frugalboost as fb

    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 30)).astype(np.float32)
    y = X[:, 0] + rng.normal(size=len(X)) > 0
    return fb.digest(fb.BoostedTreesClassifier(n_estimators=2, n_jobs=n_jobs).fit(X, y))


@needs_two
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_process_fits_where_openmp_would_wait_for_threads_left_behind():
    expected = fit_digest(2)  # starts the threads that a child does not inherit
    with get_context("fork").Pool(1) as pool:
        assert pool.apply_async(fit_digest, (2,)).get(timeout=60) == expected
