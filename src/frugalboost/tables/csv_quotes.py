"""What pyarrow takes from a CSV file without an error: quotes never closed, and hex as numbers."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from frugalboost._typing import Bools, Ints
from frugalboost.tables.arrow_threads import SharedObject

QUOTE = b'"'
WINDOW_BYTES = 1 << 12
"""Searched first, at the end of a chunk; mostly it holds a quote that decides."""

PIECE_BYTES = 1 << 16
"""Searched at a time: larger arrays would be new memory each time, slower than the search."""

ZERO_X = int.from_bytes(b"0x", "little")
LOWER_SECOND = np.uint16(0x2000)  # makes X an x, and nothing else one


class QuoteWatch:
    """Follows a file, chunk by chunk, and tracks whether it is within a quoted field.

    A quote opens a field if it is the field's first byte. Within such a field, two quotes stand
    for one in the text, and a single one closes it. Elsewhere quotes mean nothing. So a run of
    quotes changes nothing if its length is even. A run of odd length at the beginning of a field
    opens what was closed and closes what was open; anywhere else, the file is outside quotes
    after it, whatever came before. Only what follows the last of the latter need be looked at.

    >>> watch = QuoteWatch(",")
    >>> _ = watch.add(b'size,name\\n5,5" pipe\\n6,"6 ""')
    >>> watch.is_open
    True
    >>> _ = watch.add(b'" pipe"\\n')
    >>> watch.is_open
    False
    """

    def __init__(self, delimiter: str) -> None:
        self._is_start = _among(f"{delimiter}\r\n")
        self._is_open = False
        self._is_first = True
        self._last = b"\n"
        self._held = b""  # quotes at the end, whose number is not known yet

    @property
    def is_open(self) -> bool:
        """Whether a file that ends here ends within quotes."""
        return self._after(self._held)

    def check(self) -> None:
        """At the end of a file, raise pyarrow's kind of error if it is within quotes."""
        if self.is_open:
            raise pa.ArrowInvalid("CSV parse error: a quote is not closed")

    def add(self, chunk: bytes) -> bytes:
        """Follow a chunk; return the bytes that are now accounted for."""
        if self._is_first and chunk:
            self._is_first, chunk = False, chunk.removeprefix(codecs.BOM_UTF8)
        chunk = self._held + chunk if self._held else chunk
        taken = chunk.rstrip(QUOTE)
        self._held = chunk[len(taken) :]
        self._is_open = self._after(taken)
        self._last = taken[-1:] or self._last
        return taken

    def _after(self, chunk: bytes) -> bool:
        if QUOTE not in chunk:
            return self._is_open
        n_turns, end, size = 0, len(chunk), WINDOW_BYTES
        while end:
            start = max(0, end - size)
            # A run of quotes that may be cut here is left to the next window, which has all of it.
            text = chunk[start:end].lstrip(QUOTE) if start else self._last + chunk[:end]
            n_more, is_known = self._turns(text)
            n_turns += n_more
            if is_known:
                return n_turns % 2 == 1
            end = end - len(text) if start else 0
            size *= 2
        return (n_turns % 2 == 1) != self._is_open

    def _turns(self, text: bytes) -> tuple[int, bool]:
        """Count odd runs of quotes that begin fields, after the last that does not, if any.

        The first byte is not a quote.
        """
        odd = odd_quotes(text)
        if not len(odd):
            return 0, False
        is_start = self._is_start[np.frombuffer(text, dtype=np.uint8)[odd - 1]]
        others = np.flatnonzero(~is_start)
        return (len(odd) - 1 - int(others[-1]), True) if len(others) else (len(odd), False)


class HexWatch:
    """Follows a file, chunk by chunk, for a field that may begin with 0x or 0X.

    Blanks and quotes may stand before it, or a quote within it. No such field is missed; some
    places are taken for one, such as after two blanks or after a delimiter within quotes.

    >>> watch = HexWatch(",")
    >>> watch.add(b"size,name\\n10x20,error 0x57\\n")
    >>> watch.has_hex
    False
    >>> watch.add(b'10x20," 0x57"\\n')
    >>> watch.has_hex
    True
    """

    def __init__(self, delimiter: str) -> None:
        self._is_edge = _among(f"{delimiter}\r\n")
        self._is_blank = _among(" \t") & ~self._is_edge
        self._last = b"\n\n\n"  # without quotes
        self.has_hex = False

    def add(self, chunk: bytes) -> None:
        if self.has_hex:
            return
        if b"x" in chunk or b"X" in chunk:
            text = chunk.replace(QUOTE, b"")
            seam = self._last + text[:3]
            pieces = (text[at : at + PIECE_BYTES + 3] for at in range(0, len(text), PIECE_BYTES))
            self.has_hex = any(map(self._begins_with_hex, chain([seam], pieces)))
        end = chunk[-8:].replace(QUOTE, b"")  # a field with more quotes before its x is not hex
        self._last = (self._last + end)[-3:]

    def _begins_with_hex(self, text: bytes) -> bool:
        """Whether a field may begin with hex after the second byte."""
        codes = np.frombuffer(text, dtype=np.uint8)
        for start in (2, 3):  # as pairs of bytes, several times as fast as bytes.find
            pairs = codes[start : len(codes) - (len(codes) - start) % 2].view("<u2")
            at = start + 2 * np.flatnonzero((pairs | LOWER_SECOND) == ZERO_X)
            before, second = codes[at - 1], codes[at - 2]
            is_wide = self._is_edge[second] | self._is_blank[second]
            if (self._is_edge[before] | (self._is_blank[before] & is_wide)).any():
                return True
        return False


def _among(characters: str) -> Bools:
    """Return, for each byte, whether it is among some characters."""
    found = np.zeros(256, dtype=bool)
    found[list(characters.encode())] = True
    return found


def odd_quotes(text: bytes) -> Ints:
    """Return where runs of an odd number of quotes begin.

    >>> odd_quotes(b'a "b" and ""c""')
    array([2, 4])
    """
    if QUOTE not in text:
        return np.empty(0, dtype=np.int64)
    is_quote = np.frombuffer(text, dtype=np.uint8) == ord(QUOTE)
    edges = np.flatnonzero(np.diff(is_quote, prepend=False, append=False))
    first, end = edges[::2], edges[1::2]
    odd: Ints = first[((end - first) & 1).astype(bool)]
    return odd


def open_line(chunks: Iterable[bytes], delimiter: str) -> int | None:
    """Return the line of the quote that is not closed; None if all are."""
    watch, line, opened = QuoteWatch(delimiter), 1, 1
    for chunk in chain(chunks, [b"\n"]):  # which closes nothing, but ends a run of quotes
        taken = watch.add(chunk)
        odd = odd_quotes(taken)
        if len(odd):  # after the quote in question there are only even runs
            opened = line + taken.count(b"\n", 0, odd[-1])
        line += taken.count(b"\n")
    return opened if watch.is_open else None


@contextmanager
def watched(
    source: Any, delimiter: str, hexes: HexWatch | None = None
) -> Iterator[tuple[Any, QuoteWatch]]:
    """Yield a stream of a file, given by its name or open, and a watch on what is read from it."""
    watch, shared = QuoteWatch(delimiter), SharedObject()

    def look(buffer: Any) -> bytes:
        with shared.called():
            content: bytes = buffer.to_pybytes()
            watch.add(content)
            if hexes is not None:
                hexes.add(content)
            return content

    whole = pa.input_stream(source, compression="detect") if isinstance(source, str) else source
    with pa.TransformInputStream(whole, look) as stream:
        shared.pass_to(look, stream)
        yield stream, watch
