"""A category with many values and as many missing: every branch has all cases that miss it."""

from __future__ import annotations

import signal
import sys
import time

import pytest

from forked import start

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory, and /proc"),
]

SCRIPT = """
import resource, signal, sys
import numpy as np
from frugalboost import C45Classifier
def table(n):
    rng = np.random.default_rng(0)
    category = rng.integers(min(n // 4, 60_000), size=n).astype(float)
    X = np.column_stack([category, rng.normal(size=n)])
    X[rng.random(n) < 0.5, 0] = np.nan
    return X, rng.integers(2, size=n)
model = C45Classifier(categorical_features=[0], pruning=None)
X, y = table(int(sys.argv[1]))
"""

SCARCE = """
model.fit(*table(100))
in_use = resource.getpagesize() * int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (in_use + (80 << 20), resource.RLIM_INFINITY))
print(model.fit(X, y).estimators_[0].n_leaves > 2000)
"""

INTERRUPTED = """
from frugalboost import native
signal.signal(signal.SIGINT, signal.default_int_handler)
grow = native.grow_c45
def grow_and_tell(*arguments):
    print("growing", flush=True)
    return grow(*arguments)
native.grow_c45 = grow_and_tell
model.fit(X, y)
"""

HANGS = 300
"""Seconds after which a program is given up; none of them takes nearly as long."""


def test_memory_does_not_grow_by_branches():
    """All branches at once would need 250 megabytes."""
    out, err = start(SCRIPT + SCARCE, 12_000).communicate(timeout=HANGS)
    assert out == "True\n", err


def test_control_c_ends_a_fit():
    """Sixty thousand branches, each of half a million cases: the fit would take an hour."""
    process = start(SCRIPT + INTERRUPTED, 1_000_000)
    try:
        assert process.stdout.readline() == "growing\n", process.stderr.read()
        # "growing" is printed before the core is entered. A signal at once could end the program
        # before that, even with a core that never polls. The fit is far from over by then.
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=HANGS)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in err
