"""Errors begin with the name of what was called, once, and a user's own errors stay as they are."""

from __future__ import annotations

import pickle
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import frugalboost as fb
from frugalboost._files import interrupts_deferred

X = np.arange(40.0).reshape(20, 2)
Y = np.repeat([0, 1], 10)


def fitted():
    return fb.BoostedTreesClassifier(n_estimators=2).fit(X, Y)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fb.BoostedTreesClassifier(search="x").fit(X, Y), "BoostedTreesClassifier: search"),
        (lambda: fb.BinnedDataset.from_data(X, max_bins=1), "BinnedDataset: max_bins"),
        (lambda: fb.streams.ArrayOracle(X, Y, recycle=3), "ArrayOracle: recycle"),
        (lambda: fb.prune_ensemble(fitted(), X, Y, method="x"), "prune_ensemble: method"),
        (lambda: fb.analysis.member_ballots(3, X), "member_ballots: "),
        (lambda: fb.save(fitted(), 3), "save: path must be a string or a path; got 3."),
        (lambda: fb.load(3), "load: path must be a string or a path; got 3."),
        (lambda: fb.export.to_c(fitted(), 3), "to_c: path must be a string or a path; got 3."),
        (lambda: fb.export.to_onnx(fitted(), 3), "to_onnx: path must be a string or a path"),
        (lambda: list(fb.analysis.fitted_rounds(fitted(), None, X, Y)), "fitted_rounds: "),
        (lambda: fb.PrunedEnsembleClassifier("x").fit(X, Y), "PrunedEnsembleClassifier: estimator"),
        (
            lambda: fb.PrunedEnsembleClassifier(fb.BoostedTreesClassifier).fit(X, Y),
            "PrunedEnsembleClassifier: estimator must be None or an ensemble of classifiers; got",
        ),
        (
            lambda: fb.PrunedEnsembleClassifier(fb.BoostedTreesClassifier(search="x")).fit(X, Y),
            "BoostedTreesClassifier: search",
        ),
    ],
)
def test_the_name_stands_once_at_the_beginning(call, message):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    text = str(caught.value)
    name = message.partition(":")[0]
    assert text.startswith(message)
    assert text.count(f"{name}:") == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: fitted().staged_predict(),
        lambda: fitted().staged_predict(X, other=1),
        lambda: fb.BoostedTreesClassifier(other=1),
        lambda: fb.load_dataset(),
    ],
)
def test_a_call_with_wrong_arguments_gets_pythons_own_message_at_once(call):
    with pytest.raises(TypeError, match=r"^\w[\w.]*\(\) (missing|got an unexpected)"):
        call()


def test_errors_of_a_users_code_stay_as_they_are():
    def labeler(rows):
        raise ValueError("out of paper")

    with pytest.raises(ValueError, match=r"^out of paper$"):
        fb.ActiveLearner(random_state=0).run(X, labeler, budget=5)


def test_a_users_subclass_keeps_its_members():
    class Mine(fb.BoostedTreesClassifier):
        hook = staticmethod(len)

        @property
        def note(self):
            """A note."""
            raise ValueError("mine")

        @note.deleter
        def note(self):
            self.deleted_ = True

    model = Mine(n_estimators=2)
    del model.note
    assert (model.deleted_, Mine.note.__doc__, Mine.hook) == (True, "A note.", len)
    with pytest.raises(ValueError, match=r"^mine$"):
        _ = model.note
    with pytest.raises(ValueError, match=r"^Mine: n_estimators must be"):
        model.set_params(n_estimators=0).fit(X, Y)


@pytest.mark.parametrize(
    "package", [fb, fb.analysis, fb.datasets, fb.export, fb.plots, fb.pruning, fb.streams]
)
def test_public_functions_and_classes_can_be_pickled(package):
    names = [name for name in package.__all__ if callable(getattr(package, name))]
    assert [n for n in names if pickle.loads(pickle.dumps(getattr(package, n))) is None] == []


def test_a_warning_points_to_the_users_line():
    model = fb.FilterBoostClassifier(mode="certified", max_rounds=1, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(np.repeat(X, 20, axis=0), np.repeat(Y, 20))
    files = [Path(each.filename) for each in caught if each.category is ConvergenceWarning]
    assert files == [Path(__file__)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT for one process")
def test_a_second_interrupt_does_not_wait():
    steps = []

    def work():
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            steps.append("first")
            signal.raise_signal(signal.SIGINT)
            steps.append("second")

    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, usual)
    assert steps == ["first"]
