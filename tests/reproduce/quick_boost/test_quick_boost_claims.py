"""Claims of Quick Boost, judged by results made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from frugalboost.reproduce.fits import HEURISTICS
from frugalboost.reproduce.quick_boost.claims import CLAIMS
from frugalboost.reproduce.quick_boost.findings import (
    Findings,
    fewer_errors,
    less_work,
    rows_of_90_percent,
    share_of_knee,
    speedup,
    speedup_at,
    sweep_of,
)

FAULTY = ((0.75, 10), (0.5, 10))
NOTHING = Findings({}, None, None, {}, {}, {}, {}, {}, {}, {}, {})
DATA = ("faces", "pedestrians", "mnist")


def curve(factor, area=0.1, loss=0.1, scans=0.0, n=40):
    """The quick search needs 10 assessments for each tree, and codes besides."""
    quick = 10.0 * np.arange(1, n + 1)
    return {
        "n_trees": n,
        "rounds": list(range(1, n + 1)),
        "digest": "a",
        "quick": quick.tolist(),
        "slow": (factor * quick).tolist(),
        "quick_scans": (scans * quick).tolist(),
        "slow_scans": [0.0] * n,
        "train_loss": [loss] * n,
        "test_area": np.linspace(0.5, area, n).tolist(),
    }


def with_curves(**by_heuristic):
    curves = {
        (data, heuristic): by_heuristic.get(heuristic.replace(" ", "_").replace(".", ""), curve(10))
        for data in DATA
        for heuristic in HEURISTICS
    }
    return replace(NOTHING, curves=curves)


def verdict(findings, quote):
    (found,) = (each for each in CLAIMS.judged(findings) if quote in each.quote)
    return found.holds


def test_without_results_nothing_is_judged():
    assert {each.holds for each in CLAIMS.judged(NOTHING)} == {None}
    assert len(CLAIMS) == len({(each.where, each.quote) for each in CLAIMS}) > 25


def test_costs_count_bounds_if_asked():
    one = curve(8, scans=3.0)
    assert speedup(one, bounds=False) == 8
    assert speedup(one, bounds=True) == 2
    assert speedup_at({**one, "slow": [10.0, 40.0, *[90.0] * 38]}, 2, bounds=False) == 2


def test_errors_at_the_cost_of_the_cheapest():
    areas = [0.4, 0.2, 0.1]
    plain = {"quick": [4.0, 8.0, 12.0], "slow": [8.0, 16.0, 24.0], "test_area": areas}
    cheap = {"quick": [3.0, 6.0, 9.0], "slow": [10.0, 20.0, 30.0], "test_area": areas}
    # 9 assessments pay for two trees, and for one of the slow version's; the other has none.
    curves = {"none": plain, "lazy 0.5": cheap}
    assert fewer_errors(curves, bounds=False) == {"none": 2.0}


def test_work_until_the_lowest_error():
    areas = [0.4, 0.1, 0.2]
    late = {"quick": [10.0, 20.0, 30.0], "slow": [10.0, 80.0, 300.0], "test_area": areas}
    assert less_work({"none": late}, bounds=False) == {"none": 4.0}


@pytest.mark.parametrize(("factor", "holds"), [(8.0, True), (7.9, False)])
def test_an_order_of_magnitude_is_eight_fold(factor, holds):
    findings = with_curves(none=curve(factor))
    assert verdict(findings, "a speedup of an order of magnitude") is holds
    assert verdict(with_curves(), "often around an order") is True


def test_a_single_other_model_breaks_the_guarantee():
    findings = with_curves()
    same = replace(findings, slows=dict(findings.curves))
    assert verdict(same, "identical trees") is True
    other = {**same.slows, ("mnist", "none"): {"digest": "b"}}
    assert verdict(replace(same, slows=other), "identical trees") is False


def test_the_lowest_error_must_be_without_heuristics_on_two_data_sets():
    plain = curve(10, area=0.05)
    assert verdict(with_curves(none=plain), "lowest test error in two") is True
    assert verdict(with_curves(lazy_09=plain), "lowest test error in two") is False
    loss = curve(10, loss=0.05)
    assert verdict(with_curves(none=loss), "smallest training loss") is True
    assert verdict(with_curves(trim_099=loss), "smallest training loss") is False


def test_trimmed_classifiers_must_be_worse_than_all_others():
    bad, good = curve(2, area=0.2), curve(2)
    assert verdict(with_curves(trim_09=bad, trim_099=bad), "do not perform as well") is True
    assert verdict(with_curves(trim_09=bad, trim_099=good), "do not perform as well") is False


def test_factors_of_trims_are_read_to_the_first_decimal():
    near, far = curve(2.04), curve(2.06)
    assert verdict(with_curves(trim_09=near, trim_099=near), "between one and two") is True
    assert verdict(with_curves(trim_09=far, trim_099=far), "between one and two") is False


def sweep(best):
    masses, steps = [0.5, 0.9, 0.99], [1, 20, 100]
    assessments = [[90.0 if (mass, n) == best else 95.0 for n in steps] for mass in masses]
    run = {
        "assessments": assessments,
        "scans": [[float(n) for n in steps]] * 3,
        "full": 100.0,
        "full_scans": 1.0,
    }
    return {1: {"masses": masses, "steps": steps, "runs": {"20": run}}}


def test_the_best_schedule_must_be_the_papers():
    assert verdict(replace(NOTHING, sweeps=sweep((0.9, 1))), "lowest computational") is False
    # More subsets are free only without the bounds.
    swept = sweep((0.9, 20))
    assert sweep_of(swept[1], "20", code=0.0).best == (0.9, 20)
    assert sweep_of(swept[1], "20", code=1.0).best == (0.5, 1)
    assert sweep_of(swept[1], "20", code=0.1).best == (0.9, 20)


def mass(share):
    """A line that holds 90 % of the weight from this share of the rows on."""
    shares = np.linspace(0, 1, 201)
    line = np.where(shares >= share - 1e-9, 0.9, 0.5).tolist()
    rounds = [20, 40]
    return {
        "shares": shares.tolist(),
        "mass": line,
        "early_mass": line,
        "rows": [0.2, share],
        "rounds": rounds,
    }


@pytest.mark.parametrize(("share", "holds"), [(0.07, True), (0.08, False)])
def test_seven_percent_of_the_rows(share, holds):
    findings = replace(NOTHING, masses={"adaboost": mass(share)})
    assert rows_of_90_percent(findings.masses["adaboost"]) == pytest.approx(share)
    assert verdict(findings, "7 % or so") is holds


def test_the_knee_is_where_the_best_feature_stays_among_the_first():
    shares = [0.25, 0.5, 0.75, 1.0]
    stage = {"probabilities": {"10": [1.0, 0.9, 0.96, 1.0]}}
    assert share_of_knee(shares, stage, "10") == 0.75
    stage = {"probabilities": {"10": [0.5, 0.5, 0.5, 0.5]}}
    assert share_of_knee(shares, stage, "10") is None


def test_one_broken_bound_refutes_the_proposition():
    looks = {"n_compared": 10, "n_broken": 0, "stages": {"1 to 2": {}}}
    only = replace(NOTHING, looks=looks)
    (found,) = (each for each in CLAIMS if each.where == "proposition 1")
    assert found.judged(only).holds is True
    broken = replace(only, looks={**looks, "n_broken": 1})
    assert found.judged(broken).holds is False


def test_wrong_features_must_cost_more_than_chance_and_the_loss_is_the_reason_if_they_do_not():
    def faulty(area, loss, first=0.6):
        made = curve(1, area, loss) | {"share_right": 0.1}
        return made | {"test_area": np.linspace(first, area, 40).tolist()}

    def judged(*results):
        found = replace(
            with_curves(none=curve(10, 0.1, 0.1)), faulty=dict(zip(FAULTY, results, strict=False))
        )
        return next(each for each in CLAIMS.judged(found) if "sub-optimal parameters" in each.quote)

    assert judged(faulty(0.2, 0.2), faulty(0.12, 0.2)).holds is True
    one_is_as_good = judged(faulty(0.2, 0.2), faulty(0.1, 0.3))
    assert one_is_as_good.holds is False
    assert "training loss 1.00e-01 and 2.00e-01; test error 0.30513" in one_is_as_good.why
    assert judged(faulty(0.2, 0.2), faulty(0.1, 0.05)).why == ""  # its loss is not poorer
    assert judged(faulty(0.2, 0.2), faulty(0.1, 0.2, first=0.4)).why == ""  # nor early errors
