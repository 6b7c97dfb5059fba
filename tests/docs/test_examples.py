"""The scripts of the gallery run without a warning, draw, and show what they say they show."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import matplotlib
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot as plt

pytestmark = pytest.mark.thorough

FOLDER = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def check_first_model(found: dict[str, Any]) -> None:
    assert found["accuracy"] > 0.94
    assert "worst perimeter" in found["names"]
    assert found["curve"].roc_auc > 0.98


def check_less_work(found: dict[str, Any]) -> None:
    assert len(found["digests"]) == 1
    shares = {search: model.ledger_.share for search, model in found["models"].items()}
    assert shares.pop("exhaustive") == 1.0
    assert max(shares.values()) < 0.3
    assert list(found["display"].lines_) == list(found["models"])


def check_pandas(found: dict[str, Any]) -> None:
    unknown, missing = found["of_strangers"]
    assert unknown == missing
    assert found["accuracy"] > 0.75
    assert (found["by_city"][False] > found["by_city"][True]).all()
    assert set(found["by_city"][True].nlargest(2).index) == {"Kiel", "Ulm"}


def check_early_stopping(found: dict[str, Any]) -> None:
    assert found["losses"]["stopped early"] < found["losses"]["300 trees"]
    assert found["early"].n_estimators_ + 10 == len(found["early"].ledger_) < 300
    assert found["best"] < 200


def check_stream(found: dict[str, Any]) -> None:
    assert found["certificate"].holds
    assert found["error"] <= found["certificate"].target_error
    accepted = found["ledger"].column("acceptance")
    assert accepted[-1] < found["certificate"].target_error / 2 < accepted[0]


def check_parquet(found: dict[str, Any]) -> None:
    assert found["oracle"].n_rows == 20_000
    assert found["accuracy"] > 0.95
    assert found["used"][-1] < found["model"].n_examples_ / 4
    assert not Path(found["folder"].name).exists()


def check_many_classes(found: dict[str, Any]) -> None:
    one_tree, ten_trees = found["errors"]["GAMBLE"], found["errors"]["one against all"]
    assert found["trees"]["one against all"][0] == 10
    # At 10, 50 and 100 trees, that is after 1, 5 and 10 rounds of the others.
    assert all(one_tree[n - 1] < ten_trees[n // 10 - 1] for n in (10, 50, 100))


def check_few_labels(found: dict[str, Any]) -> None:
    assert found["needed"]["asking"] < found["needed"]["random rows"]
    last = {name: learner.history_[-1].error for name, learner in found["learners"].items()}
    assert last["asking"] < last["random rows"] / 2


def check_prune_ensemble(found: dict[str, Any]) -> None:
    assert all(errors[-1] == found["whole"] for errors in found["errors"].values())
    assert found["errors"]["reduce_error"][3] < found["whole"] + 0.03
    kappas = {name: each.kappa.mean() for name, each in found["diagram"].diagrams.items()}
    assert kappas["boosting"] < kappas["bagging"]


def check_save_and_compare(found: dict[str, Any]) -> None:
    assert [len(both) for both in found["digests"].values()] == [1, 1, 1, 1]
    assert len(set.union(*found["digests"].values())) == 4
    assert found["is_same"]
    assert "damaged" in found["problem"]
    assert all(each[".fboost"] < each["pickle"] for each in found["sizes"].values())


def check_grid_search(found: dict[str, Any]) -> None:
    search = found["search"]
    assert search.best_score_ == found["scores"].max() > 0.93
    assert len(found["names"]) == search.best_params_["selectkbest__k"]
    assert set(found["names"]) < set(found["X"].columns)


CHECKS = {
    "01_first_model": check_first_model,
    "02_less_work": check_less_work,
    "03_pandas": check_pandas,
    "04_early_stopping": check_early_stopping,
    "05_stream": check_stream,
    "06_parquet": check_parquet,
    "07_many_classes": check_many_classes,
    "08_few_labels": check_few_labels,
    "09_prune_ensemble": check_prune_ensemble,
    "10_save_and_compare": check_save_and_compare,
    "11_grid_search": check_grid_search,
}


@pytest.fixture(autouse=True)
def _no_figures():
    plt.close("all")
    yield
    plt.close("all")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script_runs_and_shows_what_it_says(script, capsys):
    found = runpy.run_path(str(script))
    printed = capsys.readouterr()
    assert printed.out.strip()
    assert printed.err == ""
    CHECKS[script.stem](found)
    drawn = [plt.figure(number) for number in plt.get_fignums()]
    assert [figure is found["figure"] for figure in drawn] == [True]
    for ax in drawn[0].axes:
        assert ax.get_xlabel() or ax.get_ylabel()
        assert ax.has_data()


def test_every_check_has_its_script():
    assert [script.stem for script in SCRIPTS] == list(CHECKS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script_is_short_and_has_a_title(script):
    lines = script.read_text(encoding="utf-8").splitlines()
    assert 20 <= len(lines) <= 70
    assert lines[0] == '"""'
    assert set(lines[2]) == {"="}
    assert len(lines[1]) == len(lines[2])
