"""Names of any length come from files; people are shown their beginnings."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("typer")

from table_helpers import ok

import frugalboost as fb

pytestmark = pytest.mark.thorough

LONG = "a long name, " * 100_000


@pytest.fixture(scope="module", name="model")
def long_named_model(tmp_path_factory):
    X = pd.DataFrame({LONG: np.arange(40.0), "short": np.arange(40) % 3.0})
    y = np.where(np.arange(40) < 20, "class " + LONG, "other")
    model = fb.BoostedTreesClassifier(n_estimators=3, max_depth=2).fit(X, y)
    path = tmp_path_factory.mktemp("long") / "long.fboost"
    fb.save(model, path)
    return path


def test_inspect_shows_the_beginning(model):
    found = ok("inspect", model).stdout
    assert len(found) < 20_000
    assert LONG[:79] + "\N{HORIZONTAL ELLIPSIS}" in found
    assert "class " + LONG[:73] + "\N{HORIZONTAL ELLIPSIS}" in found


def test_json_has_all_of_it(model):
    found = json.loads(ok("inspect", model, "--json").stdout)
    assert {feature["name"] for feature in found["features"]} == {LONG, "short"}


def test_drawings_show_the_beginning():
    pytest.importorskip("matplotlib")
    from matplotlib import pyplot

    from frugalboost.plots import CommitteeConfusionDisplay, ImportancesDisplay

    for display in (
        ImportancesDisplay([1.0, 2.0], [LONG, LONG]),
        CommitteeConfusionDisplay([[1, 2], [3, 4]], [LONG, LONG]),
    ):
        ticks = display.plot().ax_.get_yticklabels()
        assert {len(tick.get_text()) for tick in ticks} == {32}
        pyplot.close("all")
