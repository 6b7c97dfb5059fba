"""The benchmark beside other libraries runs from end to end, without any of them."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import json
import re
import signal
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from forked import run_module
from frugalboost import BoostedTreesClassifier

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
WITHOUT_PEERS = ["frugalboost", "HistGradientBoosting", "AdaBoost (scikit-learn)"]


@pytest.fixture
def peers(monkeypatch):
    """The modules of the benchmark, by name."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return lambda name: importlib.import_module(f"peers.{name}")


@pytest.fixture
def run(peers, tmp_path, monkeypatch, capsys):
    """Run the command where no real data are at hand; return its Markdown and its JSON.

    With more time than the quick run has: on a busy machine a figure would be missing.
    """
    monkeypatch.setenv("FRUGALBOOST_DATA", str(tmp_path / "nowhere"))

    def run_it(*arguments: str) -> tuple[str, dict]:
        given = [
            "--quick",
            "--repeats",
            "1",
            "--limit",
            "30",
            "--output",
            str(tmp_path),
            *arguments,
        ]
        assert peers("__main__").main(given) == 0
        text = (tmp_path / "peers.md").read_text(encoding="utf-8")
        assert capsys.readouterr().out == text
        return text, json.loads((tmp_path / "peers.json").read_text(encoding="utf-8"))

    return run_it


def figures(content: dict) -> dict[str, dict[str, dict]]:
    return {
        outcome["task"]["name"]: {row["contender"]: row["figures"] for row in outcome["rows"]}
        for outcome in content["tasks"]
    }


@pytest.mark.thorough
def test_small_run_measures_every_contender_and_names_what_is_absent(run):
    tasks = ["mnist-depth4", "mnist-classes", "predict-one", "covtype-build", "letter"]
    text, content = run("--only", *tasks, "--contenders", *WITHOUT_PEERS)
    found = figures(content)
    assert set(found["mnist-depth4"]) == set(WITHOUT_PEERS)
    for row in found["mnist-depth4"].values():
        assert row["ms per tree"] > 0
        assert 0 < row["test error"] < 0.3
    assert found["mnist-classes"]["frugalboost"]["test error"] <= 0.27
    assert found["predict-one"]["frugalboost"]["ms"] > 0
    assert found["covtype-build"]["frugalboost"]["seconds"] > 0
    assert found["covtype-build"]["AdaBoost (scikit-learn)"] == {}
    assert "absent: letter is not available" in text
    assert "digits in place of mnist" in text


@pytest.mark.thorough
def test_contender_that_is_not_installed_is_listed(peers, monkeypatch):
    main, contenders = peers("__main__"), peers("contenders")
    monkeypatch.setattr(contenders.CatBoost, "module", "no_such_library")
    assert not contenders.CONTENDERS["CatBoost"].is_installed()
    assert peers("report").versions(["CatBoost"]) == {"CatBoost": None}
    task = peers("tasks").TASKS["mnist-build"]
    ours = [contenders.CONTENDERS["frugalboost"]]
    options = peers("entrants").Options(repeats=1)
    outcome = main.run_task(task, task.quick, ours, ["CatBoost"], options)
    assert {row.contender: row.note for row in outcome.rows}["CatBoost"] == "not installed"


def small_field(peers, contenders, **options):
    """A field on a table of 160 rows, and the table."""
    rng = np.random.default_rng(0)
    part = peers("data").Part(rng.normal(size=(160, 2)).astype(np.float32), np.arange(160) % 2)
    table = peers("data").Table(part, part)
    task = peers("tasks").TASKS["mnist-depth4"]
    options = peers("entrants").Options(**{"repeats": 1} | options)
    return peers("entrants").Field(task, table, contenders, options), part


KINDS_THAT_TRAIN = ["per_tree", "whole_fit", "prediction", "one_row", "two_threads", "growth"]


@pytest.mark.parametrize("n_good", [0, 1])
@pytest.mark.parametrize("kind", KINDS_THAT_TRAIN)
def test_failure_of_one_contender_leaves_the_others(peers, kind, n_good):
    contenders = peers("contenders")

    class Broken(contenders.FrugalBoost):
        name = "broken"
        n_fits = 0

        def train(self, data, settings):
            self.n_fits += 1
            if self.n_fits > n_good:
                raise RuntimeError("no luck")
            return super().train(data, settings)

    field, part = small_field(peers, [Broken(), contenders.FrugalBoost()])
    rows = field.finish(peers("kinds").KINDS[kind](field, part, 2))
    assert rows[-1].contender == "broken"
    ours = next(row for row in rows if row.contender == "frugalboost")
    assert ours.note == ""
    assert all(value >= 0 for value in ours.figures.values())
    assert rows[-1].note == "failed: RuntimeError: no luck"


@pytest.fixture
def nap(monkeypatch):
    """Puts the clock that times are taken by forward."""
    clock, skipped = time.perf_counter, []
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + sum(skipped))
    return skipped.append


@pytest.fixture
def slow(peers, nap):
    """A contender that needs a fifth of a second for each round."""

    class Slow(peers("contenders").FrugalBoost):
        name = "slow"

        def train(self, data, settings):
            nap(0.2 * settings.rounds)
            return super().train(data, settings)

    return Slow()


def test_slow_contender_makes_fewer_rounds_and_runs(peers, slow):
    field, part = small_field(peers, [slow], repeats=4, limit=0.6)
    (row,) = field.finish(peers("kinds").per_tree(field, part, rounds=50))
    rounds, runs = row.note.split("; ")
    assert rounds == "1 of 50 rounds, for time"
    assert int(runs.partition(" of 4 runs, for time")[0]) < 4
    assert row.figures["ms per tree"] > 200


@pytest.fixture
def late(peers, nap):
    """A contender that needs a second before its first round."""

    class Late(peers("contenders").FrugalBoost):
        name, builds_apart = "late", False

        def train(self, data, settings):
            nap(1.0 + 0.02 * settings.rounds)
            return super().train(data, settings)

    return Late()


def test_what_comes_before_the_rounds_is_charged_once(peers, late):
    field, part = small_field(peers, [late])
    settings = field.settings(rounds=1)
    data = late.build(part, settings)
    entrant = peers("entrants").Entrant(late, settings, part, data, before=1.0, wanted=100)
    assert entrant.seconds_per_round() < 0.5


def test_rounds_that_cannot_be_told_from_binning_have_no_figure(peers, late):
    field, part = small_field(peers, [late], repeats=1, limit=1.5)
    (row,) = peers("kinds").per_tree(field, part, rounds=100)
    assert row.figures == {}
    assert re.match(r"bins while training, which takes \d+\.\d s", row.note)


@pytest.mark.thorough
def test_resumed_run_keeps_the_other_tasks(peers, tmp_path):
    run = peers("__main__").main
    options = ["--quick", "--output", str(tmp_path), "--contenders", "frugalboost"]
    assert run([*options, "--only", "a6a-assessments"]) == 0
    first = json.loads((tmp_path / "peers.json").read_text())["tasks"]
    assert run([*options, "--only", "pendigits", "--resume"]) == 0
    both = json.loads((tmp_path / "peers.json").read_text())["tasks"]
    assert [each["task"]["name"] for each in both] == ["pendigits", "a6a-assessments"]
    assert both[1] == first[0]
    assert run([*options, "--only", "pendigits"]) == 0
    assert len(json.loads((tmp_path / "peers.json").read_text())["tasks"]) == 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarms")
def test_contender_without_end_is_given_up(peers, slow, monkeypatch):
    """No second goes by: on a busy machine, another contender would not be finished, either."""
    monkeypatch.setattr(peers("entrants"), "LEAST_PATIENCE", 3600.0)
    left = []

    def train(data, settings):
        left.extend(signal.getitimer(signal.ITIMER_REAL))
        signal.raise_signal(signal.SIGALRM)

    slow.train = train
    ours = peers("contenders").FrugalBoost()
    field, part = small_field(peers, [slow, ours], limit=2.0)
    rows = peers("kinds").per_tree(field, part, rounds=2)
    assert {row.contender: row.note for row in rows} == {
        "frugalboost": "",
        "slow": "not finished in 3600 s",
    }
    until, again = left
    assert 0 < until <= 3600
    assert again == 1.0  # should the first error be lost


@pytest.mark.thorough
def test_memory_of_a_fit_without_end_is_given_up(peers, tmp_path):
    measure, contenders = peers("measure"), peers("contenders")
    _, part = small_field(peers, [])
    settings = contenders.Settings(rounds=1, depth=1)
    ours = contenders.CONTENDERS["frugalboost"]
    with pytest.raises(measure.OutOfTimeError, match=r"not finished in 0\.01 s"):
        measure.peak_memory(ours, part, settings, tmp_path, limit=0.01)
    broken = dataclasses.replace(settings, rule="no rule")
    with pytest.raises(RuntimeError, match="ValueError: BoostedTreesClassifier: rule must be"):
        measure.peak_memory(ours, part, broken, tmp_path)


@pytest.mark.parametrize("name", ["LightGBM", "XGBoost", "XGBoost exact", "CatBoost"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_adapters_of_other_libraries_learn(peers, name, n_classes):
    contenders = peers("contenders")
    contender = contenders.CONTENDERS[name]
    if not contender.is_installed():
        pytest.skip(f"needs {name}")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)).astype(np.float32)
    y = np.digitize(X[:, 1], np.linspace(-0.5, 0.5, n_classes - 1)).astype(np.int32)
    part = peers("data").Part(X, y)
    settings = contenders.Settings(rounds=20, depth=2, n_classes=n_classes, rate=0.3)
    model = contender.train(contender.build(part, settings), settings)
    error = contenders.share_wrong(contender.probabilities(model, X, settings), y)
    assert error < 0.1
    errors = contender.test_errors(part, part, settings)
    assert len(errors) == 20
    assert errors[-1] == pytest.approx(error)


def test_weights_of_rounds_follow_from_the_predictions(peers):
    X, y = load_digits(return_X_y=True)
    y = (y >= 5).astype(np.int64)
    model = BoostedTreesClassifier("adaboost", n_estimators=20, max_depth=1).fit(X, y)
    rounds = list(peers("assessments").rounds_of(model, X, y))
    stages = [np.zeros(len(y)), *model.staged_decision_function(X)]
    for t, each in enumerate(rounds):
        is_wrong = (stages[t + 1] > stages[t]) != y
        error = each.weights[is_wrong].sum() / each.weights.sum()
        assert error == pytest.approx(model.estimator_errors_[t], rel=1e-9)
    # No step is the same twice, so rows whose share of the weight moved are those that changed.
    assert rounds[0].n_changed == len(y)
    for last, each in pairwise(rounds):
        factor = each.weights / last.weights
        assert each.n_changed == np.count_nonzero(factor > factor.min() * 1.0001)


def test_assessments_are_summed_over_the_rounds_there_is_time_for(peers):
    entrants = peers("entrants")
    task, table = peers("tasks").TASKS["mnist-assessments"], peers("data").STAND_INS["mnist-halves"]
    loaded = table[1]()
    ours = [peers("contenders").CONTENDERS["frugalboost"]]

    def rows(limit):
        field = entrants.Field(task, loaded, ours, entrants.Options(limit=limit))
        return peers("kinds").KINDS["assessments"](field, loaded.train, 5)

    (whole,) = rows(limit=60.0)
    n, n_features = loaded.train.X.shape
    bound, changed = (
        whole.figures[name] for name in ("weight order bound", "assessments, incremental")
    )
    assert whole.note == ""
    assert whole.figures["ratio to the bound"] == changed / bound
    assert n * n_features * 5 > bound > changed
    (first,) = rows(limit=1e-9)
    assert first.note == "the first 1 of 5 rounds"
    n_used = np.count_nonzero(np.ptp(loaded.train.X, axis=0))
    assert first.figures["assessments, incremental"] == n * n_used


@pytest.mark.thorough
def test_peak_memory_sees_what_a_fit_allocates(peers, tmp_path):
    contenders = peers("contenders")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 40)).astype(np.float32)
    part = peers("data").Part(X, (X[:, 0] > 0).astype(np.int32))
    settings = contenders.Settings(rounds=1, depth=1)
    ours = contenders.CONTENDERS["frugalboost"]
    found = peers("measure").peak_memory(ours, part, settings, tmp_path)
    binned = X.size
    assert binned <= found <= 20 * binned


def test_tables_are_written_between_the_markers(peers, tmp_path):
    report = peers("report")
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{report.BEGIN}\nold\n{report.END}\n\nafter\n", encoding="utf-8")
    report.write_between_markers(page, "new")
    expected = f"before\n\n{report.BEGIN}\n\nnew\n\n{report.END}\n\nafter\n"
    assert page.read_text(encoding="utf-8") == expected
    page.write_text("no markers", encoding="utf-8")
    with pytest.raises(ValueError, match=r"peers: page\.md must contain"):
        report.write_between_markers(page, "new")


def test_page_of_the_documentation_has_the_markers(peers):
    page = (BENCHMARKS.parent / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    report = peers("report")
    assert page.index(report.BEGIN) < page.index(report.END)


@pytest.mark.parametrize("name", ["contenders", "entrants", "measure", "report"])
def test_examples_in_docstrings(peers, name):
    outcome = doctest.testmod(peers(name))
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.thorough
def test_it_runs_as_a_program(tmp_path):
    given = ("--quick", "--repeats", "1", "--only", "predict-one", "--contenders", "frugalboost")
    nowhere = str(tmp_path / "nowhere")
    done = run_module(BENCHMARKS, "peers", *given, "--output", tmp_path, FRUGALBOOST_DATA=nowhere)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (tmp_path / "peers.md").read_text(encoding="utf-8")
