"""The parts of the FilterBoost reproduction: rows of a run, measures, means and judges."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss, root_mean_squared_error

from frugalboost import BoostedTreesClassifier, FilterBoostClassifier
from frugalboost.datasets import make_majority
from frugalboost.reproduce.filterboost.asides import exact_edges
from frugalboost.reproduce.filterboost.boosters import BATCH, BOOSTERS, FAMILIES
from frugalboost.reproduce.filterboost.claims import CLAIMS
from frugalboost.reproduce.filterboost.experiment import (
    FULL,
    QUICK,
    Samples,
    Task,
    estimate_curve,
    logistic_regression,
    marks,
    measures,
    time_rounds,
)
from frugalboost.reproduce.filterboost.findings import Findings, MeanCurve, mean_curve, read_results
from frugalboost.reproduce.sources import Source, Sources
from small_data import write_adult, write_covtype

LABELS = {key: booster.label for key, booster in BOOSTERS.items()}


def test_boosters_are_those_of_the_paper():
    assert list(LABELS.values()) == [
        "FilterBoost",
        "FilterBoost (C-R)",
        "MadaBoost",
        "AdaBoost",
        "AdaBoost (C-R)",
        "AdaBoost (resamp)",
        "AdaBoost (C-R, resamp)",
        "AdaBoost-LOG",
        "AdaBoost-LOG (C-R)",
        "AdaBoost-LOG (resamp)",
        "AdaBoost-LOG (C-R, resamp)",
    ]
    assert [BOOSTERS[key].scale for key in ("adaboost", "adaboost-cr", "log", "filterboost")] == [
        2.0,
        2.0,
        1.0,
        1.0,
    ]
    assert {key: len(keys) for key, keys in FAMILIES.items()} == {"adaboost": 4, "log": 4}


def test_drawn_rows_are_new_in_each_run_and_tested_on_the_same_for_each_size():
    samples = Samples(Sources(None))
    small, large = (Task(str(n), "majority", n, 200) for n in (300, 900))
    one, two = samples.get(small, 0), samples.get(small, 1)
    assert one.shape == (300, 200, 100, 2)
    assert (one.X_train != two.X_train).any()
    more = samples.get(large, 0)
    np.testing.assert_array_equal(more.X_test, one.X_test)
    np.testing.assert_array_equal(more.X_train[:300], one.X_train)


def test_the_last_rows_are_kept():
    samples = Samples(Sources(None))
    task = Task("twonorm", "twonorm", 50, 20)
    assert samples.get(task, 0) is samples.get(task, 0)
    assert samples.get(task, 1) is samples.get(task, 1)


def test_folds_hold_every_complete_row_once(tmp_path):
    write_adult(tmp_path, n=400)
    sources = Sources(tmp_path)
    whole = sources["adult"]
    assert whole.shape == (360, 0, 3, 2)
    assert whole.categorical == (1,)
    samples, task = Samples(sources), Task("adult", "adult")
    folds = [samples.get(task, run) for run in range(10)]
    tested = np.concatenate([fold.X_test for fold in folds])
    assert sorted(map(tuple, tested)) == sorted(map(tuple, whole.X_train))
    for fold in folds:
        assert len(fold.y_train) + len(fold.y_test) == 360
        assert fold.categorical == (1,)
        assert abs(fold.y_test.mean() - whole.y_train.mean()) < 0.03


def test_fewer_rows_of_a_table_are_drawn_from_all(tmp_path):
    write_covtype(tmp_path, n=400)
    sources = Sources(tmp_path)
    assert sources["covtype"].y_train.mean() == (sources["covtype"].y_train == 1).mean()
    part = Samples(sources).get(Task("covtype", "covtype", n_rows=100), 3)
    assert part.shape == (90, 10, 6, 2)


def test_measures_are_those_of_scikit_learn():
    random = np.random.default_rng(0)
    score, y = random.normal(0, 2, 500), random.integers(0, 2, 500)
    for scale in (1.0, 2.0):
        p = 1 / (1 + np.exp(-scale * score))
        measured = measures(score, y, scale)
        assert measured["log_loss"] == pytest.approx(log_loss(y, p), rel=1e-12)
        assert measured["rmse"] == pytest.approx(root_mean_squared_error(y, p), rel=1e-12)
        assert measured["accuracy"] == accuracy_score(y, score > 0)


def test_a_sure_mistake_has_a_finite_log_loss():
    measured = measures(np.array([1e6]), np.array([0]), 1.0)
    assert measured["log_loss"] == 1e6
    assert measured["rmse"] == 1.0


def source(n=600, n_test=300):
    X, y = make_majority(n + n_test, n_features=12, n_relevant=5, random_state=0)
    return Source("small", X[:n], y[:n], X[n:], y[n:])


@pytest.mark.parametrize(("rule", "scale"), [("adaboost", 2.0), ("log", 1.0)])
def test_a_curve_tells_of_the_model_after_each_mark(rule, scale):
    rows = source()
    options = {"max_depth": 1, "criterion": "error", "learning_rate": 1.0}
    model = BoostedTreesClassifier(rule, n_estimators=20, **options)
    measured = estimate_curve(rows, model, scale, marks(20))
    for place, n in enumerate(measured["rounds"]):
        part = BoostedTreesClassifier(rule, n_estimators=n, **options)
        part.fit(rows.X_train, rows.y_train)
        shares = part.predict_proba(rows.X_test)
        assert measured["log_loss"][place] == pytest.approx(log_loss(rows.y_test, shares), rel=1e-9)
        assert measured["accuracy"][place] == part.score(rows.X_test, rows.y_test)
    assert sorted(measured["seconds"]) == measured["seconds"]


def test_a_model_that_ended_keeps_its_last_figures():
    X = np.array([[0.0], [1.0]] * 20)
    rows = Source("easy", X, X[:, 0].astype(int), X, X[:, 0].astype(int))
    measured = estimate_curve(rows, BoostedTreesClassifier("adaboost", max_depth=1), 2.0, [1, 5])
    assert measured["n_trees"] == 1
    assert measured["log_loss"][0] == measured["log_loss"][1]


def test_logistic_regression_finds_the_voters():
    rows = source(n=4000, n_test=2000)
    measured = logistic_regression(rows)
    # Five equal weights reproduce the majority: only the flipped labels, a tenth, are wrong.
    assert abs(measured["accuracy"] - 0.9) < 0.03


def test_logistic_regression_takes_categories_as_columns():
    X = np.array([[0.0], [1.0], [2.0], [3.0]] * 50)
    y = np.isin(X[:, 0], [0.0, 2.0]).astype(int)  # no order of the codes tells
    y[:8] = 1 - y[:8]  # not quite separable
    codes = Source("codes", X, y, X, y, categorical=(0,))
    amounts = Source("amounts", X, y, X, y)
    assert logistic_regression(codes)["accuracy"] == 0.96
    assert logistic_regression(amounts)["accuracy"] < 0.8


def test_times_are_of_the_rounds():
    model = BoostedTreesClassifier("adaboost", max_depth=1, n_estimators=5)
    measured = time_rounds(model, *make_majority(1000, random_state=0))
    assert measured["n_trees"] == 5
    assert 0 < 5 * measured["round_seconds"] <= measured["fit_seconds"]


def curve(loss=(0.7, 0.5), accuracy=(0.6, 0.8), seconds=(1.0, 2.0), rounds=(1, 10)):
    values = {"log_loss": loss, "rmse": loss, "accuracy": accuracy, "seconds": seconds}
    values = {name: np.array(line, dtype=float) for name, line in values.items()}
    return MeanCurve(list(rounds), values, n_runs=1)


def test_a_mean_curve_is_looked_up_by_round():
    mean = curve(loss=(0.7, 0.4, 0.5), accuracy=(0, 0, 0), seconds=(1, 2, 3), rounds=(1, 4, 9))
    assert [mean.at("log_loss", mark) for mark in (1, 3, 4, 8, 100)] == [0.7, 0.7, 0.4, 0.4, 0.5]
    assert (mean.least("log_loss"), mean.least_round("log_loss")) == (0.4, 4)
    assert mean.overfit == 0.5 / 0.4


def test_means_are_over_the_runs_that_are_there():
    def one(value):
        names = ("log_loss", "rmse", "accuracy", "seconds")
        return {"rounds": [1, 2], **{name: [value, 2 * value] for name in names}}

    results = {"a0": one(1.0), "a1": one(3.0), "b0": one(5.0)}
    names = {("t", "stumps", "a"): ["a0", "a1", "a2"], ("t", "stumps", "c"): ["c0"]}
    findings = read_results(results, names, {"t": ["none"]}, {(10, "a"): "none"}, LABELS)
    assert list(findings.curves) == [("t", "stumps", "a")]
    assert findings.curves["t", "stumps", "a"].values["rmse"].tolist() == [2.0, 4.0]
    # Seconds are those of the first run, which may have been alone.
    assert findings.curves["t", "stumps", "a"].values["seconds"].tolist() == [1.0, 2.0]
    assert findings.curves["t", "stumps", "a"].n_runs == 2
    assert findings.logistic == findings.times == {}
    assert mean_curve([one(1.0), one(9.0)]).end("seconds") == 2.0


def verdict(words, findings):
    (judge,) = [claim.judge for claim in CLAIMS if words in claim.quote]
    return judge(findings)


def findings_of(curves=None, logistic=None, times=None):
    return Findings(curves or {}, logistic or {}, times or {}, LABELS)


def test_nothing_is_judged_before_it_is_run():
    assert [claim.judge(findings_of()) for claim in CLAIMS] == [None] * len(CLAIMS)


@pytest.mark.parametrize(("large", "holds"), [(1.0, True), (8.0, False)])
def test_judge_of_running_times(large, holds):
    times = {
        (n, key): {"round_seconds": seconds}
        for n, row in ((1000, (1.0, 3.0, 2.0)), (10**6, (10.0, large, large)))
        for key, seconds in zip(("adaboost", "filterboost", "madaboost"), row, strict=True)
    }
    text, said = verdict("slower per round", findings_of(times=times))
    assert said is holds
    assert text.startswith("1,000 examples: FilterBoost 3.00, MadaBoost 2.00 of AdaBoost's time")


@pytest.mark.parametrize(("last", "holds"), [(0.51, True), (0.55, False)])
def test_judge_of_overfitting(last, holds):
    curves = {("majority", "trees", key): curve(loss=(0.5, 0.9)) for key in BOOSTERS}
    curves["majority", "trees", "filterboost"] = curve(loss=(0.5, last))
    text, said = verdict("overfit badly", findings_of(curves))
    assert said is holds
    assert f"FilterBoost {last / 0.5:.2f}, FilterBoost (C-R) 1.80" in text
    del curves["majority", "trees", "log-resamp"]
    assert verdict("overfit badly", findings_of(curves)) is None


def test_judge_of_the_baseline():
    near = {"majority": {"log_loss": 0.4308, "rmse": 0.3492, "accuracy": 0.88}}
    far = {"majority": {"log_loss": 0.4308, "rmse": 0.25, "accuracy": 0.88}}
    assert verdict("batch logistic regression", findings_of(logistic=near))[1] is True
    assert verdict("batch logistic regression", findings_of(logistic=far))[1] is False


def test_judge_of_the_approach():
    logistic = {"majority": {"log_loss": 0.43, "rmse": 0.35, "accuracy": 0.88}}
    name = ("majority", "stumps", "filterboost")
    falls = curve((0.6, 0.5, 0.45), (0, 0, 0), (0, 0, 0), (10, 50, 100))
    rises = curve((0.6, 0.5, 0.55), (0, 0, 0), (0, 0, 0), (10, 50, 100))
    text, said = verdict("asymptotically", findings_of({name: falls}, logistic))
    assert said is True
    assert "after 10, 50, 100 rounds: log loss above it by 0.1700, 0.0700, 0.0200" in text
    assert verdict("asymptotically", findings_of({name: rises}, logistic))[1] is False


def test_judges_of_covertype():
    curves = {("covtype", "trees", key): curve(accuracy=(0.7, 0.8)) for key in BOOSTERS}
    for key in BATCH:
        if "resamp" not in key:
            curves["covtype", "trees", key] = curve(accuracy=(0.94, 0.97))
    text, said = verdict("about 94 %", findings_of(curves))
    assert said is True
    assert text.startswith("first tree 0.9400")
    assert verdict("only the non-resampling", findings_of(curves))[1] is True
    curves["covtype", "trees", "madaboost"] = curve(accuracy=(0.98, 0.8))
    assert verdict("about 94 %", findings_of(curves))[1] is False
    assert verdict("only the non-resampling", findings_of(curves))[1] is False
    assert verdict("on the order of 10^5", findings_of(curves)) is None


def test_judge_of_madaboost():
    curves = {
        ("adult", "stumps", "filterboost"): curve(accuracy=(0.5, 0.85)),
        ("adult", "stumps", "madaboost"): curve(accuracy=(0.5, 0.845)),
    }
    text, said = verdict("perform similarly", findings_of(curves))
    assert said is True
    assert text == "after 10: 0.0050 (stumps on adult)"
    curves["adult", "stumps", "madaboost"] = curve(accuracy=(0.5, 0.8))
    assert verdict("perform similarly", findings_of(curves))[1] is False


def test_judges_along_curves_take_most_of_the_rounds():
    """AdaBoost leads after 10 and 30 rounds, and not after 100."""
    curves = {
        ("majority", "stumps", key): curve((0.6, 0.5, 0.4), (0, 0, 0), (1, 2, 3), (10, 30, 100))
        for key in BATCH
    }
    for key in FAMILIES["adaboost"]:
        curves["majority", "stumps", key] = curve(
            (0.5, 0.4, 0.45), (0, 0, 0), (1, 2, 3), (10, 30, 100)
        )
    assert verdict("AdaBoost was best with", findings_of(curves))[1] is True
    for key in FAMILIES["adaboost"]:
        curves["majority", "stumps", key] = curve(
            (0.5, 0.55, 0.45), (0, 0, 0), (1, 2, 3), (10, 30, 100)
        )
    text, said = verdict("AdaBoost was best with", findings_of(curves))
    assert said is False
    assert text.startswith("after 10: AdaBoost 0.5000, AdaBoost-LOG 0.6000; after 30: ")
    (judged,) = [
        each
        for each in CLAIMS.judged(findings_of(curves))
        if "was best" in each.quote and each.holds is False
    ]
    assert judged.why.endswith("it holds after 10 alone")
    assert judged.shown_by == "figure 3"


def test_judge_of_trees_compares_after_as_many_rounds():
    curves = {
        ("majority", "stumps", key): curve(accuracy=(0.6, 0.7, 0.9), **LONG) for key in BOOSTERS
    }
    curves |= {("majority", "trees", key): curve(accuracy=(0.5, 0.65)) for key in BOOSTERS}
    text, said = verdict("overly complicated", findings_of(curves))
    assert (text, said) == ("after 10: lower accuracy with trees for 11 of 11", True)
    curves["majority", "trees", "log"] = curve(accuracy=(0.5, 0.75))
    assert verdict("overly complicated", findings_of(curves))[1] is False


def asides_of(**found):
    return Findings(
        {}, {}, {}, LABELS, {key.replace("_", "-"): each for key, each in found.items()}
    )


def test_judges_of_certified_runs():
    fine = {"holds": True, "error": 0.1, "rounds": 9, "bound": 20.0, "examples": 99}
    found = {
        "proof-log-0.2": fine,
        "proof-log-0.1": fine | {"error": 0.05, "rounds": 30, "bound": 40},
    }
    found |= {
        f"proof-tandem-{each}": fine | {"error": 0.05, "rounds": 50, "bound": 99}
        for each in (0.2, 0.1)
    }
    findings = Findings({}, {}, {}, LABELS, found)
    assert verdict("any target error", findings)[1] is True
    assert verdict("tandems turn", findings)[1] is True
    found["proof-tandem-0.1"] = found["proof-tandem-0.1"] | {"bound": 999.0}
    assert verdict("tandems turn", findings)[1] is False  # as 1/eps, or more
    assert verdict("complicated final", findings)[1] is True
    found["proof-log-0.2"] = fine | {"error": 0.21}
    assert verdict("any target error", findings)[1] is False


def test_judges_of_edges_and_small_tables():
    often = {"edges": [], "rounds": 101, "rises": 30}
    assert verdict("violated often", asides_of(edges_majority=often))[1] is True
    assert verdict("violated often", asides_of(edges_majority=often | {"rises": 3}))[1] is False
    slow, fast = ({"round_seconds": each, "round_examples": 1e5 * each} for each in (0.2, 0.1))
    assert verdict("very small datasets", asides_of(small_300=slow, small_3000=fast))[1] is True
    assert verdict("very small datasets", asides_of(small_300=fast, small_3000=slow))[1] is False


def test_judge_of_sampling():
    few = {"rounds": 20, "edge_examples": 1_000.0, "accuracy": 0.7}
    many = few | {"edge_examples": 200_000.0, "accuracy": 0.705}
    found = {
        f"sampling_{rule}_{kind}": each
        for rule in ("log", "mada")
        for kind, each in (("0.5", many), ("few", few))
    }
    assert verdict("orders of magnitude", asides_of(**found))[1] is True
    found["sampling_mada_0.5"] = many | {"accuracy": 0.8}
    assert verdict("orders of magnitude", asides_of(**found))[1] is False


def test_exact_edges_are_those_of_the_round():
    """Of a MadaBoost whose examples all have the weight that they have in its first round."""
    X, y = make_majority(500, n_features=9, n_relevant=3, random_state=0)
    model = FilterBoostClassifier("mada", max_depth=1, max_rounds=2, random_state=0).fit(X, y)
    edges, errors = exact_edges(model, X, y)
    first = np.where(model.estimators_[0].predict(X)[:, 0] > 0, 1, 0)
    assert edges[0] == pytest.approx(np.mean(first == y) - 0.5, rel=1e-12)
    assert errors[0] == pytest.approx(np.std(first == y) / np.sqrt(500), rel=1e-12)


LONG = {"loss": (0.6, 0.5, 0.4), "seconds": (1, 2, 3), "rounds": (1, 10, 20)}


@pytest.mark.parametrize("plan", [FULL, QUICK])
def test_plans_have_all_data(plan):
    assert [task.data for task in plan.tasks] == [
        "majority",
        "majority",
        "twonorm",
        "adult",
        "covtype",
    ]
    assert plan.tasks[0].n_train < plan.tasks[1].n_train
    assert plan.runs <= 10
