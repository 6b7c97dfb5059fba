"""Passes over the rows on several threads: the same integers for every rule and every state."""

from __future__ import annotations

import numpy as np
import pytest

from frugalboost import BinnedDataset
from frugalboost.boosting.loop import Booster
from frugalboost.boosting.state import TrainingData
from frugalboost.rules import CLASSIFIER_RULES, make_rule
from frugalboost.tree import TreePlan

pytestmark = pytest.mark.thorough

N_ROWS = 20_000
"""So many that threads are worth it."""

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N_ROWS, 3))
NOISE = RANDOM.normal(size=N_ROWS)
DATASET = BinnedDataset.from_data(X)
WEIGHTS = {"equal": np.ones(N_ROWS), "any": RANDOM.exponential(size=N_ROWS)}
CASES = [(name, n_classes) for name in CLASSIFIER_RULES for n_classes in (2, 4)] + [("l2", 1)]


def rounds(name, n_classes, sample_weight, search, n_threads):
    """What each round's tree sees, and its leaves."""
    rule = make_rule(name, n_classes)
    score = X[:, 0] + X[:, 1] ** 2 + NOISE
    labels = score if n_classes == 1 else (np.argsort(np.argsort(score)) * n_classes) // N_ROWS
    plan = TreePlan(criterion=rule.criteria[0], search=search, max_depth=4, n_threads=n_threads)
    booster = Booster(TrainingData(DATASET, labels, sample_weight), rule, plan, 0.0)
    for number in range(4):
        problem = booster._state.problem()
        yield problem.scale, problem.weights.tobytes(), problem.mass.tobytes()
        yield booster.round(is_first=number == 0).grown.sums.tolist()


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("search", ["exhaustive", "adaptive"])
@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_threads_do_not_change_a_round(name, n_classes, search, weights):
    alone = list(rounds(name, n_classes, WEIGHTS[weights], search, 1))
    assert alone == list(rounds(name, n_classes, WEIGHTS[weights], search, 3))
