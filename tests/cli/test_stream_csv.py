"""`frugalboost stream` on CSV files of several forms."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("typer")
pytest.importorskip("pyarrow")

import pyarrow.csv
from table_helpers import ok, refused, table, write

pytestmark = pytest.mark.thorough

OPTIONS = ("--columns", "rooms", "--rounds", 3, "--sample-constant", 50)


def digest_of(path, output):
    result = ok("stream", path, "--target", "sold", *OPTIONS, "-o", output, "--json")
    return json.loads(result.stdout)["digest"]


def test_the_separators_are_those_that_fit_knows(tmp_path):
    commas, semicolons = write(tmp_path / "commas.csv", table()), tmp_path / "semicolons.csv"
    pyarrow.csv.write_csv(table(), semicolons, pyarrow.csv.WriteOptions(delimiter=";"))
    assert digest_of(semicolons, tmp_path / "two") == digest_of(commas, tmp_path / "one")


def test_a_broken_file_is_no_bad_usage(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text("a,b,y\n1,2,3\n1,2\n")
    said = refused(1, "stream", path, "--target", "y", "-o", tmp_path / "model")
    assert said.startswith(f"frugalboost: {path}: line 3 has 2 columns")


@pytest.mark.parametrize("shuffle", ["none", "store"])
def test_a_target_of_one_class_is_named(tmp_path, shuffle):
    path = write(tmp_path / "data.csv", table())
    options = ("--positive", "> 1e6", "--shuffle", shuffle, "--no-recycle")
    said = refused(1, "stream", path, "--target", "price", *options, "-o", tmp_path / "model")
    assert said.startswith(f"frugalboost: {path}: the target 'price' must ")
    assert "at least two classes" in said


def test_rows_cannot_be_held_out_in_mixed_order(tmp_path):
    path = write(tmp_path / "data.csv", table())
    options = ("--test-share", 0.1, "--shuffle", "none")
    said = refused(1, "stream", path, "--target", "sold", *options, "-o", tmp_path / "model")
    assert "--shuffle store" in said
