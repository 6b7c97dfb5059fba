"""Subset mass, preliminary errors, and how often the best feature is among the leading ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from plots_helpers import new_axes, points
from sklearn.datasets import load_breast_cancer

from frugalboost import BinnedDataset, BoostedTreesClassifier
from frugalboost.analysis import fitted_rounds, preliminary_errors, probability_among_best
from frugalboost.plots import AmongBestDisplay, PreliminaryErrorsDisplay, SubsetMassDisplay


@pytest.fixture(scope="module", name="cancer")
def table():
    X, y = load_breast_cancer(return_X_y=True)
    return X, y, BinnedDataset.from_data(X)


def fitted(rule, data, y, **options):
    return BoostedTreesClassifier(rule, max_depth=1, n_estimators=8).fit(data, y, **options)


def heaviest_hold(weights, share):
    """Z_m / Z in Python's integers."""
    heavy = sorted(weights.tolist(), reverse=True)
    return sum(heavy[: math.ceil(share * len(heavy))]) / sum(heavy)


def test_subset_mass_is_the_average_over_rounds(cancer):
    X, y, data = cancer
    models = {rule: fitted(rule, data, y) for rule in ["adaboost", "gentle"]}
    shares = [0.0, 0.125, 0.5, 1.0]
    display = SubsetMassDisplay.from_estimators(models, data, X, y, shares, numbers=iter([2, 5, 8]))
    display.plot(ax=new_axes())
    assert list(display.lines_) == ["adaboost", "gentle"]
    for name, model in models.items():
        rounds = [r.weights for r in fitted_rounds(model, data, X, y) if r.number in (2, 5, 8)]
        expected = [np.mean([heaviest_hold(w, share) for w in rounds]) for share in shares]
        x, line = points(display.lines_[name])
        assert x == shares
        assert line == pytest.approx(expected, rel=1e-13)
    assert points(display.lines_["adaboost"]) != points(display.lines_["gentle"])


def test_subset_mass_of_all_rounds_and_shares(cancer):
    X, y, data = cancer
    weight = np.random.default_rng(0).uniform(0.1, 5.0, len(y))
    model = fitted("adaboost", data, y, sample_weight=weight)
    display = SubsetMassDisplay.from_estimators({"a": model}, data, X, y, sample_weight=weight)
    assert len(display.shares) == 101
    found = display.masses["a"]
    assert (found[0], found[-1]) == (0.0, 1.0)
    gains = np.diff(found)
    # Heaviest first: each hundredth of the rows adds less, but for rows that are not a hundredth.
    assert (gains > 0).all()
    assert gains[0] > gains[-1]
    rounds = [r.weights for r in fitted_rounds(model, data, X, y, sample_weight=weight)]
    assert len(rounds) == 8
    expected = np.mean([heaviest_hold(w, 0.5) for w in rounds])
    assert found[50] == pytest.approx(expected, rel=1e-13)


def test_preliminary_errors_are_drawn_as_computed(cancer):
    _, y, data = cancer
    weights = np.random.default_rng(0).integers(1, 1000, len(y))
    rows = np.arange(0, len(y), 2)
    shares = [0.1, 0.5, 1.0]
    display = PreliminaryErrorsDisplay.from_node(data, y, weights, rows, shares)
    display.plot(ax=new_axes())
    expected = preliminary_errors(data, y, weights, shares, rows)
    assert [points(line) for line in display.lines_] == [[shares, list(row)] for row in expected]
    assert display.best == int(expected[:, -1].argmin())
    whole = PreliminaryErrorsDisplay.from_node(data, y, weights)
    assert whole.shares.tolist() == pytest.approx([i / 100 for i in range(1, 101)])
    assert (
        whole.errors[:, -1].tolist() == preliminary_errors(data, y, weights, [1.0])[:, 0].tolist()
    )


def test_best_is_thick_and_misleading_dashed():
    #           0.2  0.7  0.9  1.0
    errors = [[0.3, 0.3, 0.3, 0.20],  # wins
              [0.1, 0.4, 0.4, 0.30],  # led at 0.2
              [0.2, 0.2, 0.4, 0.45],  # led at 0.7 and ends worse
              [0.4, 0.4, 0.1, 0.50]]  # led when 0.8 was seen, which is not early  # fmt: skip
    display = PreliminaryErrorsDisplay([0.2, 0.7, 0.9, 1.0], errors).plot(ax=new_axes())
    assert (display.best, display.misleading) == (0, 2)
    styles = [(line.get_linestyle(), line.get_linewidth()) for line in display.lines_]
    assert [dashes for dashes, _ in styles] == ["-", "-", "--", "-"]
    assert max(width for _, width in styles[1:]) < styles[0][1]
    labels = [text.get_text() for text in display.legend_.get_texts()]
    assert labels == ["misleading (feature 2)", "best (feature 0)"]


@pytest.mark.parametrize(
    "errors",
    [
        [[0.0, 0.4], [0.0, 0.3]],  # tied: nobody leads
        [[0.1, 0.3], [0.2, 0.4]],  # the best led all along
        [[np.nan, 0.4], [np.nan, 0.3]],  # no row seen yet
    ],
)
def test_nothing_misleads(errors):
    display = PreliminaryErrorsDisplay([0.1, 1.0], errors).plot(ax=new_axes())
    assert display.misleading is None
    assert [line.get_linestyle() for line in display.lines_] == ["-", "-"]


def test_constant_features_never_lead():
    nothing = [np.nan, np.nan]
    display = PreliminaryErrorsDisplay([0.1, 1.0], [nothing, [0.1, 0.4], [0.2, 0.3]])
    assert (display.best, display.misleading) == (2, 1)


def test_among_best_is_drawn_as_computed():
    shares = [0.5, 0.8, 1.0]
    errors = [np.random.default_rng(seed).random((40, 3)) for seed in range(30)]
    display = AmongBestDisplay.from_errors(shares, errors, ks=[1, 10, 0.1, 0.11])
    display.plot(ax=new_axes())
    few = {"K = 1": 1, "K = 10": 10, "K = 0.1 of the features": 4, "K = 0.11 of the features": 5}
    assert list(display.lines_) == list(few)
    for name, k in few.items():
        assert points(display.lines_[name]) == [shares, list(probability_among_best(errors, k))]
    # The errors are drawn independently, so the best is among 10 of 40 a quarter of the time.
    assert display.probabilities["K = 10"][0] == pytest.approx(0.25, abs=0.3)
    assert display.probabilities["K = 1"][-1] == 1.0


def test_a_share_of_the_features_is_not_rounded_up_by_an_ulp():
    errors = np.tile(np.arange(100.0)[:, np.newaxis], 2)
    errors[7, 1] = -1.0  # the best is eighth on the first subset
    assert 0.07 * 100 > 7
    display = AmongBestDisplay.from_errors([0.5, 1.0], [errors], ks=[0.07, 0.071])
    assert [line[0] for line in display.probabilities.values()] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SubsetMassDisplay([], {"a": []}), "shares must be a list of finite numbers"),
        (lambda: SubsetMassDisplay([np.nan], {"a": [1]}), "shares must be a list of finite"),
        (lambda: SubsetMassDisplay([1.0], {}), "masses must be a dict with at least one entry"),
        (lambda: SubsetMassDisplay([1.0], [[1.0]]), "masses must be a dict with at least one"),
        (
            lambda: SubsetMassDisplay([0.5, 1.0], {"a": [1.0]}),
            r"masses\['a'\] must be 2 numbers, as many as shares; got shape \(1,\)",
        ),
        (
            lambda: SubsetMassDisplay([1.0], {"a": "much"}),
            r"masses\['a'\] must be 1 numbers, as many as shares; got 'much'",
        ),
        (
            lambda: SubsetMassDisplay.from_estimators({}, None, None, None),
            "models must be a dict with at least one entry",
        ),
        (
            lambda: SubsetMassDisplay.from_estimators({"a": None}, None, None, None, numbers=[]),
            "numbers must be None or at least one round",
        ),
        (lambda: AmongBestDisplay([0.5], {}), "probabilities must be a dict"),
        (
            lambda: AmongBestDisplay.from_errors([0.5, 1.0], [[[0.1]]], [1]),
            r"errors must be one or more tables .* 2 shares; got the shapes \[\(1, 1\)\]",
        ),
        (lambda: AmongBestDisplay.from_errors([1.0], [], [1]), "errors must be one or more"),
        (lambda: AmongBestDisplay.from_errors([1.0], [3], [1]), "errors must be one or more"),
        (lambda: AmongBestDisplay.from_errors([1.0], [[[0.1]]], [0]), "each of ks must be an int"),
        (
            lambda: AmongBestDisplay.from_errors([1.0], [[[0.1]]], [1.5]),
            r"each of ks that is not an integer must be a finite number in \(0.0, 1.0\); got 1.5",
        ),
        (lambda: AmongBestDisplay.from_errors([1.0], [[[0.1]]], []), "ks must be one or more"),
        (
            lambda: PreliminaryErrorsDisplay([0.5, 1.0], [[0.1]]),
            r"errors must be numbers of shape \(n_features, 2\)",
        ),
        (lambda: PreliminaryErrorsDisplay([1.0], [0.1]), "errors must be numbers of shape"),
        (lambda: PreliminaryErrorsDisplay([1.0], [[np.nan]]), "errors must be numbers of shape"),
        (lambda: PreliminaryErrorsDisplay([1.0], np.empty((0, 1))), "errors must be numbers of"),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=rf"^\w+Display: {message}"):
        make()
