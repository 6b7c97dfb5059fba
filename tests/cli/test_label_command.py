"""`frugalboost label` with answers from a script."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stdout

import numpy as np
import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402
from label_helpers import CLASSES, FAST, N_ROWS, asked_row, make_rows, read_labels, write_csv  # noqa: E402
from pyarrow import feather  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

import frugalboost as fb  # noqa: E402
from frugalboost.active import Journal, replay  # noqa: E402
from frugalboost.cli.app import app  # noqa: E402

pytestmark = pytest.mark.thorough

ANIMALS = ("--classes", ",".join(CLASSES), "--id-column", "name")


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    write_csv(path)
    return path


def run(*arguments, answers=()):
    text = "".join(f"{line}\n" for line in answers)
    return CliRunner().invoke(app, ["label", *map(str, arguments)], input=text)


class Answers(io.StringIO):
    """Input that answers the last question of the output truly, n times, and then stops."""

    def __init__(self, output, truth, n):
        super().__init__()
        self.output, self.truth, self.left = output, truth, n

    def readline(self, size=-1):
        self.left -= 1
        asked = json.loads(self.output.getvalue().splitlines()[-1])["ask"]
        return "stop\n" if self.left < 0 else f"{self.truth[asked]}\n"


def label(*arguments, truth, n):
    """Answer the next n questions as a program beside the command would; what was said."""
    output = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output):
        patch.setattr(sys, "stdin", Answers(output, truth, n))
        code = app(["label", *map(str, arguments), "--json"], standalone_mode=False)
    assert not code
    return [json.loads(line) for line in output.getvalue().splitlines()]


def kept(path):
    with Journal(path) as journal:
        return [(answer.row, answer.label) for answer in replay(journal).answers]


def rows_asked(result):
    return [row for line in result.stdout.splitlines() if (row := asked_row(line)) is not None]


def test_a_script_labels_and_the_file_holds_its_answers(data, tmp_path):
    truth = make_rows()[3]
    said = label(data, *ANIMALS, *FAST, truth=truth, n=25)
    asked = [line["ask"] for line in said if "ask" in line][:25]
    assert len(set(asked)) == 25
    written = read_labels(tmp_path / "data.csv.labels.csv")
    assert [int(line["row"]) for line in written] == sorted(asked)
    assert all(line["label"] == truth[int(line["row"])] for line in written)
    assert all(line["name"] == f"r{line['row']}" for line in written)
    assert [line["how"] for line in written].count("check") == 2
    assert said[-1]["labels"] == 25
    assert said[-1]["tested"] == 2


def test_questions_tell_what_is_in_the_row(data):
    said = label(data, *ANIMALS, *FAST, truth=make_rows()[3], n=8)
    a, b, colour, _ = make_rows()
    first = said[0]
    row = first["ask"]
    assert first["id"] == f"r{row}"
    values = {"a": f"{a[row]:.6g}", "b": f"{b[row]:.6g}", "colour": colour[row]}
    assert first["values"] == {name: str(value) for name, value in values.items()}
    assert first["reason"] == "drawn at random, for a start"
    by_model = [line for line in said if "ask" in line and "margin" in line["reason"]]
    assert len(by_model) == 3
    assert all(" between " in line["reason"] for line in by_model)


def test_the_model_chooses_better_than_chance(data):
    """Questions are about rows near the boundary, once there is a model."""
    truth = make_rows()[3]
    options = ("--validation", data_with_labels(data), "--target", "animal", "--rounds", 40)
    said = label(data, *ANIMALS, *options, truth=truth, n=40)
    assert said[-1]["tested"] == N_ROWS
    assert said[-1]["wrong"] / N_ROWS < 0.1


def data_with_labels(data):
    path = data.with_name("validation.csv")
    write_csv(path, known=N_ROWS)
    return path


def test_a_broken_session_asks_the_same_questions(data, tmp_path):
    truth = make_rows()[3]
    whole = tmp_path / "whole.session"
    options = (data, *ANIMALS, *FAST, "--batch", 3)
    said = label(*options, "--session", whole, "-o", tmp_path / "whole.csv", truth=truth, n=20)
    for n in (1, 4, 2, 6, 7):
        label(*options, truth=truth, n=n)
    assert kept(tmp_path / "data.csv.session") == kept(whole)
    assert len(said) == 42  # the question that was open, and the end


def test_another_program_can_answer(data, tmp_path):
    command = [sys.executable, "-m", "frugalboost", "label", data, *ANIMALS, *FAST]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([*map(str, command)], **pipes) as process:
        rows = []
        for answer in ("cat", "dog", "stop"):
            rows.append(asked_row(process.stdout.readline()))
            print(answer, file=process.stdin, flush=True)
            if answer != "stop":
                assert process.stdout.readline() == f"kept row {rows[-1]} = {answer}\n"
        process.communicate()
    assert process.returncode == 0
    assert kept(tmp_path / "data.csv.session") == [(rows[0], "cat"), (rows[1], "dog")]


def test_the_learner_of_python_goes_on_with_the_session(tmp_path):
    path = tmp_path / "data.npz"
    a, b, _, y = make_rows()
    X = np.column_stack([a, b])
    np.savez(path, X=X)
    label(path, "--classes", "cat,dog,pig", "--checks", 0.2, *FAST, truth=y, n=40)
    for pool in (None, X):
        learner = fb.ActiveLearner.load(tmp_path / "data.npz.session", X_pool=pool)
        assert learner.n_labels_ == 40
        assert learner.score(X, y) > 0.7
    more = learner.query(X, 5)[0]
    assert len(learner.teach(X[more], y[more]).y_) == 45


def test_words_and_keys_are_answers_and_commands(data, tmp_path):
    taken_back = ["s", "skip", "# nothing", "", "undo", "u"]
    answers = ["cat", "d", "p", *taken_back, "n cow", "+hen", "w", "q"]
    result = run(data, *ANIMALS, *FAST, answers=answers)
    assert result.exit_code == 0, result.output
    rows = rows_asked(result)
    assert rows[6:9] == [rows[4], rows[3], rows[4]]  # two skips undone, and asked again
    expected = [*zip(rows[:5], ["cat", "dog", "pig", "cow", "hen"], strict=True)]
    assert kept(tmp_path / "data.csv.session") == expected
    assert "Wrote 5 labels" in result.stdout


def test_a_wrong_answer_can_be_corrected(data, tmp_path):
    first = rows_asked(run(data, *ANIMALS, *FAST, answers=["cat", "dog", "q"]))
    result = run(
        data, *ANIMALS, *FAST, answers=[f"correct {first[0]} pig", f"c {first[1]} cow", "q"]
    )
    assert result.exit_code == 0, result.output
    assert kept(tmp_path / "data.csv.session") == [(first[0], "pig"), (first[1], "cow")]


def test_a_class_that_was_a_slip_goes_when_it_is_undone(data, tmp_path):
    result = run(data, *ANIMALS, *FAST, answers=["n cta", "u", "d", "cta"])
    assert result.exit_code == 1
    assert "(classes: cat, dog, pig); got 'cta'" in result.stderr
    assert [found for _, found in kept(tmp_path / "data.csv.session")] == ["dog"]


def test_undo_goes_back_over_trainings_and_sittings(data, tmp_path):
    options = (data, *ANIMALS, *FAST)
    first = run(*options, answers=["cat", "dog", "cat", "q"])
    second = run(*options, answers=["u", "u", "u", "pig", "pig", "pig", "q"])
    assert second.exit_code == 0, second.output
    rows = rows_asked(first)
    assert rows_asked(second) == [rows[3], rows[2], rows[1], rows[0], rows[1], rows[2], rows[3]]
    assert kept(tmp_path / "data.csv.session") == [(row, "pig") for row in rows[:3]]


def test_undone_questions_come_again_after_a_break_too(data):
    options = (data, *ANIMALS, *FAST)
    rows = rows_asked(run(*options, answers=["cat", "dog", "u", "u", "q"]))
    again = rows_asked(run(*options, answers=["cat", "dog", "q"]))
    assert rows == [rows[0], rows[1], rows[2], rows[1], rows[0]]
    assert again == rows[:3]


def test_labels_of_the_file_are_known(tmp_path):
    path = tmp_path / "data.csv"
    truth = write_csv(path, known=30)
    options = (path, "--label-column", "animal", "--id-column", "name", *FAST)
    result = run(*options, answers=["cat", "q"])
    assert result.exit_code == 0, result.output
    assert "margin" in result.stdout.splitlines()[0]  # a model from the beginning
    assert rows_asked(result)[0] >= 30
    written = read_labels(tmp_path / "data.csv.labels.csv")
    assert [line["label"] for line in written if line["how"] == "known"] == truth[:30].tolist()
    assert len(written) == 31
    assert "labels 1 · 30 from the file" in result.stdout


FORMULAS = ("=cat", "-dog", "'@pig", "+")


def test_labels_that_a_spreadsheet_would_run(data, tmp_path):
    """They are written with an apostrophe, and come back without it as labels of all commands."""
    options = (data, "--classes", ",".join(FORMULAS), *FAST)
    assert run(*options, answers=[*FORMULAS, "q"]).exit_code == 0
    written = read_labels(tmp_path / "data.csv.labels.csv")
    assert {line["label"] for line in written} == {"'=cat", "'-dog", "''@pig", "+"}
    rows = "".join(f"{n},{line['label']}\n" for n, line in enumerate(written * 5))
    (tmp_path / "more.csv").write_text("x,y\n" + rows)
    assert run(tmp_path / "more.csv", "--label-column", "y", answers=["q"]).exit_code == 0
    again = {label for _, label in kept(tmp_path / "more.csv.session")}
    assert again == set(FORMULAS)
    model = tmp_path / "model.fboost"
    fit = ("fit", tmp_path / "more.csv", "--target", "y", "-o", model, "--trees", 1)
    assert CliRunner().invoke(app, [str(each) for each in fit]).exit_code == 0
    assert set(fb.load(model).classes_) == set(FORMULAS)
    assert run(*options, "--no-spreadsheet-safe", answers=["q"]).exit_code == 0
    assert {line["label"] for line in read_labels(tmp_path / "data.csv.labels.csv")} == set(
        FORMULAS
    )


def test_a_column_of_names_is_not_taken_for_labels(tmp_path):
    path = tmp_path / "data.csv"
    write_csv(path)
    options = (path, "--label-column", "name", *FAST)
    result = run(*options, answers=["q"])
    assert result.exit_code == 2, result.output
    assert "data.csv: the column 'name' has 120 classes in 120 rows" in result.stderr
    assert "use --many-classes" in result.stderr
    assert not (tmp_path / "data.csv.session").exists()
    assert run(*options, "--many-classes", "--columns", "a", answers=["q"]).exit_code == 0


def test_a_budget_ends_it_and_may_grow(data):
    options = (data, *ANIMALS, *FAST, "--batch", 4)
    result = run(*options, "--budget", 6, answers=["cat", "dog", "s", *["cat"] * 20])
    assert result.exit_code == 0, result.output
    assert "the budget of 6 labels is spent" in result.stdout
    assert "labels 6 of 6" in result.stdout
    assert run(*options, "--budget", 6).exit_code == 0  # nothing is asked, no input is needed
    assert "labels 7 of 7" in run(*options, "--budget", 7, answers=["cat"]).stdout


def test_a_pool_comes_to_its_end(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a\n1\n2\n2\n3\n")
    result = run(path, "--classes", "x,y", answers=["x", "y", "s"])
    assert result.exit_code == 0, result.output
    assert "every row is answered, skipped, or equal to one that is" in result.stdout
    assert len(rows_asked(result)) == 3  # two rows are equal


def test_input_that_ends_early_is_an_error_and_loses_nothing(data, tmp_path):
    result = run(data, *ANIMALS, *FAST, answers=["cat", "dog"])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "the input ended before a row was answered; the session keeps 2 labels" in result.stderr
    assert len(kept(tmp_path / "data.csv.session")) == 2
    assert len(read_labels(tmp_path / "data.csv.labels.csv")) == 2


@pytest.mark.parametrize(
    "line", ["horse", "n", "correct", "correct 3", "skip it", "correct x cat", "undo"]
)
def test_a_line_that_is_no_answer_is_an_error_and_loses_nothing(data, tmp_path, line):
    before = [] if line == "undo" else ["cat", "dog"]
    result = run(data, *ANIMALS, *FAST, answers=[*before, line, "cat"])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert f"line {len(before) + 1} of the input must" in result.stderr
    assert [found for _, found in kept(tmp_path / "data.csv.session")] == before


def test_every_kind_of_file_is_one_session(tmp_path):
    csv = tmp_path / "data.csv"
    write_csv(csv)
    a, b, colour, _ = make_rows()
    names = [f"r{row}" for row in range(N_ROWS)]
    table = pa.table(
        {"name": names, "a": a, "b": b, "colour": pa.array(colour).dictionary_encode()}
    )
    (tmp_path / "data.csv.gz").write_bytes(gzip.compress(csv.read_bytes()))
    pq.write_table(table, tmp_path / "data.parquet")
    feather.write_feather(table, tmp_path / "data.arrow")
    session = ("--session", tmp_path / "one.session")
    found = []
    for name in ("data.csv", "data.csv.gz", "data.parquet", "data.arrow"):
        result = run(tmp_path / name, *ANIMALS, *session, *FAST, answers=["cat", "dog", "q"])
        assert result.exit_code == 0, result.output
        found += rows_asked(result)[:2]
    assert len(set(found)) == 8
    assert len(kept(tmp_path / "one.session")) == 8


def test_arrays_of_a_file_and_what_lies_beside_them(tmp_path):
    path = tmp_path / "data.npz"
    a, b, _, y = make_rows()
    np.savez(path, X=np.column_stack([a, b]), y=y, ids=np.arange(N_ROWS) + 1000)
    said = label(path, "--id-column", "ids", "--classes", "cat,dog,pig", *FAST, truth=y, n=7)
    assert said[0]["id"] == str(1000 + said[0]["ask"])
    assert list(said[0]["values"]) == ["x0", "x1"]  # y is not shown
    known = run(path, "--label-column", "y", "--session", tmp_path / "known", "--force")
    assert "every row is answered" in known.stdout


def test_text_is_shown_and_not_learnt_from(tmp_path):
    path = tmp_path / "data.csv"
    texts = [f"letter number {row}" for row in range(N_ROWS)]
    days = [f"2024-01-{1 + row % 28:02d}" for row in range(N_ROWS)]
    truth = write_csv(path, text=texts, day=days)
    said = label(path, *ANIMALS, *FAST, truth=truth, n=7)
    row = said[0]["ask"]
    assert said[0]["values"]["text"] == texts[row]
    assert said[0]["values"]["day"] == days[row]
    with Journal(tmp_path / "data.csv.session") as journal:
        assert journal.data["names"] == ["a", "b", "colour"]


def test_columns_are_chosen_and_shown_by_name(data, tmp_path):
    truth = make_rows()[3]
    options = ("--columns", "b", "--show", "colour", "--classes", "cat,dog,pig")
    said = label(data, *options, *FAST, truth=truth, n=2)
    assert list(said[0]["values"]) == ["colour", "b"]


def test_other_data_are_refused_and_nothing_changes(data, tmp_path):
    run(data, *ANIMALS, *FAST, answers=["cat", "q"])
    session = tmp_path / "data.csv.session"
    before = session.read_bytes()
    write_csv(data, seed=1)
    result = run(data, *ANIMALS, *FAST, answers=["cat", "q"])
    assert result.exit_code == 1
    assert "must be opened with the data it began with" in result.stderr
    assert session.read_bytes() == before


def test_other_words_are_other_data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b\n1,x\n2,y\n3,x\n")
    assert run(path, "--classes", "c,d", answers=["1", "q"]).exit_code == 0
    path.write_text("a,b\n1,x\n2,z\n3,x\n")
    assert "the data it began with" in run(path, "--classes", "c,d", answers=["1", "q"]).stderr


@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm"])
def test_a_file_of_others_beside_the_session_stays(data, tmp_path, ending):
    theirs = tmp_path / f"new{ending}"
    theirs.write_text("precious")
    result = run(data, *ANIMALS, *FAST, "--session", tmp_path / "new", answers=["cat", "q"])
    assert result.exit_code == 1
    assert f"must not have files of others beside it; got {theirs}" in result.stderr
    assert result.stderr.count("\n") == 1
    assert {file.name for file in tmp_path.iterdir()} == {data.name, theirs.name}
    assert theirs.read_text() == "precious"


@pytest.mark.parametrize("ending", ["", "-journal", "-wal", "-shm", ".png"])
@pytest.mark.parametrize("is_there", [False, True])
@pytest.mark.parametrize("folder", ["", "link/"])
def test_the_labels_are_not_written_to_a_file_of_the_session(
    data, tmp_path, ending, is_there, folder
):
    (tmp_path / "link").symlink_to(tmp_path)
    if is_there:
        Journal(tmp_path / "new").close()
    before = set(tmp_path.iterdir())
    output = f"{tmp_path}/{folder}new{ending}"
    options = (data, *ANIMALS, *FAST, "--session", tmp_path / "new", "-o", output, "--force")
    result = run(*options, answers=["cat", "q"])
    assert result.exit_code == 2
    assert "--output must be a different file from --session" in result.stderr
    assert f"got {output}." in result.stderr
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("option", ["DATA", "--validation"])
def test_rows_are_not_read_from_a_file_of_the_session(data, tmp_path, option):
    other = tmp_path / "other.csv"
    other.symlink_to(tmp_path / "new-journal")
    rows = (other,) if option == "DATA" else (data, "--validation", other, "--target", "a")
    result = run(*rows, *ANIMALS, "--session", tmp_path / "new", answers=["cat", "q"])
    assert result.exit_code == 2
    assert f"{option} must be a different file from --session" in result.stderr


def test_a_session_in_use_is_refused(data, tmp_path):
    with Journal(tmp_path / "data.csv.session"):
        result = run(data, *ANIMALS, *FAST, answers=["cat", "q"])
    assert result.exit_code == 1
    assert "must not be open elsewhere" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["{here}/nowhere.csv"], 2, "nowhere.csv does not exist"),
        (["{here}/data.xls"], 2, ".parquet, .pq"),
        (["{here}/empty.csv"], 1, "at least one row"),
        (["{here}/words.csv"], 1, "column of numbers or categories"),
        (["{here}/broken.parquet"], 1, "cannot be read"),
        (["{here}/broken.npz"], 1, "cannot be read"),
        (["{here}/none.npz"], 1, "one array of numbers"),
        (["{data}", "--label-column", "absent"], 2, "'absent'"),
        (["{data}", "--id-column", "absent"], 2, "'absent'"),
        (["{data}", "--columns", "a,absent"], 2, "'absent'"),
        (["{data}", "--show", "absent"], 2, "'absent'"),
        (["{data}", "--classes", "a,a"], 2, "distinct names"),
        (["{data}", "--classes", "a,,b"], 2, "distinct names"),
        (["{data}", "--classes", "s=sun,b"], 2, "distinct keys"),
        (["{data}", "--image", "8"], 2, "--image must be width and height"),
        (["{data}", "--image", "8x8"], 1, "got 3 columns"),
        (["{data}", "--image-columns", "a*"], 2, "with --image"),
        (["{data}", "--image", "1x1", "--image-columns", "p*"], 1, "--image-columns"),
        (["{data}", "--validation", "{data}"], 2, "--target"),
        (["{data}", "--target", "a"], 2, "--validation"),
        (["{data}", "--validation", "{data}", "--target", "absent"], 2, "'absent'"),
        (["{data}", "--checks", "1"], 2, "--checks"),
        (["{data}", "--rule", "best"], 2, "--rule must be one of"),
        (["{data}", "--session", "{here}/no/session"], 2, "--session"),
        (["{data}", "--session", "{data}"], 2, "--session must be a different file from DATA"),
        (["{data}", "-o", "{here}/no/labels"], 2, "--output"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_clear_line(tmp_path, data, arguments, code, said):
    (tmp_path / "data.xls").touch()
    (tmp_path / "empty.csv").write_text("a,b\n")
    (tmp_path / "words.csv").write_text("t\n" + "".join(f"text {i}\n" for i in range(30)))
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    (tmp_path / "broken.npz").write_bytes(b"PK")
    np.savez(tmp_path / "none.npz", y=np.arange(3))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = run(*[text.format(data=data, here=tmp_path) for text in arguments])
    assert result.exit_code == code, result.output
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("utility", ["margin", "entropy", "disagreement", "random"])
@pytest.mark.parametrize("rule", ["real", "gentle"])
def test_every_utility_and_another_rule(data, utility, rule):
    truth = make_rows()[3]
    options = (*ANIMALS, "--rounds", 4, "--start", 6, "--utility", utility, "--rule", rule)
    assert label(data, *options, truth=truth, n=8)[-1]["labels"] == 8
    result = run(data, *options, answers=["cat", "q"])  # by a model that is trained again
    assert result.exit_code == 0, result.output
    assert "labels 9" in result.stdout


def test_checks_are_not_learnt_from(data, tmp_path):
    truth = make_rows()[3]
    label(data, *ANIMALS, *FAST, "--checks", 0.5, truth=truth, n=20)
    written = read_labels(tmp_path / "data.csv.labels.csv")
    assert [line["how"] for line in written].count("check") == 9
    other = ("--session", tmp_path / "two", "-o", tmp_path / "two.csv")
    label(data, *ANIMALS, *FAST, "--checks", 0, *other, truth=truth, n=20)
    written = read_labels(tmp_path / "two.csv")
    assert [line["how"] for line in written].count("check") == 0


def test_checks_are_known_by_their_rows_and_not_by_their_reason(data, tmp_path):
    """Somebody who calls a reason what the command calls a check has not given one."""
    options = (data, *ANIMALS, *FAST, "--checks", 0.5)
    label(*options, truth=make_rows()[3], n=10)
    session = tmp_path / "data.csv.session"
    checks = {int(line["row"]) for line in written_checks(tmp_path)}
    with Journal(session) as journal:
        assert set(journal.params["check_rows"]) >= checks
        free = next(row for row in range(N_ROWS) if row not in checks)
        reason = "a check: drawn at random, not learnt from"
        journal.answered(free, "cat", reason=reason, round=0)
    assert run(*options, answers=["q"]).exit_code == 0
    assert {int(line["row"]) for line in written_checks(tmp_path)} == checks


def test_a_session_of_an_older_version_keeps_its_checks(data, tmp_path):
    """It has no list of check rows, only the sentence with each of them."""
    options = (data, *ANIMALS, *FAST, "--checks", 0.5)
    truth = make_rows()[3]
    session = tmp_path / "data.csv.session"
    label(*options, truth=truth, n=10)
    before, content = written_checks(tmp_path), (tmp_path / "data.csv.labels.csv").read_bytes()
    assert len(before) == 4
    forget_check_rows(session)
    assert run(*options, answers=["u", "q"]).exit_code == 0  # an answer comes back as it was
    label(*options, truth=truth, n=1)
    assert (tmp_path / "data.csv.labels.csv").read_bytes() == content
    label(*options, truth=truth, n=10)
    assert len(written_checks(tmp_path)) == 9
    other = ("--session", tmp_path / "two", "-o", tmp_path / "two.csv")
    label(*options, *other, truth=truth, n=20)
    assert kept(session) == kept(tmp_path / "two")


def forget_check_rows(session):
    """As files were before they listed these rows."""
    with closing(sqlite3.connect(session)) as database, database:
        [(text,)] = database.execute("SELECT value FROM meta WHERE name = 'params'").fetchall()
        params = json.loads(text)
        del params["check_rows"]
        database.execute("UPDATE meta SET value = ? WHERE name = 'params'", [json.dumps(params)])


def written_checks(folder):
    lines = read_labels(folder / "data.csv.labels.csv")
    return [line for line in lines if line["how"] == "check"]


def test_no_classes_are_needed_beforehand(data, tmp_path):
    result = run(data, "--id-column", "name", *FAST, answers=["n cat", "n dog", "a", "d", "q"])
    assert result.exit_code == 0, result.output
    assert [found for _, found in kept(tmp_path / "data.csv.session")] == [
        "cat",
        "dog",
        "cat",
        "dog",
    ]
    again = run(data, "--id-column", "name", *FAST, answers=["cat", "q"])
    assert again.exit_code == 0, again.output
