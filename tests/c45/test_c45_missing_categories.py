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
signal.signal(signal.SIGINT, signal.default_int_handler)
def table(n):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(n // 4, size=n).astype(float), rng.normal(size=n)])
    X[rng.random(n) < 0.5, 0] = np.nan
    return X, rng.integers(2, size=n)
model = C45Classifier(categorical_features=[0], pruning=None)
model.fit(*table(100))
X, y = table(int(sys.argv[1]))
in_use = 4096 * int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (in_use + (80 << 20), resource.RLIM_INFINITY))
print("ready", flush=True)
print(model.fit(X, y).estimators_[0].n_leaves > 2000)
"""


def test_memory_does_not_grow_by_branches():
    """All branches at once would need 250 megabytes."""
    out, err = start(SCRIPT, 12_000).communicate(timeout=60)
    assert out.split() == ["ready", "True"], err


def test_control_c_ends_a_fit_soon():
    process = start(SCRIPT, 100_000)
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        time.sleep(1.0)
        assert process.poll() is None, "the fit was over too soon to be interrupted"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=5)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in err
