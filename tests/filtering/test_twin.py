"""The loop does what figure 1 says, example by example."""

import numpy as np
import pytest
from filtering_helpers import OneByOne, fitted, make_plan, make_problem

from frugalboost.filtering.filter import Sample
from frugalboost.reference.filterboost import FilterBoost, logistic, truncated
from frugalboost.streams import ArrayOracle


def reference_run(X, y, plan, seed):
    source = OneByOne(X, y, seed)
    trees = []

    def learn(examples, weights):
        rows = np.array([x for x, _ in examples])
        labels = np.array([(label + 1) // 2 for _, label in examples])
        learner = plan.learner(np.zeros(X.shape[1], dtype=bool))
        weights = np.array(weights) if plan.training == "weighted" else None
        tree, _ = learner.fit(Sample(rows, labels, 1 - labels, weights))
        trees.append(tree)
        said = {}  # prediction of single rows is slow

        def h(x):
            if x not in said:
                said[x] = float(tree.predict(np.array([x]))[0, 0])
            return said[x]

        return h

    twin = FilterBoost(
        source.draw,
        source.toss,
        learn,
        plan.sample_size,
        plan.target_error,
        plan.failure_probability,
        plan.edge_tolerance,
        {"log": logistic, "mada": truncated}[plan.rule.name],
        plan.training == "weighted",
    )
    return twin, twin.run(plan.max_rounds), trees


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": 1},
        {"max_depth": 3},
        {"rule": "mada", "max_depth": 3},
        {"training": "weighted", "max_depth": 3},
        {"training": "weighted", "rule": "mada", "max_depth": 3},
    ],
    ids=str,
)
def test_certified_runs_equal_the_reference(seed, options):
    X, y = make_problem(200, seed=seed)
    plan = make_plan(
        mode="certified", max_rounds=3, sample_constant=40, target_error=0.3, **options
    )
    oracle = ArrayOracle(X, y, random_state=3, replace=True)
    booster, _ = fitted(plan, X, y, seed=seed, oracle=oracle)
    twin, terms, trees = reference_run(X, y, plan, seed)
    assert booster.stream.n_used == twin.n_oracle_calls
    assert len(booster.ensemble) == len(terms) > 0
    for (alpha, _), step, tree, other in zip(
        terms, booster.ensemble.steps, booster.ensemble.trees, trees, strict=False
    ):
        # ln((1/2 + g) / (1/2 - g)) / 2 and artanh(2 g) round differently.
        assert step == pytest.approx(abs(alpha), rel=1e-12)
        sign = 1.0 if alpha > 0 else -1.0
        np.testing.assert_array_equal(tree.value, sign * other.value)
        np.testing.assert_array_equal(tree.threshold, other.threshold)


@pytest.mark.parametrize("rule", ["log", "mada"])
def test_the_certified_end_comes_at_the_same_example(rule):
    """A rule that is learnt at once: the first call of a later round rejects all."""
    X, y = np.arange(40.0)[:, None], (np.arange(40) >= 20).astype(int)
    plan = make_plan(
        rule=rule, mode="certified", target_error=0.2, sample_constant=100, max_rounds=50
    )
    oracle = ArrayOracle(X, y, random_state=3, replace=True)
    booster, reason = fitted(plan, X, y, seed=1, oracle=oracle)
    twin, terms, _ = reference_run(X, y, plan, 1)
    assert reason == "target"
    assert len(terms) == len(booster.ensemble) < 50
    assert booster.stream.n_used == twin.n_oracle_calls
