"""Queries return the rows that the paper's utility ranks first, each content once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from active_helpers import committee, learner, make_pool
from scipy import sparse
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from frugalboost import BoostedTreesClassifier
from frugalboost.active.rows import row_keys
from frugalboost.active.utilities import disagreement, entropy

X, Y = make_pool()
UTILITIES = ("margin", "entropy", "disagreement", "random")


def taught(**options):
    return learner(**options).teach(X[:30], Y[:30])


def brute_force_margin(scores):
    ordered = np.sort(scores, axis=1)
    with np.errstate(divide="ignore"):
        return 1 / (ordered[:, -1] - ordered[:, -2])


def staged_votes(model, table):
    votes = np.zeros((len(table), len(model.classes_)))
    before = 0.0
    for now in model.staged_decision_function(table):
        votes[np.arange(len(table)), (now - before).argmax(axis=1)] += 1
        before = now
    return votes


def test_margin_asks_what_algorithm_3_asks():
    model = taught()
    rows, utilities = model.query(X, 15)
    expected = brute_force_margin(model.model_.decision_function(X))
    assert utilities.tolist() == expected[rows].tolist()
    assert (np.diff(utilities[np.isfinite(utilities)]) <= 0).all()
    answered = set(row_keys(X[:30]))
    others = [
        row
        for row, key in enumerate(row_keys(X))
        if key not in answered and key not in set(row_keys(X[rows]))
    ]
    assert expected[others].max() <= utilities.min()


@pytest.mark.parametrize("utility", ["entropy", "disagreement"])
def test_the_other_utilities_rank_by_their_formulas(utility):
    model = taught(utility=utility)
    rows, utilities = model.query(X, 10)
    if utility == "entropy":
        expected = entropy(model.model_.predict_proba(X))
    else:
        expected = disagreement(staged_votes(model.model_, X))
    assert utilities == pytest.approx(expected[rows])
    free = ~np.isin(np.array(row_keys(X)), row_keys(X[:30]))
    assert utilities[0] == pytest.approx(expected[free].max())


@pytest.mark.parametrize("utility", UTILITIES)
def test_no_content_twice_and_none_that_was_answered_or_skipped(utility):
    pool = np.concatenate([X, X[::-1], X])
    model = learner(utility=utility).teach(X[:20], [*Y[:15], *[None] * 5])
    rows, _ = model.query(pool, 10_000)
    keys = row_keys(pool[rows])
    assert len(set(keys)) == len(keys)
    assert set(keys) == set(row_keys(X)) - set(row_keys(X[:20]))


@pytest.mark.parametrize("utility", UTILITIES)
def test_before_two_classes_are_known_rows_are_random(utility):
    one_class = X[Y == 1][:4]
    for model in (learner(utility=utility), learner(utility=utility).teach(one_class, [1] * 4)):
        rows, utilities = model.query(X, 8)
        other, _ = model.set_params(random_state=1).query(X, 8)
        assert len(set(rows.tolist())) == 8
        assert utility == "random" or np.isinf(utilities).all()
        assert rows.tolist() == other.tolist()  # the seed of a learner is drawn once
    fresh = learner(utility=utility, random_state=1).query(X, 8)[0]
    assert fresh.tolist() != learner(utility=utility).query(X, 8)[0].tolist()


@pytest.mark.parametrize("utility", UTILITIES)
def test_asked_again_it_returns_the_same_until_something_is_answered(utility):
    model = taught(utility=utility)
    first = model.query(X, 6)
    assert model.query(X, 6)[0].tolist() == first[0].tolist()
    assert len(model.log_) == 30 + 6
    model.teach(X[first[0][:1]], [Y[first[0][0]]])
    assert first[0][0] not in model.query(X, 6)[0]


def test_ties_are_broken_by_the_seed():
    """All utilities are equal: a tree of one leaf would rank all rows the same."""
    constant = committee(n_estimators=1, max_leaf_nodes=2, min_samples_leaf=1000)
    asked = [
        tuple(learner(estimator=constant, random_state=s).teach(X[:30], Y[:30]).query(X, 5)[0])
        for s in range(4)
    ]
    assert len(set(asked)) == 4
    again = learner(estimator=constant, random_state=0).teach(X[:30], Y[:30])
    rows, utilities = again.query(X, 5)
    assert tuple(rows) == asked[0]
    assert len(set(utilities)) == 1


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize("block_size", [1, 7, 240, 10_000])
def test_blocks_do_not_matter(utility, block_size):
    assert (
        taught(utility=utility, block_size=block_size).query(X)[0].tolist()
        == taught(utility=utility).query(X)[0].tolist()
    )


def test_a_random_portion_of_the_pool():
    model = taught(pool_size=40)
    rows, utilities = model.query(X, 5)
    every_row = brute_force_margin(model.model_.decision_function(X))
    assert utilities.tolist() == every_row[rows].tolist()
    assert rows.tolist() != taught().query(X, 5)[0].tolist()
    assert len(model.query(X, 1000)[0]) <= 40


def test_a_portion_without_new_rows_is_no_reason_to_give_up():
    pool = np.concatenate([np.repeat(X[:1], 400, axis=0), X[1:40]])
    model = learner(pool_size=3).teach(X[:30], Y[:30])
    rows, _ = model.query(pool, 5)
    assert len(set(rows)) == 5
    assert (rows >= len(pool) - 10).all()  # the last ten alone have not been answered


@pytest.mark.parametrize("utility", UTILITIES)
def test_diverse_batches_are_of_the_most_useful_rows(utility):
    plain = taught(utility=utility)
    best, _ = plain.query(X, 20)
    rows, utilities = taught(utility=utility, diversity=4).query(X, 5)
    assert rows[0] == best[0]
    assert set(rows.tolist()) <= set(best.tolist())
    assert (utilities[:-1] >= utilities[1:]).all()


def test_diverse_batches_differ_more():
    def distance(rows, model):
        """Mean share of trees that part two rows."""
        leaves = model.apply(X[rows])
        pairs = [(a, b) for a in range(len(rows)) for b in range(a)]
        return np.mean([(leaves[a] != leaves[b]).mean() for a, b in pairs])

    plain, spread = taught(), taught(diversity=6)
    together = distance(plain.query(X, 6)[0], plain.model_)
    apart = distance(spread.query(X, 6)[0], spread.model_)
    assert apart > together


FRAMES = {
    "lists": lambda table: table.tolist(),
    "float32": lambda table: table.astype(np.float32),
    "columns": np.asfortranarray,
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "pandas": lambda table: pd.DataFrame(table, columns=["a", "b", "c"]),
    "polars": lambda table: pl.DataFrame(table, schema=["a", "b", "c"]),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_table_is_asked_the_same(kind):
    make = FRAMES[kind]
    model = learner().teach(make(X[:30]), Y[:30])
    rows, utilities = model.query(make(X), 12)
    plain = taught()
    assert rows.tolist() == plain.query(X, 12)[0].tolist()
    assert utilities.tolist() == plain.query(X, 12)[1].tolist()
    model.teach(make(X[rows]), Y[rows])
    plain.teach(X[rows], Y[rows])
    assert model.predict(make(X)).tolist() == plain.predict(X).tolist()


def test_frames_with_categories():
    kinds = np.array(["u", "v", "w"])
    table = pd.DataFrame({"a": X[:, 0], "k": pd.Categorical(kinds[Y])})
    model = learner().teach(table.iloc[:40], Y[:40])
    rows, _ = model.query(table, 5)
    model.teach(table.iloc[rows], Y[rows])
    assert model.X_.dtypes["k"] == table.dtypes["k"]
    assert model.score(table, Y) > 0.95


ESTIMATORS = [
    (BoostedTreesClassifier("real", n_estimators=10, max_depth=2), UTILITIES),
    (BoostedTreesClassifier("adaboost", n_estimators=10, max_depth=2), UTILITIES),
    (RandomForestClassifier(10, random_state=0), UTILITIES),
    (BaggingClassifier(n_estimators=10, max_features=2, random_state=0), UTILITIES),
    (AdaBoostClassifier(n_estimators=10, random_state=0), UTILITIES),
    (GradientBoostingClassifier(n_estimators=5, random_state=0), UTILITIES),
    (LogisticRegression(), ("margin", "entropy", "random")),
    (LinearSVC(random_state=0), ("margin", "random")),
]
PAIRS = [(estimator, utility) for estimator, known in ESTIMATORS for utility in known]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("estimator", "utility"), PAIRS, ids=lambda value: value.__class__.__name__
)
@pytest.mark.parametrize(("n_classes", "labels"), [(2, "words"), (3, "codes"), (3, "from 5")])
def test_any_classifier_will_do(estimator, utility, n_classes, labels):
    y = make_pool(n_classes=n_classes)[1]
    y = {"codes": y, "words": np.array(["x", "y", "z"])[y], "from 5": y + 5}[labels]
    model = learner(estimator=estimator, utility=utility, diversity=2).teach(X[:40], y[:40])
    rows, utilities = model.query(X, 5)
    assert len(rows) == 5
    assert (utilities[:-1] >= utilities[1:]).all()
    assert model.teach(X[rows], y[rows]).n_labels_ == 45
    assert model.predict(X[:3]).dtype == y.dtype


def test_votes_of_a_forest_are_its_trees():
    y = Y + 5
    model = learner(estimator=RandomForestClassifier(7, random_state=0), utility="disagreement")
    rows, utilities = model.teach(X[:40], y[:40]).query(X, 4)
    votes = np.zeros((4, 3))
    for tree in model.model_.estimators_:
        votes[np.arange(4), tree.predict(X[rows]).astype(int)] += 1
    assert utilities == pytest.approx(disagreement(votes))


def test_reasons_name_the_two_classes_in_question():
    model = taught()
    rows, utilities = model.query(X, 6)
    scores = model.model_.decision_function(X[rows])
    for row_scores, utility, reason in zip(
        scores, utilities, model.questions_.reasons, strict=True
    ):
        named = [int(name) for name in reason.split(" between ")[1].split(" and ")]
        assert named[0] != named[1]
        assert row_scores[named].tolist() == sorted(row_scores)[:-3:-1]
        assert reason.startswith("margin ")
        assert float(reason.split()[1]) == pytest.approx(1 / utility, rel=0.01)


@pytest.mark.parametrize(
    ("estimator", "utility", "needs"),
    [
        (LinearSVC(), "entropy", "predict_proba"),
        (LogisticRegression(), "disagreement", "rounds or members that can vote"),
    ],
)
def test_what_an_estimator_cannot_say(estimator, utility, needs):
    model = learner(estimator=estimator, utility=utility).teach(X[:30], Y[:30])
    with pytest.raises(TypeError, match=f"ActiveLearner: estimator must have .*{needs}.*; got"):
        model.query(X)


def test_scores_that_are_no_numbers():
    class Broken(LogisticRegression):
        def decision_function(self, X):
            return np.full((len(X), 3), np.nan)

    model = learner(estimator=Broken()).teach(X[:30], Y[:30])
    with pytest.raises(ValueError, match="a number for every row; got NaN from Broken"):
        model.query(X)


def test_an_empty_pool_is_told_and_an_exhausted_one_returns_nothing():
    model = taught()
    for empty in (X[:0], sparse.csr_array(X)[:0], pd.DataFrame(X[:0])):
        with pytest.raises((ValueError, TypeError), match="ActiveLearner: X_pool must"):
            model.query(empty)
    rows, utilities = model.query(X[:30])
    assert (len(rows), len(utilities)) == (0, 0)
    assert learner().query(X[:3], 10)[0].size == len(set(row_keys(X[:3])))


def test_pools_that_do_not_fit():
    model = taught()
    with pytest.raises(ValueError, match=r"X_pool must have the 3 features .*; got 2"):
        model.query(X[:, :2])
    with pytest.raises(TypeError, match=r"X_pool must be the same kind .* array; got sparse"):
        model.query(sparse.csr_array(X))
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        model.query(X[0])
    for n in (0, -1, 1.5, "3", True):
        with pytest.raises((ValueError, TypeError), match=f"n must be an integer >= 1; got {n!r}"):
            model.query(X, n)
