"""Labels to a target, of runs that may never reach it."""

from __future__ import annotations

import pytest
from gamble_findings import findings_of, label_run

from frugalboost.reproduce.gamble.labels import Needed, count_labels, ratio, say


def test_the_target_is_the_lowest_error_of_batch_unless_one_is_given():
    run = label_run([0.5, 0.2, 0.1], least=[0.2, 0.2, 0.1])
    assert run.target == 0.2
    assert count_labels([run]) == Needed((30,), 40)
    assert count_labels([run], errors="least") == Needed((20,), 40)
    assert count_labels([run], 0.1) == Needed((40,), 40)
    assert count_labels([run], 0.05) == Needed((None,), 40)
    assert count_labels([]) is None


def test_work_is_that_of_all_committees_until_the_target():
    run = label_run([0.5, 0.2, 0.1])
    assert [run.work(target) for target in (0.6, 0.2, 0.05)] == [5, 10, None]


@pytest.mark.parametrize(
    ("counts", "median", "text"),
    [
        ((30, 50), 40.0, "40"),
        ((30, 50, 20), 30.0, "30"),
        ((30, None, 50), 50.0, "50 (2 of 3)"),
        ((None, 30, 40, 50), 45.0, "45 (3 of 4)"),
        # Two of four: the median lies between the second and infinity.
        ((30, None, None, 50), None, "> 100 (2 of 4)"),
        ((None,), None, "> 100 (0 of 1)"),
    ],
)
def test_a_run_that_never_reaches_the_target_is_above_all_others(counts, median, text):
    needed = Needed(counts, 100)
    assert needed.median == median
    assert needed.at_least == (100 if median is None else median)
    assert say(needed) == text


def test_no_count_of_a_run_that_missed_moves_the_median():
    assert Needed((20, 30, None), 40).median == Needed((20, 30, None), 9_000).median == 30


def test_ratios_of_what_is_known():
    known, unknown = Needed((30,), 40), Needed((None,), 60)
    assert ratio(known, Needed((40,), 60)) == "0.75"
    assert ratio(known, unknown) == "< 0.50"
    assert ratio(unknown, known) == ratio(None, known) == ratio(known, None) == ""


def test_the_papers_target_and_ones_own():
    runs = [label_run([0.5, 0.05, 0.04], target=0.04), label_run([0.05, 0.047, 0.046])]
    findings = findings_of(labels={("pendigits", "active"): runs})
    assert findings.needed("pendigits", "active") == Needed((40, 30), 40)
    assert findings.needed("pendigits", "active", own=True) == Needed((40, 20), 40)
    assert findings.needed("satimage", "active") is None
