"""Types of the compiled core."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from frugalboost._typing import AnyArray, Bools, Floats, Ints, Rows

_Bytes: TypeAlias = npt.NDArray[np.uint8]
_Words: TypeAlias = npt.NDArray[np.uint16]
_Int32: TypeAlias = npt.NDArray[np.int32]
# thresholds, offsets, has_missing, most frequent code, number of rows with another code
_Bins: TypeAlias = tuple[Floats, Ints, Bools, _Words, Ints]

class Columns:
    def __init__(
        self,
        *,
        n_rows: int,
        dense8: _Bytes,
        dense16: _Words,
        sparse_indptr: Ints,
        sparse_rows: Rows,
        sparse_codes: _Words,
        sparse_default: _Words,
        storage: npt.NDArray[np.int8],
        slot: _Int32,
        n_bins: _Int32,
        has_missing: Bools,
        is_categorical: Bools,
    ) -> None: ...
    @property
    def read_share(self) -> float: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_features(self) -> int: ...

class Grower:
    def __init__(
        self,
        columns: Columns,
        *,
        cuts: Floats,
        cut_offsets: Ints,
        criterion: int,
        search: int,
        max_depth: int,
        max_leaf_nodes: int,
        min_samples_leaf: int,
        quick_mass: float,
        quick_steps: int,
        n_threads: int,
    ) -> None: ...
    def grow(
        self,
        *,
        layout: int,
        n_outputs: int,
        labels: Rows | None,
        weights: Ints,
        mass: Ints,
        rows: Rows | None,
        features: Rows,
    ) -> GrownNodes: ...
    def grow_on(self, weights: GrowingWeights, features: Rows) -> GrownNodes: ...
    def advance(self, weights: GrowingWeights, rise: Floats) -> None: ...
    def leaf_of_row(self) -> _Int32: ...

class GrownNodes:
    def leaf_sums(self) -> Ints: ...
    def arrays(self) -> dict[str, AnyArray]: ...
    def add_to(self, table: NodeTable, values: Floats) -> tuple[int, int] | None: ...
    @property
    def n_leaves(self) -> int: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_words(self) -> int: ...
    @property
    def assessments(self) -> int: ...
    @property
    def reads(self) -> int: ...
    @property
    def full(self) -> int: ...
    @property
    def pruned_nodes(self) -> int: ...

class NodeTable:
    def __init__(self, n_nodes: int, n_words: int, n_outputs: int) -> None: ...
    def views(self) -> dict[str, AnyArray]: ...

class GrowingWeights:
    def __init__(self, labels: AnyArray, sample_weight: Floats | None, n_classes: int) -> None: ...
    def reset(self) -> None: ...
    def advance(self, rise: Floats, node_of_row: _Int32) -> None: ...
    def mass(self, stride: int = 1) -> Ints: ...
    @property
    def exponent(self) -> int: ...

class KeptArrays:
    def __init__(self) -> None: ...

class Forest:
    def __init__(
        self,
        *,
        roots: Ints,
        feature: AnyArray,
        threshold: Floats,
        left: AnyArray,
        right: AnyArray,
        missing_left: AnyArray,
        category_start: AnyArray,
        n_categories: AnyArray,
        category_words: AnyArray,
        values: Floats,
        n_features: int,
    ) -> None: ...
    @property
    def n_trees(self) -> int: ...
    @property
    def has_categories(self) -> bool: ...
    def add(self, X: AnyArray, first: int, last: int, n_threads: int, decision: Floats) -> None: ...
    def predict(
        self, X: AnyArray, first: int, last: int, baseline: float, n_threads: int
    ) -> Floats: ...
    def apply(self, X: AnyArray, first: int, last: int, n_threads: int) -> _Int32: ...

def max_threads() -> int: ...
def merge_by_mass(order: Rows, mass: Ints, group: _Int32, n_groups: int) -> Rows: ...
def to_fixed(weights: Floats, exponent: int) -> Ints: ...
def add_by_leaf(state: Floats, table: Floats, leaf: _Int32, label: Ints) -> None: ...
def add_rows_by_leaf(state: Floats, table: Floats, leaf: _Int32) -> None: ...
def exponential_weights(log_weights: Floats, scales: Floats, band: float) -> Floats: ...
def pair_weights(
    scores: Floats, labels: Ints, scales: Floats, kind: int, band: float
) -> Floats: ...
def total(values: Floats) -> float: ...
def real_totals(weights: Floats, numerators: Floats) -> tuple[float, float, int]: ...
def real_to_fixed(
    weights: Floats, numerators: Floats, weight_exponent: int, numerator_exponent: int
) -> tuple[Ints, Ints]: ...
def votes_to_fixed(weights: Floats, exponent: int) -> tuple[Ints, Ints]: ...
def residual_rows(prediction: Floats, targets: Floats, scales: Floats) -> tuple[Floats, Floats]: ...
def logit_rows(
    decision: Floats,
    labels: Ints,
    scales: Floats,
    largest_response: float,
    smallest_curvature: float,
) -> tuple[Floats, Floats]: ...
def scale_sums(sums: Ints, first: int, second: int) -> Floats: ...
def name_classes(sums: Floats) -> tuple[Floats, float, float]: ...
def raise_misses(values: Floats, amount: float) -> Floats: ...
def newton_values(sums: Floats, prior: float, largest: float) -> tuple[Floats, float, float]: ...
def mean_values(sums: Floats) -> tuple[Floats, float, float]: ...
def share_of_rows(mass: Ints, share: float) -> float: ...
def find_bins(parts: list[AnyArray], max_bins: int, n_threads: int) -> _Bins: ...
def find_bins_sparse(
    data: AnyArray, indptr: Ints, n_rows: int, max_bins: int, n_threads: int
) -> _Bins: ...
def encode(
    parts: list[AnyArray],
    thresholds: Floats,
    offsets: Ints,
    dense8: _Bytes,
    dense16: _Words,
    sparse_indptr: Ints,
    sparse_rows: Rows,
    sparse_codes: _Words,
    sparse_default: _Words,
    storage: npt.NDArray[np.int8],
    slot: _Int32,
    n_threads: int,
) -> None: ...
def encode_sparse(
    data: AnyArray,
    indices: AnyArray,
    indptr: Ints,
    n_rows: int,
    thresholds: Floats,
    offsets: Ints,
    dense8: _Bytes,
    dense16: _Words,
    sparse_indptr: Ints,
    sparse_rows: Rows,
    sparse_codes: _Words,
    sparse_default: _Words,
    storage: npt.NDArray[np.int8],
    slot: _Int32,
    n_threads: int,
) -> None: ...
