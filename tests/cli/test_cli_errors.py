"""How commands fail and help: exit codes, one line, a traceback only if asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import forked

pytest.importorskip("typer")
pytest.importorskip("pyarrow")

from table_helpers import ok, refused, run, table, write

from frugalboost.cli.app import COMMANDS
from frugalboost.cli.errors import in_one_line
from frugalboost.tables.errors import nearest

MAIN = "from frugalboost.cli import main; main()"


def frugalboost(*arguments):
    """The exit code of a process, what it printed and what it said of errors."""
    process = forked.start(MAIN, *arguments)
    printed, said = process.communicate(timeout=60)
    return process.returncode, printed, said


@pytest.mark.thorough
def test_exit_codes_of_a_real_process(tmp_path):
    given = ["fit", write(tmp_path / "data.csv", table()), "--target", "Sold", "-o", tmp_path / "m"]
    command = [sys.executable, "-m", "frugalboost", *map(str, given)]
    wrong = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.count("\n") == 1
    assert frugalboost(*given) == (2, "", wrong.stderr)
    (tmp_path / "empty.csv").touch()
    code, printed, said = frugalboost(
        "fit", tmp_path / "empty.csv", "--target", "y", "-o", tmp_path / "m.fboost"
    )
    assert (code, printed) == (1, "")
    assert said == f"frugalboost: {tmp_path / 'empty.csv'}: the file is empty.\n"


def test_without_a_terminal_there_is_no_progress_bar(tmp_path):
    data = write(tmp_path / "data.csv", table())
    code, _, said = frugalboost(
        "fit", data, "--target", "sold", "-o", tmp_path / "m.fboost", "--trees", "3"
    )
    assert (code, said) == (0, "")


CLOSED_OUTPUT = f"import os, sys; os.close(1); sys.stdout = None; {MAIN}"
"""As Python begins after ``>&-``."""


def with_closed_output(*arguments):
    """The exit code of a process that cannot print, and what it said of errors."""
    process = forked.start(CLOSED_OUTPUT, *arguments)
    _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.fixture(scope="module")
def model_and_data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    data = write(folder / "data.csv", table())
    ok("fit", data, "--target", "sold", "-o", folder / "m.fboost", "--trees", 2)
    return folder / "m.fboost", data


@pytest.mark.thorough
@pytest.mark.parametrize(
    "line",
    [
        "predict {model} {data}",
        "predict {model} {data} -o -",
        "evaluate {model} {data}",
        "inspect {model}",
        "inspect {model} --json",
        "export {model} -o -",
        "export {model} -o /dev/stdout",
        "report {model} {data} -o {new}.html --json",
        "label {data} --classes a,b --session {new}",
        "--version",
        "--help",
        "fit --help",
    ],
)
def test_a_result_that_cannot_be_printed_is_an_error(model_and_data, tmp_path, line):
    """Nothing that was asked for is lost in silence, and nothing is begun."""
    model, data = model_and_data
    words = line.format(model=model, data=data, new=tmp_path / "new").split()
    said = "frugalboost: standard output must be open to be printed to; it is closed.\n"
    assert with_closed_output(*words) == (1, said)
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("fit {data} --target sold --trees 2 -o {new}", "new.fboost"),
        ("predict {model} {data} -o {new}", "new.csv"),
        ("export {model} -o {new}", "new.c"),
        ("report {model} {data} -o {new}", "new.html"),
    ],
)
def test_a_result_in_a_file_needs_no_standard_output(model_and_data, tmp_path, line, new):
    """Only the line that says so is lost; the file is the same as ever."""
    model, data = model_and_data
    code, said = with_closed_output(
        *line.format(model=model, data=data, new=tmp_path / new).split()
    )
    assert (code, said) == (0, "")
    if new == "new.csv":
        assert (tmp_path / new).read_text() == ok("predict", model, data).stdout
    assert (tmp_path / new).stat().st_size > 0


@pytest.mark.thorough
def test_no_file_gets_the_number_of_a_closed_stream(model_and_data, tmp_path):
    """What a library prints by number would be in the model."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc")
    closed = 'exec "$@" <&- >&- 2>&-'
    code = (
        "import os, sys; from frugalboost.cli import printing; printing.replace_closed(); "
        "file = open(sys.argv[1], 'w'); print(file.fileno(), file=file); "
        "print([os.readlink(f'/proc/self/fd/{n}') for n in range(3)], file=file)"
    )
    command = ["sh", "-c", closed, "sh", sys.executable, "-c", code, str(tmp_path / "said")]
    assert subprocess.run(command, check=False).returncode == 0
    number, taken = (tmp_path / "said").read_text().splitlines()
    assert int(number) > 2
    assert taken == str(["/dev/null"] * 3)


@pytest.mark.thorough
def test_a_real_process_with_closed_streams(model_and_data, tmp_path):
    model, data = model_and_data
    if os.name != "posix":
        pytest.skip("needs a POSIX shell")
    shell = ["sh", "-c", 'exec "$@" <&- >&-', "sh", sys.executable, "-m", "frugalboost"]
    asked = [*shell, "inspect", str(model)]
    done = subprocess.run(asked, stderr=subprocess.PIPE, text=True, check=False)
    said = "frugalboost: standard output must be open to be printed to; it is closed.\n"
    assert (done.returncode, done.stderr) == (1, said)
    # Closed input is input that has ended.
    label = ["label", data, "--classes", "a,b", "-o", tmp_path / "labels.csv"]
    label += ["--session", tmp_path / "session"]
    done = subprocess.run(
        [*shell, *map(str, label)], stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 1
    assert "the input ended before a row was answered" in done.stderr
    assert done.stderr.count("\n") == 1


def test_debug_shows_where_an_error_came_from(tmp_path):
    missing = tmp_path / "no.csv"
    for command in (
        ("fit", missing, "--target", "y", "-o", tmp_path / "m.fboost"),
        ("stream", missing, "--target", "y", "-o", tmp_path / "m.npz"),
        ("label", missing, "--classes", "a,b"),
        ("reproduce", "adaptive-pruning", "--rounds", "3"),
    ):
        result = run("--debug", *command)
        assert isinstance(result.exception, (ValueError, OSError)), command
        assert refused(2, *command).count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fit"], "missing argument"),
        (["fit", "data.csv"], "missing option"),
        (["fit", "data.csv", "--colour", "red"], "--colour"),
        (["fit", "data.csv", "-o", "m", "--seed", "x"], "--seed"),
        (["evaluat"], "evaluat"),
        (["--colour"], "--colour"),
    ],
)
def test_bad_usage_is_one_line_that_names_the_help(arguments, said):
    line = refused(2, *arguments)
    assert said in line
    assert "--help" in line


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_ends_with_an_example(command):
    said = ok(command, "--help").stdout.split()
    at = len(said) - 1 - said[::-1].index("Example:")
    assert said[at + 1 : at + 3] == ["frugalboost", command]


def test_without_arguments_there_is_help():
    assert "Usage" in run().output


def test_shell_completion_is_there():
    assert "--install-completion" in ok("--help").stdout


def test_unexpected_errors_are_told_with_their_name():
    assert in_one_line(KeyError("x")).startswith("KeyError: 'x' (unexpected")
    assert in_one_line(MemoryError()) == "not enough memory."


@pytest.mark.parametrize(
    ("given", "found"), [("clas", "class"), ("AGE", "age"), ("native_country", "native-country")]
)
def test_the_nearest_name(given, found):
    assert nearest(given, ["age", "class", "native-country"]) == found


def test_nothing_near_is_nothing():
    assert nearest("zzz", ["age", "class"]) is None
