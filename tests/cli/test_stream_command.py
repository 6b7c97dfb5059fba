from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from sklearn.metrics import log_loss

import frugalboost as fb

pytest.importorskip("typer")
pytest.importorskip("rich")
pa = pytest.importorskip("pyarrow")

import pyarrow.csv  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from frugalboost.cli.app import app  # noqa: E402
from frugalboost.cli.stream import run as stream_run  # noqa: E402
from frugalboost.cli.stream.command import parse_size  # noqa: E402
from frugalboost.cli.stream.rows import ChosenRows, Positive, Split  # noqa: E402
from frugalboost.streams import ParquetOracle  # noqa: E402

pytestmark = pytest.mark.thorough

N_ROWS = 4000
FAST = ("--rounds", 8, "--depth", 2, "--sample-constant", 50)


def make_table():
    """Sorted by time; the minutes late depend on two columns and on noise."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, N_ROWS)).round(3)
    city = np.array(["Bonn", "Kiel", "Ulm"])[rng.integers(3, size=N_ROWS)]
    minutes = np.round(20 * (a + b + (city == "Kiel")) + rng.normal(size=N_ROWS)).astype(np.int32)
    late = np.where(minutes > 15, "yes", "no")
    return pa.table(
        {"time": np.arange(N_ROWS), "a": a, "b": b, "city": city, "minutes": minutes, "late": late}
    )


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "data.parquet"
    pq.write_table(make_table(), path, row_group_size=700)
    return path


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "data.csv"
    pyarrow.csv.write_csv(make_table(), path)
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["stream", *map(str, arguments)])


def report(*arguments):
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("shuffle", ["auto", "none", "store"])
@pytest.mark.parametrize("columns", ["time,a,b", "a,b,city"])
def test_a_parquet_file_is_learnt_and_tested(parquet, tmp_path, columns, shuffle):
    out = tmp_path / "model"
    options = ("--columns", columns, "--test-share", 0.25, "--shuffle", shuffle, *FAST)
    found = report(parquet, "--target", "late", "-o", out, *options)
    model = fb.FilterBoostClassifier.from_checkpoint(out)
    assert fb.digest(model) == found["digest"]
    assert found["rounds"] == 8
    assert found["stop_reason"] == "rounds"
    assert found["shuffle"] == ("none" if shuffle == "none" else "store")
    table = make_table()
    is_test = Split(0.25, 0).is_held_out(np.arange(N_ROWS))
    X = table.select(columns.split(",")).filter(pa.array(is_test))
    y = table["late"].to_numpy()[is_test]
    assert found["test_rows"] == is_test.sum()
    assert found["test_log_loss"] == pytest.approx(log_loss(y, model.predict_proba(X)), rel=1e-9)
    assert found["test_error"] == pytest.approx((model.predict(X) != y).mean(), abs=1e-12)
    assert found["test_error"] < 0.25
    assert [path.name for path in tmp_path.iterdir()].count("model.work") == 0


def test_a_csv_file_is_learnt_and_tested_like_its_parquet_twin(parquet, csv, tmp_path):
    options = ("--target", "late", "--columns", "a,b", "--test-share", 0.2, *FAST)
    first = report(parquet, "-o", tmp_path / "one", *options)
    second = report(csv, "-o", tmp_path / "two", *options)
    for name in ("test_rows", "rows"):
        assert first[name] == second[name]
    assert abs(first["test_log_loss"] - second["test_log_loss"]) < 0.05  # of rows in another order


def test_a_folder_is_all_its_files(tmp_path, parquet):
    folder = tmp_path / "folder"
    folder.mkdir()
    table = make_table()
    pq.write_table(table[:1500], folder / "1.parquet")
    pq.write_table(table[1500:], folder / "2.parquet")
    options = ("--target", "late", "--columns", "a,b", *FAST)
    parts = report(folder, "-o", tmp_path / "parts", *options)
    assert parts["rows"] == N_ROWS
    assert parts["digest"] == report(parquet, "-o", tmp_path / "whole", *options)["digest"]


def test_a_target_of_numbers_becomes_two_classes(parquet, tmp_path):
    options = ("--columns", "a,b", "--test-share", 0.2, *FAST)
    asked = ("--target", "minutes", "--positive", "> 15")
    found = report(parquet, *asked, "-o", tmp_path / "m", *options)
    names = report(parquet, "--target", "late", "-o", tmp_path / "n", *options)
    assert found["test_log_loss"] == names["test_log_loss"]
    assert fb.FilterBoostClassifier.from_checkpoint(tmp_path / "m").classes_.tolist() == [
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [(">2", [0, 0, 1]), (">= 2", [0, 1, 1]), ("<2", [1, 0, 0]), ("<= 2.0", [1, 1, 0]),
     (" == 2 ", [0, 1, 0])],
)  # fmt: skip
def test_positive_compares(text, expected):
    assert Positive.parse(text)(np.array([1, 2, 3])).tolist() == list(map(bool, expected))


def test_another_file_can_be_the_test(parquet, tmp_path):
    other = tmp_path / "other.parquet"
    names = ["late", "b", "minutes", "a"]  # in another order, with one more
    pq.write_table(make_table()[:100].select(names), other)
    options = ("--target", "late", "--columns", "a,b", *FAST)
    found = report(parquet, "-o", tmp_path / "model", "--test", other, *options)
    assert found["test_rows"] == 100
    assert found["rows"] == N_ROWS
    model = fb.FilterBoostClassifier.from_checkpoint(tmp_path / "model")
    assert model.feature_names_in_.tolist() == ["a", "b"]
    first = make_table()[:100]
    assert found["test_error"] == (model.predict(first.select(["a", "b"])) != first["late"]).mean()


@pytest.mark.parametrize("shuffle", [False, True])
def test_rows_are_for_training_or_for_testing_whatever_the_order(parquet, shuffle):
    split = Split(0.3, seed=5)
    seen = []
    for held_out in (False, True):
        table = ParquetOracle(
            parquet, "late", columns=["time"], recycle=False, shuffle=shuffle, random_state=1
        )
        rows = ChosenRows(table, split=split, held_out=held_out)
        times = []
        while len((batch := rows.draw(300)).y):
            times += batch.X.ravel().tolist()
        seen.append(sorted(times))
    expected = split.is_held_out(np.arange(N_ROWS))
    assert seen == [np.flatnonzero(~expected).tolist(), np.flatnonzero(expected).tolist()]
    assert 0.27 < expected.mean() < 0.33


@pytest.mark.parametrize("shuffle", ["none", "store"])
def test_a_run_that_goes_on_ends_with_the_model_of_an_unbroken_one(parquet, tmp_path, shuffle):
    options = ("--target", "late", "--columns", "a,b,city", "--shuffle", shuffle, *FAST[2:])
    report(parquet, "-o", tmp_path / "broken", "--rounds", 4, *options)
    again = report(parquet, "-o", tmp_path / "broken", "--rounds", 9, "--resume", *options)
    whole = report(parquet, "-o", tmp_path / "whole", "--rounds", 9, *options)
    assert again["digest"] == whole["digest"]
    assert again["examples"] == whole["examples"]


def test_a_run_goes_on_with_its_own_seed_only(parquet, tmp_path):
    options = ("--target", "late", "--columns", "a,b,city", "--shuffle", "none", *FAST[2:])
    out = tmp_path / "model"
    report(parquet, "-o", out, "--rounds", 2, "--seed", 5, *options)
    refused = run(parquet, "-o", out, "--rounds", 3, "--resume", *options)
    assert refused.exit_code == 2
    assert "--seed must be 5, as in the checkpoint, to resume from it; got 0." in refused.stderr
    report(parquet, "-o", out, "--rounds", 3, "--resume", "--seed", 5, *options)


@pytest.fixture
def heeds_interrupts():
    """A shell that starts a program in the background lets it ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


# The interrupt may come between the opening of a file and the block that closes it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("heeds_interrupts")
def test_interrupt_keeps_the_checkpoint_and_says_how_to_go_on(parquet, tmp_path, monkeypatch):
    monkeypatch.setattr(stream_run, "CHECKPOINT_SECONDS", 0.0)
    options = ("--target", "late", "--columns", "a,b", "--target-error", 1e-6)
    options = (*options, "--rounds", 200, "--depth", 2, "--sample-constant", 100)
    out = tmp_path / "model"

    def interrupt_after_the_first_checkpoint():
        while not out.exists():
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=interrupt_after_the_first_checkpoint)
    watcher.start()
    result = run(parquet, "-o", out, *options)
    watcher.join()
    assert result.exit_code == 130
    assert "--resume" in result.stderr
    assert fb.FilterBoostClassifier.from_checkpoint(out).stop_reason_ == "unfinished"
    assert (tmp_path / "model.work").is_dir()
    monkeypatch.undo()
    again = report(parquet, "-o", out, "--resume", *options)
    whole = report(parquet, "-o", tmp_path / "whole", *options)
    assert again["digest"] == whole["digest"]
    assert not (tmp_path / "model.work").exists()


def test_a_named_work_folder_is_kept_and_used_again(parquet, tmp_path):
    work = tmp_path / "work"
    options = ("--target", "late", "--columns", "a,b", "--work-folder", work, *FAST)
    first = report(parquet, "-o", tmp_path / "one", *options)
    rows = work / "rows" / "X.npy"
    written = rows.stat().st_mtime_ns
    second = report(parquet, "-o", tmp_path / "two", *options)
    assert rows.stat().st_mtime_ns == written
    assert first["digest"] == second["digest"]
    report(parquet, "-o", tmp_path / "three", *options, "--test-share", 0.5)
    assert rows.stat().st_mtime_ns != written  # other rows


def test_the_table_says_what_was_done(parquet, tmp_path):
    limit = ("--memory-limit", "8GB")
    options = ("--target", "late", "--columns", "a,b", *limit, *FAST)
    result = run(parquet, "-o", tmp_path / "model", *options)
    assert result.exit_code == 0, result.output
    for said in ("rounds", "examples drawn", "certificate", "limit 8,000 MB", "seconds"):
        assert said in result.stdout


def test_a_run_that_proves_nothing_states_no_bound_and_draws_no_bar(parquet, tmp_path):
    options = ("--target", "late", "--columns", "a,b", *FAST)
    result = run(parquet, "-o", tmp_path / "model", *options)
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    assert "error estimate" in said
    assert "error bound" not in said
    assert "--mode practical only estimates the error" in said
    assert result.stderr == ""  # no terminal, no bar


def test_a_run_that_reached_its_target_states_no_larger_error(tmp_path):
    """The bound of the round before the last tree may be above the target."""
    a, data = np.random.default_rng(0).normal(size=600), tmp_path / "data.csv"
    pyarrow.csv.write_csv(pa.table({"a": a, "is_positive": a > 0}), data)
    options = ("--target", "is_positive", "--target-error", 0.01, *FAST)
    found = report(data, "-o", tmp_path / "one", *options)
    assert found["stop_reason"] == "target"
    assert found["error_bound"] > found["target_error"] == 0.01
    said = " ".join(run(data, "-o", tmp_path / "two", *options).stdout.split())
    assert "at most 0.01 (the filter rejected enough examples)" in said


def test_a_limit_does_not_change_the_model(parquet, tmp_path):
    options = ("--target", "late", "--columns", "a,b", *FAST)
    limited = report(parquet, "-o", tmp_path / "one", "--memory-limit", "4GB", *options)
    assert limited["digest"] == report(parquet, "-o", tmp_path / "two", *options)["digest"]


# The limit is above what a process holds that has done nothing yet: that depends on the libraries.
LIMITED = """
import sys
from frugalboost.cli import main
from frugalboost.cli.stream import run

run.require_pyarrow()
limit = run.peak_bytes() + 90_000_000
print(limit)
sys.argv += ["--memory-limit", str(limit)]
main()
"""


def test_the_process_stays_below_its_limit(tmp_path):
    path = tmp_path / "data.parquet"
    rng = np.random.default_rng(0)
    columns = {f"x{i}": rng.normal(size=400_000) for i in range(8)}
    pq.write_table(pa.table({**columns, "y": columns["x0"] + columns["x1"] > 0}), path)
    options = ("--target", "y", "-o", tmp_path / "model", *FAST)
    command = [sys.executable, "-c", LIMITED, "stream", path, *options, "--json"]
    result = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    limit, _, printed = result.stdout.partition("\n")
    found = json.loads(printed)
    assert found["memory_limit"] == int(limit)
    assert 0 < found["peak_bytes"] < found["memory_limit"]


def test_what_a_command_does_not_need_is_not_imported():
    code = (
        "import sys, frugalboost.cli.app\n"
        "unwanted = {'matplotlib', 'frugalboost.reproduce', 'sklearn.datasets'}\n"
        "print(sorted(unwanted & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere.parquet", "--target", "late"], 2, "nowhere.parquet does not exist"),
        (["{here}/data.xls", "--target", "late"], 2, ".parquet, .pq, .csv"),
        (["{data}", "--target", "absent"], 2, "frugalboost: --target must be among the columns"),
        (["{data}", "--target", "late", "--columns", "a,c"], 2, "frugalboost: --columns must"),
        (["{data}", "--target", "minutes"], 1, "--positive"),
        (["{data}", "--target", "minutes", "--positive", ">1e6"], 1,
         "{data}: the target 'minutes' must have at least two classes"),
        (["{data}", "--target", "late", "--positive", ">1"], 1, "numeric target"),
        (["{data}", "--target", "minutes", "--positive", "15"], 2, "comparison"),
        (["{data}", "--target", "late", "--memory-limit", "3 apples"], 2, "'3 apples'"),
        (["{data}", "--target", "late", "--memory-limit", "1MB"], 2, "must be at least"),
        (["{data}", "--target", "late", "--memory-limit", "1MB", "--shuffle", "none"], 2,
         "frugalboost: --memory-limit must be at least"),
        (["{data}", "--target", "late", "--test-share", "1"], 2, "--test-share"),
        (["{data}", "--target", "late", "--test-share", "0.1", "--test", "{data}"], 2, "both"),
        (["{data}", "--target", "late", "--target-error", "2"], 2,
         "frugalboost: --target-error must be"),
        (["{data}", "--target", "late", "--sample-constant", "0"], 2,
         "frugalboost: --sample-constant must be"),
        (["{data}", "--target", "late", "-o", "{here}/no/model"], 2, "--output"),
        (["{data}", "--target", "late", "--work-folder", "{here}/no/work"], 2, "--work-folder"),
        (["{data}", "--target", "late", "--test", "nowhere.csv"], 2, "nowhere.csv"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_clear_line(parquet, tmp_path, arguments, code, said):
    (tmp_path / "data.xls").touch()
    arguments = [text.format(data=parquet, here=tmp_path) for text in arguments]
    if "-o" not in arguments:
        arguments += ["-o", str(tmp_path / "model")]
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert result.stderr.count("\n") == 1
    assert said.format(data=parquet) in result.stderr
    assert result.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.parquet", "data.xls"]


# The interrupt may come between the opening of a file and the block that closes it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("heeds_interrupts")
@pytest.mark.parametrize("resume", [(), ("--resume",)])
def test_an_interrupt_before_the_first_checkpoint_says_what_stays(
    parquet, tmp_path, monkeypatch, resume
):
    monkeypatch.setattr(stream_run, "CHECKPOINT_SECONDS", 1e6)
    out, note = tmp_path / "model", tmp_path / "model.work" / "rows" / "made-from.json"
    options = ("--target", "late", "--columns", "a,b", "--target-error", 1e-6, "--rounds", 10**6)

    def interrupt_after_the_shuffle():
        while not note.exists():
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=interrupt_after_the_shuffle)
    watcher.start()
    result = run(parquet, "-o", out, *options, *resume)
    watcher.join()
    assert result.exit_code == 130
    assert not out.exists()
    assert note.exists()
    kept = f"the shuffled rows in {out}.work were kept for the next run."
    assert result.stderr == f"Interrupted before the first checkpoint; {kept}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("300MB", 300_000_000), ("2gb", 2_000_000_000), ("1 KiB", 1024), ("77", 77)],
)
def test_sizes(text, expected):
    assert parse_size(text) == expected


@pytest.mark.parametrize("text", ["", "MB", "-1MB", "0", "1XB", "1e9"])
def test_what_is_no_size(text):
    with pytest.raises(ValueError, match="--memory-limit must be a number of bytes"):
        parse_size(text)


def test_inspect_shows_paths_as_text(parquet, tmp_path):
    options = ("--target", "late", "--columns", "a,b", *FAST)
    assert run(parquet, "-o", tmp_path / "model", *options).exit_code == 0
    shown = CliRunner().invoke(app, ["inspect", str(tmp_path / "model")])
    assert shown.exit_code == 0, shown.output
    assert "PosixPath" not in shown.stdout


def test_numbers_with_decimal_commas_are_refused(tmp_path):
    lines = ["x,y", *(f'{n},"{n},5"' for n in range(150))]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    line = (tmp_path / "data.csv", "--target", "y", "-o", tmp_path / "model")
    for shuffle in ("store", "none"):
        result = run(*line, "--shuffle", shuffle)
        assert result.exit_code == 2, result.output
        assert "data.csv: the target 'y' has 150 classes in 150 rows, most of" in result.stderr
        assert "they look like numbers with decimal commas. Convert" in result.stderr
        assert "use --many-classes" in result.stderr
        assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("shuffle", ["store", "none"])
def test_many_classes_can_be_asked_for(shuffle, tmp_path):
    lines = ["x,y", *(f'{n},"{n},5"' for n in range(110))]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    line = (tmp_path / "data.csv", "--target", "y", "-o", tmp_path / "model")
    small = ("--rounds", 1, "--depth", 1, "--sample-constant", 20)
    result = run(*line, "--shuffle", shuffle, "--many-classes", *small)
    assert result.exit_code == 0, result.output
    assert len(fb.load(tmp_path / "model").classes_) == 110


def test_decimal_commas_are_odd_however_often_they_come(tmp_path):
    lines = ["x,y", *(f'{n},"{n % 120},5"' for n in range(600))]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    line = (tmp_path / "data.csv", "--target", "y", "-o", tmp_path / "model")
    result = run(*line, "--shuffle", "store")
    assert result.exit_code == 2, result.output
    assert "has 120 classes that look like numbers with decimal commas." in result.stderr


def test_classes_that_begin_like_formulas(tmp_path):
    """As in the labels of `label`, which a spreadsheet may open."""
    lines = ["x,y", *(f"{n},{'=a' if n % 2 else chr(39) + '=b'}" for n in range(60))]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    for shuffle in ("store", "none"):
        line = (tmp_path / "data.csv", "--target", "y", "-o", tmp_path / shuffle)
        assert run(*line, "--shuffle", shuffle, *FAST).exit_code == 0
        assert fb.load(tmp_path / shuffle).classes_.tolist() == ["=a", "=b"]
