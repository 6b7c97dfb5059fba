"""Files that are broken, empty or not what they seem: one clear line that names them."""

from __future__ import annotations

import gzip
import importlib.util
import json
import random
import shlex
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

pytest.importorskip("typer")
pytest.importorskip("pyarrow")

from table_helpers import FAST, matrix, ok, refused, table, write, write_libsvm

import frugalboost as fb
from frugalboost.cli.model_rows import joined
from frugalboost.tables import open_table
from frugalboost.tables.libsvm import MOST_FEATURES

ROWS = "".join(f"{i},{i % 2}\n" for i in range(40))


def fit(path, *options):
    return ("fit", path, "--target", "y", "-o", path.parent / "m.fboost", *FAST, *options)


WORDS = ("a,y\n" + "".join(f"{i}th,{i % 2}\n" for i in range(200))).encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"a,y\n", "must have at least one row; it has none"),
        (b"a,y", "data.csv: the file has only a first line, and no rows."),
        (b"a" * 600_000 + b",y\n1,2\n", "line 1 is longer than 524,288 bytes"),
        (b"a,y\n1,2\n" + b"1" * 3_000_000 + b",2\n", "line 3 is longer than 524,288 bytes"),
        (b'a,y\n1,2\n"' + b"1\n" * 2_000_000 + b'",2\n', "a row is longer than 524,288 bytes"),
        (b"a,y\n1,2\n1,2,3\n", "line 3 has 3 columns, but the first line has 2"),
        (b"a,y\n1,2\n1\n", "line 3 has 1 column, but the first line has 2"),
        ("a,y\n1,é\n".encode("latin-1"), "line 2 is not UTF-8 (byte 0xe9). Save it as UTF-8"),
        ("é,y\n1,2\n".encode("latin-1"), "line 1 is not UTF-8"),
        (("a,y\n" + ROWS * 9000).encode() + b"1,\xff\n", "line 360002 is not UTF-8"),
        ("a,y\n1,2\n".encode("utf-16"), "the file is UTF-16, not UTF-8"),
        ("\ufeffa,y\n1,2\n".encode("utf-32-le"), "the file is UTF-32, not UTF-8"),
        ("\ufeffa,y\n1,2\n".encode("utf-32-be"), "the file is UTF-32, not UTF-8"),
        (b'a,y\n1,2\n2,"3\n3,4\n', "data.csv: line 3 has a quote that is not closed."),
        (b"a,y,a\n1,2,3\n", "distinct names; got 'a' twice"),
        (b"y\n1\n2\n", "must have a column to learn from; its columns are 'y'."),
        (WORDS, "to learn from; 'a' was left out (200 different words in 200 rows)."),
        (b"a,y\n1,2\n2,2\n", "at least two classes"),
    ],
)
def test_csv(tmp_path, content, said):
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    line = refused(1, *fit(path))
    assert said in line
    assert [each.name for each in tmp_path.iterdir()] == ["data.csv"]


@pytest.mark.parametrize("name", ["data.parquet", "data.feather", "data.npz", "data.svm"])
@pytest.mark.parametrize("content", [b"PAR1", b"ARROW1\0\0", b"PK\3\4", b"1 2 3\n", b"\xff\xfe\0"])
def test_files_that_are_not_what_their_name_says(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    assert "cannot be read" in refused(1, *fit(path))


# Packed files hold the time, which must not get into the names of tests.
@pytest.mark.parametrize(
    "content",
    [b"a,y\n1,2\n", gzip.compress(b"a,y\n" + b"1,2\n" * 9999)[:40]],
    ids=["not packed", "cut off"],
)
def test_broken_compression(tmp_path, content):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(content)
    assert "data.csv.gz: " in refused(1, *fit(path))


def test_files_that_are_not_there_or_of_another_kind(tmp_path):
    assert "does not exist" in refused(2, *fit(tmp_path / "no.csv"))
    (tmp_path / "data.xls").write_text("x")
    assert "DATA must end in .csv" in refused(2, *fit(tmp_path / "data.xls"))
    assert "is a folder" in refused(2, "fit", tmp_path, "-o", tmp_path / "m.fboost")


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_other_delimiters(tmp_path, mark):
    path = tmp_path / "data.csv"
    path.write_text(f"a,y\n{ROWS}".replace(",", mark))
    ok(*fit(path))
    assert fb.load(tmp_path / "m.fboost").feature_names_in_.tolist() == ["a"]


def test_a_mark_at_the_beginning_is_no_part_of_a_name(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(f"a,y\n{ROWS}", encoding="utf-8-sig")
    assert open_table(path).names == ["a", "y"]


def test_types_are_those_of_all_rows(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,y\n" + "1,0\n" * 200_000 + "1.5,1\n" + "word,1\n")
    ok(*fit(path), "--test-share", "0")
    schema = fb.load(tmp_path / "m.fboost")._schema
    assert schema.categories[0].tolist() == ["1", "1.5", "word"]


def test_every_command_reads_hex_words_as_words(tmp_path):
    """pyarrow would take them for numbers where it chooses the type, and only there."""
    path, model = tmp_path / "data.csv", tmp_path / "m.fboost"
    path.write_text("code,y\n" + "".join(f"0x{i % 4:x},{i % 2}\n" for i in range(200)))
    ok(*fit(path))
    assert fb.load(model)._schema.categories[0].tolist() == ["0x0", "0x1", "0x2", "0x3"]
    assert json.loads(ok("evaluate", model, path, "--json").stdout)["error"] == 0
    assert ok("predict", model, path).stdout.split()[1:] == ["0", "1"] * 100
    ok("prune", model, path, "--keep", "1", "-o", tmp_path / "small.fboost")
    ok("stream", path, "--target", "y", "-o", tmp_path / "s.fboost", "--rounds", "2")
    assert ok("predict", tmp_path / "s.fboost", path).stdout.count("\n") == 201


def test_npz_files_that_hold_no_table(tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, a=np.zeros(3), b=np.zeros(3))
    assert "one array of numbers" in refused(1, *fit(path))
    np.savez(path, X=np.zeros((3, 2)))
    said = refused(2, "fit", path, "-o", tmp_path / "m.fboost")
    assert "--target must name" in said


def test_an_npz_file_of_two_tables_says_how_to_make_two_files(tmp_path):
    X, y = matrix()
    path = tmp_path / "it's $one.npz"
    names = np.array(["a", "b", "c", "d"])
    np.savez(
        path, X_train=X[:100], y_train=y[:100], X_test=X[100:], y_test=y[100:], feature_names=names
    )
    said = refused(1, "fit", path, "-o", tmp_path / "m.fboost")
    assert f"{path} must hold one table; it has X_train, X_test. This writes each to" in said
    command = shlex.split(said.partition("to its own file: ")[2])
    assert command[0] == "python"
    subprocess.run([sys.executable, *command[1:]], check=True)
    train, test = (tmp_path / f"it's $one-{part}.npz" for part in ("train", "test"))
    report = ok("fit", train, "--test", test, "-o", tmp_path / "m.fboost", "--json", *FAST).stdout
    assert json.loads(report)["rows"] == 100
    assert json.loads(report)["scores"]["rows"] == len(X) - 100
    assert fb.load(tmp_path / "m.fboost").feature_names_in_.tolist() == names.tolist()


@pytest.mark.parametrize("type_", ["|S3", "complex128", "datetime64[s]", [("a", "<i4")]], ids=str)
def test_a_target_of_an_npz_file_is_numbers_or_words(tmp_path, type_):
    path = tmp_path / "data.npz"
    X, y = matrix()
    np.savez(path, X=X, y=y.astype(type_))
    wanted = f"{path}: the target 'y' must hold numbers or words; got {type_}."
    assert refused(1, *fit(path)) == f"frugalboost: {wanted}\n"


def test_a_target_of_dates_is_named_with_its_type(tmp_path):
    days = pa.array([0, 1], pa.date32())
    path = write(tmp_path / "data.parquet", pa.table({"a": [1, 2], "y": days}))
    assert "must hold numbers or words; got date32[day]." in refused(1, *fit(path))


def test_an_array_alone_is_no_npz_file(tmp_path):
    path = tmp_path / "data.npz"
    with path.open("wb") as file:
        np.save(file, matrix()[0])
    said = refused(1, *fit(path))
    assert said.endswith(f"{path} cannot be read: it is one array (.npy), not an NPZ file.\n")


def test_an_npz_file_of_other_files_has_nothing(tmp_path):
    path = tmp_path / "data.npz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("notes.txt", "X")
    assert f"{path} has nothing." in refused(1, *fit(path))


@pytest.mark.parametrize("shape", [(0, 4), (0, 2, 2)])
def test_an_npz_file_without_rows(tmp_path, shape):
    path = tmp_path / "data.npz"
    np.savez(path, X=np.zeros(shape), y=np.zeros(0))
    assert f"{path} must have at least one row; it has none." in refused(1, *fit(path))


def test_no_code_of_an_npz_file_is_run(tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, X=np.zeros((3, 2)), y=np.array([print, 1, 2], dtype=object))
    assert "cannot be read" in refused(1, *fit(path))


def test_a_sparse_file_with_a_huge_number_is_refused(tmp_path):
    path = tmp_path / "data.svm"
    path.write_text(f"1 1:1 {MOST_FEATURES + 5}:1\n0 2:1\n")
    said = refused(1, "fit", path, "-o", tmp_path / "m.fboost")
    assert f"{MOST_FEATURES:,}" in said


def test_labels_of_a_sparse_file(tmp_path):
    X, y = matrix()
    path = write_libsvm(tmp_path / "data.svm", X, y + 0.5)
    report = ok("fit", path, "-o", tmp_path / "m.fboost", "--json", *FAST).stdout
    assert json.loads(report)["task"] == "regression"


def fuzzing():
    """The module benchmarks/fuzz_csv.py."""
    name = "fuzz_csv"
    if name not in sys.modules:
        path = Path(__file__).parents[2] / "benchmarks" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.mark.parametrize("ending", [".parquet", ".feather", ".npz", ".svm"])
def test_broken_files_of_other_kinds_are_read_or_refused(tmp_path, ending):
    path = tmp_path / f"data{ending}"
    X, y = matrix()
    if ending == ".npz":
        np.savez(path, X=X, y=y)
    elif ending == ".svm":
        write_libsvm(path, X, y)
    else:
        write(path, table())
    good, counts = path.read_bytes(), Counter()
    for number in range(60):
        change = (fuzzing().flip, fuzzing().cut)[number % 2]
        path.write_bytes(bytes(change(bytearray(good), random.Random(number))))
        try:
            file = open_table(path)
            rows = file.read()
            rows.features(file.feature_names)
            for name in file.names:
                rows.values(name)
            counts["read"] += 1
        except (ValueError, OSError):
            counts["refused"] += 1
    assert sum(counts.values()) == 60
    assert counts["refused"] > 10


def test_broken_and_hostile_files_are_read_or_refused(tmp_path):
    counts = fuzzing().run(200, seed=3, folder=tmp_path)
    assert sum(counts.values()) == 200
    assert set(counts) <= {"read", "refused"}
    assert min(counts["read"], counts["refused"]) > 20


@pytest.mark.parametrize("kind", ["array", "sparse", "arrow"])
def test_the_parts_of_a_table_are_one_table_again(kind):
    """Parts of a file may list the categories of a column in different orders."""
    X = np.arange(12.0).reshape(6, 2)
    if kind == "arrow":
        parts = [
            pa.table({"a": pa.array(cities).dictionary_encode()})
            for cities in (["Ulm", "Kiel"], ["Kiel", "Bonn"])
        ]
        assert joined(parts)["a"].to_pylist() == ["Ulm", "Kiel", "Kiel", "Bonn"]
        assert len({tuple(c.dictionary.to_pylist()) for c in joined(parts)["a"].chunks}) == 1
    else:
        make = sparse.csr_matrix if kind == "sparse" else np.asarray
        whole = joined([make(X[:2]), make(X[2:])])
        assert sparse.issparse(whole) == (kind == "sparse")
        assert np.array_equal(whole.toarray() if kind == "sparse" else whole, X)
