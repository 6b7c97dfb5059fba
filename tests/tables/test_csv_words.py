"""Whatever a CSV file's types take for a number, reading it as a number gives the same number."""

from __future__ import annotations

import pyarrow as pa
import pytest

from frugalboost.streams import CsvOracle
from frugalboost.tables import open_table
from frugalboost.tables.csv_quotes import PIECE_BYTES, HexWatch
from frugalboost.tables.csv_reader import BLOCK_BYTES, CsvReader
from frugalboost.tables.formats import NULLS

HEX = ("0x0", "0X1f", "0xffffffffffffffff", " 0x1", "\t0x1")
NUMBERS = (
    *("5", "+5", "-5", " 7", "7 ", "007", "-0", "1.", ".5", "-.5", "1e5", "1E+5", "1e-400"),
    *("1e400", "Inf", "-inf", "infinity", "NAN", "9223372036854775807", "123456789012345678910"),
)
WORDS = (
    *("-0x1", "+0x1", "0x", "0xg", "0x1.8p3", "0b1", "0o7", "1_000", "1 000", "1d", "1f", "1e"),
    *("e5", "--5", "1/2", "12%", "t", "yes", "\u0661", "\u00a07"),
)
MIXED = (("true", "1", "0"), ("1", "true", "2"), ("0x1", "1.5"), ("7", "0x1"), ("NA", "0x1", ""))


def table(tmp_path, words):
    path = tmp_path / "data.csv"
    path.write_text("a,b\n" + "".join(f'"{word}",1\n' for word in words), encoding="utf-8")
    return open_table(path)


@pytest.mark.parametrize(
    "words", [*((word,) for word in (*HEX, *NUMBERS, *WORDS)), *MIXED], ids=repr
)
def test_blocks_read_what_the_whole_file_is_taken_for(tmp_path, words):
    file = table(tmp_path, words)
    rows = file.read()
    (block,) = file.blocks({"a": rows.kind("a")})
    assert block.kind("a") == rows.kind("a")
    for ours, theirs in zip(block.values("a"), rows.values("a"), strict=True):
        assert ours == theirs or (ours != ours and theirs != theirs)


@pytest.mark.parametrize("word", NUMBERS)
def test_numbers_are_those_of_python(tmp_path, word):
    (value,) = table(tmp_path, [word]).read().values("a")
    assert float(value) == float(word) or word == "NAN"


@pytest.mark.parametrize("word", [*HEX, *WORDS])
def test_words_are_words_everywhere(tmp_path, word):
    file = table(tmp_path, ["5", "NA", word, ""])
    assert file.read().values("a").tolist() == ["5", None, word, None]
    assert CsvReader(",", NULLS).schema(str(file.path)).field("a").type == pa.string()
    assert CsvReader(",", NULLS).schema(str(file.path)).field("b").type == pa.int64()


def test_a_hex_word_far_down_makes_its_column_words_and_no_other(tmp_path):
    file = table(tmp_path, ["1"] * BLOCK_BYTES + ["0x1"])
    rows = file.read()
    assert [rows.kind(name) for name in file.names] == ["category", "number"]
    assert set(rows.values("a").tolist()) == {"1", "0x1"}


@pytest.mark.parametrize(
    ("delimiter", "text"),
    [
        *((",", text) for text in (b"a,b\n0x1,1\n", b'a,b\n"0X1",1\n', b'a,b\n"  0"x1,1\n')),
        *((",", text) for text in (b"a,b\r1,\t0x1\r", b'a,b\n"""""", "0"x1\n')),
        *(("\t", b"a\tb\nword\t0x1\n"), (" ", b"a b\nword 0x1\n"), (";", b"a;b\nword;0x1\n")),
    ],
)
def test_a_cut_between_two_chunks_hides_no_hex_word(delimiter, text):
    for at in range(len(text) + 1):
        watch = HexWatch(delimiter)
        watch.add(text[:at])
        watch.add(text[at:])
        assert watch.has_hex
    watch = HexWatch(delimiter)
    for at in range(len(text)):
        watch.add(text[at : at + 1])
    assert watch.has_hex


@pytest.mark.parametrize("n_before", range(PIECE_BYTES - 6, PIECE_BYTES + 6))
def test_a_long_chunk_hides_no_hex_word(n_before):
    for text, is_hex in ((b",  0x1", True), (b"5 0x1", False)):
        watch = HexWatch(",")
        watch.add(b"1" * n_before + text)
        assert watch.has_hex == is_hex


@pytest.mark.parametrize(
    "text", ["10x20,1\n", '"10x20",1\n', "error 0x57,1\n", "0 x 1,1\n", "-0x1,1\n", "0y,x\n"]
)
def test_elsewhere_in_a_text_it_is_no_hex_word(text):
    for at in range(len(text) + 1):
        watch = HexWatch(",")
        watch.add(text[:at].encode())
        watch.add(text[at:].encode())
        assert not watch.has_hex


def test_a_text_with_hex_in_it_is_read_once(tmp_path, monkeypatch):
    monkeypatch.setattr(CsvReader, "_hex_columns", None)
    file = table(tmp_path, ["10x20", "error 0x57"])
    assert file.read().values("a").tolist() == ["10x20", "error 0x57"]


def test_no_column_changes_its_place_where_one_is_words(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('a,b,c,d\n1,0x1,x,0x2\n\n2,NA,"y\nz",\n', encoding="utf-8")
    whole = CsvReader(",", NULLS).whole(str(path), str(path))
    assert whole.select(["a", "b"]).to_pydict() == {"a": [1, 2], "b": ["0x1", None]}
    assert whole.select(["c", "d"]).to_pydict() == {"c": ["x", "y\nz"], "d": ["0x2", None]}
    assert whole.column_names == ["a", "b", "c", "d"]


@pytest.mark.parametrize("cell", ['"0"x1', '" 0"x1', '"0"X1'])
def test_a_quote_within_a_hex_word_changes_nothing(tmp_path, cell):
    path = tmp_path / "data.csv"
    path.write_text(f"a,b\n{cell},1\n")
    file = open_table(path)
    assert file.read().kind("a") == "category"
    assert CsvReader(",", NULLS).schema(str(path)).field("a").type == pa.string()


def test_a_stream_takes_hex_words_for_a_category(tmp_path):
    file = table(tmp_path, ["0x0", "0x1f"])
    X, _ = CsvOracle(file.path, "b", shuffle=False, recycle=False).draw(2)[:2]
    assert X["a"].to_pylist() == ["0x0", "0x1f"]
