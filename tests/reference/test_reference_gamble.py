"""GAMBLE's theorems, each on the paper's own quantities and where possible without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor

from frugalboost.reference import gamble
from frugalboost.reference.gamble import response_vectors, squared_response, weak_learner

every_number_of_classes = pytest.mark.parametrize("n_classes", [2, 3, 5, 11])


def shares(n_classes):
    """Posterior probabilities, none of them zero."""
    parts = st.lists(st.integers(1, 1000), min_size=n_classes, max_size=n_classes)
    return parts.map(lambda found: np.array(found) / sum(found))


def expected_loss(f, p):
    """``E[exp(-y . f / K)]`` where class k has probability ``p_k``."""
    K = len(p)
    y = response_vectors(np.arange(K), K)
    return float(p @ np.exp(-(y @ f) / K))


def minimiser(p):
    """Theorem 3.1."""
    return (len(p) - 1) * (np.log(p) - np.log(p).mean())


@every_number_of_classes
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_theorem_3_1_the_minimiser_is_the_centred_logarithm_of_the_posterior(n_classes, data):
    p = data.draw(shares(n_classes))
    steps = st.lists(st.floats(-2, 2), min_size=n_classes, max_size=n_classes)
    step = np.array(data.draw(steps))
    best = minimiser(p)
    assert best.sum() == pytest.approx(0, abs=1e-9)
    assert expected_loss(best, p) <= expected_loss(best + step - step.mean(), p) * (1 + 1e-12)


@every_number_of_classes
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_theorem_3_1_the_link_gives_the_posterior_back(n_classes, data):
    p = data.draw(shares(n_classes))
    powers = np.exp(minimiser(p) / (n_classes - 1))
    assert powers / powers.sum() == pytest.approx(p)


@every_number_of_classes
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_theorem_3_1_a_weak_learner_names_the_most_probable_class(n_classes, data):
    p = data.draw(shares(n_classes))
    g = p @ response_vectors(np.arange(n_classes), n_classes)
    h = p @ response_vectors(np.arange(n_classes), n_classes) ** 2
    r = n_classes * g / h
    f = weak_learner(g[np.newaxis], h[np.newaxis])[0]
    most_probable = np.flatnonzero(p == p.max())
    assert r.argmax() in most_probable
    assert f.argmax() in most_probable


@every_number_of_classes
@given(data=st.data())
@settings(deadline=None, max_examples=25)
def test_theorem_3_1_rounds_on_one_leaf_reach_the_posterior(n_classes, data):
    """Steps are K / (K - 1) times Newton's close to the minimum, so half of them converge."""
    p = data.draw(shares(n_classes))
    y = response_vectors(np.arange(n_classes), n_classes)
    F = np.zeros(n_classes)
    for _ in range(400):
        w = p * np.exp(-(y @ F) / n_classes)
        g = (w @ y / w.sum())[np.newaxis]
        F += 0.5 * weak_learner(g, squared_response(g))[0]
    assert pytest.approx(minimiser(p), abs=1e-6) == F


@every_number_of_classes
@given(data=st.data())
@settings(deadline=None, max_examples=25)
def test_result_1_an_update_is_a_newton_step_of_each_component(n_classes, data):
    """The first derivative of the loss over the second, by finite differences."""
    p = data.draw(shares(n_classes))
    y = response_vectors(np.arange(n_classes), n_classes)
    width = 1e-3 * n_classes
    for k, direction in enumerate(width * np.eye(n_classes)):
        ahead, here, behind = (expected_loss(s * direction, p) for s in (1, 0, -1))
        newton = -(ahead - behind) / 2 / (ahead - 2 * here + behind) * width
        expected = n_classes * (p @ y[:, k]) / (p @ y[:, k] ** 2)
        assert newton == pytest.approx(expected, rel=1e-3, abs=1e-3)


@every_number_of_classes
def test_result_2_fitted_values_sum_to_zero_and_span_one_dimension_less(n_classes):
    rng = np.random.default_rng(0)
    labels, weights = rng.permutation(np.arange(60) % n_classes), rng.random(60)
    y = response_vectors(labels, n_classes)
    tree = DecisionTreeRegressor(max_leaf_nodes=20, random_state=0)
    g = tree.fit(rng.random((60, 4)), y, weights).predict(rng.random((200, 4)))
    assert g.sum(axis=1) == pytest.approx(np.zeros(200), abs=1e-9)
    assert np.linalg.matrix_rank(g) == n_classes - 1


@every_number_of_classes
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_result_3_weak_learners_are_bounded(n_classes, data):
    K = n_classes
    counts = data.draw(st.lists(st.integers(0, 9), min_size=K, max_size=K).filter(any))
    g = (np.array(counts) / sum(counts) @ response_vectors(np.arange(K), K))[np.newaxis]
    slack = 1e-9 * K**2
    assert -1 / (K - 1) - slack <= g.min() <= g.max() <= 1 + slack
    r = K * g / squared_response(g)
    assert -K * (K - 1) - slack <= r.min() <= r.max() <= K + slack
    f = weak_learner(g, squared_response(g))
    assert np.abs(f).max() <= K * (K - 1) + slack


@every_number_of_classes
def test_result_3_pure_leaves_reach_the_bounds(n_classes):
    K = n_classes
    f = weak_learner(response_vectors(np.arange(K), K), response_vectors(np.arange(K), K) ** 2)
    assert f.diagonal() == pytest.approx(np.full(K, K * (K - 1.0)))
    off = f[~np.eye(K, dtype=bool)]
    assert off == pytest.approx(np.full(K * (K - 1), -float(K)))


def exact_responses(labels, n_classes):
    """Response vectors without rounding."""
    other = Fraction(-1, n_classes - 1)
    return [[Fraction(1) if k == label else other for k in range(n_classes)] for label in labels]


def exact_mean(responses, weights):
    total = sum(weights)
    return [sum(w * c for w, c in zip(weights, column, strict=True)) / total
            for column in zip(*responses, strict=True)]  # fmt: skip


def exact_squares(responses, weights):
    """Weighted least squares about the weighted mean, all components together."""
    mean = exact_mean(responses, weights)
    return sum(
        w * sum((a - b) ** 2 for a, b in zip(response, mean, strict=True))
        for response, w in zip(responses, weights, strict=True)
    )


@st.composite
def weighted_labels(draw):
    n_classes = draw(st.integers(3, 6))
    n_rows = draw(st.integers(2, 9))
    labels = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    weights = draw(st.lists(st.integers(1, 2**50), min_size=n_rows, max_size=n_rows))
    return n_classes, labels, weights


@given(problem=weighted_labels())
@settings(deadline=None, max_examples=60)
def test_theorem_3_2_both_regressions_order_all_regions_alike(problem):
    """Of any region, z loses ((K - 2) / (K - 1))^2 of what y loses, so every split ranks alike."""
    n_classes, labels, weights = problem
    y = exact_responses(labels, n_classes)
    z = [[component**2 for component in response] for response in y]
    factor = Fraction(n_classes - 2, n_classes - 1) ** 2
    for cut in range(1, len(labels)):
        for rows in (slice(cut), slice(cut, None)):
            squares = exact_squares(y[rows], weights[rows])
            assert exact_squares(z[rows], weights[rows]) == factor * squares


@given(problem=weighted_labels())
@settings(deadline=None, max_examples=60)
def test_least_squares_on_the_responses_is_gini(problem):
    n_classes, labels, weights = problem
    total = sum(weights)
    by_class = [sum(w for w, c in zip(weights, labels, strict=True) if c == k)
                for k in range(n_classes)]  # fmt: skip
    gini = sum(w * (1 - Fraction(w, total)) for w in by_class)
    squares = exact_squares(exact_responses(labels, n_classes), weights)
    assert squares == Fraction(n_classes, n_classes - 1) ** 2 * gini


@given(problem=weighted_labels())
@settings(deadline=None, max_examples=60)
def test_corollary_3_1_one_regression_gives_the_other(problem):
    K, labels, weights = problem
    y = exact_responses(labels, K)
    g = exact_mean(y, weights)
    h = exact_mean([[component**2 for component in response] for response in y], weights)
    assert h == [Fraction(K - 2, K - 1) * component + Fraction(1, K - 1) for component in g]


def test_corollary_3_1_for_two_classes_squares_are_one():
    assert squared_response(np.array([[-0.3, 0.3]])).tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_algorithm_1_with_trees_of_both_responses_needs_one_of_them_only(n_classes):
    """Theorem 3.2 and its corollary where the trees are another library's."""
    rng = np.random.default_rng(n_classes)
    X = rng.random((80, 3))
    labels = (n_classes * X[:, 0] + rng.random(80)).astype(int) % n_classes

    def both(responses, weights):
        tree = DecisionTreeRegressor(max_depth=2, random_state=0)
        return tree.fit(X, responses, weights).predict(X)

    def one(responses, weights):
        if responses.min() < 0:
            one.g = both(responses, weights)
            return one.g
        return squared_response(one.g)

    twice, once = gamble(both, labels, n_classes, 4), gamble(one, labels, n_classes, 4)
    assert np.array(once) == pytest.approx(np.array(twice), rel=1e-6, abs=1e-6)
