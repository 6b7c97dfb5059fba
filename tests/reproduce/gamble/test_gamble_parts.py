"""The parts of the GAMBLE reproduction: splits, grids, counts, the sign test and judges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

import frugalboost as fb
from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.claims import CLAIMS
from frugalboost.reproduce.gamble.experiment import FULL, Gamble
from frugalboost.reproduce.gamble.findings import (
    Findings,
    LabelRun,
    SignTest,
    mean_curve,
    sign_test,
)
from frugalboost.reproduce.gamble.fits import (
    growing_grid,
    label_curve,
    spheres,
    split,
    start_rows,
)
from frugalboost.reproduce.sources import Source, Sources
from small_data import write_glass, write_pendigits, write_splice


def findings_of(curves=None, sizes=None, spheres=None, labels=None, rounds=1000):
    return Findings(
        curves or {}, sizes or {}, spheres or {}, labels or {}, rounds, committee=300, budget=1000
    )


def test_splits_have_the_papers_sizes_and_all_rows(tmp_path):
    write_glass(tmp_path)
    whole = Sources(tmp_path)["glass"]
    one, two = (split(whole, 113, run) for run in range(2))
    assert (len(one.y_train), len(one.y_test)) == (113, 101)
    assert (one.X_train != two.X_train).any()
    both = np.concatenate([one.X_train, one.X_test])
    assert sorted(map(tuple, both)) == sorted(map(tuple, whole.X_train))
    np.testing.assert_array_equal(split(whole, 113, 1).y_test, two.y_test)
    assert split(whole, 213, 0).shape[:2] == (213, 1)
    assert split(whole, 214, 0).shape[:2] == (192, 22)


def test_an_official_split_stays(tmp_path):
    write_pendigits(tmp_path)
    source = Sources(tmp_path)["pendigits"]
    assert split(source, 7, 3) is source


def test_rows_of_splice_that_are_in_doubt_are_left_out(tmp_path):
    write_splice(tmp_path, n=80)
    source = Sources(tmp_path)["splice"]
    assert source.shape == (72, 0, 6, 3)
    assert source.categorical == tuple(range(6))


def test_spheres_have_a_thousand_examples_for_each_class():
    source = spheres(5, run=0, n_test=300)
    assert source.shape == (5_000, 300, 10, 5)
    assert (spheres(5, run=1, n_test=300).X_train != source.X_train).any()


@pytest.mark.parametrize(("start", "step", "end"), [(20, 10, 7494), (20, 5, 113)])
def test_grids_reach_the_end_by_tenths(start, step, end):
    grid = [start, *growing_grid(start, step, end)]
    assert grid[-1] == end
    steps = np.diff(grid)
    assert (steps > 0).all()
    assert all(gap <= max(step, n / 10) for gap, n in zip(steps, grid[:-1], strict=True))


def test_a_pool_of_equal_rows_ends_early():
    X = np.arange(8.0).repeat(5)[:, np.newaxis]
    y = (X[:, 0] > 3).astype(int)
    learner = fb.ActiveLearner(fb.GambleClassifier(n_estimators=2), random_state=0)
    start = np.array([0, 39])
    measured = label_curve(Source("few", X, y, X, y), learner, start, [6, 20, 40])
    assert measured["labels"] == [2, 6, 8]
    assert measured["error"][-1] == 0.0


def test_both_ways_start_with_the_same_random_rows():
    rows = start_rows(50, 20, run=3)
    assert len(set(rows.tolist())) == 20
    assert set(rows.tolist()) < set(range(50))
    np.testing.assert_array_equal(rows, start_rows(50, 20, run=3))
    assert (rows != start_rows(50, 20, run=4)).any()


def label_run(errors, target=0.2, labels=(20, 30, 40), n_rows=100, least=None):
    batch = {"test_error": [0.5, target, target + 0.1], "seconds": 2.0}
    curve = {
        "labels": list(labels),
        "error": list(errors),
        "least": list(least or errors),
        "seconds": [1.0, 2.5, 4.5],
    }
    return LabelRun(batch, curve, n_rows)


def test_the_target_is_the_lowest_error_of_batch_in_any_round():
    run = label_run([0.5, 0.2, 0.1], least=[0.2, 0.2, 0.1])
    assert run.target == 0.2
    assert (run.labels(), run.labels("least")) == (30, 20)
    assert run.seconds == 2.5


def test_a_run_that_never_reaches_the_target_counts_as_all_rows():
    runs = [label_run([0.5, 0.2, 0.1]), label_run([0.5, 0.4, 0.3])]
    needed = findings_of(labels={("glass", "random"): runs}).needed("glass", "random")
    assert (needed.mean, needed.n_missed, needed.n_runs) == (65.0, 1, 2)
    assert runs[1].seconds == 4.5


def test_sign_test_is_the_papers():
    assert round(SignTest(published.SIGN_WINS, 24 - published.SIGN_WINS, 0).p_value, 4) == (
        published.SIGN_TEST
    )
    duels = [("a", 10, 0.1, 0.2), ("a", 100, 0.3, 0.2), ("b", 10, 0.1 + 0.2, 0.3)]
    signs = sign_test(duels)
    assert (signs.wins, signs.losses, signs.ties) == (1, 1, 1)
    assert signs.p_value == binomtest(1, 2).pvalue
    assert SignTest(0, 0, 3).p_value == 1.0


def test_curves_are_means_with_the_last_error_of_a_model_that_ended():
    runs = [{"test_error": [0.5, 0.25]}, {"test_error": [0.5, 0.75, 0.5]}]
    assert mean_curve(runs, "test_error", 3).tolist() == [0.5, 0.5, 0.375]
    findings = findings_of({("glass", "gamble"): runs, ("glass", "samme"): runs[:1]}, rounds=3)
    assert findings.duels(["glass", "vowel"]) == [("glass", 3, 0.375, 0.25)]
    assert findings.marks == [3]
    assert findings_of().marks == [10, 100, 1000]


def test_tables_of_the_paper_are_whole():
    assert list(published.SHAPES) == list(published.EFFICIENCY)
    for name, row in published.EFFICIENCY.items():
        assert row.active <= row.random <= published.SHAPES[name][0]
        assert row.lowest <= row.target
    assert set(published.SHAPES) < set(Gamble.data)
    assert (FULL.rounds, FULL.runs) == (1000, 10)


def verdict(words, findings):
    (judge,) = [claim.judge for claim in CLAIMS if words in claim.quote]
    return judge(findings)


def test_nothing_is_judged_before_it_is_run():
    assert [claim.judge(findings_of()) for claim in CLAIMS] == [None] * len(CLAIMS)


@pytest.mark.parametrize(("stumps", "holds"), [([0.5] * 4, True), ([0.5, 0.1], False)])
def test_judge_of_stumps(stumps, holds):
    sizes = {2: {"test_error": stumps}, 14: {"test_error": [0.2, 0.1]}}
    text, said = verdict("boosting stumps", findings_of(sizes=sizes, rounds=4))
    assert said is holds
    assert text.startswith("rounds to an error of 0.1000: 2 leaves")


@pytest.mark.parametrize(("third", "holds"), [(0.109, True), (0.12, False)])
def test_judge_of_tree_sizes(third, holds):
    sizes = {n: {"test_error": [error]} for n, error in ((10, 0.1), (12, 0.1), (14, third))}
    assert verdict("10, 12 and 14", findings_of(sizes=sizes))[1] is holds
    assert verdict("10, 12 and 14", findings_of(sizes=sizes, rounds=100)) is None


def test_judges_of_the_duels():
    def rival(error):
        return [{"test_error": [error]}]

    curves = {}
    for name in published.SHAPES:
        curves |= {(name, "gamble"): rival(0.1), (name, "samme"): rival(0.2)}
    text, holds = verdict("GAMBLE generally", findings_of(curves))
    assert holds
    assert text.startswith("lower in 24, higher in 0, equal in 0 of 24 comparisons")
    assert verdict("zero median", findings_of(curves))[1]
    curves |= {(name, "samme"): rival(0.05) for name in list(published.SHAPES)[:4]}
    assert not verdict("GAMBLE generally", findings_of(curves))[1]
    assert not verdict("zero median", findings_of(curves))[1]


def sphere_run(train, test):
    return {"train_error": train, "test_error": test}


def test_judges_of_the_spheres():
    falling = [sphere_run([0.1, *[0.0] * 199], [0.3, 0.25, *np.linspace(0.25, 0.15, 198)])]
    rising = [sphere_run([0.1, *[0.0] * 199], [0.3, 0.15, *np.linspace(0.15, 0.25, 198)])]
    words = "training error reaches zero"
    text, holds = verdict(words, findings_of(spheres={(2, "gamble"): falling}, rounds=200))
    assert holds
    assert text == "zero after 2 to 2 rounds; test error then 0.2500, after 200 rounds 0.1500"
    assert not verdict(words, findings_of(spheres={(2, "gamble"): rising}, rounds=200))[1]
    never = [sphere_run([0.1] * 200, [0.3] * 200)]
    assert not verdict(words, findings_of(spheres={(2, "gamble"): never}, rounds=200))[1]
    pair = {(5, "gamble"): [sphere_run([0.2] * 200, [0.3] * 200)]}
    pair[5, "samme"] = [sphere_run([0.1] * 200, [0.36] * 200)]
    assert verdict("five spheres", findings_of(spheres=pair, rounds=200))[1]
    assert verdict("after 120", findings_of(spheres=pair, rounds=200))[1]
    pair[5, "samme"] = [sphere_run([0.3] * 200, [0.34] * 200)]
    assert not verdict("five spheres", findings_of(spheres=pair, rounds=200))[1]
    assert not verdict("after 120", findings_of(spheres=pair, rounds=200))[1]


def test_judges_of_labels():
    good = [label_run([0.5, 0.2, 0.18])]
    bad = [label_run([0.5, 0.4, 0.3], n_rows=4435)]
    labels = {("satimage", "active"): good, ("satimage", "random"): bad}
    findings = findings_of(labels=labels)
    text, holds = verdict("as few as 220", findings)
    assert holds
    assert text == "Active 30, Random 4,435 (never): 147.8 times"
    assert verdict("continues to reduce", findings)[1]
    assert verdict("far better", findings)[1]
    assert verdict("lowest test error rate of Active", findings)[1]
    assert not verdict("faster training time", findings)[1]  # 2.5 and 2 seconds
    assert not verdict("as few as 220", findings_of(labels=dict.fromkeys(labels, bad)))[1]
    assert not verdict("far better", findings_of(labels=dict.fromkeys(labels, bad)))[1]
    pendigits = findings_of(labels={("pendigits", "active"): good})
    assert verdict("Pendigits: Active", pendigits)[1]
    assert not verdict("Pendigits: Active", findings_of(labels={("pendigits", "active"): bad}))[1]
    small = findings_of(labels={("glass", "active"): good})
    assert verdict("in small datasets", small) == ("glass 30 %", False)
