"""A table as C4.5 reads it: codes of distinct values, or of categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.c45.tree import C45Tree

UNKNOWN = -1


@dataclass(frozen=True)
class C45Plan:
    """How a tree grows.

    Attributes
    ----------
    min_cases : int
        At least two branches of a split have so many.
    confidence : float or None
        Of pruning; None: trees are not pruned.
    """

    min_cases: int = 2
    confidence: float | None = 0.25


@dataclass(frozen=True, eq=False)
class CodedTable:
    """Columns of codes, and the values or categories that these stand for.

    Attributes
    ----------
    codes : (n_features, n_rows), -1 where missing
    values : ascending values of each feature in turn; of categories, their codes
    offsets : (n_features + 1,) places in `values`
    is_category : (n_features,)
    """

    codes: AnyArray
    values: Floats
    offsets: Ints
    is_category: Bools

    @classmethod
    def of(cls, X: AnyArray, n_categories: Any) -> CodedTable:
        """Code a matrix of floats, NaN where missing; categories are codes already.

        >>> table = CodedTable.of(np.array([[2.5, 1], [0.5, 0], [np.nan, 1]]), [0, 2])
        >>> table.codes.tolist(), table.values.tolist()
        ([[1, 0, -1], [1, 0, 1]], [0.5, 2.5, 0.0, 1.0])
        """
        codes = np.full((X.shape[1], len(X)), UNKNOWN, dtype=np.int32)
        values = []
        for feature, n in enumerate(n_categories):
            column = X[:, feature].astype(np.float64) + 0.0  # zero has one sign
            known = ~np.isnan(column)
            distinct = np.unique(column[known]) if n == 0 else np.arange(float(n))
            codes[feature, known] = np.searchsorted(distinct, column[known])
            values.append(distinct)
        offsets = np.cumsum([0, *map(len, values)], dtype=np.int64)
        return cls(codes, np.concatenate(values), offsets, np.asarray(n_categories) > 0)

    def grow(self, labels: AnyArray, weights: Floats, n_classes: int, plan: C45Plan) -> C45Tree:
        """A tree for the rows of positive weight; a weight of 2 counts as two cases."""
        arrays = native.grow_c45(
            self.codes,
            labels.astype(np.int32),
            weights,
            self.offsets,
            self.values,
            self.is_category,
            n_classes,
            float(plan.min_cases),
            plan.confidence or 0.0,
        )
        return C45Tree(*arrays)
