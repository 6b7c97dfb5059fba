"""Fits in forked processes, in several Python threads, and while the interpreter ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import joblib
import pytest

from fit_digests import fit_digest
from forked import start
from frugalboost._threads import allowed_threads

pytestmark = [pytest.mark.usefixtures("every_core"), pytest.mark.thorough]
needs_two = pytest.mark.skipif(allowed_threads() < 2, reason="needs two cores")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
forks = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def fit_digest_and_threads(n_jobs):
    """And how many threads were started, where that can be seen."""
    before = n_threads()
    return fit_digest(n_jobs), n_threads() - before


def n_threads():
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0


@pytest.fixture(scope="module")
def expected():
    """Digest of a fit on one thread; then one on two, whose worker a child does not inherit."""
    alone = fit_digest(1)
    assert fit_digest(2) == alone
    return alone


@needs_two
@needs_fork
@forks
class TestForks:
    def test_child_of_a_process_that_has_fitted_starts_threads(self, expected):
        with get_context("fork").Pool(1) as pool:
            digest, started = pool.apply_async(fit_digest_and_threads, (2,)).get(timeout=120)
        assert digest == expected
        assert started == (1 if os.path.isdir("/proc/self/task") else 0)

    def test_default_is_every_core_there_as_well(self, expected):
        with get_context("fork").Pool(1) as pool:
            digest, started = pool.apply_async(fit_digest_and_threads, (None,)).get(timeout=120)
        assert digest == expected
        assert started == (allowed_threads() - 1 if os.path.isdir("/proc/self/task") else 0)

    def test_parent_fits_on_after_the_child(self, expected):
        child = os.fork()
        if child == 0:
            signal.alarm(120)
            os._exit(0 if fit_digest(2) == expected else 1)
        assert fit_digest(2) == expected
        assert os.waitpid(child, 0)[1] == 0

    def test_child_of_a_process_that_has_not(self, expected):
        script = (
            "import os, sys; sys.path[:0] = sys.argv[1:]\n"
            "from fit_digests import fit_digest\n"
            "child = os.fork(); print(fit_digest(2), flush=True)\n"
            "if child == 0: os._exit(0)\n"
            "assert os.waitpid(child, 0)[1] == 0"
        )
        program = start(script, os.path.dirname(__file__))
        out, err = program.communicate(timeout=300)
        assert (program.returncode, err) == (0, "")
        assert out.split() == [expected] * 2


@forks
@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_tasks_of_joblib_fit(backend, n_jobs, expected):
    found = joblib.Parallel(n_jobs=2, backend=backend)([joblib.delayed(fit_digest)(n_jobs)] * 4)
    assert found == [expected] * 4


def test_python_threads_fit_at_once(expected):
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(fit_digest, [2, None, 2, 1] * 2)) == [expected] * 8


# Programs whose interpreters end while threads of the core wait or work.
ENDINGS = {
    "threads wait awake": "print(fit_digest(2))",
    "threads wait asleep": "print(fit_digest(2)); time.sleep(0.05)",
    "a thread has fitted": "Thread(target=lambda: print(fit_digest(2))).start()",
    **{
        f"a daemon thread fits {n_rows} rows with n_jobs={n_jobs}": f"fit_on({n_rows}, {n_jobs})"
        for n_rows in (50, 100_000)
        for n_jobs in (1, 2)
    },
}

# Each program is a fork of one that has imported what they need; unlike those of `forked`, it ends
# as an interpreter does. Of a fit in a daemon thread the program does not wait for the end:
# between the rounds of a small one it asks for the GIL again and again, in those of a large one for
# as long as the interpreter needs to end.
FORKS = """
import json, os, signal, sys, time, warnings
from threading import Thread
sys.path[:0] = sys.argv[2:]
warnings.simplefilter("ignore", DeprecationWarning)  # of forks where BLAS has threads
import numpy as np
import frugalboost as fb
from fit_digests import fit_digest

def fit_on(n_rows, n_jobs):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n_rows, 20)).astype(np.float32), rng.integers(2, size=n_rows)
    model = fb.BoostedTreesClassifier(n_estimators=10**6, max_depth=None, n_jobs=n_jobs)
    data = fb.BinnedDataset.from_data(X)
    Thread(target=model.fit, args=(data, y), daemon=True).start()
    time.sleep(0.3)

for name, code in json.loads(sys.argv[1]).items():
    child = os.fork()
    if child == 0:
        signal.alarm(100)  # one that hangs is named, and does not stay
        break
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(name, status, sep=": ", flush=True)
else:
    code = ""
exec(code)
"""


@needs_fork
def test_interpreters_end_while_threads_wait_or_work(expected):
    said = run_python(FORKS, json.dumps(ENDINGS), os.path.dirname(__file__)).splitlines()
    wanted = []
    for name, code in ENDINGS.items():
        wanted += [*([expected] if "fit_digest" in code else []), f"{name}: 0"]
    assert said == wanted


def run_python(script, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stderr == ""
    return done.stdout


# A table on which the search for a split needs megabytes in every thread. The limit of
# memory rises until the fit succeeds: in small steps, memory is denied once wherever it is asked
# for.
SHORT_OF_MEMORY = """
import resource, sys
import numpy as np
import frugalboost as fb

rng = np.random.default_rng(0)
X = rng.permuted(np.tile(np.arange(30_000), (2, 1)), axis=1).T
y = rng.integers(0, 40, len(X))
data = fb.BinnedDataset.from_data(X, max_bins=65535, categorical_features=[0, 1], n_jobs=4)
fit = lambda X, y: fb.digest(
    fb.BoostedTreesClassifier("real", n_estimators=1, max_depth=1, n_jobs=4).fit(X, y)
)
small = rng.normal(size=(20_000, 30)), y[:20_000] % 2
digest = fit(*small)  # starts the threads, whose stacks need room as well
in_use = 4096 * int(open("/proc/self/statm").read().split()[0])
n_denied, found = 0, None
for megabytes in range(2, 400, int(sys.argv[1])):
    resource.setrlimit(resource.RLIMIT_AS, (in_use + (megabytes << 20), resource.RLIM_INFINITY))
    try:
        found = fit(data, y)
        break
    except MemoryError:
        n_denied += 1
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
print(n_denied, found, fit(data, y), digest == fit(*small))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory, and /proc")
@pytest.mark.parametrize("step", [48, pytest.param(12, marks=pytest.mark.slow)])
def test_want_of_memory_is_an_error_from_which_one_can_go_on(step):
    n_denied, found, again, is_same = run_python(SHORT_OF_MEMORY, str(step)).split()
    assert int(n_denied) > 0
    assert found == again
    assert is_same == "True"
