"""Parameters of an estimator: numbers, texts and lists of them, and the state of a generator."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Any

import numpy as np

from frugalboost.persist.box import Box
from frugalboost.persist.columns import get_column, put_column
from frugalboost.persist.container import BrokenFileError

STATE_SIZE = 624
"""Words of NumPy's legacy generator, which scikit-learn's random_state is."""

LISTS = (list, tuple, range, np.ndarray)


def put_value(box: Box, name: str, value: Any, what: str) -> None:
    """Put a parameter into a box; the error for what no file holds begins with `what`."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        box.note(name, {"is": "float", "value": repr(float(value))})
    elif value is None or type(value) in (bool, int, float, str):
        box.note(name, value)
    elif isinstance(value, PurePath):
        box.note(name, str(value))
    elif isinstance(value, LISTS):
        items = [item.item() if isinstance(item, np.generic) else item for item in value]
        column = np.empty(len(items), dtype=object)
        column[:] = items
        box.note(name, {"is": "list"})
        put_column(box.inside(name), "items", column, f"{what}: what it holds")
    elif isinstance(value, np.random.RandomState):
        _put_generator(box, name, value)
    else:
        raise TypeError(
            f"{what} must be a number, a string, None or a list of these to be saved; got "
            f"{value!r}. Use pickle or joblib for such a model."
        )


def get_value(box: Box, name: str) -> Any:
    """The parameter that was put there."""
    value = box.notes.get(name)
    if not isinstance(value, dict):
        if type(value) is list:
            raise BrokenFileError(f"its parameter {name[:40]!r} has the wrong type")
        return value
    inner = box.inside(name)
    kind = inner.noted("is", str)
    if kind == "float" and inner.noted("value", str) in ("inf", "-inf", "nan"):
        return float(inner.noted("value", str))
    if kind == "list":
        return get_column(inner, "items").tolist()
    if kind == "generator":
        return _get_generator(inner)
    raise BrokenFileError(f"its parameter {name[:40]!r} has an unknown type")


def _put_generator(box: Box, name: str, random: np.random.RandomState) -> None:
    kind, words, place, has_gauss, gauss = random.get_state(legacy=True)
    if kind != "MT19937":
        raise TypeError(f"save: random_state must be a generator of kind MT19937; got {kind}.")
    box.note(name, {"is": "generator", "place": int(place), "has_gauss": int(has_gauss)})
    box.inside(name).put("words", np.asarray(words))
    box.inside(name).put("gauss", np.array([gauss]))


def _get_generator(box: Box) -> np.random.RandomState:
    words, gauss = box.get("words", np.uint32), box.get("gauss", np.float64)
    place, has_gauss = box.noted("place", int), box.noted("has_gauss", int)
    # NumPy looks its next word up at `place` without asking.
    fits = len(words) == STATE_SIZE and 0 <= place <= STATE_SIZE and has_gauss in (0, 1)
    if not fits or gauss.shape != (1,) or not np.isfinite(gauss).all():
        raise BrokenFileError("the state of its random_state is damaged")
    random = np.random.RandomState()
    random.set_state(("MT19937", words, place, has_gauss, float(gauss[0])))
    return random
