"""A bar for those who wait, Ctrl-C for those who do not."""

from __future__ import annotations

import signal
import sys
import time

import numpy as np
import pytest

from absent_rich import remove_rich
from forked import start
from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor, digest

X = np.random.default_rng(0).normal(size=(50, 3))
Y = (X[:, 0] > 0).astype(int)

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("kind", [BoostedTreesClassifier, BoostedTreesRegressor])
def test_verbose_shows_a_bar_on_standard_error(kind, capsys):
    pytest.importorskip("rich")
    model = kind(n_estimators=4, max_depth=1, verbose=1).fit(X, Y)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert kind.__name__ in shown.err
    assert f"{len(model.estimators_)}/4" in shown.err
    assert "nan" not in shown.err
    assert "error" not in shown.err
    assert "of all assessments" in " ".join(shown.err.split())
    assert digest(model) == digest(kind(n_estimators=4, max_depth=1).fit(X, Y))


def test_the_bar_goes_on_with_warm_start(capsys):
    pytest.importorskip("rich")
    model = BoostedTreesRegressor(n_estimators=4, verbose=1, warm_start=True).fit(X, Y)
    capsys.readouterr()
    model.set_params(n_estimators=6).fit(X, Y)
    assert "6/6" in capsys.readouterr().err


def test_silence_is_the_default(capsys):
    BoostedTreesClassifier(n_estimators=4).fit(X, Y)
    assert capsys.readouterr() == ("", "")


def test_without_rich_the_fit_works_and_says_what_to_install(monkeypatch, capsys):
    remove_rich(monkeypatch)
    with pytest.warns(UserWarning, match=r'pip install "frugalboost\[progress\]"'):
        model = BoostedTreesRegressor(n_estimators=4, verbose=1).fit(X, Y)
    assert len(model.estimators_) == 4
    assert capsys.readouterr().err == ""


MANY_JOBS = """
import numpy as np
from frugalboost import BoostedTreesClassifier, digest
X = np.random.default_rng(0).normal(size=(20_000, 4))
y = X[:, 0] > 0
fit = lambda n_jobs: BoostedTreesClassifier(n_estimators=2, n_jobs=n_jobs).fit(X, y)
assert digest(fit({n_jobs})) == digest(fit(1))
assert len(fit({n_jobs}).predict(X)) == 20_000
print("done")
"""


@pytest.mark.parametrize("n_jobs", [64, 10**6, 2**40])
def test_more_jobs_than_any_machine_has(n_jobs):
    """In a process of its own: so many threads could end the interpreter."""
    process = start(MANY_JOBS.format(n_jobs=n_jobs))
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert out == "done\n"


LONG_FITS = {
    "many rounds": "BoostedTreesClassifier('log', n_estimators=10**7, max_depth=1)"
    ".fit(X[:50], y[:50])",
    "one large tree": "BoostedTreesClassifier(n_estimators=10**4, max_depth=None).fit(X, y)",
    "adaptive search": "BoostedTreesClassifier(n_estimators=10**4, search='adaptive').fit(X, y)",
    "regression": "BoostedTreesRegressor(n_estimators=10**5, max_depth=8, n_jobs=2).fit(X, y)",
    "categories of many classes": "BoostedTreesClassifier('real', n_estimators=10**4, n_jobs=1, "
    "max_depth=1, max_bins=65535, categorical_features=[0])"
    ".fit(np.arange(10**5)[:, None] % 60_000, rng.integers(150, size=10**5))",
}
SCRIPT = """
import numpy as np
from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor
rng = np.random.default_rng(0)
X = rng.normal(size=(100_000, 20)).astype(np.float32)
y = rng.integers(2, size=100_000)
print("ready", flush=True)
{fit}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one child there")
@pytest.mark.parametrize("fit", LONG_FITS.values(), ids=LONG_FITS)
def test_control_c_ends_a_long_fit_soon(fit):
    # The signal must reach Python's own handler, also where the test runner ignores it.
    script = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" + SCRIPT
    process = start(script.format(fit=fit))
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        time.sleep(1.0)
        assert process.poll() is None, "the fit was over too soon to be interrupted"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=5)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in err
    assert process.returncode != 0
