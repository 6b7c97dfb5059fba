"""How many threads a fit or a prediction uses: as many as requested, never more than allowed."""

from __future__ import annotations

import multiprocessing
import os
import threading
from functools import cache
from numbers import Integral
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from frugalboost._core import is_limited, limit_threads, max_threads


def count_threads(n_jobs: Any) -> int:
    """Return the number of threads that ``n_jobs`` stands for.

    None means every thread that this process may use, unless `joblib.parallel_config` says
    otherwise; a joblib task gets its share, or one thread if joblib does not say. Negative numbers
    count from the end as in scikit-learn: -1 is all, -2 all but one.

    >>> count_threads(1)
    1
    """
    rule = f"n_jobs must be None or an integer other than 0; got {n_jobs!r}."
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral)):
        raise TypeError(rule)
    if n_jobs == 0:
        raise ValueError(rule)
    if n_jobs == 1:
        return 1
    wanted, allowed = _wanted(None if n_jobs is None else int(n_jobs)), allowed_threads()
    return max(1, min(wanted, allowed) if wanted > 0 else allowed + 1 + wanted)


def allowed_threads() -> int:
    """Threads that this process may use: more than it has cores would only wait for each other.

    Its affinity and a container's quota limit the cores. OMP_NUM_THREADS applies until
    `threadpoolctl.threadpool_limits` sets another limit, OMP_THREAD_LIMIT always.
    """
    allowed = min(max_threads(), _cores())
    return allowed if THREAD_LIMIT is None else min(allowed, THREAD_LIMIT)


def _wanted(n_jobs: int | None) -> int:
    """What the caller, or joblib on behalf of the caller, requested."""
    backend, configured = get_active_backend()
    # Not the number of workers that a backend could start: threads need no processes, so they are
    # available even where joblib would refuse workers with a warning, as inside multiprocessing.
    if getattr(backend, "uses_threads", False) and backend.effective_n_jobs(2) == 1:
        return 1
    if n_jobs is None:
        n_jobs = configured
    if n_jobs is None:
        return _share() if getattr(backend, "nesting_level", 0) else -1
    return n_jobs


def _share() -> int:
    """Threads of a joblib task, -1 for all allowed. Loky tells each of its processes, by
    OMP_NUM_THREADS, its share of the cores, or what the user has set. Other tasks are told nothing;
    multiprocessing's processes inherit a number that is meant for the whole program."""
    is_main = threading.current_thread() is threading.main_thread()
    return -1 if is_main and _is_loky_process() and NUM_THREADS is not None else 1


def _is_loky_process() -> bool:
    return "loky" in type(multiprocessing.current_process()).__module__.split(".")


def _cores() -> int:
    has_affinity = hasattr(os, "sched_getaffinity")
    n_processors = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count()
    return _counted_cores(n_processors, os.environ.get("LOKY_MAX_CPU_COUNT"))


@cache
def _counted_cores(n_processors: int | None, limit: str | None) -> int:
    """Cached: joblib reads files to find a container's quota, which is slower than predicting."""
    return int(joblib.cpu_count())


def _number_in(variable: str) -> int | None:
    """OpenMP's variables may hold one number for each level of nested loops; the first counts."""
    text = os.environ.get(variable, "").split(",")[0].strip()
    return int(text) if text.isdecimal() and int(text) > 0 else None


# Read once, as OpenMP does: a limit that is set later replaces the first of these.
NUM_THREADS = _number_in("OMP_NUM_THREADS")
THREAD_LIMIT = _number_in("OMP_THREAD_LIMIT")


def _limit(n_threads: int) -> None:
    """Limit the core's threads, 0 meaning no limit; it stores the number in 32 bits."""
    limit_threads(min(n_threads, 2**31 - 1))


class NoLimit(int):
    """Number of threads where nothing limits them. Setting it again means no limit: cores may have
    been added, and a limit of the old number would leave them idle."""


def _register() -> None:
    """Register our threads with threadpoolctl, under the API name that similar libraries use."""
    try:
        from threadpoolctl import LibController, register
    except ImportError:  # not installed, or older than 3.2
        return

    class ThreadController(LibController):  # type: ignore[misc]
        user_api = "openmp"
        internal_api = "frugalboost"
        filename_prefixes = ("_core",)
        check_symbols = ("frugalboost_get_num_threads", "frugalboost_set_num_threads")

        def get_num_threads(self) -> int:
            return max_threads() if is_limited() else NoLimit(max_threads())

        def set_num_threads(self, num_threads: int) -> None:
            _limit(0 if isinstance(num_threads, NoLimit) else int(num_threads))

        def get_version(self) -> None:
            """None, as for OpenMP: there is no version apart from the package's."""

    register(ThreadController)


_limit(NUM_THREADS or 0)
_register()
