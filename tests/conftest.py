"""Makes this folder importable, so that every test can say ``from strategies import ...``; and
gives each of several processes that run tests its share of the cores."""

from __future__ import annotations

import os
from collections.abc import Iterator

N_PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

if N_PROCESSES > 1:
    # Before NumPy is imported. Threads of BLAS wait awake, on cores that other processes need.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis  # noqa: E402
import joblib  # noqa: E402
import pytest  # noqa: E402

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile("any", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("any")


def pytest_configure(config: pytest.Config) -> None:
    """None as n_jobs is this process's share. Neither OMP_NUM_THREADS nor a limit of threadpoolctl:
    tests that ask for two threads must have two, or they would compare a fit with itself."""
    if N_PROCESSES > 1:
        share = max(1, joblib.cpu_count() // N_PROCESSES)
        config.add_cleanup(joblib.parallel_config(n_jobs=share).unregister)


@pytest.fixture
def every_core() -> Iterator[None]:
    """None as n_jobs is every core again, as it is for a user who has told joblib nothing."""
    with joblib.parallel_config(n_jobs=None):
        yield
