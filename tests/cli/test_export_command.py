from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_iris

import frugalboost as fb

pytest.importorskip("typer")
pytest.importorskip("rich")

from typer.testing import CliRunner

from frugalboost.cli.app import app


@pytest.fixture
def model(tmp_path):
    X, y = load_iris(return_X_y=True)
    fb.save(fb.BoostedTreesClassifier("real", n_estimators=3).fit(X, y), tmp_path / "iris.fboost")
    return tmp_path / "iris.fboost"


def run(*words):
    return CliRunner().invoke(app, ["export", *map(str, words)])


def in_one_line(result, code):
    assert result.exit_code == code
    assert result.stderr.startswith("frugalboost: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_the_ending_chooses_the_form(model, tmp_path):
    onnx = pytest.importorskip("onnx")
    done = run(model, "-o", tmp_path / "iris.onnx")
    assert done.exit_code == 0, done.output
    made = onnx.load(tmp_path / "iris.onnx")
    assert made.producer_name == "frugalboost"
    done = run(model, "-o", tmp_path / "iris.c", "--prefix", "flower")
    assert done.exit_code == 0, done.output
    text = (tmp_path / "iris.c").read_text()
    assert text == fb.export.to_c(fb.load(model), prefix="flower")
    assert done.stdout == f"Wrote {tmp_path / 'iris.c'} ({len(text):,} bytes).\n"


def test_columns_are_for_onnx(model, tmp_path):
    onnx = pytest.importorskip("onnx")
    done = run(model, "-o", tmp_path / "iris.onnx", "--columns")
    assert done.exit_code == 0, done.output
    inputs = onnx.load(tmp_path / "iris.onnx").graph.input
    assert [given.name for given in inputs] == ["x0", "x1", "x2", "x3"]
    told = in_one_line(run(model, "-o", tmp_path / "iris.c", "--columns"), 2)
    assert "--columns must be omitted for a C file" in told
    assert not (tmp_path / "iris.c").exists()


def test_a_file_that_is_there_stays_unless_forced(model, tmp_path):
    output = tmp_path / "iris.c"
    output.write_text("mine")
    told = in_one_line(run(model, "-o", output), 2)
    assert "already exists; use --force to overwrite it." in told
    assert output.read_text() == "mine"
    assert run(model, "-o", output, "--force").exit_code == 0
    assert "model_predict" in output.read_text()


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("iris.pb", "--output must end in .onnx or .c; got"),
        ("iris", "--output must end in .onnx or .c; got"),
        ("none/iris.c", "/none does not exist."),
        ("folder.c", "--output must be a file"),
    ],
)
def test_outputs_that_cannot_be(model, tmp_path, output, expected):
    (tmp_path / "folder.c").mkdir()
    assert expected in in_one_line(run(model, "-o", tmp_path / output), 2)


def test_a_model_that_cannot_be_read(tmp_path):
    output = tmp_path / "model.c"
    assert "does not exist" in in_one_line(run(tmp_path / "none.fboost", "-o", output), 1)
    (tmp_path / "broken.fboost").write_bytes(np.arange(100, dtype=np.uint8).tobytes())
    told = in_one_line(run(tmp_path / "broken.fboost", "-o", output), 1)
    assert f"frugalboost: {tmp_path / 'broken.fboost'} must be a model file; it is not" in told
    assert not output.exists()


def test_a_prefix_that_is_no_name(model, tmp_path):
    told = in_one_line(run(model, "-o", tmp_path / "iris.c", "--prefix", "a b"), 1)
    assert "prefix must be letters" in told
    assert not (tmp_path / "iris.c").exists()


@pytest.mark.parametrize(("yes", "no"), [("true", "false"), ("True", "FALSE"), ("1", "0")])
def test_the_c_program_reads_booleans_as_the_file_had_them(tmp_path, yes, no):
    """What `fit` has read as true is true for the program as well."""
    if shutil.which("cc") is None:
        pytest.skip("needs the compiler cc")
    pytest.importorskip("pyarrow")
    rows = [f"{yes if at % 2 else no},{'ab'[at % 2]}" for at in range(200)]
    (tmp_path / "data.csv").write_text("\n".join(["new,sold", *rows]) + "\n")
    words = ["fit", tmp_path / "data.csv", "--target", "sold", "--trees", "2"]
    words += ["-o", tmp_path / "m.fboost"]
    assert CliRunner().invoke(app, [*map(str, words)]).exit_code == 0
    assert run(tmp_path / "m.fboost", "-o", tmp_path / "m.c").exit_code == 0
    build = ["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-DMODEL_MAIN"]
    program = tmp_path / "program"
    subprocess.run([*build, tmp_path / "m.c", "-lm", "-o", program], check=True)
    lines = f"{yes}\n{no}\n\n"
    done = subprocess.run([program], input=lines, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [line[0] for line in done.stdout.splitlines()[:2]] == ["b", "a"]
    wrong = subprocess.run([program], input="truely\n", capture_output=True, text=True)
    assert wrong.returncode == 1
