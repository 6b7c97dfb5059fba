"""Teaching is training on all answers; corrections and withdrawals are as if never wrong."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from active_helpers import committee, learner, make_pool
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from frugalboost import ActiveLearner, digest

X, Y = make_pool()


def model_of(rows, labels):
    return digest(committee().fit(X[rows], labels))


def test_the_model_is_that_of_all_answers():
    model = learner()
    for start in range(0, 60, 10):
        model.teach(X[start : start + 10], Y[start : start + 10])
        assert digest(model.model_) == model_of(slice(start + 10), Y[: start + 10])
    assert model.n_labels_ == 60
    assert model.X_.tolist() == X[:60].tolist()
    assert model.y_.tolist() == Y[:60].tolist()
    assert model.predict(X).tolist() == model.model_.predict(X).tolist()
    assert model.predict_proba(X).tolist() == model.model_.predict_proba(X).tolist()
    assert model.decision_function(X).tolist() == model.model_.decision_function(X).tolist()
    assert model.score(X, Y) == np.mean(model.predict(X) == Y)


def test_the_default_committee_is_gamble_and_depends_on_the_seed():
    first, same, other = (
        ActiveLearner(random_state=seed).teach(X[:50], Y[:50]) for seed in (0, 0, 1)
    )
    assert type(first.model_).__name__ == "GambleClassifier"
    assert digest(first.model_) == digest(same.model_) != digest(other.model_)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_default_committee_has_many_trees_also_where_one_makes_no_mistake(n_classes):
    rows = [int(np.flatnonzero(code == Y)[0]) for code in range(n_classes)]
    model = ActiveLearner(random_state=0).teach(X[rows], Y[rows])
    assert model.score(X[rows], Y[rows]) == 1.0
    assert len(model.model_.estimators_) == 100


def test_a_correction_is_as_if_the_label_had_been_right():
    wrong = Y[:40].copy()
    wrong[[3, 17]] = (wrong[[3, 17]] + 1) % 3
    model = learner().teach(X[:25], wrong[:25]).teach(X[25:40], wrong[25:])
    assert digest(model.model_) != model_of(slice(40), Y[:40])
    model.correct(3, Y[3]).correct(17, Y[17])
    assert digest(model.model_) == model_of(slice(40), Y[:40])
    assert model.y_.tolist() == Y[:40].tolist()


def test_a_withdrawal_is_as_if_the_row_had_never_been_answered():
    model = learner().teach(X[:40], Y[:40]).withdraw(0).withdraw(20)
    rest = [*range(1, 20), *range(21, 40)]
    assert digest(model.model_) == model_of(rest, Y[rest])
    assert model.numbers_.tolist() == rest
    assert model.n_labels_ == 38
    assert 20 in model.query(X[:40], 40)[0]
    assert model.correct(21, Y[21]).n_labels_ == 38  # numbers stay as they were


def test_withdrawing_a_class_and_bringing_it_back():
    first, second = np.flatnonzero(Y == 0)[:2], np.flatnonzero(Y == 1)[:1]
    rows = [*first, *second]
    model = learner().teach(X[rows], Y[rows])
    assert model.classes_.tolist() == [0, 1]
    model.withdraw(2)
    with pytest.raises(NotFittedError, match="two classes must be taught first; got 0"):
        model.predict(X)
    assert model.teach(X[second], [1]).classes_.tolist() == [0, 1]


def test_classes_come_up_as_they_are_taught():
    """Fewer classes at first than in the pool: the model knows those it was told."""
    start = np.flatnonzero(Y < 2)[:20]
    model = learner().teach(X[start], Y[start])
    assert model.classes_.tolist() == [0, 1]
    assert model.predict_proba(X).shape == (240, 2)
    late = np.flatnonzero(Y == 2)[:5]
    model.teach(X[late], Y[late])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict_proba(X).shape == (240, 3)


@pytest.mark.parametrize("call", ["predict", "predict_proba", "decision_function"])
def test_before_two_classes_nothing_can_be_predicted(call):
    for model, known in ((learner(), "none"), (learner().teach(X[:1], ["a"]), "a")):
        message = (
            f"not fitted yet: labels of at least two classes must be taught first; got {known}"
        )
        with pytest.raises(NotFittedError, match=message):
            getattr(model, call)(X)
        assert not hasattr(model, "classes_")


def test_skips_are_not_labels():
    model = learner().teach(X[:5], [0, None, 1, np.nan, 2])
    assert model.n_labels_ == 3
    assert model.y_.tolist() == [0, 1, 2]
    only = learner().teach(X[:2], [None, pd.NA])
    assert (only.n_labels_, only.X_) == (0, None)
    assert [entry.kind for entry in model.log_] == [
        "start",
        "skipped",
        "start",
        "skipped",
        "start",
    ]


@pytest.mark.parametrize(
    "labels", [["a", "b"], [True, False], [1.5, 2.5], [("x", 1), ("x", 2)], ["a", 1], [b"a", b"b"]]
)
def test_labels_of_any_kind(labels):
    y = [labels[code % 2] for code in Y[:40]]
    if labels == [1.5, 2.5]:
        with pytest.raises(ValueError, match="Unknown label type"):
            learner().teach(X[:40], y)
        return
    model = learner().teach(X[:40], y)
    assert set(model.predict(X).tolist()) <= set(labels)
    assert model.y_.tolist() == y


def test_a_warm_model_keeps_its_trees_and_adds_rounds():
    model = learner(retrain="warm", warm_rounds=5).teach(X[:30], Y[:30])
    first = model.model_.estimators_
    assert len(first) == 12
    model.teach(X[30:40], Y[30:40]).teach(X[40:50], Y[40:50])
    assert len(model.model_.estimators_) == 22
    assert all(a is b for a, b in zip(model.model_.estimators_, first, strict=False))


def test_a_warm_model_begins_anew_where_it_cannot_go_on():
    start = np.flatnonzero(Y < 2)[:20]
    late = np.flatnonzero(Y == 2)[:5]
    model = learner(retrain="warm").teach(X[start], Y[start]).teach(X[late], Y[late])
    rows = [*start, *late]
    assert digest(model.model_) == model_of(rows, Y[rows])
    model.teach(X[30:40], Y[30:40]).correct(0, Y[start[0]])
    rows += range(30, 40)
    assert digest(model.model_) == model_of(rows, Y[rows])


def test_a_warm_model_begins_anew_with_new_categories():
    table = pd.DataFrame({"a": X[:, 0], "k": np.array(["u", "v", "w"])[Y]})
    rows, new = np.flatnonzero(Y < 2)[:20], np.flatnonzero(Y == 2)[:4]
    words = committee(categorical_features=["k"])
    model = learner(estimator=words, retrain="warm").teach(table.iloc[rows], Y[rows])
    model.teach(table.iloc[new], [0, 1, 0, 1])
    y = [*Y[rows], 0, 1, 0, 1]
    expected = clone(words).fit(table.iloc[[*rows, *new]], y)
    assert digest(model.model_) == digest(expected)


def test_retrain_warm_needs_an_estimator_that_can():
    with pytest.raises(ValueError, match=r"retrain must be 'fresh' for .* GaussianNB; got 'warm'"):
        learner(estimator=GaussianNB(), retrain="warm").teach(X[:30], Y[:30])


def test_fit_forgets_everything():
    model = learner().run(X, lambda indices: Y[indices], budget=20)
    model.fit(X[:40], Y[:40])
    assert digest(model.model_) == model_of(slice(40), Y[:40])
    assert model.n_labels_ == 40
    assert not hasattr(model, "history_")
    with pytest.raises(ValueError, match=r"at least two classes; got 1 class, \[1\]"):
        model.fit(X[:3], [1, 1, 1])
    assert model.n_labels_ == 40


def test_a_failed_call_changes_nothing():
    model = learner(classes=[0, 1, 2]).teach(X[:30], Y[:30])
    before, log = digest(model.model_), model.log_
    for bad, message in (
        (lambda: model.teach(X[:2], [0]), "one answer for each of the 2 rows"),
        (lambda: model.teach(X[:2], [0, 7]), "labels must be among classes"),
        (lambda: model.teach(X[:2, :1], [0, 1]), "X must have the 3 features"),
        (lambda: model.teach(X[0], [0]), "Expected 2D array"),
        (lambda: model.teach(X[:2], None), "y must hold a label"),
        (lambda: model.teach([["a", "b", "c"]], [0]), "column 0 of X must be numeric"),
        (lambda: model.correct(0, 7), "labels must be among classes"),
        (lambda: model.correct(99, 1), "number must be from 0 to 29; got 99"),
        (lambda: model.withdraw(-1), "number must be from 0 to 29; got -1"),
    ):
        with pytest.raises(ValueError, match=message):
            bad()
        assert (model.n_labels_, digest(model.model_), model.log_) == (30, before, log)


def test_errors_say_what_was_wrong():
    model = learner(classes=["a", "b"])
    with pytest.raises(ValueError, match="labels must be among classes, 'a', 'b'; got 'c'"):
        model.teach(X[:2], ["a", "c"])
    with pytest.raises(ValueError, match="one answer for each of the 3 rows of X; got 2"):
        model.teach(X[:3], ["a", "b"])
    with pytest.raises(TypeError, match=r"number must be an integer; got 1\.5"):
        model.correct(1.5, "a")


def test_copies_clones_and_pickles():
    model = learner().teach(X[:30], Y[:30])
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert twin.query(X)[0].tolist() == model.query(X)[0].tolist()
        twin.teach(X[30:40], Y[30:40])
        assert (twin.n_labels_, model.n_labels_) == (40, 30)
    assert clone(model).n_labels_ == 0


def test_methods_are_those_of_the_estimator():
    assert not hasattr(learner(estimator=LinearSVC()), "predict_proba")
    assert not hasattr(learner(estimator=GaussianNB()), "decision_function")
    assert hasattr(learner(estimator=LogisticRegression()), "predict_proba")
    assert hasattr(ActiveLearner(), "decision_function")
