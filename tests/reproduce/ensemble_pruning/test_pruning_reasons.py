"""Why a claim of the ensemble pruning paper does not hold: when it does, and causes."""

from __future__ import annotations

import numpy as np
import pytest
from pruning_results import findings_of, split

from frugalboost.reproduce.ensemble_pruning import causes
from frugalboost.reproduce.ensemble_pruning.by_domain import BY_DOMAIN
from frugalboost.reproduce.ensemble_pruning.claims import CLAIMS
from frugalboost.reproduce.ensemble_pruning.conditions import whens
from frugalboost.reproduce.ensemble_pruning.findings import (
    BETTER_HALF,
    MORE_ROWS,
    OWN_ENSEMBLE,
    Findings,
    Outcome,
    mean_points,
    median_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_pruning.reasons import claims_table, many_rows_sections
from frugalboost.reproduce.ensemble_pruning.variants import VARIANTS

POOR, GOOD = [0.5] * 5, [0.9] * 5


def claim_with(words):
    (claim,) = [claim for claim in CLAIMS if words in claim.quote]
    return claim


def test_its_own_ensemble_is_what_fewer_rows_can_do():
    result = split(reduce_error=POOR, held_early_stopping=[0.5, 0.5, 0.5, 0.5, 0.8], kappa=POOR)
    assert Outcome([result]).relative("reduce_error") == pytest.approx(POOR)
    own = Outcome([result], is_own=True)
    assert own.relative("reduce_error") == pytest.approx([0.625] * 5)  # 0.5 of 0.8
    assert own.relative("kappa") == pytest.approx(POOR)
    assert own.points("reduce_error") == pytest.approx([6.0] * 5)


def test_without_a_gain_of_its_own_a_domain_is_left_out():
    result = split(held_early_stopping=[0.0] * 5)
    assert Outcome([result]).has_gain
    assert not Outcome([result], is_own=True).has_gain
    assert with_gain({"glass": Outcome([result], is_own=True)}) == {}


def test_medians_and_points_are_not_pulled_by_one_domain():
    lines = {"xd6": [-9.0] * 5, "glass": GOOD, "iris": POOR}
    domains = findings_of(**{name: split(kl=line) for name, line in lines.items()}).main
    assert median_relative(domains, "kl") == pytest.approx(POOR)
    # 0.2 is the gain: 2 points for each tenth of it.
    assert mean_points(domains, "kl") == pytest.approx([100 * 0.2 * (10 + 0.1 + 0.5) / 3] * 5)


def test_a_condition_under_which_a_claim_holds_is_its_reason():
    early = {"early_stopping": [0.7] * 5, "kl": [0.7] * 5}
    splits = {
        ("glass", "c45", 0): [split(kappa=POOR, reduce_error=GOOD, **early)] * 2,
        ("glass", "weighted", 0): [split(kappa=GOOD, reduce_error=GOOD, **early)] * 2,
        ("glass", "unpruned", 0): [split(kappa=POOR, reduce_error=GOOD, **early)] * 2,
    }
    findings = Findings(splits, None, 50)
    judged = claim_with("same, on the domains whose Gain").judged(findings)
    assert judged.holds is False
    assert VARIANTS["weighted"].title in judged.why
    assert VARIANTS["unpruned"].title not in judged.why
    (row,) = [row for row in claims_table(findings).rows if "the same, on" in str(row[1])]
    by_condition = dict(zip(claims_table(findings).headings, row, strict=True))
    assert by_condition["here"] == by_condition[VARIANTS["unpruned"].title] == "no"
    assert by_condition[VARIANTS["weighted"].title] == "yes"
    assert by_condition["single experiments"] == "0 of 1"


def test_conditions_are_named_for_each_domain():
    splits = {
        ("breast", "c45", 0): [split(kappa=POOR)],
        ("glass", "c45", 0): [split(kappa=POOR, kappa_of_better=[1.1] * 5)],
        ("glass", "c45", 1): [split(kappa=POOR)],
        ("expf", "c45", 0): [split(kappa=POOR)],
        ("expf", "c45", 1): [split(kappa=[1.3] * 5, kappa_of_better=POOR)],
    }
    judged = claim_with("Kappa pruning improves").judged(Findings(splits, None, 50))
    assert judged.measured == "breast 0.50, glass 0.50, expf 0.90"
    for_each = f"breast (never), glass ({BETTER_HALF}), expf (1 of 2 single experiments)"
    assert judged.why.endswith(f"under other conditions: {for_each}")


def test_nothing_is_said_if_nothing_helps():
    findings = findings_of(breast=split())
    judged = claim_with("even 20 % pruning").judged(findings)
    assert (judged.holds, judged.why, judged.shown_by) == (False, "", "")
    assert whens({"": lambda each: False}, findings) == ""


def test_conditions_replace_what_a_method_does():
    result = split(reduce_error=POOR, kappa=POOR, kappa_of_better=GOOD, reduce_error_many=GOOD)
    conditions = findings_of(expf=result).conditions
    lines = {
        title: [float(each.main["expf"].relative(key)[0]) for key in ("reduce_error", "kappa")]
        for title, each in conditions.items()
    }
    assert lines == {
        OWN_ENSEMBLE: pytest.approx([0.5, 0.5]),
        MORE_ROWS: pytest.approx([0.9, 0.5]),
        BETTER_HALF: pytest.approx([0.5, 0.9]),
    }


@pytest.mark.parametrize(
    ("cause", "with_effect", "without"),
    [
        (causes.kappa_keeps_bad_members, {"kappa": POOR}, {"kappa_of_better": POOR}),
        (causes.first_are_best, {"last": POOR}, {"early_stopping": POOR}),
        (
            causes.fewer_rows,
            {"reduce_error": POOR, "held_early_stopping": [0.9] * 5},
            {"reduce_error": POOR, "held_early_stopping": [1.1] * 5},
        ),
        (
            causes.few_rows_choose,
            {"auto": 0.4, "reduce_error_many": GOOD, "reduce_error_many_auto": [1.0]},
            {"reduce_error_many": GOOD, "reduce_error_many_auto": [0.5]},
        ),
    ],
)
def test_a_cause_needs_its_effect(cause, with_effect, without):
    text, tables = cause(findings_of(glass=split(**with_effect)))
    assert text
    assert tables
    assert cause(findings_of(glass=split(**without))) is None
    assert cause(findings_of()) is None


def test_the_cause_of_a_missing_gain_is_chance():
    splits = {
        ("iris", "c45", 0): [split(whole=0.6)] * 2,
        ("iris", "c45", 1): [split(whole=0.45)] * 2,
    }
    text, _ = causes.gain_is_noise(Findings(splits, None, 50))
    assert "the Gain is -2.50 points" in text
    assert "positive in 1 of 2 experiments" in text
    assert causes.gain_is_noise(findings_of(iris=split(whole=0.6))) is None


def test_the_cause_of_jumps_is_a_small_gain():
    jumping = split(kappa=[1.0, 0.2, 1.0, 1.0, 1.0])
    unsure = [jumping | {"single": single} for single in (0.9, 0.1)]
    splits = {("xd6", "c45", 0): unsure, ("glass", "c45", 0): [split()] * 2}
    text, _ = causes.small_gains_jump(Findings(splits, None, 50))
    assert "1 of the 1 domains with a sure Gain are smooth, 0 of the 1 others" in text
    swapped = {("glass", "c45", 0): [jumping] * 2}
    assert causes.small_gains_jump(Findings(swapped, None, 50)) is None


def test_the_cause_of_worse_members_is_lower_kappa():
    result = split()
    for quantity, value in (("kept_kappa", 0.4), ("kept_error", 0.2)):
        result[quantity] = result[quantity] | {"kappa_backfitting": [value] * 5}
    text, _ = causes.backfitting_finds_worse_members(findings_of(glass=result))
    assert "a mean kappa of 0.400 instead of 0.500" in text
    assert "20.0 % of the training rows instead of 10.0 %" in text
    assert causes.backfitting_finds_worse_members(findings_of(glass=split())) is None


def test_the_first_member_is_the_best_of_larger_samples():
    sizes = {
        16_000: [{"first_is_best": True, "better": 0}] * 2,
        1_000: [{"first_is_best": is_best, "better": 3} for is_best in (True, False)],
    }
    text, _ = causes.first_is_not_best(Findings({}, None, 50, sizes=sizes))
    assert "with 1,000 rows of Expf the first member is the best in 50 %" in text
    assert "with 16,000 in 100 %" in text
    assert causes.first_is_not_best(Findings({}, None, 50, sizes={1_000: sizes[1_000]})) is None
    backwards = {1_000: sizes[16_000], 16_000: sizes[1_000]}
    assert causes.first_is_not_best(Findings({}, None, 50, sizes=backwards)) is None
    (section,) = many_rows_sections(Findings({}, None, 50, sizes=sizes))
    assert section.tables[0].rows == [["1,000", "50 %", "3.0"], ["16,000", "100 %", "0.0"]]


def test_a_larger_pruning_set_stands_beside_the_papers():
    result = split(reduce_error_many=GOOD, reduce_error_many_auto=[1.0])
    (section,) = many_rows_sections(findings_of(expf=result | {"first_is_best": False}))
    (few, many) = section.tables[0].rows
    assert (few[-1], many[-1]) == ("0 %", "100 %")
    assert many[2:-1] == ["0.900"] * 5 + ["1.000"]


def test_every_claim_has_a_place_and_a_reason_to_ask_for():
    without_reason = [claim.quote for claim in CLAIMS if claim.reason is None]
    assert len(without_reason) == 5  # figure 1 and bagging: one experiment has all of it
    assert all(claim.where.startswith("section ") for claim in CLAIMS)
    assert len({claim.quote for claim in CLAIMS}) == len(CLAIMS) > len(BY_DOMAIN) > 10
    assert np.all([claim.judge(findings_of()) is None for claim in CLAIMS])
