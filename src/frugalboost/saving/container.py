"""The file itself: a JSON header and arrays as safetensors, and sections inside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save

from frugalboost._typing import AnyArray

FORMAT = 1
"""Increased when files change in a way that an older version would read wrongly."""

KEY = "frugalboost"
CHECKSUM = "checksum"

DTYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "|i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "|u1",
    "BOOL": "|b1",
}

LEAST_ROOM = 1 << 20
ROOM_PER_BYTE = 10
BYTES_PER_ENTRY = 100
"""Most memory that a value in a header takes, as an object with its place in a list or dictionary;
an array has seven entries in the header, and takes less than 700 bytes."""


class BrokenFileError(ValueError):
    """What is wrong with a file, in a few words that begin with "it" or with a name."""


def require(holds: bool, reason: str) -> None:
    if not holds:
        raise BrokenFileError(reason)


def pack(header: dict[str, Any], arrays: dict[str, AnyArray]) -> bytes:
    """Return the content of a file; equal parts give equal bytes."""
    text = json.dumps({"format": FORMAT, **header}, allow_nan=False)
    solid = {name: _solid(array) for name, array in arrays.items()}
    solid[CHECKSUM] = np.frombuffer(checksum(text, solid), dtype=np.uint8)
    return bytes(save(solid, metadata={KEY: text}))


def unpack(content: bytes) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Return header and arrays from a file's content; a `BrokenFileError` says what is wrong."""
    text, header = read_header(content)
    try:
        members = deserialize(content)  # type: ignore[no-untyped-call]
    except SafetensorError as problem:
        raise BrokenFileError(f"it is damaged ({problem})") from None
    arrays = {name: _array(name, parts) for name, parts in members}
    stored = arrays.pop(CHECKSUM, None)
    if stored is None or stored.tobytes() != checksum(text, arrays):
        raise BrokenFileError("it is damaged: its checksum is wrong")
    return header, arrays


def read_header(content: bytes) -> tuple[str, dict[str, Any]]:
    """Return the header, as text and parsed; the arrays are not looked at."""
    outer = _outer_header(content)
    metadata = outer.get("__metadata__")
    text = metadata.get(KEY) if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise BrokenFileError("it is a safetensors file without a frugalboost header")
    header = _json(text)
    version = header.get("format")
    if type(version) is not int or version < 1:
        raise BrokenFileError(f"its format must be an integer >= 1; got {version!r}")
    if version > FORMAT:
        raise BrokenFileError(
            f"it has format {version} and this version reads up to {FORMAT}: it was written by a "
            f"newer version of frugalboost ({header.get('version')!r:.40})"
        )
    return text, header


def checksum(text: str, arrays: dict[str, AnyArray]) -> bytes:
    """SHA-256 of the header and of all arrays with their names, types and shapes."""
    state = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = arrays[name]
        state.update(repr((name, array.dtype.str, array.shape)).encode())
        state.update(array.data if array.size else b"")
    return state.digest()


def _solid(array: AnyArray) -> AnyArray:
    """Return the array contiguous and in the byte order of files."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))


def _outer_header(content: bytes) -> dict[str, Any]:
    if len(content) < 8:
        raise BrokenFileError("it is not a safetensors file, or it is truncated")
    length = int.from_bytes(content[:8], "little")
    if length > len(content) - 8:
        raise BrokenFileError("it is not a safetensors file, or it is truncated")
    raw = content[8 : 8 + length]
    # Non-ASCII characters would take four bytes each, and pack writes none.
    if not raw.startswith(b"{") or not raw.isascii():
        raise BrokenFileError("it is not a safetensors file written by frugalboost")
    n_entries = sum(raw.count(mark) for mark in (b",", b"[", b"{"))
    if n_entries * BYTES_PER_ENTRY > max(LEAST_ROOM, ROOM_PER_BYTE * len(content)):
        raise BrokenFileError("its header has more entries than such a file can need")
    return _json(raw.decode("ascii"))


def _json(text: str) -> dict[str, Any]:
    try:
        header = json.loads(text, parse_int=_whole_number, parse_constant=_no_number)
    except (ValueError, RecursionError) as problem:
        raise BrokenFileError(f"its header is not JSON ({problem!s:.80})") from None
    if not isinstance(header, dict):
        raise BrokenFileError("its header is not a JSON object")
    return header


def _whole_number(digits: str) -> int:
    """Refuse long numbers, which take a time that grows with the square of their length."""
    if len(digits) > 40:
        raise ValueError("a number is too long")
    return int(digits)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _array(name: str, parts: dict[str, Any]) -> AnyArray:
    """Return an array backed by its own bytes."""
    dtype = DTYPES.get(parts["dtype"])
    if dtype is None:
        raise BrokenFileError(f"its array {name[:40]!r} has type {parts['dtype']}")
    if dtype == "|b1" and any(value > 1 for value in set(parts["data"])):
        raise BrokenFileError(f"its array {name[:40]!r} has values that are neither true nor false")
    try:
        return np.frombuffer(parts["data"], dtype=dtype).reshape(parts["shape"])
    except ValueError as problem:  # more dimensions than NumPy supports
        raise BrokenFileError(f"its array {name[:40]!r} is damaged ({problem})") from None


T = TypeVar("T", bool, int, float, str)


class Section:
    """Notes and arrays by name. Nested sections have their own notes and arrays.

    >>> section = Section()
    >>> section.inside("trees").note("rounds", 3)
    >>> section.notes
    {'trees': {'rounds': 3}}
    """

    def __init__(
        self,
        notes: dict[str, Any] | None = None,
        arrays: dict[str, AnyArray] | None = None,
        prefix: str = "",
    ) -> None:
        self.notes: dict[str, Any] = {} if notes is None else notes
        self.arrays: dict[str, AnyArray] = {} if arrays is None else arrays
        self._prefix = prefix

    def inside(self, name: str) -> Section:
        """Return the section of this name; new and empty if there is none."""
        notes = self.notes.setdefault(name, {})
        if not isinstance(notes, dict):
            raise BrokenFileError(f"its {self._prefix}{name} has the wrong type")
        return Section(notes, self.arrays, f"{self._prefix}{name}.")

    def has(self, name: str) -> bool:
        return name in self.notes

    def note(self, name: str, value: Any) -> None:
        self.notes[name] = value

    def read_note(self, name: str, kind: type[T]) -> T:
        """Return a note of exactly this type: True is not 1."""
        value = self.notes.get(name)
        if type(value) is not kind:
            raise BrokenFileError(f"its {self._prefix}{name} is missing or has the wrong type")
        return value

    def put(self, name: str, array: AnyArray) -> None:
        self.arrays[self._prefix + name] = array

    def holds(self, name: str) -> bool:
        return self._prefix + name in self.arrays

    def get(self, name: str, dtype: Any = None, ndim: int = 1) -> AnyArray:
        """Return an array of this type, or any if None, with this number of dimensions."""
        array = self.arrays.get(self._prefix + name)
        if array is None or dtype not in (None, array.dtype) or array.ndim != ndim:
            raise BrokenFileError(
                f"its array {self._prefix + name!r} is missing or has the wrong type"
            )
        return array

    def among(self, names: Iterable[str]) -> dict[str, AnyArray]:
        """Return the arrays of this section that have one of these names."""
        return {name: self.arrays[self._prefix + name] for name in names if self.holds(name)}
