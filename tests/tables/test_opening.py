"""Every suffix has a reader, and every reader the same rows; what cannot be opened is named."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

from frugalboost.streams import ArrowOracle, CsvOracle, ParquetOracle
from frugalboost.tables import files, formats, open_table
from frugalboost.tables.errors import ChoiceError
from frugalboost.tables.opening import READERS

SUFFIXES = [suffix for suffixes in READERS for suffix in suffixes]
X = np.array([[1.5, 2.0], [0.5, 0.0], [2.5, 4.0]])
Y = np.array([1.0, 0.0, 1.0])


def write_packed(path, text):
    with pa.output_stream(str(path), compression=formats.codec_of(path)) as file:
        file.write(text)


def write(path):
    """The same three rows in the format of any suffix."""
    columns = pa.table({"x0": X[:, 0], "x1": X[:, 1], "y": Y})
    if formats.has_suffix(path, formats.CSV):
        delimiter = "\t" if formats.has_suffix(path, formats.TAB_SEPARATED) else ","
        lines = ["x0 x1 y", *(f"{a} {b} {y}" for (a, b), y in zip(X, Y, strict=True))]
        write_packed(path, "\n".join([*lines, ""]).replace(" ", delimiter).encode())
    elif formats.has_suffix(path, formats.PARQUET):
        pa.parquet.write_table(columns, path)
    elif formats.has_suffix(path, formats.ARROW):
        pa.feather.write_feather(columns, str(path))
    elif formats.has_suffix(path, formats.NPZ):
        np.savez(path, X=X, y=Y)
    else:
        plain = path.with_name("plain")
        dump_svmlight_file(sparse.csr_matrix(X), Y, str(plain), zero_based=False)
        write_packed(path, plain.read_bytes())
    return path


def test_no_suffix_has_two_formats():
    assert len(SUFFIXES) == len(set(SUFFIXES)) > 10


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_suffix_gives_the_same_rows(tmp_path, suffix):
    file = open_table(write(tmp_path / f"data{suffix}"))
    target = file.target or "y"
    whole = file.read()
    assert file.feature_names[:2] == ["x0", "x1"]
    assert {whole.kind(name) for name in file.names} == {"number"}
    np.testing.assert_array_equal(whole.values("x0"), X[:, 0])
    np.testing.assert_array_equal(whole.values("x1"), X[:, 1])
    np.testing.assert_array_equal(whole.values(target), Y)
    blocks = list(file.blocks({"x1": "number", target: "number"}))
    np.testing.assert_array_equal(np.concatenate([b.values("x1") for b in blocks]), X[:, 1])


@pytest.mark.parametrize(
    ("oracle", "suffixes"),
    [(CsvOracle, formats.COMMA_SEPARATED), (ParquetOracle, formats.PARQUET)],
)
def test_oracles_take_all_files_of_their_format_in_a_folder(tmp_path, oracle, suffixes):
    for suffix in SUFFIXES:
        write(tmp_path / f"data{suffix}")
    rows = oracle(tmp_path, "y", shuffle=False, recycle=False)
    drawn = np.concatenate([rows.draw(3).X for _ in suffixes])
    np.testing.assert_array_equal(drawn, np.tile(X, (len(suffixes), 1)))
    assert len(rows.draw(3).y) == 0


def test_a_suffix_without_a_reader(tmp_path):
    path = tmp_path / "data.txt"
    path.write_text("a\n1\n")
    with pytest.raises(ChoiceError, match=r"^--test must end in \.csv, .*\.npz; got .*data\.txt"):
        open_table(path, "--test")


def test_suffixes_that_the_caller_does_without(tmp_path):
    path = write(tmp_path / "data.svm")
    with pytest.raises(ChoiceError, match=r"^DATA must end in (?!.*\.svm,).*\.npz; got"):
        open_table(path, without=formats.LIBSVM)


def test_what_is_not_a_file(tmp_path):
    with pytest.raises(ChoiceError, match="is a folder"):
        open_table(tmp_path)
    with pytest.raises(ChoiceError, match="does not exist"):
        open_table(tmp_path / "data.csv")


def write_badly_named(folder, suffix):
    """A file whose name is not UTF-8."""
    try:
        return write(folder / "data").rename(folder / os.fsdecode(b"bad\xff" + suffix.encode()))
    except OSError:
        pytest.skip("needs a file system that takes any name")


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".feather"])
def test_a_name_that_pyarrow_cannot_open(tmp_path, suffix):
    path = write_badly_named(tmp_path, suffix)
    with pytest.raises(ChoiceError, match=r"^--test must be a file whose name is UTF-8; got '"):
        open_table(path, "--test")


def test_a_name_that_an_oracle_cannot_open(tmp_path):
    write_badly_named(tmp_path, ".csv")
    with pytest.raises(ValueError, match=r"path must be a file whose name is UTF-8; got '.*bad"):
        CsvOracle(tmp_path, "y")


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".feather"])
def test_formats_that_need_pyarrow_name_the_extra(tmp_path, monkeypatch, suffix):
    path = write(tmp_path / f"data{suffix}")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'pip install "frugalboost\[streams\]"'):
        open_table(path)


@pytest.mark.thorough
def test_formats_of_matrices_do_without_pyarrow(tmp_path):
    paths = [str(write(tmp_path / f"data{suffix}")) for suffix in (".npz", ".svm")]
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from pathlib import Path; from frugalboost.tables import open_table\n"
        f"for path in {paths}: print(open_table(Path(path)).read().n_rows)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.stdout.split() == ["3", "3"], ended.stderr


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_large_file_moves_a_bar_by_all_its_bytes(tmp_path, monkeypatch, suffix):
    large = 5 << 19  # not a whole number of buffers
    monkeypatch.setattr(files, "LARGE_BYTES", large)
    path = tmp_path / f"data{suffix}"
    n_rows = large // 9
    numbers = np.random.default_rng(0).integers(0, 2**63, n_rows)
    write_packed(path, b"a\n" + b"\n".join(b"%d" % number for number in numbers.tolist()))
    assert path.stat().st_size >= large > 2 * files.BUFFER_BYTES
    steps = {}

    @contextmanager
    def bar(title, total):
        steps[title, total] = 0.0

        def advance(n):
            steps[title, total] += n

        yield advance

    assert open_table(path, bar=bar).read().n_rows == n_rows
    size = path.stat().st_size
    assert steps == {(f"reading {path.name}", size): size}


def test_views_of_words_are_categories_for_oracles_too():
    words = pa.array(["b", "a", None, "b"])
    table = pa.table({"word": words.cast(pa.string_view()), "y": [1, 0, 1, 0]})
    oracle = ArrowOracle(pa.dataset.dataset(table), "y", recycle=False, random_state=0)
    column = oracle.draw(4).X.column("word")
    assert pa.types.is_dictionary(column.type)
    assert sorted(map(str, column.to_pylist())) == ["None", "a", "b", "b"]


def test_the_words_for_missing_values_are_those_of_pandas_and_a_question_mark(tmp_path):
    """A column of numbers stays one, whichever of them it has; "none" may be a category."""
    words = [word for word in formats.NULLS if word != "?"]
    path = tmp_path / "data.csv"
    for others, kind in (([], "float"), (["none", "-", "missing"], "str")):
        path.write_text("\n".join(["x,y", *(f"{word},1" for word in [*words, *others, "2.5"])]))
        expected = pd.read_csv(path)["x"].isna().tolist()
        column = open_table(path).read().table["x"]
        assert (np.asarray(column.is_null()) == expected).all()
        assert sum(expected) == len(words)
        assert pa.types.is_floating(column.type) == (kind == "float")
    path.write_text("x,y\n?,1\n2.5,0\n")
    assert open_table(path).read().table["x"].null_count == 1
