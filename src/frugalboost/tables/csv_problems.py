"""What is wrong with a CSV file, in the user's terms: where, and what was expected."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

import pyarrow as pa

from frugalboost.tables.csv_quotes import open_line

CHUNK_BYTES = 1 << 20
BLOCK_BYTES = 1 << 19  # of which pyarrow holds some forty; a row must fit in one
WIDE_MARKS = {
    **dict.fromkeys((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "UTF-32"),
    **dict.fromkeys((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "UTF-16"),
}
"""UTF-32 comes first, as its mark begins with that of UTF-16."""

RAGGED = re.compile(r"CSV parse error: (?:Row #(\d+): )?Expected (\d+) columns, got (\d+)")
ADVICE = "Save it as UTF-8."
LONGEST = 300


def explain(problem: Exception, file: str, delimiter: str) -> str:
    """Explain pyarrow's error; return its own message if it is unknown."""
    damage = file_problem(file, delimiter)
    if damage is not None:
        return damage
    message = str(problem)
    ragged = RAGGED.match(message)
    if ragged is not None:
        where = "a line" if ragged[1] is None else f"line {ragged[1]}"
        return f"{where} has {_columns(ragged[3])}, but the first line has {ragged[2]}"
    if "Empty CSV file" in message:  # or no line ends in the first block
        return long_line(file) or _no_rows(file)
    if "straddling object" in message:
        return long_line(file) or f"a row is longer than {BLOCK_BYTES:,} bytes"
    return message[:LONGEST].replace("\n", " ")


def file_problem(file: str, delimiter: str) -> str | None:
    """Describe what is wrong with a file regardless of its columns; None if nothing is."""
    return encoding_problem(file) or quote_problem(file, delimiter)


def quote_problem(file: str, delimiter: str) -> str | None:
    """Say where a quote opens that is never closed; None if there is none."""
    try:
        line = open_line(_chunks(file), delimiter)
    except (pa.ArrowException, OSError):
        return None
    return None if line is None else f"line {line} has a quote that is not closed"


def long_line(file: str) -> str | None:
    """Say which line is longer than a block; None if none is."""
    line, length = 1, 0
    try:
        for chunk in _chunks(file):
            for at, part in enumerate(chunk.split(b"\n")):
                if at:
                    line, length = line + 1, 0
                length += len(part)
                if length > BLOCK_BYTES:
                    return f"line {line} is longer than {BLOCK_BYTES:,} bytes"
    except (pa.ArrowException, OSError):
        return None
    return None


def _no_rows(file: str) -> str:
    has_text = any(chunk.removeprefix(codecs.BOM_UTF8).strip() for chunk in _chunks(file))
    return "the file has only a first line, and no rows" if has_text else "the file is empty"


def encoding_problem(file: str) -> str | None:
    """Say where a file stops being UTF-8; None if it does not, or cannot be read at all."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    line, is_first = 1, True
    try:
        for chunk in _chunks(file):
            if is_first and (wide := _wide(chunk)) is not None:
                return f"the file is {wide}, not UTF-8. {ADVICE}"
            is_first = False
            waiting = decoder.getstate()[0]
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as problem:
                whole = waiting + chunk
                line += whole[: problem.start].count(b"\n")
                return _not_utf8(line, whole[problem.start])
            line += chunk.count(b"\n")
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as problem:
        return _not_utf8(line, problem.object[problem.start])
    except (pa.ArrowException, OSError):
        return None
    return None


def _wide(start: bytes) -> str | None:
    return next((name for mark, name in WIDE_MARKS.items() if start.startswith(mark)), None)


def _not_utf8(line: int, byte: int) -> str:
    return f"line {line} is not UTF-8 (byte 0x{byte:02x}). {ADVICE}"


def _columns(number: str) -> str:
    return "1 column" if number == "1" else f"{number} columns"


def _chunks(file: str) -> Iterator[bytes]:
    with pa.input_stream(file, compression="detect") as stream:
        while chunk := bytes(stream.read(CHUNK_BYTES)):
            yield chunk
