"""Theorems 2 to 5 and lemmas 1 and 2 of the FilterBoost paper, where all can be computed.

Each is tested for two classes, as the paper has it, and for more, as the library extends it; and
for MadaBoost, whose proofs are in docs/filterboost.md.
"""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from small_worlds import World, hypotheses_for, worlds

from frugalboost.filtering.stopping import (
    most_edge_examples,
    most_rejections,
    most_rounds,
    round_confidence,
)
from frugalboost.filtering.weak_learner import required_deviation, step_for

ROUNDING = 1e-12  # of sums of at most a dozen terms of order one


FACTORS = {"log": 2, "mada": 1}


@given(worlds())
def test_theorem_2_the_error_is_at_most_twice_the_acceptance(world):
    """MadaBoost accepts every example that the model gets wrong, so once is enough."""
    assert world.error() <= FACTORS[world.rule_name] * world.acceptance() + ROUNDING
    assert world.rule.error_factor == FACTORS[world.rule_name]


def progress(edge):
    return 1 - 2 * math.sqrt(0.25 - edge**2)


@given(st.data())
def test_lemma_1_progress_with_exact_edges(data):
    world = data.draw(worlds())
    says = data.draw(hypotheses_for(world))
    edge = world.edge(says)
    assume(1e-9 < abs(edge) < 0.499)
    gained = world.potential() - world.after(says, step_for(edge)).potential()
    assert gained >= world.acceptance() * progress(edge) - ROUNDING


@given(st.data(), st.floats(0.05, 0.95), st.floats(-1, 1))
def test_lemma_2_progress_with_estimated_edges(data, tolerance, deviation):
    world = data.draw(worlds())
    says = data.draw(hypotheses_for(world))
    edge = world.edge(says)
    assume(1e-9 < abs(edge) < 0.49)
    estimate = edge * (1 + tolerance * deviation) / (1 + tolerance)  # within the tolerance
    gained = world.potential() - world.after(says, step_for(estimate)).potential()
    least = progress(edge * (1 - tolerance) / (1 + tolerance))
    assert gained >= world.acceptance() * least - ROUNDING


@given(st.data())
def test_lemma_1_holds_for_confidences(data):
    """A tree that rates its confidence, scaled to differences from -1 to 1."""
    world = data.draw(worlds())
    n = world.scores.shape
    says = np.array(
        data.draw(st.lists(st.floats(-0.5, 0.5), min_size=n[0] * n[1], max_size=n[0] * n[1]))
    )
    says = says.reshape(n) * (2 if world.n_classes == 2 else 1)
    edge = world.edge(says)
    assume(1e-9 < abs(edge) < 0.499)
    gained = world.potential() - world.after(says, step_for(edge)).potential()
    assert gained >= world.acceptance() * progress(edge) - ROUNDING


def majority_of_three(n_classes, rule="log"):
    """All inputs of three attributes with n_classes values each; the label is the mode, else the
    first attribute."""
    values = np.stack(np.meshgrid(*[np.arange(n_classes)] * 3), axis=-1).reshape(-1, 3)
    counts = (values[:, :, None] == np.arange(n_classes)).sum(axis=1)
    labels = np.where(counts.max(axis=1) > 1, counts.argmax(axis=1), values[:, 0])
    outputs = 1 if n_classes == 2 else n_classes
    scores = np.zeros((len(values), outputs))
    shares = np.full(len(values), 1 / len(values))
    return values, World(shares, labels, scores, n_classes, rule)


def best_attribute(values, world):
    """The hypothesis "the class is the value of attribute j" with the largest edge."""
    said = [
        np.where(column == 1, 1.0, -1.0)[:, None]
        if world.n_classes == 2
        else np.eye(world.n_classes)[column]
        for column in values.T
    ]
    return max(said, key=lambda says: abs(world.edge(says)))


@pytest.mark.parametrize("rule", ["log", "mada"])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("tolerance", [0.0, 0.5])
@pytest.mark.parametrize("target", [0.3, 0.1, 0.03])
def test_theorems_3_and_5_bound_the_rounds(rule, n_classes, tolerance, target):
    values, world = majority_of_three(n_classes, rule)
    budget = FACTORS[rule] * world.potential()
    assert world.rule.budget == pytest.approx(budget, rel=ROUNDING)
    edges = []
    while world.error() >= target:
        says = best_attribute(values, world)
        edges.append(world.edge(says))
        # The worst estimate that the tolerance allows.
        estimate = edges[-1] * (1 - tolerance) / (1 + tolerance)
        world = world.after(says, step_for(estimate))
        smallest = min(map(abs, edges)) * (1 - tolerance) / (1 + tolerance)
        bound = budget / (target * progress(smallest))
        assert most_rounds(target, min(map(abs, edges)), tolerance, budget) == pytest.approx(bound)
        assert len(edges) <= bound
    assert edges


@given(
    st.integers(1, 10_000),
    st.floats(1e-6, 0.2),
    st.floats(0.001, 0.5),
    st.sampled_from([1, 2]),
)
def test_theorem_4_so_many_rejections_are_unlikely_above_the_target(
    call, confidence, target, factor
):
    (limit,) = most_rejections(np.array([call]), confidence, target, factor).tolist()
    allowed = confidence / (call * (call + 1))
    assert (1 - target / factor) ** limit <= allowed * (1 + ROUNDING)
    # And not more than theorem 4 asks for.
    assert limit - 1 < factor / target * math.log(1 / allowed) + 1e-9 * limit


def test_confidences_of_all_steps_add_up_to_the_failure_probability():
    delta = 0.05
    rounds = sum(3 * round_confidence(delta, t) for t in range(1, 100_000))
    assert rounds == pytest.approx(delta, rel=1e-4)
    assert rounds <= delta


@pytest.mark.parametrize("edge", [0.05, 0.2, -0.1])
def test_adaptive_sampling_keeps_its_promise(edge):
    """The estimate is within the tolerance but for the stated probability, with no more examples
    than the paper says."""
    tolerance, confidence = 0.5, 0.1
    random = np.random.default_rng(0)
    n_runs, wrong = 400, 0
    n = np.arange(1.0, math.floor(most_edge_examples(edge, confidence, tolerance)) + 1)
    required = required_deviation(n, confidence, tolerance)
    for _ in range(n_runs):
        u = np.cumsum(random.random(len(n)) < 0.5 + edge) / n - 0.5
        stops = np.flatnonzero(np.abs(u) >= required)
        assert len(stops) > 0
        wrong += abs(u[stops[0]] - edge) > tolerance * abs(edge)
    assert wrong <= confidence * n_runs
