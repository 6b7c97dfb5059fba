"""Small weighted problems for hypothesis: the hard cases are always among them.

Weights are tied, one unit, extreme (1 beside 2^50) or of any size; columns are copied so that
features tie; bins may be empty, values missing, labels constant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from frugalboost._typing import Ints
from frugalboost.reference import (
    Column,
    FeatureArm,
    WeightedRows,
    class_rows,
    make_arms,
    real_rows,
    vote_rows,
)

CLASS_CRITERIA = ("error", "gini", "entropy", "z", "variance")
CRITERIA = [
    *(("classes", criterion) for criterion in CLASS_CRITERIA),
    *(("votes", criterion) for criterion in CLASS_CRITERIA),
    ("real", "variance"),
]

MOST_WEIGHT = 2**50


@dataclass(frozen=True)
class TinyProblem:
    """A node's rows and features, as the arrays any engine takes.

    `weights` is (n,) for the layout ``classes`` and (n, K) otherwise; `numerators` is (n, K)
    for ``real``. `n_outputs` is K.
    """

    layout: str
    criterion: str
    n_outputs: int
    columns: list[Column]
    labels: Ints
    weights: Ints
    numerators: Ints
    min_samples_leaf: int

    def rows(self) -> WeightedRows:
        if self.layout == "classes":
            return class_rows(self.criterion, self.labels, self.weights, self.n_outputs)
        if self.layout == "votes":
            return vote_rows(self.criterion, self.labels, self.weights)
        return real_rows(self.weights, self.numerators)

    def arms(self) -> list[FeatureArm]:
        """Fresh arms: searches leave their marks in them."""
        return make_arms(self.columns, self.rows(), self.min_samples_leaf)


def fixed_weights(n: int, most_bits: int = 50) -> st.SearchStrategy[list[int]]:
    """`n` positive integer weights of one kind."""
    most = 2**most_bits
    kinds = [
        st.just(1),
        st.integers(1, 3),
        st.sampled_from([1, most]),
        st.sampled_from([1, 2, most - 1, most]),
        st.integers(1, most),
        st.integers(0, most_bits).map(lambda bits: 2**bits),
    ]
    if most_bits == 50:
        # Beyond 2^53 a weight is no longer a float, and a computed loss no longer monotone.
        kinds.append(st.one_of(st.integers(1, 3), st.integers(2**53, 2**53 + 63)))
    return st.sampled_from(kinds).flatmap(lambda kind: st.lists(kind, min_size=n, max_size=n))


@st.composite
def columns(draw: st.DrawFn, n_rows: int, categorical: bool = False) -> Column:
    """A column of at most six bins, some of them empty, with or without missing values."""
    n_bins = draw(st.integers(1, 6))
    has_missing = draw(st.booleans())
    codes = st.integers(0, n_bins - 1 + has_missing)
    drawn = draw(st.lists(codes, min_size=n_rows, max_size=n_rows))
    return Column(np.array(drawn, dtype=np.uint8), n_bins, has_missing, categorical)


@st.composite
def tables(
    draw: st.DrawFn, n_rows: int, max_features: int = 5, categorical: bool | None = False
) -> list[Column]:
    """Columns, some of them copies of the one before: their losses tie exactly.

    `categorical` None mixes numeric and categorical columns.
    """
    table: list[Column] = []
    for _ in range(draw(st.integers(1, max_features))):
        if table and draw(st.booleans()):
            table.append(table[-1])
            continue
        kind = draw(st.booleans()) if categorical is None else categorical
        table.append(draw(columns(n_rows, kind)))
    return table


@st.composite
def problems(
    draw: st.DrawFn,
    layout: str | None = None,
    criterion: str | None = None,
    n_outputs: int | None = None,
    categorical: bool | None = False,
    max_rows: int = 14,
    max_features: int = 5,
    max_min_samples_leaf: int = 3,
) -> TinyProblem:
    """A `TinyProblem`; what is not given is drawn."""
    if layout is None or criterion is None:
        fitting = [
            pair for pair in CRITERIA if layout in (None, pair[0]) and criterion in (None, pair[1])
        ]
        layout, criterion = draw(st.sampled_from(fitting))
    n = draw(st.integers(1, max_rows))
    fewest = 1 if layout == "real" else 2
    k = n_outputs or draw(st.integers(fewest, 4))
    labels = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    width = 1 if layout == "classes" else k
    # The sums of weights and of numerators of real targets share 63 bits.
    most_bits = 23 if layout == "real" else 50
    weights = np.array(draw(fixed_weights(n * width, most_bits)), dtype=np.int64)
    return TinyProblem(
        layout,
        criterion,
        k,
        draw(tables(n, max_features, categorical)),
        np.array(labels, dtype=np.int64),
        weights if layout == "classes" else weights.reshape(n, width),
        draw(numerators(weights)).reshape(n, width),
        draw(st.integers(1, max_min_samples_leaf)),
    )


@st.composite
def numerators(draw: st.DrawFn, weights: Ints) -> Ints:
    """Weight times a response: two-valued, tied, or of any size."""
    # Beyond this weight responses above 1 would take the sum of squares out of int64.
    largest = draw(st.sampled_from([8, 64])) if weights.max() < 2**44 else 8
    eighths = st.sampled_from([st.sampled_from([-8, 8]), st.integers(-largest, largest)])
    responses = draw(
        eighths.flatmap(lambda r: st.lists(r, min_size=len(weights), max_size=len(weights)))
    )
    return np.array(
        [w * r // 8 for w, r in zip(weights.tolist(), responses, strict=True)], np.int64
    )
