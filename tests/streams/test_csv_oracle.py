"""CSV files: types, missing values, compression, and rows that do not fit."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from streams_helpers import rows_of, take

import frugalboost as fb
from frugalboost.streams import CsvOracle


def write(path, text, name="data.csv"):
    file = path / name
    file.write_text(text)
    return file


def in_order(file, **options):
    return CsvOracle(file, "y", shuffle=False, recycle=False, **options).draw(1000)


def test_numbers_become_floats_and_what_is_missing_nan(tmp_path):
    batch = in_order(write(tmp_path, "a,b,y\n1,2.5,no\n?,,yes\nNA,3,no\n"))
    assert batch.X.dtype == np.float64
    wanted = [[1, 2.5], [np.nan, np.nan], [np.nan, 3]]
    assert np.array_equal(batch.X, wanted, equal_nan=True)
    assert batch.y.tolist() == ["no", "yes", "no"]


@pytest.mark.thorough
def test_whole_numbers_may_turn_out_to_have_fractions(tmp_path):
    lines = "1,0\n" * 300_000  # more than the block that types are guessed from
    oracle = CsvOracle(write(tmp_path, f"a,y\n{lines}1.5,1\n"), "y", shuffle=False, recycle=False)
    assert take(oracle, 400_000, [100_000])[-1] == (1.5, 1)


def test_text_becomes_categories(tmp_path):
    file = write(tmp_path, "colour,size,code,y\nred,1,7,0\n?,2,8,1\nblue,3,7,1\n")
    batch = in_order(file, categories=["code"])
    assert rows_of(batch.X) == [("red", 1.0, "7"), (None, 2.0, "8"), ("blue", 3.0, "7")]
    schema = fb.BinnedDataset.from_data(batch.X).schema
    assert schema.is_categorical.tolist() == [True, False, True]
    assert schema.encode(batch.X)[:, 2].tolist() == [0, 1, 0]
    assert batch.y.tolist() == [0, 1, 1]


def test_files_agree_on_what_is_text(tmp_path):
    write(tmp_path, "a,b,y\n1,true,0\n", "0.csv")
    write(tmp_path, "y,a,b\n1,x,false\n", "1.csv")
    assert take(CsvOracle(tmp_path, "y", shuffle=False), 2) == [("1", True, 0), ("x", False, 1)]


def test_dialects_and_compression(tmp_path):
    file = tmp_path / "data.csv.gz"
    file.write_bytes(gzip.compress(b'a;y\n-;"0;5"\n2;"two\nlines"\n'))
    batch = in_order(file, delimiter=";", null_values=["-"])
    assert np.array_equal(batch.X, [[np.nan], [2]], equal_nan=True)
    assert batch.y.tolist() == ["0;5", "two\nlines"]


GOOD = "".join(f"{i},{i}.5,x\n" for i in range(60_000))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"a,b,y\n{GOOD}1,2\n", r"line 60002 has 2 columns, but the first line has 3"),
        (f"a,b,y\n{GOOD}1,abc,x\n", r"column 'b': Row #60002: .* invalid value 'abc'\. A feature"),
        (f"a,b,y\n{GOOD}1,2,\n", r"column 'y' must have a label .* got None in row 60002 \(the "),
        ("a,b,y\n1,2,0.5\n1,2,nan\n", r"column 'y' must have a label .* got None in row 3 \(the "),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path, text, message):
    oracle = CsvOracle(write(tmp_path, text), "y", buffer_rows=1000, recycle=True)
    for _ in range(2):  # it stays so
        with pytest.raises(ValueError, match=rf"^CsvOracle: \S+data\.csv: {message}"):
            take(oracle, 100_000, [5000])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"the file is empty"),
        ("a,a,y\n1,2,3\n", r"columns must have distinct names; got 'a' twice"),
        ("a,b\n1,2\n", r"target must be among the columns 'a', 'b'; got 'y'"),
        ("a,y\n2024-01-05,1\n", r"column 'a' must be numeric, boolean or text; got date32"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_at_once(tmp_path, text, message):
    file = write(tmp_path, text)
    with pytest.raises(ValueError, match=rf"^CsvOracle: .*{message}"):
        CsvOracle(file, "y")


def test_a_file_of_other_columns_is_named(tmp_path):
    write(tmp_path, "a,b,y\n1,2,0\n", "0.csv")
    write(tmp_path, "a,y\n1,0\n", "1.csv")
    with pytest.raises(ValueError, match=r"1\.csv: column 'b' must occur once; got 'a', 'y'"):
        CsvOracle(tmp_path, "y")


def test_a_header_alone_is_no_example(tmp_path):
    with pytest.raises(ValueError, match=r"^CsvOracle: there must be at least one example"):
        CsvOracle(write(tmp_path, "a,y\n"), "y").draw(1)


@pytest.mark.thorough
def test_a_compressed_file_that_is_cut_off(tmp_path):
    noise = np.random.default_rng(0).random(100_000)
    content = gzip.compress("\n".join(["a,y", *(f"{x},1" for x in noise)]).encode())
    (tmp_path / "data.csv.gz").write_bytes(content[: len(content) // 2])
    # A reader that looks ahead may tell already when the file is opened.
    with pytest.raises(ValueError, match=r"^CsvOracle: \S+data\.csv\.gz: Truncated"):
        take(CsvOracle(tmp_path / "data.csv.gz", "y"), 100_000, [10_000])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"categories": ["b"]}, r"categories must be among the columns 'a'; got 'b'"),
        ({"categories": "a"}, r"categories must be a list of names; got 'a'"),
        ({"delimiter": "::"}, r"delimiter must be one character; got '::'"),
    ],
)
def test_options_that_do_not_fit(tmp_path, options, message):
    file = write(tmp_path, "a,y\n1,0\n")
    with pytest.raises((TypeError, ValueError), match=rf"^CsvOracle: {message}"):
        CsvOracle(file, "y", **options)
