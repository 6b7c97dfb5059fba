"""The parts of the GAMBLE reproduction: splits, grids, counts, the sign test and judges."""

from __future__ import annotations

import numpy as np
import pytest
from gamble_findings import findings_of, rival
from scipy.stats import binomtest

import frugalboost as fb
from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.experiment import FULL, Gamble
from frugalboost.reproduce.gamble.findings import SignTest, mean_curve, sign_test
from frugalboost.reproduce.gamble.fits import (
    growing_grid,
    label_curve,
    part_of,
    race,
    spheres,
    split,
    start_rows,
)
from frugalboost.reproduce.sources import Source, Sources
from small_data import write_glass, write_pendigits, write_splice


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


def test_the_first_rows_of_letter_train():
    X = np.arange(20.0)[:, np.newaxis]
    source = split(Source.from_rows("letter", X, np.arange(20) % 3), 16, run=0)
    assert source.X_test.ravel().tolist() == [16, 17, 18, 19]


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
    findings = findings_of(3, curves={("glass", "gamble"): runs})
    assert (findings.error("glass", "gamble", 3), findings.error("vowel", "gamble", 3)) == (
        0.375,
        None,
    )
    assert findings.marks == [3]
    assert findings_of().marks == [10, 100, 1000]


def test_duels_are_of_the_runs_that_both_had():
    curves = {("glass", "gamble"): rival(0.25, 0.5), ("glass", "samme"): rival(0.125, 0.75, 1.0)}
    findings = findings_of(3, curves=curves)
    assert findings.duels(["glass", "vowel"]) == [("glass", 3, 0.375, 0.4375)]
    assert findings.duels_of_run(0) == [("glass", 3, 0.25, 0.125)]
    # The last split stands for others, where a table has fewer.
    assert findings.duels_of_run(7) == [("glass", 3, 0.5, 0.75)]
    assert findings.duels(theirs="samme-small") == []


def test_parts_are_nine_tenths_of_the_training_rows(tmp_path):
    write_pendigits(tmp_path)
    source = Sources(tmp_path)["pendigits"]
    part, other = (part_of(source, draw) for draw in range(2))
    assert part.shape == (144, 60, 16, 10)
    assert part.X_test is source.X_test
    assert set(map(bytes, part.X_train)) < set(map(bytes, source.X_train))
    assert (part.X_train != other.X_train).any()


def test_a_race_ends_with_the_target():
    X = np.arange(40.0)[:, np.newaxis]
    y = (X[:, 0] > 20).astype(int)
    source, start = Source("few", X, y, X, y), np.array([0, 39])
    result, never = (
        race(
            source,
            fb.ActiveLearner(fb.GambleClassifier(n_estimators=2), random_state=0),
            start,
            [4, 6, 8, 10, 12],
            fb.GambleClassifier(n_estimators=3),
            target,
        )
        for target in (0.1, -0.5)
    )
    assert result["is_reached"]
    assert result["labels"] < 12
    assert never["labels"] == 12
    assert not never["is_reached"]
    assert result["work"] < never["work"]
    # One tree without a mistake, and boosting ends: its root looks at all rows of one feature.
    assert result["batch_work"] == 40


def test_tables_of_the_paper_are_whole():
    assert list(published.SHAPES) == list(published.EFFICIENCY)
    for name, row in published.EFFICIENCY.items():
        assert row.active <= row.random <= published.SHAPES[name][0]
        assert row.lowest <= row.target
    assert set(published.SHAPES) < set(Gamble.data)
    assert (FULL.rounds, FULL.runs) == (1000, 10)
