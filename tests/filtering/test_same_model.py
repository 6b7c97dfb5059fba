"""What must not change a model: sizes of chunks, kept scores, threads, breaks."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from filtering_helpers import fitted, make_booster, make_plan, make_problem

from frugalboost.filtering import FilterBooster, run

pytestmark = pytest.mark.thorough

KINDS = [
    {},
    {"rule": "mada"},
    {"confidence_rated": True, "criterion": "z"},
    {"max_depth": None, "criterion": "entropy", "pruning_fraction": 1 / 3},
    {"max_depth": 2, "criterion": "z", "pruning_fraction": 0.3, "confidence_rated": True},
    {"mode": "certified", "max_rounds": 6},
    {"mode": "certified", "max_rounds": 6, "confidence_rated": True, "criterion": "z"},
]


@cache
def unbroken(at, n_classes):
    """A plan of that kind, its problem, and the whole run."""
    X, y = make_problem(600, n_classes)
    plan = make_plan(n_classes, **{"max_rounds": 12, **KINDS[at]})
    return plan, X, y, *fitted(plan, X, y)


@pytest.fixture(params=[2, 4], ids=["two classes", "four classes"])
def n_classes(request):
    return request.param


@pytest.fixture(params=range(len(KINDS)), ids=lambda at: str(KINDS[at]))
def whole_run(request, n_classes):
    return unbroken(request.param, n_classes)


def test_chunks_kept_scores_and_threads_do_not_matter(whole_run):
    plan, X, y, first, reason = whole_run
    assert len(first.ensemble) > 2
    for options in (
        {"chunk_bytes": 1},
        {"kept_bytes": 12 * 250},
        {"kept_bytes": 0, "n_threads": 2},
    ):
        other, other_reason = fitted(plan, X, y, **options)
        assert other.ensemble.digest() == first.ensemble.digest()
        assert (other.stream.n_used, other_reason) == (first.stream.n_used, reason)


def test_a_run_that_goes_on_equals_an_unbroken_one(whole_run):
    plan, X, y, whole, reason = whole_run
    for n_rounds in (1, 3):
        broken = make_booster(plan, X, y)
        for _ in range(n_rounds):
            broken.round()
        state = broken.stream.state()
        again = make_booster(plan, X, y)
        again.ensemble = broken.ensemble
        for tree, step in zip(broken.ensemble.trees, broken.ensemble.steps, strict=True):
            again.stream.forest.append(tree, step)
        again.stream.restore(state)
        assert run(again) == reason
        assert again.ensemble.digest() == whole.ensemble.digest()
        assert again.stream.n_used == whole.stream.n_used


@pytest.mark.parametrize("n_trees", [1, 2, 3, 7, 8, 21])
def test_scores_are_those_of_the_ensemble(n_trees):
    X, y = make_problem(500)
    for depth in (1, 3):
        booster, _ = fitted(make_plan(max_rounds=n_trees, max_depth=depth), X, y)
        whole = booster.ensemble.decision(X)
        seen = np.zeros(len(X), dtype=np.int32)
        scores = np.zeros((len(X), 1))
        booster.stream.forest.advance(X, seen, scores)
        np.testing.assert_array_equal(scores, whole)
        # From any number of trees already seen, row by row.
        seen = np.random.default_rng(0).integers(0, n_trees + 1, len(X)).astype(np.int32)
        stages = [np.zeros((len(X), 1)), *booster.ensemble.staged_decision(X)]
        scores = np.array([stages[k][i] for i, k in enumerate(seen)])
        booster.stream.forest.advance(X, seen, scores)
        np.testing.assert_array_equal(scores, whole)
        assert (seen == n_trees).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_tuples_of_single_examples_are_enough_for_an_oracle(n_classes):
    """The narrow protocol: three methods, batches of any size, no row numbers."""

    class Counting:
        def __init__(self, X, y):
            self.X, self.y, self.at = X, y, 0

        def draw(self, n):
            i = self.at % len(self.y)
            self.at += 1
            return self.X[i : i + 1], self.y[i : i + 1]

        def state(self):
            return {"at": self.at}

        def restore(self, state):
            self.at = state["at"]

    X, y = make_problem(400, n_classes)
    plan = make_plan(n_classes, max_rounds=5)
    one, _ = fitted(plan, X, y, oracle=Counting(X, y))
    from frugalboost.streams import ArrayOracle

    many, _ = fitted(plan, X, y, oracle=ArrayOracle(X, y, shuffle=False))
    assert one.ensemble.digest() == many.ensemble.digest()


class Watched(FilterBooster):
    """Notes which rows, by their last column, trees are weighed on and trained on."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.weighed, self.trained = [], []
        learner = self._learner

        def fit(sample):
            self.trained.append(set(sample.X[:, -1]))
            return learner.fit(sample)

        self._learner = SimpleNamespace(fit=fit)

    def _draw_weighing(self, t):
        examples = super()._draw_weighing(t)
        self.weighed.append(set(examples.X[:, -1]))
        return examples


def test_no_row_that_weighs_a_tree_trains_it():
    """Few rows and a low acceptance rate, so that a round goes through all rows several times."""
    X, y = make_problem(400)
    X[:, -1] = np.arange(400)
    plan = make_plan(max_depth=6, max_rounds=20, target_error=1e-3)
    plain = make_booster(plan, X, y)
    booster = Watched(plan, plain.stream, plain.ensemble, plain.ledger)
    run(booster)
    assert len(booster.trained) == len(booster.weighed) == 20
    assert booster.ledger.column("examples").max() > 800
    for trained, weighed in zip(booster.trained, booster.weighed, strict=True):
        assert trained.isdisjoint(weighed)
