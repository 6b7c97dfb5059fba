"""Makes this folder importable, so that every test can say ``from strategies import ...``; gives
each of several processes that run tests its share of the cores; lets interrupts count; shuffles
tests if asked to; and says at the end what skipped tests need."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

N_PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

if N_PROCESSES > 1:
    # Before NumPy is imported. Threads of BLAS wait awake, on cores that other processes need.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis  # noqa: E402
import joblib  # noqa: E402
import pytest  # noqa: E402

# How long an example takes depends on what else the machine does. Examples that failed are kept in
# the checkout; hypothesis warns where it cannot write there, and warnings are errors.
KEPT = {} if os.access(Path(__file__).parents[1], os.W_OK) else {"database": None}
hypothesis.settings.register_profile("any", hypothesis.settings(), deadline=None, **KEPT)
hypothesis.settings.load_profile("any")


def pytest_configure(config: pytest.Config) -> None:
    """None as n_jobs is this process's share. Neither OMP_NUM_THREADS nor a limit of threadpoolctl:
    tests that ask for two threads must have two, or they would compare a fit with itself."""
    # A shell's & and nohup make it ignored, here and in every process that a test starts.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if N_PROCESSES > 1:
        share = max(1, joblib.cpu_count() // N_PROCESSES)
        config.add_cleanup(joblib.parallel_config(n_jobs=share).unregister)


# First, so that pytest then groups tests by the fixtures which they share.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the order that a number in the environment stands for: all processes must agree on it."""
    seed = os.environ.get("FRUGALBOOST_TEST_ORDER")
    if seed is not None:
        items[:] = shuffled(items, random.Random(seed))


def shuffled(items: list[pytest.Item], chance: random.Random) -> list[pytest.Item]:
    """Files in another order, and the tests of each; mixed, they would make fixtures many times."""
    by_file: dict[str, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.nodeid.partition("::")[0], []).append(item)
    files = list(by_file.values())
    chance.shuffle(files)
    for tests in files:
        chance.shuffle(tests)
    return [test for tests in files for test in tests]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What skipped tests need, in one line; other reasons, each in its own."""
    reasons = Counter(skip_reason(report) for report in terminalreporter.stats.get("skipped", []))
    needs = [
        f"{n} {'need' if n > 1 else 'needs'} {reason.removeprefix('needs ')}"
        for reason, n in reasons.most_common()
        if reason.startswith("needs ")
    ]
    if needs:
        terminalreporter.write_line(f"skipped: {', '.join(needs)}")
    for reason, n in reasons.most_common():
        if not reason.startswith("needs "):
            terminalreporter.write_line(f"skipped: {n} ({reason})")


def skip_reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Without the place; a module that cannot be imported is a need as well."""
    _, _, message = report.longrepr
    reason = message.removeprefix("Skipped: ")
    absent = re.match(r"could not import '([^']+)'", reason)
    return f"needs {absent[1]}" if absent else reason


@pytest.fixture(scope="session", autouse=True)
def room_for_drafts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compilers and others put their files where tests have theirs: /tmp may be full."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path_factory.mktemp("drafts")))
        patch.setattr(tempfile, "tempdir", None)
        yield


@pytest.fixture(scope="session", autouse=True)
def one_command_line() -> Iterator[None]:
    """Typer's runner would rebuild the commands of the whole command line for each run."""
    testing = sys.modules.get("typer.testing")
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(testing, "_get_command"):
            patch.setattr(testing, "_get_command", cache(testing._get_command))
        yield


@pytest.fixture
def every_core() -> Iterator[None]:
    """None as n_jobs is every core again, as it is for a user who has told joblib nothing."""
    with joblib.parallel_config(n_jobs=None):
        yield
