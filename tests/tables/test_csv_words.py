"""Whatever a CSV file's types take for a number, reading it as a number gives the same number."""

from __future__ import annotations

import pyarrow as pa
import pytest

from frugalboost.streams import CsvOracle
from frugalboost.tables import open_table
from frugalboost.tables.csv_quotes import QuoteWatch
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


@pytest.mark.parametrize("text", [b"a,b\n0x1,1\n", b'a,b\n"0X1",1\n'])
def test_a_cut_between_two_chunks_hides_no_hex_word(text):
    for at in range(len(text) + 1):
        watch = QuoteWatch(",")
        watch.add(text[:at])
        watch.add(text[at:])
        assert watch.has_hex


def test_a_stream_takes_hex_words_for_a_category(tmp_path):
    file = table(tmp_path, ["0x0", "0x1f"])
    X, _ = CsvOracle(file.path, "b", shuffle=False, recycle=False).draw(2)[:2]
    assert X["a"].to_pylist() == ["0x0", "0x1f"]
