"""Judges of the GAMBLE paper's claims, and reasons, on findings made of a few numbers."""

from __future__ import annotations

import numpy as np
import pytest
from gamble_findings import findings_of, label_run, rival

from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.claims import CLAIMS


def judged(words, findings):
    (claim,) = [claim for claim in CLAIMS if words in claim.quote]
    return claim.judged(findings)


def verdict(words, findings):
    judgement = judged(words, findings)
    return judgement.measured, judgement.holds


def test_nothing_is_judged_before_it_is_run():
    assert [claim.judge(findings_of()) for claim in CLAIMS] == [None] * len(CLAIMS)


def test_claims_say_where_they_stand():
    assert all(claim.where.startswith("p. ") for claim in CLAIMS)
    assert len({claim.quote for claim in CLAIMS}) == len(CLAIMS)


def facts(**others):
    return {
        "n_classes": 3,
        "n_trees": 10,
        "largest": 6.0,
        "largest_sum": 0.0,
        "with_absent_class": 0.75,
        "n_pairs": 3,
        "n_same": 3,
        "gap": 0.0,
        "work_ratio": 3.0,
        "stump_ratio": 3.0,
        **others,
    }


@pytest.mark.parametrize(
    ("words", "other"),
    [
        ("structure of the weighted", {"n_same": 2}),
        ("twice as fast", {"n_same": 2}),
        ("h = (K - 2)", {"gap": 0.1}),
        ("sum to zero", {"largest": 6.1}),
        ("sum to zero", {"largest_sum": 0.1}),
        ("highly likely", {"with_absent_class": 0.4}),
        ("K times more efficient", {"work_ratio": 1.4}),
    ],
)
def test_judges_of_the_theory(words, other):
    good = {"glass": facts(), "vowel": facts(n_classes=11, work_ratio=11.0, largest=110.0)}
    assert verdict(words, findings_of(trees=good))[1]
    bad = facts(**other)
    assert not verdict(words, findings_of(trees={"glass": bad, "iris": bad, "vowel": facts()}))[1]


def test_the_transform_is_concave_but_for_two_classes():
    text, holds = verdict("is concave", findings_of(trees={"glass": facts()}))
    assert holds
    assert text == "strictly for 24 of 25 numbers of classes (2 to 26); a straight line for K = 2"


@pytest.mark.parametrize("same", [True, False])
def test_judge_of_two_classes(same):
    findings = findings_of(binary={"is_same": same, "n_trees": 7})
    assert verdict("factor of 2", findings)[1] is same


@pytest.mark.parametrize(("stumps", "holds"), [([0.5] * 4, True), ([0.5, 0.1], False)])
def test_judge_of_stumps(stumps, holds):
    sizes = {2: {"test_error": stumps}, 14: {"test_error": [0.2, 0.1]}}
    text, said = verdict("boosting stumps", findings_of(4, sizes=sizes))
    assert said is holds
    assert text.startswith("rounds to an error of 0.1000: 2 leaves")


def size_runs(*errors):
    sizes = zip((2, 4, 6, 8, 10), errors, strict=True)
    return {n: {"test_error": [error], "work": 4 * n, "n_trees": 2} for n, error in sizes}


def test_judges_of_gaps_and_of_cost():
    narrow = findings_of(sizes=size_runs(0.5, 0.3, 0.2, 0.15, 0.14))
    wide = findings_of(sizes=size_runs(0.5, 0.49, 0.48, 0.2, 0.1))
    assert verdict("more narrow", narrow)[1]
    assert not verdict("more narrow", wide)[1]
    text, holds = verdict("longer training time", narrow)
    assert holds
    assert text == "a tree of 10 leaves takes 5.0 times the work of one of 2"


@pytest.mark.parametrize(("third", "holds"), [(0.109, True), (0.12, False)])
def test_judge_of_tree_sizes(third, holds):
    sizes = {n: {"test_error": [error]} for n, error in ((10, 0.1), (12, 0.1), (14, third))}
    assert verdict("10, 12 and 14", findings_of(sizes=sizes))[1] is holds
    assert verdict("10, 12 and 14", findings_of(100, sizes=sizes))[1] is None


@pytest.mark.parametrize(
    ("draws", "cause"),
    [
        ({10: rival(0.1, 0.12), 12: rival(0.11, 0.1), 14: rival(0.12, 0.1)}, "chance"),
        ({10: rival(0.1, 0.1), 12: rival(0.1, 0.1), 14: rival(0.15, 0.15)}, "beyond chance"),
        ({10: rival(0.1), 12: rival(0.1), 14: rival(0.1)}, "worst of all rounds"),
    ],
)
def test_parts_of_the_rows_tell_chance_from_size(draws, cause):
    sizes = {n: {"test_error": [error]} for n, error in ((10, 0.1), (12, 0.1), (14, 0.2))}
    judgement = judged("10, 12 and 14", findings_of(sizes=sizes, draws=draws))
    assert f"So {cause}" in judgement.why or cause in judgement.why.partition("So ")[2]
    assert judgement.shown_by == "Parts of the rows"
    assert judged("10, 12 and 14", findings_of(sizes=sizes)).why == ""


def rivals(**errors):
    """The same errors of each booster on every data set."""
    return {
        (name, key.replace("_", "-")): rival(error)
        for name in published.SHAPES
        for key, error in errors.items()
    }


def test_judges_of_the_duels():
    text, holds = verdict("GAMBLE generally", findings_of(curves=rivals(gamble=0.1, samme=0.2)))
    assert holds
    assert text.startswith("lower in 24, higher in 0, equal in 0 of 24 comparisons")
    assert verdict("zero median", findings_of(curves=rivals(gamble=0.1, samme=0.2)))[1]


def test_more_wins_by_chance_are_no_lower_error():
    curves = rivals(gamble=0.1, samme=0.2)
    curves |= {(name, "samme"): rival(0.05) for name in list(published.SHAPES)[:3]}
    text, holds = verdict("GAMBLE generally", findings_of(curves=curves))
    assert text.startswith("lower in 15, higher in 9")
    assert holds is False
    assert verdict("zero median", findings_of(curves=curves))[1] is False


def test_the_duels_reason_names_the_tests_with_other_trees():
    curves = rivals(gamble=0.1, samme=0.05, samme_small=0.3, gamble_small=0.4)
    judgement = judged("zero median", findings_of(curves=curves))
    assert "SAMME, 8 leaves 24 to 0, p = 0.0000" in judgement.why
    assert "With 8 leaves on both sides 0 to 24" in judgement.why
    assert judgement.shown_by == "Sign test over data sets and rounds"
    assert judged("zero median", findings_of(curves=rivals(gamble=0.1, samme=0.05))).why == ""
    del curves["glass", "samme-small"]  # other trees on fewer data sets tell nothing yet
    assert judged("zero median", findings_of(curves=curves)).why == ""


def test_judge_of_sparse_data():
    curves = rivals(gamble=0.1, samme=0.095)
    assert verdict("sparse datasets", findings_of(curves=curves))[1]
    curves["glass", "gamble"], curves["glass", "samme"] = rival(0.1, 0.4), rival(0.1, 0.3)
    judgement = judged("sparse datasets", findings_of(curves=curves))
    assert judgement.holds is False
    assert "glass in 1 of 2 splits" in judgement.why


def sphere_run(train, test):
    return {"train_error": train, "test_error": test}


def test_judge_of_two_spheres():
    falling = [sphere_run([0.1, *[0.0] * 199], [0.3, 0.25, *np.linspace(0.25, 0.15, 198)])]
    rising = [sphere_run([0.1, *[0.0] * 199], [0.3, 0.15, *np.linspace(0.15, 0.25, 198)])]
    words = "training error reaches zero"
    text, holds = verdict(words, findings_of(200, spheres={(2, "gamble"): falling}))
    assert holds
    assert text == "zero after 2 to 2 rounds; test error then 0.2500, after 200 rounds 0.1500"
    assert not verdict(words, findings_of(200, spheres={(2, "gamble"): rising}))[1]
    never = [sphere_run([0.1] * 200, [0.3] * 200)]
    assert not verdict(words, findings_of(200, spheres={(2, "gamble"): never}))[1]


def test_judges_of_five_spheres():
    pair = {(5, "gamble"): [sphere_run([0.2] * 200, [0.3] * 200)]}
    pair[5, "samme"] = [sphere_run([0.1] * 200, [0.36] * 200)]
    assert verdict("five spheres", findings_of(200, spheres=pair))[1]
    assert verdict("after 120", findings_of(200, spheres=pair))[1]
    pair[5, "samme"] = [sphere_run([0.3] * 200, [0.34] * 200)]
    assert not verdict("five spheres", findings_of(200, spheres=pair))[1]
    assert judged("after 120", findings_of(200, spheres=pair)).why == ""
    pair[5, "samme-large"] = [sphere_run([0.1] * 200, [0.34] * 200)]
    judgement = judged("after 120", findings_of(200, spheres=pair))
    assert judgement.holds is False
    assert "SAMME by Gini, 60 leaves 100 % and 100 %" in judgement.why


def test_judge_of_the_emphasis():
    weights = {key: {"shares": [[0.5, 0.9], [share, 0.9]]} for key, share in SHARES.items()}
    assert verdict("overemphasizes", findings_of(weights=weights))[1]
    assert verdict("overemphasizes", findings_of(weights={"gamble": weights["samme"]}))[1] is None
    swapped = dict(zip(weights, reversed(weights.values()), strict=True))
    assert judged("overemphasizes", findings_of(weights=swapped)).why == ""
    swapped["samme-large"] = weights["gamble"]
    judgement = judged("overemphasizes", findings_of(weights=swapped))
    assert judgement.holds is False
    assert judgement.why.endswith("are others: SAMME by Gini, 60 leaves 10.0 %.")


SHARES = {"gamble": 0.1, "samme": 0.2}


def test_judges_of_labels():
    good = [label_run([0.5, 0.126, 0.11])]
    bad = [label_run([0.5, 0.4, 0.3], n_rows=4435, labels=(100, 900, 4435))]
    labels = {("satimage", "active"): good, ("satimage", "random"): bad}
    findings = findings_of(labels=labels)
    text, holds = verdict("as few as 220", findings)
    assert holds
    assert text == "Active 30, Random > 4,435 (0 of 1): more than 147.8 times"
    assert verdict("continues to reduce", findings)[1]
    assert verdict("far better", findings)[1]
    assert verdict("lowest test error rate of Active", findings)[1]
    all_bad = findings_of(labels=dict.fromkeys(labels, bad))
    assert not verdict("as few as 220", all_bad)[1]
    assert not verdict("far better", all_bad)[1]
    assert not verdict("lowest test error rate of Active", all_bad)[1]


def test_a_claim_on_satimage_is_explained_by_other_committees():
    bad = [label_run([0.5, 0.4, 0.3], n_rows=4435)]
    labels = dict.fromkeys([("satimage", way) for way in ("active", "random")], bad)
    committees = {("satimage", "short"): [label_run([0.5, 0.12, 0.11])]}
    judgement = judged("as few as 220", findings_of(labels=labels, committees=committees))
    assert judgement.why == (
        "The committee decides, which the paper does not describe: 100 rounds 30."
    )
    assert judged("as few as 220", findings_of(labels=labels)).why == ""


@pytest.mark.parametrize(("reached", "holds"), [(600, True), (610, False)])
def test_about_300_labels_are_at_most_600(reached, holds):
    runs = [label_run([0.5, 0.047, 0.04], labels=(20, reached, 900))]
    findings = findings_of(labels={("pendigits", "active"): runs})
    assert verdict("about 300", findings) == (f"{reached} labels", holds)
    assert verdict("plateaus", findings)[1]


def test_judge_of_random():
    runs = [label_run([0.5, 0.057, 0.04], labels=(20, 1_000, 7_494))]
    text, holds = verdict(RANDOM, findings_of(labels={("pendigits", "random"): runs}))
    assert holds
    assert text == "5.7 % with 1,000 labels; 4.71 % with 7,494 (table 2: 2,510)"
    slow = [label_run([0.5, 0.058, 0.04], labels=(20, 1_000, 7_494))]
    labels = {("pendigits", "random"): slow}
    rows = {"plain": {"errors": [0.06, 0.08]}, "short": {"errors": [0.09]}}
    judgement = judged(RANDOM, findings_of(labels=labels, random_rows=rows))
    assert judgement.holds is False
    assert "as above 7.0 %, 100 rounds 9.0 %" in judgement.why
    assert judgement.why.startswith("1,000 random rows are too few")
    rows["short"] = {"errors": [0.05]}
    better = judged(RANDOM, findings_of(labels=labels, random_rows=rows))
    assert better.why.startswith("The committee decides")
    assert judged(RANDOM, findings_of(labels=labels)).why == ""
    few = [label_run([0.5, 0.05, 0.04])]
    assert verdict(RANDOM, findings_of(labels={("pendigits", "random"): few}))[1] is None


RANDOM = "Random GAMBLE conv"


def test_active_may_be_lower_in_its_best_round():
    runs = [label_run([0.5, 0.4, 0.3], least=[0.5, 0.4, 0.1])]
    judgement = judged("lowest test error rate", findings_of(labels={("glass", "active"): runs}))
    assert (judgement.measured, judgement.holds) == ("on 0 of 1 data sets: ", False)
    assert judgement.why.endswith("it is lower on 1 of 1 data sets: glass.")


@pytest.mark.parametrize(("late", "holds"), [(0.1, True), (0.05, False)])
def test_judge_of_enough_labels(late, holds):
    runs = [label_run([0.5, 0.1, late], labels=(20, 600, 1_000))]
    assert verdict("after the 600", findings_of(labels={("satimage", "active"): runs}))[1] is holds


def test_judge_of_small_sets():
    runs = [label_run([0.5, 0.2, 0.1]), label_run([0.5, 0.4, 0.2])]
    judgement = judged("in small datasets", findings_of(labels={("glass", "active"): runs}))
    assert (judgement.measured, judgement.holds) == ("glass 35 (35 %)", False)
    assert "glass 30 to 40 %" in judgement.why
    never = [label_run([0.5, 0.4, 0.4], labels=(20, 30, 100))]
    findings = findings_of(labels={("glass", "active"): never})
    assert verdict("in small datasets", findings) == ("glass > 100 (0 of 1) (100 %)", True)


def race(seconds, work=1.0):
    return {"seconds": seconds, "batch_seconds": 2.0, "work": work, "batch_work": 4.0}


def test_judges_of_seconds():
    fast = {("satimage", "plain"): race(1.0), ("glass", "plain"): race(3.0)}
    slow = {("satimage", "plain"): race(3.0), ("glass", "plain"): race(1.0)}
    words = ("faster training time", "Batch GAMBLE works faster")
    assert [verdict(each, findings_of(races=fast))[1] for each in words] == [True, True]
    assert [verdict(each, findings_of(races=slow))[1] for each in words] == [False, False]
    slow["satimage", "short"] = race(1.0, 0.5)
    why = judged(words[0], findings_of(races=slow)).why
    assert "as above: satimage 1.50 (work 0.25); 100 rounds: satimage 0.50 (work 0.12)" in why


def test_less_work_explains_why_active_is_faster_on_small_data():
    quote = "Batch GAMBLE works faster"
    races = {("glass", "plain"): race(1.0, work=1.0), ("soybean", "plain"): race(3.0, work=8.0)}
    assert "glass 0.25, soybean 2.00" in judged(quote, findings_of(races=races)).why
    races["glass", "plain"] = race(1.0, work=5.0)
    assert judged(quote, findings_of(races=races)).why == ""
