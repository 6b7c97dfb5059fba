"""A place in a file: notes in the header and arrays beside it, and boxes inside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from frugalboost._typing import AnyArray
from frugalboost.persist.container import BrokenFileError

T = TypeVar("T", bool, int, float, str)


class Box:
    """Notes and arrays by name. Boxes inside have names and arrays of their own.

    >>> box = Box()
    >>> box.inside("trees").note("rounds", 3)
    >>> box.notes
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

    def inside(self, name: str) -> Box:
        """The box of this name; new and empty where there is none."""
        notes = self.notes.setdefault(name, {})
        if not isinstance(notes, dict):
            raise BrokenFileError(f"its {self._prefix}{name} has the wrong type")
        return Box(notes, self.arrays, f"{self._prefix}{name}.")

    def has(self, name: str) -> bool:
        return name in self.notes

    def note(self, name: str, value: Any) -> None:
        self.notes[name] = value

    def noted(self, name: str, kind: type[T]) -> T:
        """A note of this very type: True is no 1."""
        value = self.notes.get(name)
        if type(value) is not kind:
            raise BrokenFileError(f"its {self._prefix}{name} is missing or has the wrong type")
        return value

    def put(self, name: str, array: AnyArray) -> None:
        self.arrays[self._prefix + name] = array

    def holds(self, name: str) -> bool:
        return self._prefix + name in self.arrays

    def get(self, name: str, dtype: Any = None, ndim: int = 1) -> AnyArray:
        """An array of this type, or any with None, and of this number of dimensions."""
        array = self.arrays.get(self._prefix + name)
        if array is None or dtype not in (None, array.dtype) or array.ndim != ndim:
            raise BrokenFileError(
                f"its array {self._prefix + name!r} is missing or has the wrong type"
            )
        return array

    def among(self, names: Iterable[str]) -> dict[str, AnyArray]:
        """Those arrays of this box that have one of these names."""
        return {name: self.arrays[self._prefix + name] for name in names if self.holds(name)}
