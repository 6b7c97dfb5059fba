"""How many threads a fit takes: what was asked for, and never more than it is allowed."""

from __future__ import annotations

import builtins
import io
import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from threading import Thread

import joblib
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import frugalboost._core
from forked import start
from frugalboost import _threads
from frugalboost._threads import allowed_threads, count_threads

CORES = allowed_threads()

pytestmark = [pytest.mark.usefixtures("every_core"), pytest.mark.thorough]
needs_two = pytest.mark.skipif(CORES < 2, reason="needs two cores")

needs_affinity = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs affinity")


@contextmanager
def one_core():
    """A while in which the process may use a single core."""
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(mine)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, mine)


def count(n_jobs):
    return count_threads(n_jobs)


def counts(n_jobs):
    """In a worker of joblib's, which cannot import this file."""
    from frugalboost._threads import count_threads

    return [count_threads(each) for each in n_jobs]


class TestNJobs:
    def test_none_is_every_core(self):
        assert count(None) == count(-1) == CORES

    def test_large_numbers_are_all_cores_and_negative_ones_count_from_them(self):
        assert count(2**40) == CORES
        assert count(-2) == max(1, CORES - 1)
        assert count(-CORES) == count(-1 - CORES) == count(-(2**40)) == 1

    @pytest.mark.parametrize(("n_jobs", "error"), [(0, ValueError), (1.5, TypeError)])
    def test_others_are_refused(self, n_jobs, error):
        with pytest.raises(error, match="n_jobs must be None or an integer other than 0"):
            count(n_jobs)


class TestCores:
    @needs_two
    def test_limit_of_cores_holds(self, monkeypatch):
        monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
        assert count(None) == count(-1) == count(64) == 1

    @needs_two
    @needs_affinity
    def test_affinity_holds_and_is_seen_to_change(self):
        with one_core():
            assert count(None) == count(64) == 1
        assert count(None) == CORES

    @needs_two
    @pytest.mark.skipif(sys.platform != "linux", reason="containers of Linux")
    @pytest.mark.parametrize(
        "files",
        [
            {"cpu.max": "150000 100000"},
            {"cpu/cpu.cfs_quota_us": "50000", "cpu/cpu.cfs_period_us": "100000"},
        ],
        ids=["cgroup-2", "cgroup-1"],
    )
    def test_quota_of_a_container_holds(self, monkeypatch, files):
        with fake_files("/sys/fs/cgroup/", files, monkeypatch):
            # A core and a half are two, half of one is one.
            assert count(None) == count(64) == (2 if "cpu.max" in files else 1)


@contextmanager
def fake_files(folder, files, monkeypatch):
    """A while in which a folder holds these files only, and cores are counted anew."""
    exists, open_ = os.path.exists, builtins.open
    inside = {folder + name: text for name, text in files.items()}

    def is_there(path):
        return path in inside if str(path).startswith(folder) else exists(path)

    def opened(path, *rest, **more):
        return io.StringIO(inside[path]) if path in inside else open_(path, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os.path, "exists", is_there)
        patch.setattr(builtins, "open", opened)
        patch.setattr(_threads, "_counted_cores", _threads._counted_cores.__wrapped__)
        yield


class TestJoblib:
    def test_none_is_what_joblib_is_told(self):
        with joblib.parallel_config(n_jobs=1):
            assert count(None) == 1
            assert count(-1) == CORES
        with joblib.parallel_config(n_jobs=2):
            assert count(None) == min(2, CORES)
        with joblib.parallel_config(n_jobs=-1):
            assert count(None) == CORES

    def test_sequential_is_one(self):
        with joblib.parallel_config("sequential"):
            assert count(None) == count(-1) == count(64) == 1

    def test_loky_workers_share_the_cores(self, monkeypatch):
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)  # loky would pass it on
        n_workers = 2
        with joblib.Parallel(n_jobs=n_workers, backend="loky") as parallel:
            found = parallel([joblib.delayed(counts)([None, -1, 64])] * n_workers)
        share = max(1, joblib.cpu_count() // n_workers)
        assert found == [[min(CORES, share)] * 3] * n_workers

    def test_inner_threads_that_joblib_is_told_hold(self):
        with joblib.parallel_config("loky", inner_max_num_threads=1):
            found = joblib.Parallel(n_jobs=2)([joblib.delayed(counts)([None, -1, 64])] * 2)
        assert found == [[1, 1, 1]] * 2

    @pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
    @pytest.mark.parametrize("backend", ["threading", "multiprocessing"])
    def test_tasks_that_are_told_nothing_have_one(self, backend):
        found = joblib.Parallel(n_jobs=2, backend=backend)(
            [joblib.delayed(counts)([None, 1, -1])] * 2
        )
        assert found == [[1, 1, CORES]] * 2

    def test_one_task_at_a_time_has_all(self):
        assert joblib.Parallel(n_jobs=1)([joblib.delayed(count)(None)]) == [CORES]


@needs_two
class TestThreadpoolctl:
    @pytest.mark.parametrize("options", [{}, {"user_api": "openmp"}])
    def test_limits_hold(self, options):
        with threadpool_limits(limits=1, **options):
            assert count(None) == count(64) == count(-1) == 1
        assert count(None) == CORES

    def test_limits_of_others_do_not(self):
        with threadpool_limits(limits=1, user_api="blas"):
            assert count(None) == CORES

    def test_limit_is_that_of_the_process(self):
        found = []
        with threadpool_limits(limits=1):
            other = Thread(target=lambda: found.append(count(None)))
            other.start()
            other.join()
        assert found == [1]

    def test_limits_may_be_nested(self):
        with threadpool_limits(limits=2):
            with threadpool_limits(limits=1):
                assert count(None) == 1
            assert count(None) == 2

    @needs_affinity
    def test_limit_that_does_not_bite_yet_is_kept(self):
        with ExitStack() as stack:
            with one_core():
                stack.enter_context(threadpool_limits(limits=1))
            assert count(None) == count(64) == 1
        assert count(None) == CORES

    @needs_affinity
    def test_no_limit_is_none_again_when_there_are_more_cores(self):
        with one_core(), threadpool_limits(limits=1):
            assert count(None) == 1
        assert count(None) == CORES

    def test_info_lists_us(self):
        (ours,) = (each for each in threadpool_info() if each["internal_api"] == "frugalboost")
        assert ours["num_threads"] >= CORES
        assert os.path.samefile(ours["filepath"], frugalboost._core.__file__)


PRINT = """
from frugalboost._threads import count_threads
print(count_threads(None), count_threads(64))
"""


TASKS = """
import sys
import joblib
from frugalboost._threads import count_threads
tasks = [joblib.delayed(count_threads)(None)] * 2
print(*joblib.Parallel(n_jobs=2, backend=sys.argv[1])(tasks))
"""


@pytest.fixture(scope="module")
def usual():
    """What is printed without any variable."""
    return run(PRINT)


def run(script, *arguments, **environment):
    """What a program prints that runs this; OpenMP's variables are those given."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("OMP_")} | environment
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@needs_two
class TestEnvironment:
    @pytest.mark.parametrize("variable", ["OMP_NUM_THREADS", "OMP_THREAD_LIMIT"])
    def test_variables_of_openmp_hold(self, variable):
        assert run(PRINT, **{variable: "1"}) == ["1", "1"]
        assert run(PRINT, **{variable: " 1 , 4"}) == ["1", "1"]

    @pytest.mark.parametrize("text", ["", "0", "-3", "many", "99999999999999999999"])
    def test_those_without_a_meaning_do_not(self, text, usual):
        assert run(PRINT, OMP_NUM_THREADS=text) == usual

    def test_they_give_no_more_threads_than_cores(self, usual):
        assert run(PRINT, OMP_NUM_THREADS="64") == usual

    def test_limit_that_is_set_afterwards_replaces_the_number_only(self):
        script = (
            f"import frugalboost._threads, threadpoolctl; threadpoolctl.threadpool_limits(2){PRINT}"
        )
        assert run(script, OMP_NUM_THREADS="1") == ["2", "2"]
        assert run(script, OMP_THREAD_LIMIT="1") == ["1", "1"]

    @pytest.mark.parametrize(
        ("backend", "expected"), [("loky", "2"), ("multiprocessing", "1"), ("threading", "1")]
    )
    def test_only_loky_means_it_for_each_task(self, backend, expected):
        assert run(TASKS, backend, OMP_NUM_THREADS="2") == [expected] * 2

    @pytest.mark.parametrize("missing", ["None", "types.ModuleType('threadpoolctl')"])
    def test_threadpoolctl_may_be_absent_or_old(self, missing, usual):
        script = f"import sys, types; sys.modules['threadpoolctl'] = {missing}{PRINT}"
        assert run(script) == usual


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
with threadpool_limits(limit, user_api="openmp") if limit else nullcontext():
    model.fit(X, y).predict(X)
    n_started = count() - before  # BLAS starts its own when its limit is set again
print(n_started, fb.digest(model))
"""


# Prints how many threads have been started when columns are stored by rows, first on one and then
# on two. To check the codes of so small a table starts none, whatever it is allowed.
ROWS = """
import os
import numpy as np
from frugalboost import BinnedDataset

X = np.random.default_rng(0).random((8_000, 4)) > 0.7
one, two = (BinnedDataset.from_data(X, n_jobs=1) for _ in range(2))
count = lambda: len(os.listdir("/proc/self/task"))
before = count()
one._make_columns(n_threads=2).read_share(1)
print(count() - before)
two._make_columns(n_threads=1).read_share(2)
print(count() - before)
"""


def fit(*arguments):
    """What the program prints, in a process that has fitted nothing."""
    return run_forked(FIT, *arguments)


def run_forked(script, *arguments):
    program = start(script, *arguments)
    out, err = program.communicate(timeout=300)
    assert program.returncode == 0, err
    return out.split()


@needs_two
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
class TestThreadsThatRun:
    def test_each_number_starts_as_many_and_fits_the_same_model(self):
        alone, digest = fit("1", "None")
        assert alone == "0"
        assert fit("2", "None") == ["1", digest]
        # The default in a program that was started like a user's.
        assert run(FIT, "None", "None") == [str(CORES - 1), digest]

    def test_who_fits_decides_how_many_store_columns_by_rows(self):
        assert run_forked(ROWS) == ["0", "1"]

    def test_many_jobs_start_no_more_threads_than_cores(self):
        assert fit("64", "None")[0] == str(CORES - 1)

    def test_no_thread_is_started_where_one_is_allowed(self):
        assert fit("2", "1")[0] == "0"
        assert run(FIT, "None", "None", OMP_NUM_THREADS="1")[0] == "0"
