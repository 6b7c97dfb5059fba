"""Files and columns that are not there, not whole or not alike: one clear error each."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streams_helpers import csv_oracle, parquet_oracle, take, write_csv, write_parquet

from frugalboost.streams import ArrowOracle, CsvOracle, ParquetOracle

both = pytest.mark.parametrize("make", [ParquetOracle, CsvOracle])


@both
def test_a_path_that_is_not_there(make, tmp_path):
    with pytest.raises(FileNotFoundError, match=rf"^{make.__name__}: path must be .*nowhere is ne"):
        make(tmp_path / "nowhere", "y")


@both
def test_a_folder_without_files(make, tmp_path):
    (tmp_path / "readme.txt").write_text("nothing here")
    with pytest.raises(ValueError, match=rf"^{make.__name__}: path must hold files ending in \."):
        make(tmp_path, "y")


@both
@pytest.mark.parametrize("path", [None, 3, ["a.csv"]])
def test_what_is_no_path(make, path):
    with pytest.raises(TypeError, match=rf"^{make.__name__}: path must be a file or a folder; got"):
        make(path, "y")


@pytest.mark.parametrize("file", ["0.parquet", "2.parquet"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_truncated_file_is_named_before_anything_is_read(tmp_path, file, share):
    folder = write_parquet(tmp_path)
    content = (folder / file).read_bytes()
    (folder / file).write_bytes(content[: int(share * len(content))])
    with pytest.raises(ValueError, match=rf"^ParquetOracle: \S*{file} must be a complete Parquet"):
        parquet_oracle(tmp_path)


@pytest.mark.parametrize("write", [write_parquet, write_csv])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "nope"}, r"target must be among the columns .*'label'; got 'nope'"),
        ({"columns": ["nope"]}, r"columns must be among the columns 'number', .*; got 'nope'"),
        ({"columns": ["label"]}, r"columns must be .* without the target 'label'; got 'label'"),
        ({"columns": []}, r"columns must be one or more names, .*; got none"),
        ({"columns": ["rest", "rest"]}, r"columns must be one or more names, each once"),
        ({"columns": "rest"}, r"columns must be None or a list of names; got 'rest'"),
        ({"target": 3}, r"target must be the name of a column; got 3"),
        ({"buffer_rows": 0}, r"buffer_rows must be an integer >= 1; got 0"),
        ({"shuffle": 1}, r"shuffle must be True or False; got 1"),
    ],
)
def test_parameters_that_do_not_fit(tmp_path, write, options, message):
    make = ParquetOracle if write is write_parquet else CsvOracle
    with pytest.raises((TypeError, ValueError), match=rf"^{make.__name__}: {message}"):
        make(write(tmp_path), **{"target": "label", **options})


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ([("nope", "<", 3)], r"filters must fit the columns 'number', .*nope"),
        ([("rest", "~", 3)], r"filters must be a pyarrow\.compute\.Expression or a list"),
        (7, r"filters must be a pyarrow\.compute\.Expression or a list of tuples .*; got 7"),
    ],
)
def test_filters_that_do_not_fit(tmp_path, filters, message):
    with pytest.raises(ValueError, match=rf"^ParquetOracle: {message}"):
        parquet_oracle(tmp_path, filters=filters)


def test_only_data_sets():
    with pytest.raises(TypeError, match=r"^ArrowOracle: dataset must be a .*Dataset; got Table"):
        ArrowOracle(pa.table({"a": [1], "y": [0]}), "y")


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_label_is_named_by_file_and_row(tmp_path, missing):
    labels = pa.array([0.0] * 30 + [missing] + [1.0] * 9, from_pandas=False)
    pq.write_table(
        pa.table({"a": np.arange(40), "y": labels}), tmp_path / "a.parquet", row_group_size=8
    )
    oracle = ParquetOracle(tmp_path, "y", buffer_rows=6, random_state=0)
    with pytest.raises(
        ValueError,
        match=r"^ParquetOracle: \S+a\.parquet: column 'y' must have a label in every row; "
        r"got (None|nan) in row 30 \(counted from 0\)",
    ):
        take(oracle, 100)
    wanted = ParquetOracle(tmp_path, "y", filters=[("a", "!=", 30)], recycle=False)
    assert len(take(wanted, 100)) == 39


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"x": ["a"], "y": [0]}, r"b\.parquet: column 'x' must be numeric as in earlier files"),
        ({"y": [0]}, r"b\.parquet: column 'x' must be in every file; got 'y'"),
        ({"x": [[1]], "y": [0]}, r"b\.parquet: column 'x' must be numeric, boolean or text; got l"),
    ],
)
def test_a_file_that_is_not_like_the_first_is_named(tmp_path, other, message):
    pq.write_table(pa.table({"x": [1], "y": [0]}), tmp_path / "a.parquet")
    pq.write_table(pa.table(other), tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=rf"^ParquetOracle: \S*{message}"):
        ParquetOracle(tmp_path, "y")


def test_a_csv_file_that_is_removed_meanwhile(tmp_path):
    oracle = csv_oracle(tmp_path)
    for file in write_csv(tmp_path).iterdir():
        file.unlink()
    with pytest.raises(ValueError, match=r"^CsvOracle: \S+\.csv: .*No such file"):
        take(oracle, 100)
