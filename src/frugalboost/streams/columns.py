"""Column types of one or more files: whether they agree, and which type holds them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from frugalboost.streams.layout import Layout, Use, common_dtype, use_of
from frugalboost.tables.errors import listed


class Survey:
    """Collects column types file by file; an error names the file that does not fit."""

    def __init__(self, features: Sequence[str], target: str) -> None:
        self.features = tuple(features)
        self.target = target
        self._uses: dict[str, Use] = {}
        self._types: list[tuple[Any, bool]] = []

    def add(self, schema: Any, nulls: dict[str, bool] | None = None, file: str = "") -> None:
        """Record the types of a file; ``nulls`` says which may hold null; those not listed may."""
        where = f"{file}: " if file else ""
        for name in (*self.features, self.target):
            self._add_column(name, schema, where)
            if name != self.target:
                self._types.append((schema.field(name).type, (nulls or {}).get(name, True)))

    def layout(self) -> Layout:
        """Return the layout that turns tables of these types into examples."""
        has_text = any(self._uses.get(name) == "text" for name in self.features)
        dtype = None if has_text or not self._types else common_dtype(self._types)
        return Layout(self.features, self.target, dtype)

    def _add_column(self, name: str, schema: Any, where: str) -> None:
        if name not in schema.names:
            raise ValueError(
                f"{where}column {name!r} must be in every file; got {listed(schema.names)}."
            )
        use = use_of(schema.field(name).type)
        if use is None:
            raise ValueError(
                f"{where}column {name!r} must be numeric, boolean or text; "
                f"got {schema.field(name).type}. Choose other columns, or convert it to numbers."
            )
        if self._uses.setdefault(name, use) != use:
            raise ValueError(
                f"{where}column {name!r} must be {self._uses[name]} as in earlier files; "
                f"got {schema.field(name).type}."
            )


def common_types(
    schemas: Mapping[str, Any], features: Sequence[str], target: str, texts: set[str]
) -> dict[str, Any]:
    """Return the type that each column is read as, in every file."""
    types = {}
    for name in (*features, target):
        given = [_type_of(name, schema, file) for file, schema in schemas.items()]
        if name in texts:
            types[name] = pa.string()
        elif name == target and len(set(given)) == 1 and not pa.types.is_null(given[0]):
            types[name] = given[0]
        else:
            types[name] = _common_type(given)
    return types


def layout_of(types: Mapping[str, Any], target: str) -> Layout:
    """Return the layout that turns rows of these types into examples."""
    survey = Survey([name for name in types if name != target], target)
    survey.add(pa.schema(list(types.items())))
    return survey.layout()


def _type_of(name: str, schema: Any, where: str) -> Any:
    if schema.names.count(name) != 1:
        raise ValueError(f"{where}: column {name!r} must occur once; got {listed(schema.names)}.")
    return schema.field(name).type


def _common_type(given: Sequence[Any]) -> Any:
    """Numbers are read as floats: integers at the start of a file may be followed by fractions."""
    types = [type_ for type_ in given if not pa.types.is_null(type_)]
    odd = next((type_ for type_ in types if use_of(type_) is None), None)
    if odd is not None:
        return odd  # refused by the survey
    if types and all(map(pa.types.is_boolean, types)):
        return pa.bool_()
    is_number = [use_of(t) == "numeric" and not pa.types.is_boolean(t) for t in types]
    return pa.float64() if all(is_number) else pa.string()
