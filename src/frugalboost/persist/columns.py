"""Labels, categories and names: columns of numbers or of texts, with their types."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.persist.box import Box
from frugalboost.persist.container import LEAST_ROOM, BrokenFileError

PLAIN = (bool, int, float, str)
"""What an array of objects may hold; each comes back with its type."""

TEXT_ROOM_PER_BYTE = 8
"""Of the ten times that a file may take, for texts of equal width."""

TEXT_TYPE = re.compile(r"[<>]U([0-9]{1,9})")


def put_column(box: Box, name: str, column: AnyArray, what: str) -> None:
    """Put a column into a box; the error for what no file holds begins with `what`."""
    kind = column.dtype.kind
    if kind in "biu" or (kind == "f" and column.dtype.itemsize <= 8):
        box.put(name, column)
        box.note(name, {"as": "numbers", "dtype": column.dtype.str})
    elif kind in "OU":
        values = column.tolist()
        is_text = all(type(value) is str for value in values)
        texts = values if is_text else [_as_json(value, what) for value in values]
        put_texts(box, name, texts)
        box.note(name, {"as": "text" if is_text else "json", "dtype": column.dtype.str})
    else:
        raise TypeError(f"{what} must be integers, floats, strings or bools; got {column.dtype}.")


def get_column(box: Box, name: str) -> AnyArray:
    """The column that was put there, with its type."""
    notes = box.inside(name)
    dtype, way = notes.noted("dtype", str), notes.noted("as", str)
    if way == "numbers":
        return _numbers(box, name, dtype)
    if way not in ("text", "json"):
        raise BrokenFileError(f"its {name} has an unknown type")
    values: Iterator[Any] = _iter_texts(box, name)
    if way == "json":
        values = (_from_json(text, name) for text in values)
    # Straight into the array: a list of all would be one more thing in memory.
    ends = box.get(f"{name}.ends", np.int64)
    if dtype != "|O":
        n_bytes = len(box.get(f"{name}.bytes", np.uint8)) + ends.nbytes
        values = _no_longer_than(_width(dtype, len(ends), n_bytes, name), values, name)
    return np.fromiter(values, dtype=dtype, count=len(ends))


def _numbers(box: Box, name: str, dtype: str) -> AnyArray:
    array = box.get(name)
    if dtype not in (array.dtype.str, array.dtype.str.replace("<", ">")):
        raise BrokenFileError(f"its {name} has the wrong type")
    return array.astype(dtype)


def _width(dtype: str, n: int, n_bytes: int, name: str) -> int:
    """Letters that each text of an array of texts has room for."""
    width = TEXT_TYPE.fullmatch(dtype)
    if width is None:
        raise BrokenFileError(f"its {name} has an unknown type")
    # One long text makes room for many as long.
    if 4 * int(width[1]) * n > max(LEAST_ROOM, TEXT_ROOM_PER_BYTE * n_bytes):
        raise BrokenFileError(f"its {name} needs more room than such a file can need")
    return int(width[1])


def _no_longer_than(width: int, values: Iterator[Any], name: str) -> Iterator[str]:
    for value in values:
        if type(value) is not str or len(value) > width:
            raise BrokenFileError(f"its {name} has texts that are too long")
        yield value


def put_texts(box: Box, name: str, texts: list[str]) -> None:
    """Put texts into a box, one after the other."""
    # surrogatepass: a name may hold half a pair, as file names do that are not Unicode.
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    box.put(f"{name}.bytes", np.frombuffer(b"".join(encoded), dtype=np.uint8))
    box.put(f"{name}.ends", np.cumsum([len(text) for text in encoded], dtype=np.int64))


def get_texts(box: Box, name: str) -> list[str]:
    """The texts that were put there."""
    return list(_iter_texts(box, name))


def _iter_texts(box: Box, name: str) -> Iterator[str]:
    joined, ends = box.get(f"{name}.bytes", np.uint8), box.get(f"{name}.ends", np.int64)
    last = ends[-1] if len(ends) else 0
    if last != len(joined) or ends[:1].min(initial=0) < 0 or (ends[1:] < ends[:-1]).any():
        raise BrokenFileError(f"the texts of its {name} do not lie one after the other")
    start = 0
    for end in ends:
        try:
            yield str(joined.data[start:end], "utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise BrokenFileError(f"the texts of its {name} are not UTF-8") from None
        start = end


def _as_json(value: Any, what: str) -> str:
    if type(value) not in PLAIN or (type(value) is float and not math.isfinite(value)):
        raise TypeError(f"{what} must be integers, floats, strings or bools; got {value!r}.")
    return json.dumps(value)


def _from_json(text: str, name: str) -> Any:
    """One value; nothing that could be long to read or large to hold."""
    try:
        value = json.loads(text) if len(text) < 4000 or text.startswith('"') else None
    except (ValueError, RecursionError):
        value = None
    if type(value) not in PLAIN:
        raise BrokenFileError(f"its {name} holds something that is not a label")
    return value
