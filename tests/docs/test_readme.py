"""The README is short, and its examples work when they are copied."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
pytest.importorskip("pyarrow")
pytest.importorskip("pandas")
pytest.importorskip("onnx")

from typer.testing import CliRunner

from frugalboost.cli.app import app

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RESULT = re.compile(r"# (True|0\.\d+)")


def blocks(language: str) -> list[str]:
    return [code for name, code in BLOCK.findall(README) if name == language]


def test_it_has_fewer_than_800_words():
    assert len(re.sub(r"<!--.*?-->", "", README, flags=re.DOTALL).split()) < 800


@pytest.mark.thorough
def test_python_gives_the_values_in_the_comments():
    (code,) = blocks("python")
    lines, names, checked = code.splitlines(), {}, 0
    for statement in ast.parse(code).body:
        source = ast.get_source_segment(code, statement)
        comment = RESULT.search(lines[statement.end_lineno - 1])
        if isinstance(statement, ast.Expr) and comment:
            assert float(eval(source, names)) == pytest.approx(
                float(comment[1] == "True" or comment[1]), abs=5e-4
            )
            checked += 1
        else:
            exec(source, names)
    assert checked == 4


@pytest.mark.thorough
def test_commands_of_the_shell_work_in_this_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (block,) = [code for code in blocks("") if "frugalboost fit" in code]
    commands = [shlex.split(line, comments=True) for line in block.splitlines() if line]
    assert commands[0][:2] == ["python", "-c"]
    exec(commands[0][2], {})
    for program, *arguments in commands[1:]:
        assert program == "frugalboost"
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
    assert {"report.html", "model.onnx", "model.c"} <= {path.name for path in tmp_path.iterdir()}
