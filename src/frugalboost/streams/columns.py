"""Types of the columns of one or many files: do they fit each other, and what holds them all?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frugalboost.streams.layout import Kind, Layout, common_dtype, kind_of
from frugalboost.streams.table_oracle import listed


class Survey:
    """Collects the types of columns, file by file; says which file does not fit."""

    def __init__(self, features: Sequence[str], target: str) -> None:
        self.features = tuple(features)
        self.target = target
        self._kinds: dict[str, Kind] = {}
        self._types: list[tuple[Any, bool]] = []

    def add(self, schema: Any, nulls: dict[str, bool] | None = None, file: str = "") -> None:
        """Note the types of a file; ``nulls`` says which columns may hold null, others may."""
        where = f"{file}: " if file else ""
        for name in (*self.features, self.target):
            self._add_column(name, schema, where)
            if name != self.target:
                self._types.append((schema.field(name).type, (nulls or {}).get(name, True)))

    def layout(self) -> Layout:
        """Return how tables of these types become examples."""
        has_text = any(self._kinds.get(name) == "text" for name in self.features)
        dtype = None if has_text or not self._types else common_dtype(self._types)
        return Layout(self.features, self.target, dtype)

    def _add_column(self, name: str, schema: Any, where: str) -> None:
        if name not in schema.names:
            raise ValueError(
                f"{where}column {name!r} must be in every file; got {listed(schema.names)}."
            )
        kind = kind_of(schema.field(name).type)
        if kind is None:
            raise ValueError(
                f"{where}column {name!r} must be numeric, boolean or text; "
                f"got {schema.field(name).type}. Choose other columns, or turn it into numbers."
            )
        if self._kinds.setdefault(name, kind) != kind:
            raise ValueError(
                f"{where}column {name!r} must be {self._kinds[name]} as in the files before; "
                f"got {schema.field(name).type}."
            )
