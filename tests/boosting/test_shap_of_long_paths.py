"""Shapley values where a path asks for thousands of features: bounded, and interruptible."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from long_chain import chain

from frugalboost.boosting.shap import Explainer

SCRIPT = """
import signal; signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from long_chain import chain
from frugalboost.boosting.shap import Explainer
explainer, X = Explainer(chain(2000)), np.zeros((4000, 2000))
print("ready", flush=True)
while True:
    explainer.values(X)
"""


@pytest.mark.parametrize("n_features", [1, 40, 2000])
def test_values_add_up(n_features):
    ensemble = chain(n_features)
    X = (np.arange(n_features) < np.array([[0], [n_features // 2], [n_features]])).astype(float)
    explainer = Explainer(ensemble)
    found = explainer.values(X)
    assert np.allclose(explainer.expected + found.sum(axis=1), ensemble.decision(X), atol=1e-12)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one child there")
def test_control_c_ends_an_explanation_soon():
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
    )
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
    finally:
        process.kill()
        process.communicate()
    assert "KeyboardInterrupt" in err
