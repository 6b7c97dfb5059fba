"""A bar for those who wait, Ctrl-C for those who do not."""

from __future__ import annotations

import re
import signal
import sys
import time
import zipfile

import numpy as np
import pytest
from filterboost_helpers import small_model, sums_of_digits

from absent_rich import remove_rich
from forked import start
from frugalboost import FilterBoostClassifier, digest

X, Y = sums_of_digits()


def test_verbose_shows_rounds_examples_acceptance_and_bound(capsys, monkeypatch):
    pytest.importorskip("rich")
    monkeypatch.setenv("COLUMNS", "200")
    model = small_model(verbose=1).fit(X, Y)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "FilterBoostClassifier" in shown.err
    assert "12/12" in shown.err
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\s+", " ", shown.err)
    last = model.ledger_.entries[-1]
    assert f"{model.n_examples_:,} examples" in text
    assert f"{last.acceptance:.1%} accepted" in text
    assert f"estimated error {last.error_bound:.4f}" in text
    assert digest(model) == digest(small_model().fit(X, Y))


def test_the_bar_goes_on_with_a_resumed_run(capsys, tmp_path, monkeypatch):
    pytest.importorskip("rich")
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "run"
    small_model(checkpoint=path).fit(X, Y)
    assert capsys.readouterr() == ("", "")
    small_model(checkpoint=path, max_rounds=14, verbose=1).fit(X, Y, resume=True)
    assert "14/14" in capsys.readouterr().err


def test_without_rich_the_fit_works_and_says_what_to_install(monkeypatch, capsys):
    remove_rich(monkeypatch)
    with pytest.warns(UserWarning, match=r'pip install "frugalboost\[progress\]"'):
        model = small_model(verbose=1).fit(X, Y)
    assert len(model.estimators_) == 12
    assert capsys.readouterr().err == ""


LONG = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from filterboost_helpers import small_model, sums_of_digits
from frugalboost import FilterBoostClassifier, digest
X, Y = sums_of_digits()
model = small_model().fit(X, Y)
before = digest(model)
print("ready", flush=True)
try:
    model.set_params(max_rounds=10**7, checkpoint=sys.argv[1], checkpoint_rounds=1).fit(X, Y)
except KeyboardInterrupt:
    print(digest(model) == before)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one child there")
def test_control_c_leaves_model_and_checkpoint_whole(tmp_path):
    path = tmp_path / "run"
    process = start(LONG, path)
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
    finally:
        process.kill()
    assert (out, err) == ("True\n", "")
    with np.load(path) as file:
        n_rounds = len(file["steps"])
    on = small_model(checkpoint=path, max_rounds=n_rounds + 2).fit(X, Y, resume=True)
    assert digest(on) == digest(small_model(max_rounds=n_rounds + 2).fit(X, Y))


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT for one process")
def test_control_c_within_a_checkpoint_waits_until_it_is_written(tmp_path, monkeypatch):
    path = tmp_path / "run"
    open_member = zipfile.ZipFile.open
    pressed = []

    def interrupted(*args, **kwargs):
        member = open_member(*args, **kwargs)
        if not pressed:  # before the member is closed, the archive cannot be
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)
        return member

    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        monkeypatch.setattr(zipfile.ZipFile, "open", interrupted)
        with pytest.raises(KeyboardInterrupt):
            small_model(checkpoint=path, checkpoint_rounds=1).fit(X, Y)
    finally:
        signal.signal(signal.SIGINT, usual)
    monkeypatch.undo()
    assert [file.name for file in tmp_path.iterdir()] == ["run"]
    assert len(FilterBoostClassifier.from_checkpoint(path).estimators_) == 1
