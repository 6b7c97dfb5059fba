"""A quote that is not closed is refused, with its line; whatever pyarrow reads rightly is read."""

from __future__ import annotations

import gzip
import io

import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugalboost.streams import CsvOracle
from frugalboost.tables.csv_quotes import QuoteWatch, open_line
from frugalboost.tables.csv_reader import BLOCK_BYTES, CsvReader

texts = st.lists(st.sampled_from([b'"', b'""', b",", b"\n", b"\r\n", b"x"])).map(b"".join)
LONG = "".join(f'{i},"word {i}",5" pipe,""\n' for i in range(BLOCK_BYTES // 20))


def last_row_arrives(text):
    """Whether pyarrow sees a row that is put behind a text."""
    found = pa.csv.read_csv(
        io.BytesIO(text + b"\nlast,last\n"),
        read_options=pa.csv.ReadOptions(column_names=["a", "b"]),
        parse_options=pa.csv.ParseOptions(
            newlines_in_values=True, invalid_row_handler=lambda row: "skip"
        ),
    )
    return found.num_rows > 0 and found["a"][-1].as_py() == "last"


@given(st.lists(texts))
def test_pyarrow_is_the_judge_of_what_is_open(chunks):
    watch = QuoteWatch(",")
    for chunk in chunks:
        watch.add(chunk)
    assert watch.is_open != last_row_arrives(b"".join(chunks))


@given(texts, st.sampled_from([b',""', b',"', b'"']), st.integers(5000, 9000), texts)
def test_a_long_chunk_is_no_other_than_short_ones(start, filling, n, end):
    whole, parts = QuoteWatch(","), QuoteWatch(",")
    text = start + filling * n + end
    whole.add(text)
    for at in range(0, len(text), 1000):
        parts.add(text[at : at + 1000])
    assert whole.is_open == parts.is_open


@given(st.lists(texts))
def test_the_line_is_that_of_the_last_quote_that_counts(chunks):
    text = b"".join(chunks)
    lines = [line.replace(b'""', b"") for line in text.split(b"\n")]
    wanted = None
    if not last_row_arrives(text):
        wanted = max(number for number, line in enumerate(lines, 1) if b'"' in line)
    assert open_line(chunks, ",") == wanted


GOOD = [
    ('1,"x ""q"" y"\n2,z\n', ['x "q" y', "z"]),
    ('1,"x\ny"\n2,z\n', ["x\ny", "z"]),
    ('1,5" pipe\n2,z\n', ['5" pipe', "z"]),
    ('1,""\n2,z"', [None, 'z"']),
    ('1,""""\n2,"z"', ['"', "z"]),
    ('1,"x"y\n2, "z', ["xy", ' "z']),
    ('1,"a, b,"\r\n2,"z"\r\n', ["a, b,", "z"]),
]
BAD = [
    ('1,"x\n2,y\n3,z\n', 2),
    ('1,x\n2,y\n3,"z', 4),
    ('1,x\n2,"', 3),
    ('1,x\n2,"""', 3),
    ('1,5" pipe\n2,"x\n3,z\n', 3),
    ('1,"two\nlines"\n2,"x ""y"" \n3,z', 4),
    ('"1,x\n2,y\n', 2),  # a row with one column
    ('1,x\r\n2,"y\r\n3,z\r\n', 3),
]
files = pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])


def write(folder, text, pack):
    file = folder / ("data.csv" if pack is bytes else "data.csv.gz")
    file.write_bytes(pack(text.encode()))
    return str(file)


def whole(file):
    return CsvReader(",", [""]).whole(file, file)["b"].to_pylist()


def blocks(file):
    types = {"b": pa.string()}
    found = CsvReader(",", [""]).blocks(file, file, types, lambda name, message: message)
    return [value for batch in found for value in batch["b"].to_pylist()]


def examples(file):
    oracle = CsvOracle(file, "b", shuffle=False, recycle=False, null_values=["-"])
    return [value or None for value in oracle.draw(1_000_000).y.tolist()]


ways = pytest.mark.parametrize("read", [whole, blocks, examples])


@ways
@files
@pytest.mark.parametrize(("rows", "values"), GOOD)
def test_files_that_are_read(tmp_path, rows, values, pack, read):
    assert read(write(tmp_path, f"a,b\n{rows}", pack)) == values


@ways
@files
@pytest.mark.parametrize(("rows", "line"), BAD)
def test_files_that_are_refused(tmp_path, rows, line, pack, read):
    file = write(tmp_path, f"a,b\n{rows}", pack)
    said = rf"{file}: line {line} has a quote that is not closed\.?$"
    with pytest.raises(ValueError, match=said):
        read(file)


@ways
@pytest.mark.parametrize("start", ["a,b\n", "\ufeffa,b\n"])
def test_quoted_names(tmp_path, start, read):
    file = write(tmp_path, start.replace("a", '"a"') + "1,x\n", bytes)
    assert read(file) == ["x"]
    file = write(tmp_path, start.replace("a", '"a') + "1,x\n", bytes)
    with pytest.raises(ValueError, match="line 1 has a quote that is not closed"):
        read(file)


@ways
@pytest.mark.parametrize("rest", ["5,6,7,8\n", LONG.replace('"', "")])
def test_files_of_several_blocks(tmp_path, rest, read):
    rows = f"a,b,c,d\n{LONG}"
    file = write(tmp_path, f'{rows}1,x,y,"z\n{rest}', bytes)
    line = rows.count("\n") + 1
    with pytest.raises(ValueError, match=f": line {line} has a quote that is not closed"):
        read(file)


def test_other_delimiters(tmp_path):
    file = write(tmp_path, 'a;b\n1;x,"y\n2;"z\n', bytes)
    with pytest.raises(ValueError, match="line 3 has a quote"):
        CsvReader(";", [""]).whole(file, file)
