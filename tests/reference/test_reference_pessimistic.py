"""The binomial distribution of the pessimistic twin beside SciPy's."""

from __future__ import annotations

import pytest
from scipy.stats import beta, binom

from frugalboost.reference.pessimistic import at_most, predicted_errors, upper_limit


@pytest.mark.parametrize("cases", [1, 5, 40])
@pytest.mark.parametrize("rate", [0.01, 0.3, 0.9])
def test_probabilities_are_those_of_the_binomial_distribution(cases, rate):
    for errors in range(cases + 1):
        assert at_most(errors, cases, rate) == pytest.approx(binom.cdf(errors, cases, rate))


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_the_limit_is_the_one_sided_interval_of_clopper_and_pearson(confidence):
    for cases in (1, 4, 25):
        for errors in range(cases):
            expected = beta.ppf(1 - confidence, errors + 1, cases - errors)
            assert upper_limit(errors, cases, confidence) == pytest.approx(expected)


def test_all_cases_wrong_have_no_limit_below_one():
    assert upper_limit(4, 4, 0.25) == 1.0


def test_a_leaf_names_its_most_frequent_class():
    assert predicted_errors([1, 15], 0.25) == 16 * upper_limit(1, 16, 0.25)
