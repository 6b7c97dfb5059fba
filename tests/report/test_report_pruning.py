"""What a report says about fewer trees."""

from __future__ import annotations

import numpy as np
import pytest

from frugalboost.pruning import PruningCurve
from frugalboost.report.pruning import error_interval, verdict


@pytest.mark.parametrize(
    ("lowest", "said"),
    [
        (0.02, "The error is lowest with 5 of 10 trees: 0.02; with all trees it is 0.04"),
        (0.05, "with 5 of 10 trees, the best choice found, it is 0.05: higher, but within"),
        (0.10, "Pruning would make this model worse. With all trees the error is 0.04"),
    ],
)
def test_fewer_trees_are_offered_only_where_they_are_no_worse(lowest, said):
    curve = PruningCurve(np.array([1, 5]), np.array([0.3, lowest]), 0.04, 10)
    interval = error_interval(0.04, 1000)
    told = verdict(curve, interval)
    assert said in told
    assert f"(95% interval: {interval[0]:.4g} to {interval[1]:.4g})" in told
    assert ("Use frugalboost prune" in told) == (lowest < interval[1])


@pytest.mark.parametrize(("n_wrong", "n_rows"), [(1, 3), (7, 2000), (999, 2000), (12, 13)])
def test_the_interval_ends_where_the_error_is_just_plausible(n_wrong, n_rows):
    """Wilson: the errors whose normal 95 % interval, with their own spread, holds the rate."""
    for end in error_interval(n_wrong / n_rows, n_rows):
        spread = np.sqrt(end * (1 - end) / n_rows)
        assert abs(n_wrong / n_rows - end) == pytest.approx(1.959963984540054 * spread, rel=1e-9)


def test_the_interval_has_a_width_where_nothing_or_everything_is_wrong():
    low, high = error_interval(0.0, 50)
    assert (low, high) == (0.0, pytest.approx(1 - error_interval(1.0, 50)[0]))
    assert 0.05 < high < 0.1
    assert error_interval(1.0, 50)[1] == 1.0
