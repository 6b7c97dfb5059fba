"""Checks of the content of a session file; nothing in it is trusted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from frugalboost.active.replay import KINDS, Entry

LABELLED = ("start", "answered", "corrected")
CHANGING = ("corrected", "withdrawn")
UNREADABLE = (ValueError, RecursionError, MemoryError)
"""What the json module raises for invalid or too deeply nested text."""


def from_json(text: Any, name: str) -> Any:
    """Parse a JSON string; the ValueError of an invalid one names the value."""
    _require(isinstance(text, str), name, "a JSON string", text)
    try:
        return json.loads(text)
    except UNREADABLE:
        raise ValueError(f"{name} must be a JSON string; got {text[:40]!r}") from None


def read_entry(values: tuple[Any, ...]) -> Entry:
    """Return the entry of one database row; a ValueError explains what is wrong with it."""
    number, time, kind, round_, row, content, label, utility, reason, about = values
    _require(kind in KINDS, "kind", f"one of {', '.join(KINDS)}", kind)
    for name, value in (("time", time), ("reason", reason)):
        _require(isinstance(value, str), name, "a string", value)
    for name, value in (("round", round_), ("row", row)):
        _require(
            value is None or _is_count(value), name, "an integer of at least 0, or null", value
        )
    is_real = utility is None or isinstance(utility, float)
    _require(is_real, "utility", "a number, or null", utility)
    content = None if content is None else from_json(content, "content")
    _require(content is None or isinstance(content, list), "content", "a list", content)
    return Entry(
        number,
        time,
        kind,
        round_,
        row,
        content,
        _label(label, kind),
        utility,
        reason,
        _about(about, kind, number),
    )


def checked(entries: Iterable[tuple[Any, ...]], n_rows: int | None) -> Iterator[Entry]:
    """Yield entries that can be replayed on a pool of `n_rows` rows; errors name the entry."""
    current: dict[int, str] = {}
    for place, values in enumerate(entries, 1):
        try:
            _require(values[0] == place, "number", str(place), values[0])
            entry = read_entry(values)
            is_inside = entry.row is None or n_rows is None or entry.row < n_rows
            _require(is_inside, "row", f"below {n_rows}", entry.row)
            _follow(entry, current)
        except ValueError as problem:
            raise ValueError(f"entry {place}: {problem}") from None
        yield entry


def check_data(data: Any) -> None:
    """Raise an error unless this is a fingerprint."""
    if data is None:
        return
    _require(isinstance(data, dict), "data", "a fingerprint", data)
    for name in ("rows", "columns"):
        _require(
            _is_count(data.get(name)), f"{name} of data", "an integer of at least 0", data.get(name)
        )
    names = data.get("names")
    is_texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
    fits = names is None or (is_texts and len(names) == data["columns"])
    _require(fits, "names of data", "a string for each column", names)
    _require(isinstance(data.get("sha256"), str), "sha256 of data", "a string", data.get("sha256"))


def check_params(params: Any) -> None:
    _require(isinstance(params, dict), "params", "a mapping of names to values", params)


def _follow(entry: Entry, current: dict[int, str]) -> None:
    """Update which answers and skips are current; an entry may only change a current one."""
    if entry.kind in CHANGING:
        about = entry.about or 0
        kinds = ("start", "answered") + (("skipped",) if entry.kind == "withdrawn" else ())
        fits = current.get(about) in kinds
        _require(fits, "about", f"an earlier entry that is current and {' or '.join(kinds)}", about)
        if entry.kind == "withdrawn":
            del current[about]
    elif entry.kind != "asked":
        current[entry.number] = entry.kind


def _label(text: Any, kind: str) -> Any:
    if kind not in LABELLED:
        _require(text is None, "label", f"null for the kind {kind!r}", text)
        return None
    label = from_json(text, "label")
    is_plain = isinstance(label, (str, int, float)) and label == label
    _require(is_plain, "label", "a string, a number or a bool", label)
    return label


def _about(about: Any, kind: str, number: int) -> int | None:
    if kind in CHANGING:
        fits = _is_count(about) and 0 < about < number
        _require(fits, "about", "the number of an earlier entry", about)
    else:
        _require(about is None, "about", f"null for the kind {kind!r}", about)
    return None if about is None else int(about)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _require(holds: bool, name: str, allowed: str, value: Any) -> None:
    if not holds:
        raise ValueError(f"{name} must be {allowed}; got {repr(value)[:60]}")
