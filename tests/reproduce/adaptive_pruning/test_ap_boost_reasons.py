"""Verdicts and reasons on results made by hand: a reason must show in its experiment."""

from __future__ import annotations

import pytest

from frugalboost.reproduce.adaptive_pruning.claims import CLAIMS
from frugalboost.reproduce.adaptive_pruning.findings import Findings
from frugalboost.reproduce.adaptive_pruning.reasons import (
    explain_errors,
    explain_excess,
    explain_gaps,
    explain_seconds,
)


def timed(ap_boost, quick):
    return {
        "rounds": 500,
        "seconds": {"ap_boost": ap_boost, "adaptive": 1.0, "quick": quick},
        "assessments": {"ap_boost": 90, "adaptive": 80, "quick": 100},
    }


def bounded(searches, bound=(100, 100, 100), full=200):
    """A data set whose trees of depth 1 and 3 took so many assessments in each of three rounds."""
    results = {
        f"a6a-depth{depth}-none-{search}-seed0": {
            "marks": [3],
            "assessments": [sum(counts)],
            "by_round": {"assessments": counts, "full": [full] * 3},
        }
        for search, counts in searches.items()
        for depth in (1, 3)
    }
    rounds = {"rounds": [1, 2, 3], "weight_order": list(bound)}
    return results | {"a6a-weight-order-bound": rounds}


def judge(quote, results, chosen=("a6a",)):
    claim = next(claim for claim in CLAIMS if quote in claim.quote)
    return claim.judged(Findings([], chosen, results))


@pytest.mark.parametrize(("seconds", "holds"), [((1.0, 2.0), True), ((2.0, 1.0), False)])
def test_seconds_must_be_saved_where_assessments_are(seconds, holds):
    verdict = judge("CPU time improvements correspond", {"a6a-none-seconds": timed(*seconds)})
    assert verdict.holds is holds
    assert f"in {int(holds)} of 1 cases" in verdict.measured


def test_the_reason_for_the_seconds_needs_a_faster_search_where_reads_are_more():
    results = {"a6a-1-copies-seconds": timed(2.0, 1.0)}
    assert explain_seconds(Findings([], [], results)) is None
    slower = results | {"a6a-10-copies-seconds": timed(3.0, 1.0)}
    assert explain_seconds(Findings([], [], slower)) is None
    reason = explain_seconds(Findings([], [], results | {"a6a-10-copies-seconds": timed(1.0, 2.0)}))
    assert reason is not None
    assert "saves 50.0 % of the seconds instead of -100.0 %" in reason[0]


@pytest.mark.parametrize(("excess", "holds"), [(3, True), (9, False)])
def test_nearly_identical_is_a_twentieth(excess, holds):
    counts = {"ap_boost": [100 + excess] * 3, "adaptive": [101] * 3, "quick": [150] * 3}
    verdict = judge("consistently nearly identical", bounded(counts))
    assert verdict.holds is holds
    assert verdict.measured == f"above the bound: a6a {excess}.0 %"
    if not holds:
        assert "a6a 9.0 % and 1.0 %" in verdict.why


def test_no_reason_for_an_excess_that_best_first_has_as_well():
    counts = {"ap_boost": [109] * 3, "adaptive": [109] * 3, "quick": [150] * 3}
    assert explain_excess(Findings([], ("a6a",), bounded(counts))) is None


def test_shares_of_the_gap_are_explained_by_rounds_with_little_room():
    searches = {"ap_boost": [120, 120, 199], "adaptive": [120] * 3, "quick": [180] * 3}
    exact = {"rounds": [1, 2, 3], "exact": [100, 100, 190], "weight_order": [110, 110, 198]}
    results = bounded(searches) | {"a6a-exact-bound": exact | {"upper": [100, 100, 190]}}
    reason = explain_gaps(Findings([], ("a6a",), results))
    assert reason is not None
    assert reason[0].endswith("a6a 0.10 and 0.80")
    results["a6a-exact-bound"]["weight_order"] = [180, 180, 191]
    assert explain_gaps(Findings([], ("a6a",), results)) is None


def test_the_number_of_batches_is_a_reason_if_fewer_of_them_use_half_of_the_gap():
    searches = {"ap_boost": [110] * 3, "adaptive": [110] * 3, "quick": [120] * 3}
    exact = {"rounds": [1, 2, 3], "exact": [100] * 3, "weight_order": [105] * 3}
    results = bounded(searches) | {"a6a-exact-bound": exact | {"upper": [100] * 3}}
    quote = "half to all of the unnecessary"
    verdict = judge(quote, results)
    assert (verdict.holds, verdict.why) == (False, "")
    steps = {"2": [150, 200, 130], "20": [120] * 3}
    results["a6a-stumps-quick-batches"] = {"by_round": steps}
    assert "a6a 66.7 % with 2, 0.0 % with 20" in judge(quote, results).why
    steps["2"] = [120] * 3
    assert judge(quote, results).why == ""


def test_ties_explain_errors_only_if_another_order_moves_them():
    plain = {"train_error": [0.1, 0.2], "test_error": [0.3, 0.4]}
    results = {"satimage-depth3-none-quick-seed0": plain, "satimage-label-first": plain}
    assert explain_errors(Findings([], [], results)) is None
    results["satimage-label-first"] = plain | {"test_error": [0.305, 0.4]}
    reason = explain_errors(Findings([], [], results))
    assert reason is not None
    assert "0.0050" in reason[0]


def test_claims_wait_for_their_experiments():
    assert {claim.judged(Findings([], [], {})).holds for claim in CLAIMS} == {None}
