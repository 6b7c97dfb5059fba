"""The loop of questions and answers: what ends it, and labelers that misbehave."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from active_helpers import committee, learner, make_pool
from scipy import sparse
from sklearn.datasets import load_digits

from frugalboost import ActiveLearner, digest
from frugalboost.active.rows import row_keys

X, Y = make_pool()
N_CONTENTS = len(set(row_keys(X)))
OTHER_X, OTHER_Y = make_pool(seed=1)


def truth(indices):
    return Y[indices]


def test_it_is_query_and_teach_in_turns():
    by_hand = learner(start_size=10)
    for _ in range(5):
        rows, _ = by_hand.query(X)
        by_hand.teach(X[rows], Y[rows])
    model = learner(start_size=10).run(X, truth, budget=50)
    assert model.X_.tolist() == by_hand.X_.tolist()
    assert digest(model.model_) == digest(by_hand.model_)


def test_budget_counts_all_labels():
    model = learner().run(X, truth, budget=37)
    assert (model.n_labels_, model.stop_reason_) == (37, "budget")
    assert [entry.labels for entry in model.history_] == [12, 22, 32, 37]
    model.run(X, truth, budget=40)
    assert [entry.labels for entry in model.history_] == [12, 22, 32, 37, 40]
    assert model.run(X, truth, budget=40).n_labels_ == 40
    assert learner(start_size=30).run(X, truth, budget=5).n_labels_ == 5


def test_the_pool_ends_it():
    model = learner(batch_size=50).run(X, truth)
    assert (model.n_labels_, model.stop_reason_) == (N_CONTENTS, "pool")
    assert model.run(X, truth).n_labels_ == N_CONTENTS


def test_the_held_out_error_ends_it():
    held_out = (OTHER_X, OTHER_Y)
    model = learner().run(X, truth, validation=held_out, target_error=0.1)
    assert model.stop_reason_ == "target"
    assert model.history_[-1].error == np.mean(model.predict(OTHER_X) != OTHER_Y)
    assert model.history_[-1].error <= 0.1 < min(e.error for e in model.history_[:-1])
    n_labels = model.n_labels_
    assert model.run(X, truth, validation=held_out, target_error=0.1).n_labels_ == n_labels


def test_patience_ends_it():
    model = learner().run(X, truth, validation=(OTHER_X, OTHER_Y), patience=2)
    errors = [entry.error for entry in model.history_]
    assert model.stop_reason_ == "patience"
    assert len(errors) - 1 - int(np.argmin(errors)) == 2


def test_low_utility_ends_it():
    free = learner().run(X, truth, budget=60)
    limit = free.history_[-2].utility
    assert np.isfinite(limit)
    model = learner().run(X, truth, budget=60, min_utility=np.nextafter(limit, np.inf))
    assert model.stop_reason_ == "utility"
    assert model.n_labels_ < 60


def test_history_tells_of_each_batch():
    model = learner().run(X, truth, budget=32)
    assert [(e.labels, e.error) for e in model.history_] == [(12, None), (22, None), (32, None)]
    assert model.history_[0].utility == np.inf
    assert all(entry.seconds > 0 for entry in model.history_)
    asked = [entry for entry in model.log_ if entry.kind == "asked"]
    assert {entry.round for entry in asked} == {0, 1, 2}
    assert all(entry.reason for entry in asked)
    assert model.history_[2].utility == asked[-10].utility


def test_a_random_start_looks_for_the_classes_it_is_told():
    rare = np.where(np.arange(240) % 40 == 7, 9, Y)
    told = learner(start_size=15, classes=[0, 1, 2, 9]).run(X, lambda indices: rare[indices])
    for entry in told.log_:
        is_random = entry.reason.startswith("random")
        if entry.kind == "asked" and entry.round is not None:
            known = [e.label for e in told.log_ if e.number < entry.number and e.label is not None]
            covered, enough = {0, 1, 2, 9} <= set(known), len(known) >= 45
            assert is_random == (not known or not (covered or enough))


def test_a_class_that_never_comes_up_does_not_stop_it():
    model = learner(start_size=5, classes=[0, 1, 2, "never"]).run(X, truth, budget=60)
    asked = [entry.reason for entry in model.log_ if entry.kind == "asked"]
    assert [reason.startswith("random") for reason in asked] == [True] * 15 + [False] * 45


@pytest.mark.parametrize("utility", ["margin", "random"])
def test_one_class_at_first_is_asked_further_at_random(utility):
    y = np.where(np.arange(240) < 200, "common", "rare")
    model = learner(utility=utility, start_size=3, batch_size=3)
    model.run(X, lambda indices: y[indices], budget=60)
    assert model.n_labels_ == 60


@pytest.mark.thorough
def test_asking_beats_random_rows_on_digits():
    pool, labels = load_digits(return_X_y=True)
    trees = committee(n_estimators=60, max_leaf_nodes=20)

    def error(utility):
        model = ActiveLearner(trees, utility=utility, batch_size=20, random_state=0)
        model.run(pool, lambda indices: labels[indices], budget=150)
        return 1 - model.score(pool, labels)

    assert error("margin") < 0.8 * error("random")


def test_none_skips_all_and_the_model_stays():
    calls = []

    def shy(indices):
        calls.append(len(indices))
        return None if len(calls) % 2 else Y[indices]

    model = learner().run(X, shy, budget=32)
    assert model.n_labels_ == 32
    skipped = [entry for entry in model.log_ if entry.kind == "skipped"]
    assert len(skipped) == calls[0] + calls[2] + calls[4]
    assert not set(row_keys(X[[entry.row for entry in skipped]])) & set(row_keys(model.X_))


def test_who_skips_everything_sees_every_row_once():
    seen = []
    model = learner(batch_size=40).run(X, lambda indices: seen.extend(indices.tolist()))
    assert model.stop_reason_ == "pool"
    assert (model.n_labels_, len(seen), len(set(seen))) == (0, N_CONTENTS, N_CONTENTS)


class BreakError(Exception):
    pass


def test_what_was_answered_before_a_labeler_raises_is_learnt():
    said = []

    def until_interrupted(indices):
        for index in indices:
            if len(said) == 17:
                raise BreakError
            said.append(int(index))
            yield Y[index]

    model = learner()
    with pytest.raises(BreakError):
        model.run(X, until_interrupted)
    assert model.X_.tolist() == X[said].tolist()
    assert digest(model.model_) == digest(committee().fit(X[said], Y[said]))
    assert model.run(X, truth, budget=30).n_labels_ == 30


def test_a_batch_that_raises_loses_only_itself():
    def second_time(indices):
        if model.n_labels_:
            raise KeyboardInterrupt
        return Y[indices]

    model = learner()
    with pytest.raises(KeyboardInterrupt):
        model.run(X, second_time)
    assert model.n_labels_ == 12


def test_an_unknown_class_is_told_and_the_other_answers_stay():
    def mistaken(indices):
        return ["cat" if at == 4 else Y[row] for at, row in enumerate(indices)]

    model = learner(classes=[0, 1, 2])
    with pytest.raises(ValueError, match="labels must be among classes, 0, 1, 2; got 'cat'"):
        model.run(X, mistaken)
    assert model.n_labels_ == 11
    assert learner().run(X, mistaken, budget=12).n_labels_ == 12  # without classes it is a new one


@pytest.mark.parametrize(
    ("labeler", "n_kept"),
    [
        (lambda indices: Y[indices][:-1], 0),
        (lambda indices: [*Y[indices], 0], 0),
        (lambda indices: 3, 0),
        (lambda indices: iter(Y[indices][:-1]), 11),
        (lambda indices: iter([*Y[indices], 0]), 12),
    ],
)
def test_the_wrong_number_of_answers(labeler, n_kept):
    model = learner()
    with pytest.raises(ValueError, match="one answer for each of the 12 rows"):
        model.run(X, labeler)
    assert model.n_labels_ == n_kept


TABLES = {
    "array": X,
    "csc": sparse.csc_array(X),
    "pandas": pd.DataFrame(X, columns=["a", "b", "c"]),
}


@pytest.mark.parametrize("kind", TABLES)
def test_labelers_are_given_rows_of_the_pool(kind):
    table = TABLES[kind]

    def look(X, indices):
        assert row_keys(X) == [row_keys(table)[row] for row in indices]
        return Y[indices]

    model = learner().run(table, look, budget=40)
    assert model.n_labels_ == 40
    assert model.X_.shape == (40, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 0}, "budget must be an integer from 1"),
        ({"budget": 2.5}, "budget must be an integer"),
        ({"target_error": 0.1}, "target_error must be None without validation"),
        ({"patience": 3}, "patience must be None without validation"),
        ({"patience": 0, "validation": (X, Y)}, "patience must be an integer"),
        ({"target_error": 1.5, "validation": (X, Y)}, "target_error must be a finite number"),
        ({"min_utility": -1}, "min_utility must be a finite number"),
        ({"validation": X}, r"validation must be a pair \(X, y\)"),
        ({"validation": (X, Y[:-1])}, "inconsistent numbers of samples"),
    ],
)
def test_limits_that_make_no_sense(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        learner().run(X, truth, **options)


def test_empty_pools_and_no_labelers():
    with pytest.raises(ValueError, match="X_pool must have at least one row; got 0"):
        learner().run(X[:0], truth)
    with pytest.raises(TypeError, match="labeler must be callable; got None"):
        learner().run(X, None)


def test_verbose_shows_a_bar_on_standard_error(capsys):
    pytest.importorskip("rich")
    learner(verbose=1).run(X, truth, budget=22, validation=(OTHER_X, OTHER_Y))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "ActiveLearner" in shown.err
    assert "22/22" in shown.err
