from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from scipy.stats import binom, chi2, norm

from frugalboost.datasets import (
    concentric_spheres_batches,
    majority_batches,
    make_concentric_spheres,
    make_majority,
    make_twonorm,
    twonorm_batches,
)

PAIRS = [
    (make_majority, majority_batches),
    (make_twonorm, twonorm_batches),
    (make_concentric_spheres, concentric_spheres_batches),
]
every_pair = pytest.mark.parametrize(("make", "batches"), PAIRS)


@pytest.mark.parametrize("n_relevant", [1, 5, 8, 40, 100])
def test_labels_without_noise_are_the_majority(n_relevant):
    X, y = make_majority(20_000, n_relevant=n_relevant, noise=0.0, random_state=1)
    ones = X[:, :n_relevant].astype(int).sum(axis=1)
    np.testing.assert_array_equal(y, ones > n_relevant - ones)


def test_a_tie_is_class_0():
    X, y = make_majority(1000, n_features=2, n_relevant=2, noise=0.0, random_state=0)
    assert set(map(tuple, np.column_stack([X, y]).tolist())) == {
        (0, 0, 0),
        (0, 1, 0),
        (1, 0, 0),
        (1, 1, 1),
    }


def test_shares_of_classes_are_those_of_the_binomial_distribution():
    n = 400_000
    y = make_majority(n, noise=0.0, random_state=0)[1]
    share = binom.sf(20, 40, 0.5)
    assert abs(y.mean() - share) < 4 * np.sqrt(share * (1 - share) / n)


@pytest.mark.parametrize("noise", [0.1, 0.25, 1.0])
def test_noise_flips_labels_of_the_same_attributes(noise):
    n = 200_000
    X, y = make_majority(n, noise=noise, random_state=7)
    clean_X, clean_y = make_majority(n, noise=0.0, random_state=7)
    np.testing.assert_array_equal(X, clean_X)
    flipped = (y != clean_y).mean()
    assert abs(flipped - noise) <= 4 * np.sqrt(noise * (1 - noise) / n)


def test_attributes_are_fair_and_independent_coins():
    n = 100_000
    X, _ = make_majority(n, n_features=13, n_relevant=3, random_state=0)
    assert X.dtype == np.uint8
    assert X.shape == (n, 13)
    assert set(np.unique(X).tolist()) == {0, 1}
    signs = 2.0 * X - 1
    moments = signs.T @ signs / n  # the unit matrix, up to 1 / sqrt(n)
    assert abs(moments - np.eye(13)).max() < 5 / np.sqrt(n)
    assert abs(signs.mean(axis=0)).max() < 5 / np.sqrt(n)


@pytest.mark.parametrize("n_features", [1, 20])
def test_twonorm_has_the_means_and_the_covariance(n_features):
    n = 200_000
    X, y = make_twonorm(n, n_features=n_features, random_state=0)
    assert abs(y.mean() - 0.5) < 2 / np.sqrt(n)
    a = 2 / np.sqrt(n_features)
    for label, mean in ((0, -a), (1, a)):
        part = X[y == label]
        assert abs(part.mean(axis=0) - mean).max() < 5 / np.sqrt(len(part))
        covariance = np.cov(part, rowvar=False).reshape(n_features, n_features)
        assert abs(covariance - np.eye(n_features)).max() < 10 / np.sqrt(len(part))


def test_bayes_error_of_twonorm():
    n = 400_000
    X, y = make_twonorm(n, random_state=3)
    expected = norm.cdf(-2.0)  # half of the distance of the means, 4, in standard deviations
    assert round(expected, 3) == 0.023
    errors = ((X.sum(axis=1) > 0) != y).mean()
    assert abs(errors - expected) < 4 * np.sqrt(expected / n)


@pytest.mark.parametrize(("n_classes", "n_features"), [(2, 10), (5, 10), (3, 1)])
def test_classes_of_the_spheres_are_shells_of_equal_size(n_classes, n_features):
    n = 200_000
    X, y = make_concentric_spheres(n, n_classes=n_classes, n_features=n_features, random_state=0)
    assert (X.shape, X.dtype, y.dtype) == ((n, n_features), np.float64, np.int64)
    share = chi2.cdf((X**2).sum(axis=1), n_features)
    np.testing.assert_array_equal(y, np.floor(share * n_classes))
    spread = np.sqrt(n * (1 - 1 / n_classes) / n_classes)
    assert abs(np.bincount(y, minlength=n_classes) - n / n_classes).max() < 4 * spread
    assert abs(X.mean(axis=0)).max() < 5 / np.sqrt(n)


def test_spheres_of_any_number_of_classes_are_the_same_examples():
    two, five = (make_concentric_spheres(50, n_classes=K, random_state=0) for K in (2, 5))
    np.testing.assert_array_equal(two[0], five[0])
    with pytest.raises(ValueError, match=r"^make_concentric_spheres: n_classes .* >= 2; got 1"):
        make_concentric_spheres(n_classes=1)


@every_pair
def test_fewer_examples_are_the_first_of_more(make, batches):
    more_X, more_y = make(30_000, random_state=5)
    for n in (1, 100, 8191, 8192, 8193, 20_000):
        X, y = make(n, random_state=5)
        np.testing.assert_array_equal(X, more_X[:n])
        np.testing.assert_array_equal(y, more_y[:n])


@every_pair
@pytest.mark.parametrize("size", [1000, 8192, 20_000])
def test_batches_are_the_same_examples_each_time(make, batches, size):
    all_X, all_y = make(3 * size, random_state=5)
    endless = batches(size, random_state=5)
    for _ in range(2):
        parts = list(islice(endless, 3))
        assert [len(y) for _, y in parts] == [size] * 3
        np.testing.assert_array_equal(np.concatenate([X for X, _ in parts]), all_X)
        np.testing.assert_array_equal(np.concatenate([y for _, y in parts]), all_y)


@every_pair
def test_seeds(make, batches):
    assert (make(50, random_state=0)[0] != make(50, random_state=1)[0]).any()
    assert (make(50)[0] != make(50)[0]).any()
    state = np.random.RandomState(0)
    first, second = make(50, random_state=state)[0], make(50, random_state=state)[0]
    assert (first != second).any()
    np.testing.assert_array_equal(first, make(50, random_state=np.random.RandomState(0))[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": 0}, "n_samples must be an integer >= 1; got 0"),
        ({"n_features": 0}, "n_features must be an integer >= 1; got 0"),
        ({"n_relevant": 101}, "n_relevant must be an integer from 1 to 100; got 101"),
        ({"noise": 1.5}, r"noise must be a finite number in \[0.0, 1.0\]; got 1.5"),
        ({"random_state": "a"}, "random_state must be None, an integer .*; got 'a'"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=f"^make_majority: {message}"):
        make_majority(**options)


@pytest.mark.parametrize("batches", [batches for _, batches in PAIRS])
def test_bad_batches(batches):
    with pytest.raises(ValueError, match=f"^{batches.__name__}: batch_size .* >= 1; got 0"):
        batches(0)
    with pytest.raises(ValueError, match=f"^{batches.__name__}: n_features .* >= 1; got -1"):
        batches(n_features=-1)
