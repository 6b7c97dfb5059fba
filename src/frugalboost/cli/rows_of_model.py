"""Rows of a file as a fitted model wants them: its columns, its kinds, some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.cli.errors import BadUsageError, nearest, unknown_name
from frugalboost.cli.examples import Examples
from frugalboost.cli.learning import read_target, read_weights
from frugalboost.cli.record import Record
from frugalboost.cli.tables import Kind, Rows, TableFile
from frugalboost.cli.tables.matrices import as_frame
from frugalboost.data import Schema


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows; `y` and `weights` where they were asked for."""

    X: Any
    rows: Rows
    y: AnyArray | None = None
    weights: Floats | None = None


@dataclass(frozen=True, eq=False)
class ModelColumns:
    """The columns that a model was fitted to.

    Attributes
    ----------
    names : of the features, None if the model knows only their number
    kinds : of the features
    target, target_kind : what it predicts; the name may not be known
    asides : columns that a file may have besides
    """

    names: list[str] | None
    kinds: list[Kind]
    target: str | None
    target_kind: Kind
    asides: frozenset[str]

    @classmethod
    def of(cls, model: Any) -> ModelColumns:
        schema, record = schema_of(model), Record.of(model)
        names = None if schema.feature_names is None else list(schema.feature_names)
        booleans = None if record is None else set(record.booleans)
        kinds = [
            kind_of_feature(schema, at, None if names is None else names[at], booleans)
            for at in range(schema.n_features)
        ]
        known = record or Record()
        asides = {known.target, known.weight, *known.ignored, *known.left_out} - {None}
        target_kind = kind_of_labels(getattr(model, "classes_", None))
        return cls(names, kinds, known.target, target_kind, frozenset(filter(None, asides)))

    def features_in(self, file: TableFile, target: str | None) -> list[str]:
        """Which columns of a file are the features, in their order."""
        if self.names is not None and file.is_named:
            return [self._find(name, file) for name in self.names]
        found = [name for name in file.feature_names if name not in (self.asides | {target})]
        wanted = len(self.kinds)
        is_sparse = file.is_padded
        if len(found) != wanted and not is_sparse:
            raise ValueError(
                f"{file.path} must have the {wanted} features of the model; it has {len(found)}."
            )
        return found[:wanted]

    def _find(self, name: str, file: TableFile) -> str:
        if name in file.names:
            return name
        near = nearest(name, file.names)
        hint = "" if near is None else f" Is it {near!r} now?"
        raise ValueError(f"{file.path} must have the model's column {name!r}.{hint}")

    def blocks(
        self,
        file: TableFile,
        *,
        with_target: bool = False,
        target: str | None = None,
        weight: str | None = None,
        keep: tuple[str, ...] = (),
    ) -> Iterator[Block]:
        """Yield all rows of a file; an error names the column that does not fit."""
        asked = target or self.target or file.target
        features = self.features_in(file, asked)
        kinds = dict(zip(features, self.kinds, strict=False))
        if with_target:
            asked = self._check_target(file, asked, "--target" if target else "the model's target")
            kinds[asked] = self.target_kind
        if weight is not None:
            kinds[file.check(weight, "--weight")] = "number"
        for name in keep:
            kinds.setdefault(file.check(name, "--keep"), "other")
        n_rows = 0
        for rows in file.blocks(kinds):
            yield Block(
                self._as_fitted(rows.features(features)),
                rows,
                read_target(rows, asked, file, n_rows) if with_target and asked else None,
                None if weight is None else read_weights(rows, weight, file),
            )
            n_rows += rows.n_rows
        if n_rows == 0:
            raise ValueError(f"{file.path} must have rows; it has none.")

    def _as_fitted(self, X: Any) -> Any:
        """X with as many columns as the model has, and names only where the model has some."""
        X = padded(X, len(self.kinds))
        if hasattr(X, "column_names") and self.names is None:
            return np.column_stack([np.asarray(column) for column in X.columns])
        if isinstance(X, np.ndarray) and self.names is not None:
            return as_frame(X, self.names)
        return X

    def whole(
        self, file: TableFile, target: str | None = None, weight: str | None = None
    ) -> Examples:
        """All rows of a file at once."""
        found = list(self.blocks(file, with_target=True, target=target, weight=weight))
        labels = [block.y for block in found if block.y is not None]
        weights = [block.weights for block in found if block.weights is not None]
        return Examples(
            joined([block.X for block in found]),
            np.concatenate(labels),
            np.concatenate(weights) if weights else None,
        )

    def _check_target(self, file: TableFile, name: str | None, what: str) -> str:
        if name is None:
            raise BadUsageError(
                "--target must name the column of the right answers: the model does not know it."
            )
        if name not in file.names:
            raise unknown_name(what, name, file.names, str(file.path))
        return name


def schema_of(model: Any) -> Schema:
    """What a model remembers of its training table, wherever it keeps it."""
    while not hasattr(model, "_schema"):
        model = model.ensemble_ if hasattr(model, "ensemble_") else model.estimators_[0]
    found: Schema = model._schema
    return found


def kind_of_feature(schema: Schema, at: int, name: str | None, booleans: set[str] | None) -> Kind:
    categories = schema.categories[at]
    if categories is not None and categories.dtype.kind not in "biuf":
        return "category"
    if categories is not None or booleans is None:
        return "any number"
    return "boolean" if name in booleans else "number"


def kind_of_labels(classes: AnyArray | None) -> Kind:
    if classes is None or classes.dtype.kind in "iuf":
        return "number"
    is_bool = all(isinstance(label, (bool, np.bool_)) for label in classes.tolist())
    return "boolean" if is_bool else "category"


def joined(parts: list[Any]) -> Any:
    """Tables, arrays or sparse matrices one after the other."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    if hasattr(parts[0], "tocsr"):
        from scipy import sparse

        return sparse.vstack(parts, format="csr")
    import pyarrow as pa

    return pa.concat_tables(parts).unify_dictionaries()


def padded(X: Any, n_features: int) -> Any:
    """A sparse matrix with as many columns as the model has: files leave the last ones out."""
    if not hasattr(X, "tocsr") or X.shape[1] == n_features:
        return X
    found: Any = X.tocsr()
    found.resize(X.shape[0], n_features)
    return found
