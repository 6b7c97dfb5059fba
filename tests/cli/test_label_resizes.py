"""The labelling screen while somebody drags the corner of the window."""

from __future__ import annotations

import asyncio
import itertools
import re
import time

import pytest

pytest.importorskip("typer")
pytest.importorskip("pyarrow")
pytest.importorskip("textual")
pytest.importorskip("pty")

from label_helpers import CLASSES, FAST, write_csv
from label_person import PATIENCE, Person

from frugalboost.active import Journal, replay
from frugalboost.cli.label.data import DataOptions
from frugalboost.cli.label.run import LabelOptions, open_run
from frugalboost.cli.label.screen import LabelApp
from frugalboost.cli.label.session import Plan

CHANGES = 60
PER_SECOND = 60
ANSWERS = 5


@pytest.mark.thorough
def test_a_window_dragged_while_questions_change(tmp_path):
    """Keys are pressed and the size changes sixty times a second, whatever is being drawn."""
    data = tmp_path / "data.csv"
    write_csv(data)
    options = (data, "--classes", ",".join(CLASSES), "--id-column", "name", *FAST)
    with Person(*options) as person:
        person.see("asked for")
        deadline = time.monotonic() + PATIENCE
        for change in itertools.count():
            if change >= CHANGES and n_labels(person) >= ANSWERS:
                break
            assert time.monotonic() < deadline, person.display.text
            person.resize(60 + change % 61, 16 + change % 17)
            person.strike("adp"[change % 3])
            person.look(1 / PER_SECOND)
        person.resize(160, 30)
        _, screen = person.see(r"labels \d+")
        lines = screen.split("\n")
        assert lines[4] == 160 * "─"
        assert "asked for" in lines[5]
        assert lines[26] == 160 * "─"
        assert " q  stop" in lines[28]
        # The last letter may still be on its way: a q would not count while that is learnt from.
        person.strike_and_see("\x04", "Wrote")  # Ctrl-D
        assert person.leave() == 0
        n_answers = n_labels(person)
        assert "Traceback" not in person.raw
    with Journal(f"{data}.session") as journal:
        assert len(replay(journal).answers) == n_answers


def n_labels(person):
    """What the screen said last."""
    return max(map(int, re.findall(r"labels (\d+)", person.raw)), default=0)


SIZES = [(1, 1), (200, 2), (3, 60), (20, 5), (0, 0), (80, 24)]


@pytest.mark.thorough
def test_windows_of_any_size_can_be_drawn(tmp_path):
    """A row of many columns, which are paged as the size demands, while a name is being typed."""
    data = tmp_path / "data.csv"
    write_csv(data, **{f"column {n}": range(120) for n in range(40)})
    options = LabelOptions(
        data, tmp_path / "s", tmp_path / "o", DataOptions(id_column="name"), plan=Plan(rounds=2)
    )
    shown = asyncio.run(draw_in_sizes(options))
    assert "page 2 of 2; v: next page" in shown
    assert "Class of this row: hen" in shown


async def draw_in_sizes(options):
    with open_run(options) as run:
        app = LabelApp(run)
        async with app.run_test() as pilot:
            while app.dialogue.question is None:
                await pilot.pause(0.01)
            await pilot.pause()
            await pilot.press("v", "n", *"hen")
            for size in SIZES:
                await pilot.resize_terminal(*size)
                await pilot.pause()
            shown = app.export_screenshot()
            await pilot.press("ctrl+d")
        assert app.problem is None
    return re.sub("&#160;", " ", shown)
