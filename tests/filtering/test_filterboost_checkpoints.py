"""Runs on disk: broken off anywhere, they end as if nothing had happened."""

from __future__ import annotations

import os
import signal
import sys
import time

import numpy as np
import pandas as pd
import pytest
from filterboost_helpers import KINDS, Rows, change, same, small_model, sums_of_digits

from forked import start
from frugalboost import FilterBoostClassifier, TandemBoostClassifier, digest
from frugalboost.filtering import reading
from frugalboost.streams import ArrayOracle

pytestmark = pytest.mark.thorough

X, Y = sums_of_digits()
EACH_ROUND = {"checkpoint_rounds": 1, "checkpoint_seconds": None}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run"


class Interrupted(Rows):
    """Ctrl-C while the oracle works, once so many examples are given."""

    def __init__(self, X, y, most):
        super().__init__(X, y)
        self.most = most

    def draw(self, n):
        if self.at >= self.most:
            raise KeyboardInterrupt
        return super().draw(min(n, 100))


ALL_KINDS = {**KINDS, "certified": {"mode": "certified", "max_depth": 4, "edge_tolerance": 0.9}}


@pytest.mark.filterwarnings("ignore:FilterBoostClassifier. the target error was not reached")
@pytest.mark.parametrize("kind", ALL_KINDS.values(), ids=ALL_KINDS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_an_interrupted_run_goes_on(kind, n_classes, path, monkeypatch):
    monkeypatch.setattr(reading, "LOOK_AHEAD", 200)
    table, labels = sums_of_digits(300, n_classes)
    names = np.array(["a", "b", "c"])[labels]
    options = {**kind, "max_rounds": 4, "checkpoint": path, **EACH_ROUND}
    whole = small_model(**{**options, "checkpoint": None}).fit_stream(Rows(table, names))
    model = small_model(**options)
    with pytest.raises(KeyboardInterrupt):
        model.fit_stream(Interrupted(table, names, whole.n_examples_ - 100))
    assert not hasattr(model, "classes_")  # as it was
    with np.load(path) as file:
        assert 0 < len(file["steps"]) < 4
    assert same(model.fit_stream(Rows(table, names), resume=True), whole)
    assert (model.predict(table) == whole.predict(table)).all()


def test_a_run_broken_off_after_each_round_in_turn(path):
    whole = small_model(max_rounds=8).fit(X, Y)
    small_model(max_rounds=1, checkpoint=path).fit(X, Y)
    for n_rounds in range(2, 9):
        model = small_model(max_rounds=n_rounds, checkpoint=path).fit(X, Y, resume=True)
        assert len(model.estimators_) == n_rounds
    assert same(model, whole)


def test_a_fitted_model_outlives_an_interruption(path):
    model = small_model(checkpoint=path).fit(X, Y)
    before, held = digest(model), path.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        model.set_params(max_rounds=500).fit_stream(Interrupted(X, Y, 10_000))
    assert digest(model) == before
    assert path.read_bytes() == held


ENDS = {
    "rounds": {},
    "examples": {"max_examples": 600},
    "stream": {"recycle": False},
    "target": {"target_error": 0.3},
}


@pytest.mark.parametrize(("reason", "options"), ENDS.items(), ids=ENDS)
def test_a_finished_run_comes_back_as_it_ended(reason, options, path):
    labels = X[:, 0] > 2 if reason == "target" else Y
    model = small_model(checkpoint=path, **options).fit(X, labels)
    assert model.stop_reason_ == reason
    for _ in range(2):  # and is written again as it was
        again = small_model(checkpoint=path, **options).fit(X, labels, resume=True)
        assert same(again, model)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_more_rounds_or_examples_make_the_longer_run(kind, path):
    for short, long in (
        ({"max_rounds": 3}, {"max_rounds": 9}),
        ({"max_rounds": 9, "max_examples": 400}, {"max_rounds": 9}),
    ):
        small_model(checkpoint=path, **kind, **short).fit(X, Y)
        on = small_model(checkpoint=path, **kind, **long).fit(X, Y, resume=True)
        assert same(on, small_model(**kind, **long).fit(X, Y))


def test_fewer_are_refused(path):
    small_model(checkpoint=path).fit(X, Y)
    for name, value in (("max_rounds", 3), ("max_examples", 100)):
        with pytest.raises(
            ValueError, match=f"{name} must be at least .*checkpoint.*; got {value}"
        ):
            small_model(checkpoint=path, **{name: value}).fit(X, Y, resume=True)


OTHER = {
    "rule": "mada",
    "mode": "certified",
    "target_error": 0.1,
    "failure_probability": 0.01,
    "edge_tolerance": 0.3,
    "sample_constant": 60,
    "confidence_rated": True,
    "max_depth": 2,
    "max_leaf_nodes": 4,
    "min_samples_leaf": 2,
    "criterion": "gini",
    "pruning_fraction": 0.5,
    "max_bins": 16,
    "recycle": False,
    "random_state": 77,
}


@pytest.mark.parametrize(("name", "value"), OTHER.items())
def test_other_parameters_are_refused(name, value, path):
    model = small_model(checkpoint=path, max_rounds=2).fit(X, Y)
    then = model.get_params()[name]
    changed = small_model(checkpoint=path, max_rounds=4, **{name: value})
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared as a whole
        changed.fit(X, Y, resume=True)
    assert str(error.value) == (
        f"FilterBoostClassifier: {name} must be {then!r}, as in the checkpoint, to resume from it;"
        f" got {value!r}."
    )


def test_parameters_that_decide_nothing_may_change(path):
    small_model(checkpoint=path, max_rounds=2).fit(X, Y)
    on = small_model(checkpoint=path, max_rounds=4, n_jobs=2, **EACH_ROUND)
    assert same(on.fit(X, Y, resume=True), small_model(max_rounds=4).fit(X, Y))


@pytest.mark.parametrize("make", [lambda: None, lambda: np.random.RandomState(5), np.int64])
def test_no_seed_is_the_one_of_the_checkpoint(make, path):
    given = make()
    whole = small_model(max_rounds=6).fit(X, Y)
    small_model(checkpoint=path, max_rounds=2).fit(X, Y)
    small_model(checkpoint=path, max_rounds=4, random_state=given).fit(X, Y, resume=True)
    again = small_model(checkpoint=path, max_rounds=6).fit(X, Y, resume=True)
    assert same(again, whole)
    last = small_model(checkpoint=path, max_rounds=6, random_state=given).fit(X, Y, resume=True)
    for model in (last, whole):  # the coins of new examples, too
        model.partial_fit(X[::-1], Y[::-1])
    assert digest(last) == digest(whole)
    saved = FilterBoostClassifier.from_checkpoint(path)
    assert saved.get_params()["random_state"] == 0


@pytest.mark.parametrize("make", [lambda: None, lambda: np.random.RandomState(5)])
def test_a_seed_that_was_drawn_is_none_that_can_be_named(make, path):
    drawn = make()
    model = small_model(checkpoint=path, max_rounds=2, random_state=drawn).fit(X, Y)
    with pytest.raises(ValueError, match="random_state must be None, as in the checkpoint, to"):
        small_model(checkpoint=path).fit(X, Y, resume=True)
    model.set_params(max_rounds=4).fit(X, Y, resume=True)
    assert FilterBoostClassifier.from_checkpoint(path).get_params()["random_state"] is None


def test_a_checkpoint_without_a_seed_goes_on_with_any(path):
    """Older ones did not record it; what is written next does not claim to know it either."""
    small_model(checkpoint=path, max_rounds=2).fit(X, Y)
    change(path, lambda meta: meta["params"].pop("random_state"))
    for n_rounds, seed in ((4, 77), (6, None), (8, 3)):
        again = small_model(checkpoint=path, max_rounds=n_rounds, random_state=seed)
        again.fit(X, Y, resume=True)
    assert same(again, small_model(max_rounds=8).fit(X, Y))


def test_a_folder_is_no_checkpoint(tmp_path):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared as a whole
        small_model(checkpoint=tmp_path).fit(X, Y)
    assert str(error.value) == (
        f"FilterBoostClassifier: checkpoint must be a file; {str(tmp_path)!r} is a directory."
    )


def test_other_data_are_refused(path):
    model = small_model(checkpoint=path, max_rounds=2).fit(X, Y)
    held = path.read_bytes()
    for table, labels, message in (
        (X[:-1], Y[:-1], "must come from an oracle of the same data, of 299 rows"),
        (X[:, :5], Y, "X must have 6 features, as in training; got 5"),
        (X, Y + 1, r"classes must be those of the trees so far, \[0, 1\]; got \[1, 2\]"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit(table, labels, resume=True)
    with pytest.raises(ValueError, match="classes must be those"):
        model.fit_stream(ArrayOracle(X, Y), classes=[0, 1, 2], resume=True)
    assert path.read_bytes() == held


def test_an_oracle_that_has_shrunk_is_refused(path):
    small_model(checkpoint=path, max_rounds=2).fit_stream(Rows(X, Y))
    model = small_model(checkpoint=path)
    with pytest.raises(ValueError, match=r"oracle must return again the \d+ examples of"):
        model.fit_stream(Rows(X[:50], Y[:50], recycle=False), resume=True)


def test_without_a_file_the_run_begins(path):
    model = small_model(checkpoint=str(path)).fit(X, Y, resume=True)
    assert same(model, small_model().fit(X, Y))
    assert [file.name for file in path.parent.iterdir()] == ["run"]


def test_frames_with_categories(path):
    frame = pd.DataFrame({"word": np.array(list("pqrst"))[X[:, 0].astype(int)], "n": X[:, 1]})
    frame["word"] = frame["word"].astype("category")
    for fit in (
        lambda model, **more: model.fit(frame, Y, **more),
        lambda model, **more: model.fit_stream(ArrayOracle(frame, Y, random_state=1), **more),
    ):
        whole = fit(small_model(max_depth=2))
        fit(small_model(max_depth=2, max_rounds=3, checkpoint=path))
        on = fit(small_model(max_depth=2, checkpoint=path), resume=True)
        assert same(on, whole)
        assert on.feature_names_in_.tolist() == ["word", "n"]
        assert (on.decision_function(frame) == whole.decision_function(frame)).all()


def damaged(content):
    """Cut off anywhere, other bytes anywhere, and files of other kinds."""
    random = np.random.default_rng(0)
    for length in random.integers(0, len(content), 20).tolist():
        yield content[:length]
    for _ in range(150):
        bytes_ = bytearray(content)
        for at in random.integers(0, len(content), 40).tolist():
            bytes_[at] ^= int(random.integers(1, 256))
        yield bytes(bytes_)
    yield b""
    yield b"colour,size\nred,1\n"


def test_a_damaged_file_is_named(path):
    model = small_model(checkpoint=path, max_rounds=2).fit(X, Y)
    for content in damaged(path.read_bytes()):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"FilterBoostClassifier: checkpoint must .*/run: "):
            model.fit(X, Y, resume=True)
    np.save(path.with_suffix(".npy"), X)
    with pytest.raises(ValueError, match=r"checkpoint must .*/run\.npy: "):
        small_model(checkpoint=path.with_suffix(".npy")).fit(X, Y, resume=True)


def test_what_no_file_can_hold_is_told_before_the_first_round(path):
    class Odd(Rows):
        def state(self):
            return {"at": np.int64(self.at)}

    oracle = Odd(X, Y)
    message = r"state of the oracle must be .* for a checkpoint; Object of type int64"
    with pytest.raises(TypeError, match=f"FilterBoostClassifier: {message}"):
        small_model(checkpoint=path).fit_stream(oracle)
    assert oracle.at == 10_000  # what columns and classes are found from
    labels = [(0, 1), (2, 3)]
    with pytest.raises(TypeError, match=r"labels and categories must be numbers.*; got \(0, 1\)"):
        small_model(checkpoint=path).fit(X, [labels[code] for code in Y])
    assert list(path.parent.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_file_beside_the_checkpoint_is_left_alone(path):
    """Drafts have names that nobody can know, so no link leads them to another file."""
    other = path.with_name("other")
    other.write_text("theirs")
    path.with_name("run.part").symlink_to(other)
    small_model(checkpoint=path, max_rounds=2).fit(X, Y)
    assert other.read_text() == "theirs"
    assert path.with_name("run.part").is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="no limits for processes there")
def test_a_full_disk_before_the_first_checkpoint(path):
    """Nothing is said of a last one where there is none."""
    out, _ = start(FULL.replace("30_000", "100"), path).communicate(timeout=60)
    assert f"checkpoint could not be written: File too large: '{path}'" in out
    assert list(path.parent.iterdir()) == []


FULL = """
import resource, sys
import numpy as np
from filterboost_helpers import small_model, sums_of_digits
X, Y = sums_of_digits()
model = small_model(max_rounds=200, checkpoint=sys.argv[1], checkpoint_rounds=1)
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
try:
    model.fit(X, Y)
except OSError as problem:
    print(problem)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits for processes there")
def test_a_disk_that_fills_up_midway(path):
    out, err = start(FULL, path).communicate(timeout=60)
    assert "checkpoint could not be written: File too large; the last one is intact" in out
    assert str(path) in out
    assert err == ""
    assert [file.name for file in path.parent.iterdir()] == ["run"]
    on = small_model(max_rounds=60, checkpoint=path).fit(X, Y, resume=True)
    assert same(on, small_model(max_rounds=60).fit(X, Y))


KILLED = """
import sys
from filterboost_helpers import small_model, sums_of_digits
X, Y = sums_of_digits()
print("ready", flush=True)
small_model(max_rounds=10**6, checkpoint=sys.argv[1], checkpoint_rounds=1).fit(X, Y, resume=True)
"""


def written(path):
    return path.stat().st_mtime_ns if path.exists() else None


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_killed_at_any_moment_a_run_goes_on(path):
    random = np.random.default_rng(0)
    n_rounds = []
    for seconds in random.uniform(0, 0.2, size=3):
        before = written(path)
        process = start(KILLED, path)
        try:
            assert process.stdout.readline() == "ready\n", process.stderr.read()
            while written(path) == before and process.poll() is None:
                time.sleep(0.01)
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=10)
        finally:
            process.kill()
        assert process.returncode == -signal.SIGKILL
        with np.load(path) as file:
            n_rounds.append(len(file["steps"]))
    assert n_rounds == sorted(set(n_rounds))  # each went on where the last was killed
    more = n_rounds[-1] + 2
    on = small_model(max_rounds=more, checkpoint=path).fit(X, Y, resume=True)
    assert same(on, small_model(max_rounds=more).fit(X, Y))
    assert os.listdir(path.parent) == ["run"]  # what a killed run left half written is gone


def test_seconds_and_rounds_between_checkpoints(path, monkeypatch):
    """With neither due, only the end is written."""
    written = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda *names: (written.append(1), replace(*names)))
    for options, n in (
        ({"checkpoint_seconds": None}, 1),
        ({"checkpoint_seconds": 0.0}, 6),
        ({"checkpoint_seconds": None, "checkpoint_rounds": 2}, 3),
        ({"checkpoint_seconds": 1e9, "checkpoint_rounds": 5}, 2),
    ):
        written.clear()
        small_model(max_rounds=5, checkpoint=path, **options).fit(X, Y)
        assert len(written) == n


def test_a_file_of_the_user_is_not_overwritten(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, X=X, y=Y)
    content = path.read_bytes()
    tandem = TandemBoostClassifier(small_model(checkpoint=path), random_state=0)
    for model in (small_model(checkpoint=path), tandem):
        with pytest.raises(ValueError, match=r"checkpoint must be a new file, .* another file"):
            model.fit(X, Y)
        assert path.read_bytes() == content


def test_an_earlier_checkpoint_and_an_empty_file_are_overwritten(tmp_path):
    path = tmp_path / "run"
    path.touch()
    for n_rounds in (3, 2):
        model = small_model(checkpoint=path, max_rounds=n_rounds).fit(X, Y)
        assert digest(FilterBoostClassifier.from_checkpoint(path)) == digest(model)


@pytest.mark.parametrize("other", ["labels", "rows"])
def test_a_run_does_not_go_on_with_other_data(tmp_path, other):
    path = tmp_path / "run"
    small_model(checkpoint=path, max_rounds=2).fit(X, Y)
    content = path.read_bytes()
    table, labels = (X, Y.max() - Y) if other == "labels" else (X[::-1], Y)
    with pytest.raises(ValueError, match=r"examples of the run in the checkpoint .*run; got other"):
        small_model(checkpoint=path, max_rounds=4).fit(table, labels, resume=True)
    assert path.read_bytes() == content


def test_the_type_of_the_values_does_not_make_other_data(tmp_path):
    path = tmp_path / "run"
    values = np.where(X == 0, -0.0, X).astype(np.float32)
    small_model(checkpoint=path, max_rounds=2).fit(values, Y)
    resumed = small_model(checkpoint=path, max_rounds=4).fit(values.astype(float), Y, resume=True)
    assert digest(resumed) == digest(small_model(max_rounds=4).fit(values, Y))
