"""`frugalboost label` at a terminal: one key, one answer."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
pytest.importorskip("pyarrow")
pytest.importorskip("textual")
pytest.importorskip("PIL")
pytest.importorskip("pty")

from label_helpers import CLASSES, FAST, asked_row, read_labels, write_csv
from label_person import PATIENCE, Person
from PIL import Image
from typer.testing import CliRunner

from frugalboost.active import Journal, replay
from frugalboost.cli.app import app
from frugalboost.cli.label.keys import ClassKeys, parse_classes
from frugalboost.cli.label.pictures import scaled_to_fit, write_png

pytestmark = pytest.mark.thorough


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    write_csv(path)
    return path


def options(data, *more):
    return (data, "--classes", ",".join(CLASSES), "--id-column", "name", *FAST, *more)


def kept(path):
    with Journal(path) as journal:
        return [(answer.row, answer.label) for answer in replay(journal).answers]


ASKED = r"row \d+, r\d+   asked for"


def row_of(screen):
    return int(re.search(r"row (\d+), r\d+   asked for", screen)[1])


def test_one_sitting_with_every_key(data, tmp_path):
    session = tmp_path / "data.csv.session"
    with Person(*options(data)) as person:
        _, screen = person.see(ASKED)
        for said in (
            "labels 0",
            "held-out error",
            "expected gain",
            " a  cat ",
            " s  skip",
            "colour",
        ):
            assert said in screen
        first = row_of(screen)
        _, screen = person.strike_and_see("a", r"Saved: row \d+, r\d+ is cat\.")
        second = row_of(screen)
        assert f"Saved: row {first}, r{first} is cat." in screen
        assert "labels 1 · cat: 1" in screen
        _, screen = person.strike_and_see("z", "'z' isn't assigned")
        assert row_of(screen) == second
        _, screen = person.strike_and_see("\x1b[A\x1b[15~s", "Skipped row")  # arrows are no keys
        third = row_of(screen)
        _, screen = person.strike_and_see("u", "Undone: .* was skipped")
        assert row_of(screen) == second
        _, screen = person.strike_and_see("u", "Undone: .* was cat")
        assert row_of(screen) == first
        assert "labels 0" in screen
        _, screen = person.strike_and_see("u", "nothing to undo")
        person.strike_and_see("d", "is dog")
        person.strike_and_see("n", "Class of this row")
        _, screen = person.strike_and_see("henx\x7f\r", "is hen")
        assert " h  hen " in screen
        assert row_of(screen) == third
        person.strike_and_see("c", "Which answer is wrong")
        person.strike_and_see("2\r", f"What is row {first}")
        person.strike_and_see("p\r", f"Saved: row {first}, r{first} is pig")
        person.strike_and_see("n", "Class of this row")
        person.strike_and_see("cow\x1b", r"asked for(?![\s\S]*Class of)")  # Escape: no answer
        person.strike_and_see("w", "Wrote 2 labels")
        assert len(read_labels(tmp_path / "data.csv.labels.csv")) == 2
        person.strike_and_see("h", f"row {third}, r{third} is hen")
        said, _ = person.strike_and_see("q", "Wrote 3 labels to .*")
        assert person.leave() == 0
    assert kept(session) == [(first, "pig"), (second, "hen"), (third, "hen")]
    assert len(read_labels(tmp_path / "data.csv.labels.csv")) == 3


def test_the_next_sitting_begins_where_the_last_ended(data):
    by_script = ["label", *map(str, options(data))]
    said = CliRunner().invoke(app, by_script, input="cat\nq\n").stdout
    asked = [row for line in said.splitlines() if (row := asked_row(line)) is not None][-1]
    with Person(*options(data, "--budget", 2)) as person:
        _, screen = person.see("Welcome back. 1 label so far")
        assert row_of(screen) == asked
        said, _ = person.strike_and_see("d", "Finished: .*")
        assert "the budget of 2 labels is spent" in said
        assert person.leave() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_everything_and_the_terminal(data, tmp_path, number):
    with Person(*options(data)) as person:
        person.see(ASKED)
        person.strike_and_see("a", "is cat")
        person.process.send_signal(number)
        person.see("Interrupted. Every answer is kept")
        assert person.leave() == 130
    assert [label for _, label in kept(tmp_path / "data.csv.session")] == ["cat"]
    assert len(read_labels(tmp_path / "data.csv.labels.csv")) == 1


@pytest.mark.parametrize(
    ("keys", "text", "n_labels"),
    [("", "labels 1", 1), ("a", "labels 2 ", 2), ("nh", "Class of this row: h", 1)],
)
def test_ctrl_c_interrupts_whatever_goes_on(data, tmp_path, keys, text, n_labels):
    """While it waits for a key, while it learns, and while a name is typed."""
    with Person(*options(data)) as person:
        person.see(ASKED)
        person.strike_and_see("a", "is cat")
        person.strike(keys)
        while text not in person.raw:
            person.look()
        person.strike_and_see("\x03", "Interrupted. Every answer is kept")
        assert person.leave() == 130
    labels = [label for _, label in kept(tmp_path / "data.csv.session")]
    assert labels == n_labels * ["cat"]
    assert len(read_labels(tmp_path / "data.csv.labels.csv")) == n_labels


def ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.parametrize("is_ignored", [True, False])
def test_a_suspended_or_stopped_screen_comes_back_and_can_be_left(data, is_ignored):
    """By an interrupt, also in a process of a shell that lets its programs ignore these; or q."""
    begun = {"preexec_fn": ignore_interrupts} if is_ignored else {}
    with Person(*options(data), is_forked=False, **begun) as person:
        person.see(ASKED)
        person.strike("\x1a")  # Ctrl-Z
        wait_for_stop(person)
        while person.display.is_full_screen:
            person.look()
        person.process.send_signal(signal.SIGCONT)
        person.see(ASKED)
        person.strike_and_see("a", "is cat")
        person.process.send_signal(signal.SIGSTOP)
        wait_for_stop(person)
        person.display.resize(100, 30)  # whoever was in front meanwhile has left nothing of it
        person.process.send_signal(signal.SIGCONT)
        person.see(ASKED)
        if is_ignored:
            person.process.send_signal(signal.SIGINT)
            person.see("Interrupted. Every answer is kept")
        else:
            person.strike("q")
        assert person.leave() == (130 if is_ignored else 0)


def wait_for_stop(person):
    os.waitid(os.P_PID, person.process.pid, os.WSTOPPED | os.WNOWAIT)


def test_a_closed_terminal_ends_it(data, tmp_path):
    with Person(*options(data)) as person:
        person.see(ASKED)
        person.strike_and_see("a", "is cat")
        person.close_terminal()
        person.process.wait(PATIENCE)
    assert [label for _, label in kept(tmp_path / "data.csv.session")] == ["cat"]
    assert len(read_labels(tmp_path / "data.csv.labels.csv")) == 1


def test_answers_that_were_seen_to_be_saved_survive_a_kill(data, tmp_path):
    with Person(*options(data)) as person:
        person.see(ASKED)
        person.strike_and_see("a", "is cat")
        person.strike_and_see("d", "is dog")
        person.process.kill()
        person.process.wait()
    assert [label for _, label in kept(tmp_path / "data.csv.session")] == ["cat", "dog"]


def test_names_may_be_typed_fast(data, tmp_path):
    """The first letter of this name is the key of another class."""
    with Person(*options(data)) as person:
        person.see(ASKED)
        person.strike_and_see("npanda\r", "is panda")
        person.strike_and_see("q", "Stopped")
        assert person.leave() == 0
    assert [label for _, label in kept(tmp_path / "data.csv.session")] == ["panda"]


@pytest.mark.parametrize("redirected", ["stdout", "stderr"])
def test_one_output_may_be_redirected(data, tmp_path, redirected):
    with (
        open(tmp_path / "said", "w") as file,
        Person(*options(data), wide=70, high=20, **{redirected: file}) as person,
    ):
        _, screen = person.see(ASKED)
        assert 70 * "─" in screen
        assert len(screen.split("\n")) == 20
        person.strike_and_see("a", "is cat")
        person.strike("q")
        assert person.leave() == 0
    said = (tmp_path / "said").read_text()
    assert said.startswith("Stopped.") if redirected == "stdout" else said == ""


def test_without_a_terminal_to_draw_on_it_says_so(data, tmp_path):
    said = tmp_path / "said"
    with open(said, "w") as file, Person(*options(data), stdout=file, stderr=file) as person:
        assert person.leave() == 2
    assert "label needs a terminal to draw on" in said.read_text()
    assert said.read_text().count("\n") == 1
    assert not (tmp_path / "data.csv.session").exists()


def test_text_of_the_data_cannot_control_the_terminal(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(
        "name,a,text\n" + "".join(f"r{n},{n},b{n}\x1b[2J[red]\x07\n" for n in range(30))
    )
    with Person(path, "--classes", "x,y", "--id-column", "name", *FAST) as person:
        _, screen = person.see(ASKED)
        assert "\x1b[2J" not in person.raw
        assert "\x07" not in person.raw.partition("asked for")[2]
        assert "[red]" in screen


def test_a_window_that_changes_is_drawn_anew(data):
    with Person(*options(data), wide=60, high=14) as person:
        person.see(ASKED)
        person.resize(120, 20)
        _, screen = person.see(ASKED)
        assert 120 * "─" in screen  # a rule from one side to the other
        assert " q  stop" in screen.split("\n")[-2]  # above the line for messages
        person.strike_and_see("\x04", "Stopped")  # Ctrl-D
        assert person.leave() == 0


def test_pictures_are_drawn_and_written(tmp_path):
    path = tmp_path / "data.npz"
    images = np.random.default_rng(0).integers(256, size=(30, 6, 5))
    images[0, 0, :2] = (0, 255)
    np.savez(path, images=images)
    with Person(path, "--classes", "a,b", *FAST) as person:
        _, screen = person.see("(?s)picture: .*png")  # a long path goes over two lines
        row = int(re.search(r"row (\d+) ", screen)[1])
        # Six times as large, two pixels a character; five times where a long path takes more lines.
        assert screen.count("▀") in (36 * 30 // 2, 30 * 25 // 2)
        pixels = read_png(tmp_path / "data.npz.session.png")
        assert pixels.shape == (6 * 52, 5 * 52)
        assert np.array_equal(pixels[::52, ::52], images[row])


def read_png(path):
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture)


@pytest.mark.parametrize("shape", [(3, 4), (3, 4, 3), (300, 260)])
def test_a_png_holds_the_pixels(tmp_path, shape):
    pixels = np.random.default_rng(1).integers(256, size=shape).astype(np.uint8)
    write_png(tmp_path / "a.png", Image.fromarray(pixels))
    written = read_png(tmp_path / "a.png")
    factor = len(written) // shape[0]
    assert written.shape[:2] == (factor * shape[0], factor * shape[1])
    assert min(written.shape[:2]) >= 256
    assert np.array_equal(written[::factor, ::factor], pixels)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


@pytest.mark.parametrize(("high", "wide"), [(1, 1), (8, 8), (28, 28), (224, 224), (3, 500)])
def test_a_picture_fits_the_terminal(high, wide):
    width, height = scaled_to_fit(Image.new("L", (wide, high)), 80, 24).size
    assert 0 < width <= 80
    assert 0 < height <= 24


def test_every_class_has_its_own_key():
    names = [f"class {n}" for n in range(40)]
    keys = ClassKeys(names)
    assert len(set(keys.class_of.values())) == 40
    assert all(keys.class_of[keys.key_of(name)] == name for name in names)
    assert not set(keys.class_of) & set("sucnwvq")
    assert ClassKeys([str(n) for n in range(10)]).class_of == {str(n): str(n) for n in range(10)}
    assert ClassKeys(["10", "1"]).class_of == {"1": "1", "0": "10"}


def test_more_classes_than_keys_leave_some_without():
    keys = ClassKeys([f"class {n}" for n in range(80)])
    assert keys.key_of("class 79") is None
    assert keys.command_of("n") == "new class"


def test_a_new_class_takes_no_other_key():
    keys = ClassKeys(["ant", "bee"])
    before = dict(keys.class_of)
    keys.add("a")
    keys.add("bat")
    assert keys.class_of.items() >= before.items()
    assert keys.key_of("a") not in before


def test_given_keys_come_first():
    names, given = parse_classes("y=yes,n=no")
    keys = ClassKeys(names, given)
    assert keys.class_of == {"y": "yes", "n": "no"}
    assert keys.command_of("n") is None
    assert keys.command_of("+") == "new class"


@pytest.mark.parametrize("package", ["textual", "PIL"])
def test_a_missing_package_is_named_with_its_extra(tmp_path, package):
    path = tmp_path / "data.npz"
    np.savez(path, images=np.arange(30 * 6).reshape(30, 2, 3))
    with Person(path, "--classes", "a,b", absent=package) as person:
        assert person.leave() == 1
    needed = {"textual": "textual", "PIL": "pillow"}[package]
    said = " ".join(person.raw.split())
    assert f"label needs {needed} to " in said
    assert 'install it with pip install "frugalboost[cli]".' in said
    assert not (tmp_path / "data.npz.session").exists()


def test_other_commands_do_not_import_the_screen():
    script = "import sys, frugalboost.cli.app; print({'textual', 'PIL'} & set(sys.modules))"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
