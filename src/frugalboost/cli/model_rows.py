"""Rows of a file with the columns and kinds that a fitted model expects, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.printing import counted
from frugalboost.cli.scores import Scorer
from frugalboost.cli.training import Examples, Record, read_target, read_weights
from frugalboost.data import Schema
from frugalboost.tables.errors import nearest, unknown_name
from frugalboost.tables.matrix import as_frame
from frugalboost.tables.table import Kind, Rows, TableFile


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows; `y` and `weights` if requested."""

    X: Any
    rows: Rows
    y: AnyArray | None = None
    weights: Floats | None = None


@dataclass(frozen=True, eq=False)
class ModelColumns:
    """The columns that a model was fitted to.

    Attributes
    ----------
    names : of the features; None if the model knows only their number
    kinds : of the features
    target, target_kind : what it predicts; the name may be unknown
    asides : other columns of the training file
    first_feature : number of the first feature in the training file, if it numbered them
    """

    names: list[str] | None
    kinds: list[Kind]
    target: str | None
    target_kind: Kind
    asides: frozenset[str]
    first_feature: int | None

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
        return cls(
            names,
            kinds,
            known.target,
            target_kind,
            frozenset(filter(None, asides)),
            known.first_feature,
        )

    def features_in(self, table: TableFile, target: str | None) -> list[str]:
        """The columns of a file that are the model's features, in the model's order."""
        if self.names is not None and table.is_named:
            return [self._find(name, table) for name in self.names]
        others = self.asides | {target}
        features = [name for name in table.feature_names if name not in others]
        wanted = len(self.kinds)
        if len(features) != wanted and not table.is_padded:
            raise ValueError(
                f"{table.path} must have the model's {counted(wanted, 'feature')}; it has "
                f"{len(features):,}."
            )
        return features[:wanted]

    def _find(self, name: str, table: TableFile) -> str:
        if name in table.names:
            return name
        near = nearest(name, table.names)
        hint = "" if near is None else f" Was it renamed to {near!r}?"
        raise ValueError(f"{table.path} must have the model's column {name!r}.{hint}")

    def blocks(
        self,
        table: TableFile,
        *,
        with_target: bool = False,
        target: str | None = None,
        weight: str | None = None,
    ) -> Iterator[Block]:
        """Yield all rows of a file."""
        table = table.numbered_from(self.first_feature)
        asked = target or self.target or table.target
        features = self.features_in(table, asked)
        kinds = dict(zip(features, self.kinds, strict=False))
        if with_target:
            asked = self._check_target(table, asked, "--target" if target else "the model's target")
            kinds[asked] = self.target_kind
        if weight is not None:
            kinds[table.check(weight, "--weight")] = "number"
        n_rows = 0
        for rows in table.blocks(kinds):
            yield Block(
                self._as_fitted(rows.features(features)),
                rows,
                read_target(rows, asked, table, n_rows) if with_target and asked else None,
                None if weight is None else read_weights(rows, weight, table),
            )
            n_rows += rows.n_rows
        if n_rows == 0:
            raise ValueError(f"{table.path} must have at least one row; it has none.")

    def _as_fitted(self, X: Any) -> Any:
        """X with as many columns as the model has, and with names only if the model has some."""
        X = padded(X, len(self.kinds))
        if hasattr(X, "column_names") and self.names is None:
            return np.column_stack([np.asarray(column) for column in X.columns])
        if isinstance(X, np.ndarray) and self.names is not None:
            return as_frame(X, self.names)
        return X

    def whole(
        self, table: TableFile, target: str | None = None, weight: str | None = None
    ) -> Examples:
        """All rows of a file at once."""
        blocks = list(self.blocks(table, with_target=True, target=target, weight=weight))
        labels = [block.y for block in blocks if block.y is not None]
        weights = [block.weights for block in blocks if block.weights is not None]
        return Examples(
            joined([block.X for block in blocks]),
            np.concatenate(labels),
            np.concatenate(weights) if weights else None,
        )

    def _check_target(self, table: TableFile, name: str | None, what: str) -> str:
        if name is None:
            raise BadUsageError(
                "--target must name the column with the true labels; the model does not record it."
            )
        if name not in table.names:
            raise unknown_name(what, name, table.names, str(table.path))
        return name


def score_table(
    model: Any, table: TableFile, target: str | None = None, weight: str | None = None
) -> dict[str, Any]:
    """Compare a model's predictions with the labels in a file."""
    scorer = Scorer(model)
    columns = ModelColumns.of(model)
    for block in columns.blocks(table, with_target=True, target=target, weight=weight):
        assert block.y is not None
        scorer.add(block.X, block.y, block.weights)
    return scorer.result()


def trees_of(model: Any) -> list[Any]:
    """All trees of a model, whatever kind of committee it is."""
    if hasattr(model, "ledger_"):
        return list(model.estimators_)
    inner = [model.ensemble_] if hasattr(model, "ensemble_") else model.estimators_
    return [tree for each in inner for tree in trees_of(each)]


def schema_of(model: Any) -> Schema:
    """The columns of a model's training table, wherever the model keeps them."""
    while not hasattr(model, "_schema"):
        model = model.ensemble_ if hasattr(model, "ensemble_") else model.estimators_[0]
    schema: Schema = model._schema
    return schema


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
    """Tables, arrays or sparse matrices, concatenated."""
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
    """A sparse matrix with as many columns as the model has; files omit trailing empty ones."""
    if not hasattr(X, "tocsr") or X.shape[1] == n_features:
        return X
    wide: Any = X.tocsr()
    wide.resize(X.shape[0], n_features)
    return wide
