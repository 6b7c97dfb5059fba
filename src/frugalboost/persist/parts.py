"""What models are made of, into a box and out of it again: trees, schema, ledger, rule."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.boosting import Ensemble, Entry, Ledger
from frugalboost.boosting.array_checks import check_arrays
from frugalboost.boosting.arrays import NAMES, from_arrays, to_arrays
from frugalboost.data import Schema
from frugalboost.persist.box import Box
from frugalboost.persist.columns import get_column, get_texts, put_column, put_texts
from frugalboost.persist.container import BrokenFileError

NUMBERS = {"int": np.int64, "float": np.float64}
"""Fields of a ledger's entries by the name of their type; others are texts."""


def put_ensemble(box: Box, ensemble: Ensemble) -> None:
    for name, array in to_arrays(ensemble).items():
        box.put(name, array)


def get_ensemble(box: Box) -> Ensemble:
    """Trees that the core can walk without asking."""
    arrays = box.among(NAMES)
    try:
        check_arrays(arrays)
    except ValueError as problem:
        raise BrokenFileError(str(problem)) from None
    return from_arrays(arrays)


def put_schema(box: Box, schema: Schema, owner: str) -> None:
    """Each feature has the number of its categories, -1 where it is numeric."""
    known = [each for each in schema.categories if each is not None]
    numbers = np.full(schema.n_features, -1, dtype=np.int32)
    numbers[[each is not None for each in schema.categories]] = np.arange(len(known))
    box.put("features", numbers)
    for number, categories in enumerate(known):
        put_column(box, f"categories.{number}", categories, f"{owner}: categories")
    if schema.feature_names is not None:
        put_column(box, "names", schema.feature_names, f"{owner}: feature names")


def get_schema(box: Box) -> Schema:
    numbers = box.get("features", np.int32)
    chosen = numbers[numbers >= 0]
    if (numbers < -1).any() or (chosen != np.arange(len(chosen))).any():
        raise BrokenFileError("its features and their categories do not match")
    categories: list[AnyArray | None] = [None] * len(numbers)
    for number, feature in enumerate(np.flatnonzero(numbers >= 0).tolist()):
        categories[feature] = get_column(box, f"categories.{number}")
    names = get_names(box, len(numbers))
    return Schema(len(numbers), names, numbers >= 0, tuple(categories))


def get_names(box: Box, n_features: int) -> AnyArray | None:
    """Names of the features, where there are any."""
    if not box.has("names"):
        return None
    names = get_column(box, "names")
    if len(names) != n_features or not all(type(name) is str for name in names):
        raise BrokenFileError("its features and their names do not match")
    return names


def put_ledger(box: Box, ledger: Ledger) -> None:
    """One array a column; an empty ledger has none."""
    kinds = fields(ledger.entries[0]) if ledger.entries else ()
    for field in kinds:
        values = [getattr(entry, field.name) for entry in ledger.entries]
        if field.type in NUMBERS:
            box.put(field.name, np.array(values, dtype=NUMBERS[str(field.type)]))
        else:
            put_texts(box, field.name, values)


def get_ledger(box: Box, entry: type[Entry]) -> Ledger:
    """Columns that older files lack are those that have a default."""
    if not box.holds("seconds"):
        return Ledger()
    columns = {field.name: _get_figures(box, field) for field in fields(entry)}
    found = {name: values for name, values in columns.items() if values is not None}
    if len({len(values) for values in found.values()}) != 1:
        raise BrokenFileError("the columns of its ledger differ in length")
    rows = zip(*found.values(), strict=True)
    return Ledger([entry(**dict(zip(found, row, strict=True))) for row in rows])


def _get_figures(box: Box, field: Field[Any]) -> list[Any] | None:
    if field.type in NUMBERS:
        if not box.holds(field.name) and field.default is not MISSING:
            return None
        figures: list[Any] = box.get(field.name, NUMBERS[str(field.type)]).tolist()
        return figures
    return get_texts(box, field.name)
