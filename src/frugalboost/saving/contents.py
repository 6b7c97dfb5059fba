"""Writing what models are made of to a file, and reading it back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from pathlib import PurePath
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.boosting import Ensemble, Entry, Ledger
from frugalboost.boosting.ensemble import NAMES, check_arrays, from_arrays, to_arrays
from frugalboost.data import Schema
from frugalboost.saving.container import LEAST_ROOM, BrokenFileError, Section

PLAIN = (bool, int, float, str)
"""Types that an array of objects may hold; each value keeps its type."""

TEXT_ROOM_PER_BYTE = 8
"""Of the ten bytes of memory per byte of a file, those for texts of equal width."""

TEXT_TYPE = re.compile(r"[<>]U([0-9]{1,9})")


def put_column(section: Section, name: str, column: AnyArray, what: str) -> None:
    """Put a column into a section; the error for what no file can hold begins with `what`."""
    kind = column.dtype.kind
    if kind in "biu" or (kind == "f" and column.dtype.itemsize <= 8):
        section.put(name, column)
        section.note(name, {"as": "numbers", "dtype": column.dtype.str})
    elif kind in "OU":
        values = column.tolist()
        is_text = all(type(value) is str for value in values)
        texts = values if is_text else [_as_json(value, what) for value in values]
        put_texts(section, name, texts)
        section.note(name, {"as": "text" if is_text else "json", "dtype": column.dtype.str})
    else:
        raise TypeError(f"{what} must be integers, floats, strings or bools; got {column.dtype}.")


def get_column(section: Section, name: str) -> AnyArray:
    """Return the column that was put there, with its type."""
    notes = section.inside(name)
    dtype, way = notes.read_note("dtype", str), notes.read_note("as", str)
    if way == "numbers":
        return _numbers(section, name, dtype)
    if way not in ("text", "json"):
        raise BrokenFileError(f"its {name} has an unknown type")
    values: Iterator[Any] = _iter_texts(section, name)
    if way == "json":
        values = (_from_json(text, name) for text in values)
    # Straight into the array: a list of all values would take memory as well.
    ends = section.get(f"{name}.ends", np.int64)
    if dtype != "|O":
        n_bytes = len(section.get(f"{name}.bytes", np.uint8)) + ends.nbytes
        values = _no_longer_than(_width(dtype, len(ends), n_bytes, name), values, name)
    return np.fromiter(values, dtype=dtype, count=len(ends))


def _numbers(section: Section, name: str, dtype: str) -> AnyArray:
    array = section.get(name)
    if dtype not in (array.dtype.str, array.dtype.str.replace("<", ">")):
        raise BrokenFileError(f"its {name} has the wrong type")
    return array.astype(dtype)


def _width(dtype: str, n: int, n_bytes: int, name: str) -> int:
    """Return how many characters each text in an array of texts has room for."""
    width = TEXT_TYPE.fullmatch(dtype)
    if width is None:
        raise BrokenFileError(f"its {name} has an unknown type")
    # One long text gives all the others as much room.
    if 4 * int(width[1]) * n > max(LEAST_ROOM, TEXT_ROOM_PER_BYTE * n_bytes):
        raise BrokenFileError(f"its {name} needs more room than such a file can need")
    return int(width[1])


def _no_longer_than(width: int, values: Iterator[Any], name: str) -> Iterator[str]:
    for value in values:
        if type(value) is not str or len(value) > width:
            raise BrokenFileError(f"its {name} has texts that are too long")
        yield value


def put_texts(section: Section, name: str, texts: list[str]) -> None:
    """Put texts into a section, one after another."""
    # surrogatepass: a name may hold half a pair, as file names that are not Unicode do.
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    section.put(f"{name}.bytes", np.frombuffer(b"".join(encoded), dtype=np.uint8))
    section.put(f"{name}.ends", np.cumsum([len(text) for text in encoded], dtype=np.int64))


def get_texts(section: Section, name: str) -> list[str]:
    """Return the texts that were put there."""
    return list(_iter_texts(section, name))


def _iter_texts(section: Section, name: str) -> Iterator[str]:
    joined, ends = section.get(f"{name}.bytes", np.uint8), section.get(f"{name}.ends", np.int64)
    last = ends[-1] if len(ends) else 0
    if last != len(joined) or ends[:1].min(initial=0) < 0 or (ends[1:] < ends[:-1]).any():
        raise BrokenFileError(f"the texts of its {name} have wrong offsets")
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
    """Return one value; refuse what could take long to parse or much memory to hold."""
    try:
        value = json.loads(text) if len(text) < 4000 or text.startswith('"') else None
    except (ValueError, RecursionError):
        value = None
    if type(value) not in PLAIN:
        raise BrokenFileError(f"its {name} holds something that is not a label")
    return value


STATE_SIZE = 624
"""Words of NumPy's legacy generator, the kind that scikit-learn takes as random_state."""

LISTS = (list, tuple, range, np.ndarray)


def put_value(section: Section, name: str, value: Any, what: str) -> None:
    """Put a parameter into a section; the error for what no file can hold begins with `what`."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        section.note(name, {"is": "float", "value": repr(float(value))})
    elif value is None or type(value) in (bool, int, float, str):
        section.note(name, value)
    elif isinstance(value, PurePath):
        section.note(name, str(value))
    elif isinstance(value, LISTS):
        items = [item.item() if isinstance(item, np.generic) else item for item in value]
        column = np.empty(len(items), dtype=object)
        column[:] = items
        section.note(name, {"is": "list"})
        put_column(section.inside(name), "items", column, f"{what}: its items")
    elif isinstance(value, np.random.RandomState):
        _put_generator(section, name, value)
    else:
        raise TypeError(
            f"{what} must be a number, a string, None or a list of these to be saved; got "
            f"{value!r}. Use pickle or joblib for such a model."
        )


def get_value(section: Section, name: str) -> Any:
    """Return the parameter that was put there."""
    value = section.notes.get(name)
    if not isinstance(value, dict):
        if type(value) is list:
            raise BrokenFileError(f"its parameter {name[:40]!r} has the wrong type")
        return value
    inner = section.inside(name)
    kind = inner.read_note("is", str)
    if kind == "float" and inner.read_note("value", str) in ("inf", "-inf", "nan"):
        return float(inner.read_note("value", str))
    if kind == "list":
        return get_column(inner, "items").tolist()
    if kind == "generator":
        return _get_generator(inner)
    raise BrokenFileError(f"its parameter {name[:40]!r} has an unknown type")


def _put_generator(section: Section, name: str, random: np.random.RandomState) -> None:
    kind, words, place, has_gauss, gauss = random.get_state(legacy=True)
    if kind != "MT19937":
        raise TypeError(f"save: random_state must be a generator of kind MT19937; got {kind}.")
    section.note(name, {"is": "generator", "place": int(place), "has_gauss": int(has_gauss)})
    section.inside(name).put("words", np.asarray(words))
    section.inside(name).put("gauss", np.array([gauss]))


def _get_generator(section: Section) -> np.random.RandomState:
    words, gauss = section.get("words", np.uint32), section.get("gauss", np.float64)
    place, has_gauss = section.read_note("place", int), section.read_note("has_gauss", int)
    # NumPy looks up its next word at `place` without checking.
    fits = len(words) == STATE_SIZE and 0 <= place <= STATE_SIZE and has_gauss in (0, 1)
    if not fits or gauss.shape != (1,) or not np.isfinite(gauss).all():
        raise BrokenFileError("the state of its random_state is damaged")
    random = np.random.RandomState()
    random.set_state(("MT19937", words, place, has_gauss, float(gauss[0])))
    return random


NUMBERS = {"int": np.int64, "float": np.float64}
"""Types of a ledger's numeric fields, by the name of the field's type; others are texts."""


def put_ensemble(section: Section, ensemble: Ensemble) -> None:
    for name, array in to_arrays(ensemble).items():
        section.put(name, array)


def get_ensemble(section: Section) -> Ensemble:
    """Return trees that the core can walk without further checks."""
    arrays = section.among(NAMES)
    try:
        check_arrays(arrays)
    except ValueError as problem:
        raise BrokenFileError(str(problem)) from None
    return from_arrays(arrays)


def put_schema(section: Section, schema: Schema) -> None:
    """Put the schema; each feature has the number of its column of categories, -1 if numeric."""
    known = [each for each in schema.categories if each is not None]
    numbers = np.full(schema.n_features, -1, dtype=np.int32)
    numbers[[each is not None for each in schema.categories]] = np.arange(len(known))
    section.put("features", numbers)
    for number, categories in enumerate(known):
        put_column(section, f"categories.{number}", categories, "categories")
    if schema.feature_names is not None:
        put_column(section, "names", schema.feature_names, "feature names")


def get_schema(section: Section) -> Schema:
    numbers = section.get("features", np.int32)
    chosen = numbers[numbers >= 0]
    if (numbers < -1).any() or (chosen != np.arange(len(chosen))).any():
        raise BrokenFileError("its features and their categories do not match")
    categories: list[AnyArray | None] = [None] * len(numbers)
    for number, feature in enumerate(np.flatnonzero(numbers >= 0).tolist()):
        categories[feature] = get_column(section, f"categories.{number}")
    names = get_names(section, len(numbers))
    return Schema(len(numbers), names, numbers >= 0, tuple(categories))


def get_names(section: Section, n_features: int) -> AnyArray | None:
    """Return the names of the features, if there are any."""
    if not section.has("names"):
        return None
    names = get_column(section, "names")
    if len(names) != n_features or not all(type(name) is str for name in names):
        raise BrokenFileError("its features and their names do not match")
    return names


def put_ledger(section: Section, ledger: Ledger) -> None:
    """Put one array per column; an empty ledger has none."""
    kinds = fields(ledger.entries[0]) if ledger.entries else ()
    for field in kinds:
        values = [getattr(entry, field.name) for entry in ledger.entries]
        if field.type in NUMBERS:
            section.put(field.name, np.array(values, dtype=NUMBERS[str(field.type)]))
        else:
            put_texts(section, field.name, values)


def get_ledger(section: Section, entry: type[Entry]) -> Ledger:
    """Return the ledger; columns that older files lack have a default."""
    if not section.holds("seconds"):
        return Ledger()
    columns = {field.name: _get_figures(section, field) for field in fields(entry)}
    present = {name: values for name, values in columns.items() if values is not None}
    if len({len(values) for values in present.values()}) != 1:
        raise BrokenFileError("the columns of its ledger differ in length")
    rows = zip(*present.values(), strict=True)
    return Ledger([entry(**dict(zip(present, row, strict=True))) for row in rows])


def _get_figures(section: Section, field: Field[Any]) -> list[Any] | None:
    if field.type in NUMBERS:
        if not section.holds(field.name) and field.default is not MISSING:
            return None
        figures: list[Any] = section.get(field.name, NUMBERS[str(field.type)]).tolist()
        return figures
    return get_texts(section, field.name)
