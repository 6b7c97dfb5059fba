"""XD6, Expf and Waveform: labels by their definitions, shares by theirs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import logsumexp

from frugalboost.datasets import make_expf, make_waveform, make_xd6
from frugalboost.datasets.expf import classes_of

every_generator = pytest.mark.parametrize("make", [make_expf, make_waveform, make_xd6])


@every_generator
def test_fewer_examples_are_the_first_of_more(make):
    more_X, more_y = make(20_000, random_state=5)
    for n in (1, 200, 8193):
        X, y = make(n, random_state=5)
        np.testing.assert_array_equal(X, more_X[:n])
        np.testing.assert_array_equal(y, more_y[:n])


@every_generator
def test_seeds(make):
    first, again, other = (make(50, random_state=seed)[0] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    assert (make(50)[0] != make(50)[0]).any()


@every_generator
def test_bad_sizes(make):
    with pytest.raises(ValueError, match=f"^{make.__name__}: n_samples must be an integer >= 1"):
        make(0)


# XD6


def test_labels_of_xd6_are_the_formula():
    X, y = make_xd6(5000, noise=0.0, random_state=0)
    assert X.shape == (5000, 10)
    for a, label in zip(X.tolist(), y.tolist(), strict=True):
        formula = (a[0] and a[1] and a[2]) or (a[3] and a[4] and a[5]) or (a[6] and a[7] and a[8])
        assert label == formula


def test_share_of_xd6_is_that_of_the_truth_table():
    true = [any(all(row[i : i + 3]) for i in (0, 3, 6)) for row in product((0, 1), repeat=9)]
    share = np.mean(true)
    assert share == pytest.approx(0.330, abs=5e-4)
    y = make_xd6(100_000, noise=0.0, random_state=1)[1]
    assert abs(y.mean() - share) < 4 * np.sqrt(share * (1 - share) / 100_000)


@pytest.mark.parametrize("noise", [0.1, 1.0])
def test_noise_of_xd6_flips_labels_of_the_same_attributes(noise):
    X, y = make_xd6(50_000, noise=noise, random_state=2)
    clean_X, clean_y = make_xd6(50_000, noise=0.0, random_state=2)
    np.testing.assert_array_equal(X, clean_X)
    assert abs((y != clean_y).mean() - noise) <= 4 * np.sqrt(noise * (1 - noise) / 50_000)


def test_attributes_of_xd6_are_fair_and_independent_coins():
    X, y = make_xd6(100_000, noise=0.0, random_state=0)
    signs = 2.0 * X - 1
    assert abs(signs.T @ signs / 100_000 - np.eye(10)).max() < 5 / np.sqrt(100_000)
    assert abs(np.corrcoef(X[:, 9], y)[0, 1]) < 5 / np.sqrt(100_000)


def test_bad_noise_of_xd6():
    with pytest.raises(ValueError, match=r"^make_xd6: noise must be a finite .*; got -0.1"):
        make_xd6(noise=-0.1)


# Expf


def test_points_of_expf_fill_the_square():
    X, y = make_expf(100_000, random_state=0)
    assert X.min() >= -10
    assert X.max() <= 10
    assert abs(X.mean(axis=0)).max() < 5 * 5.8 / np.sqrt(100_000)
    assert set(y.tolist()) == set(range(12))
    shares = np.bincount(y) / len(y)
    assert shares.min() > 0.04
    assert shares.max() < 0.14


def test_classes_of_expf_change_at_the_curves_and_nowhere_else():
    for c, x in product((-7.0, -2.0, 3.0), (-5.0, 0.0, 2.0)):
        y = np.exp(x / 4) + c
        below, above = classes_of(np.array([[x, y - 1e-9], [x, y + 1e-9]]))
        assert above == below + 3
    for c, y in product((-2.0, 5.0), (-5.0, 0.5, 4.0)):
        x = c - np.exp(y / 4)
        left, right = classes_of(np.array([[x - 1e-9, y], [x + 1e-9, y]]))
        assert right == left + 1
    X, y = make_expf(2000, random_state=3)
    near = classes_of(X + 1e-12)
    assert (near == y).all()


def test_the_area_below_a_curve_is_its_share():
    y = make_expf(200_000, random_state=4)[1]
    area, _ = quad(lambda x: np.clip(np.exp(x / 4) - 2, -10, 10) + 10, -10, 10, limit=200)
    assert (y < 6).mean() == pytest.approx(area / 400, abs=4 * 0.5 / np.sqrt(200_000))


# Waveform


def test_means_of_waveform_are_the_mean_of_two_triangles():
    X, y = make_waveform(60_000, random_state=0)
    assert X.shape == (60_000, 21)

    def wave(peak):
        return np.array([max(6 - abs(i - peak), 0) for i in range(1, 22)])

    pairs = {0: (11, 15), 1: (11, 7), 2: (15, 7)}
    for label, (one, other) in pairs.items():
        part = X[y == label]
        assert len(part) == pytest.approx(20_000, abs=5 * np.sqrt(20_000))
        expected = (wave(one) + wave(other)) / 2
        assert abs(part.mean(axis=0) - expected).max() < 5 * 2.1 / np.sqrt(len(part))
        # Noise of variance 1, and u of variance 1/12 between the two waves.
        variance = 1 + (wave(one) - wave(other)) ** 2 / 12
        assert part.var(axis=0) == pytest.approx(variance, rel=0.06)


def test_noise_features_of_waveform_say_nothing():
    X, y = make_waveform(40_000, n_noise_features=19, random_state=0)
    assert X.shape == (40_000, 40)
    for label in range(3):
        assert abs(X[y == label, 21:].mean(axis=0)).max() < 5 / np.sqrt(13_000)
    with pytest.raises(ValueError, match=r"^make_waveform: n_noise_features .*; got -1"):
        make_waveform(n_noise_features=-1)


def test_the_best_error_of_waveform():
    """Class densities by integrating over u on a grid: the rule of Bayes errs on about 14 %."""
    X, y = make_waveform(20_000, random_state=1)
    places = np.arange(1, 22)
    waves = [np.maximum(6.0 - abs(places - peak), 0) for peak in (11, 15, 7)]
    grid = (np.arange(100) + 0.5) / 100
    densities = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        means = grid[:, None] * waves[one] + (1 - grid[:, None]) * waves[other]
        squares = (X**2).sum(1)[:, None] - 2 * X @ means.T + (means**2).sum(1)
        densities.append(logsumexp(-squares / 2, axis=1))
    error = (np.argmax(densities, axis=0) != y).mean()
    assert error == pytest.approx(0.14, abs=0.01)
