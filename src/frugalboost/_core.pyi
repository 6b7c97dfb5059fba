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

LAYOUTS: tuple[str, ...]
CRITERIA: tuple[str, ...]
SEARCHES: tuple[str, ...]
WEIGHT_BAND: float
GOAL_BITS: int
SMALLEST_BITS: int
LARGEST_BITS: int
STORAGES: tuple[str, ...]
MAX_BINS: int
MAX_ROWS: int

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
        n_threads: int = 1,
    ) -> None: ...
    def read_share(self, n_threads: int) -> float: ...
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
    def grow_on_residuals(
        self, residuals: Residuals, features: Rows, rows: Rows | None = None
    ) -> GrownNodes: ...
    def grow_on_targets(
        self, targets: LogitTargets, features: Rows, rows: Rows | None = None
    ) -> GrownNodes: ...
    def move(self, targets: LogitTargets, values: Floats) -> None: ...
    def advance(self, weights: GrowingWeights, rise: Floats) -> None: ...
    def lower(self, residuals: Residuals, values: Floats) -> None: ...
    def leaf_of_row(self) -> _Int32: ...

class GrownNodes:
    def leaf_sums(self) -> Ints: ...
    def leaf_sums_of_all(self) -> Ints | None: ...
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
    @property
    def scans(self) -> int: ...
    @property
    def full_scans(self) -> int: ...

class NodeTable:
    def __init__(self, n_nodes: int, n_words: int, n_outputs: int) -> None: ...
    def views(self) -> dict[str, AnyArray]: ...

class GrowingWeights:
    def __init__(
        self, labels: AnyArray, sample_weight: Floats | None, n_classes: int, n_threads: int = 1
    ) -> None: ...
    def reset(self) -> None: ...
    def advance(self, rise: Floats, node_of_row: _Int32) -> None: ...
    def mass(self, stride: int = 1) -> Ints: ...
    @property
    def exponent(self) -> int: ...

class Residuals:
    def __init__(self, targets: Floats, start: float, n_threads: int = 1) -> None: ...
    def reset(self) -> None: ...
    def advance(self, values: Floats, node_of_row: _Int32) -> None: ...
    def rows(self) -> Ints: ...
    def mass(self, stride: int = 1) -> Ints: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def exponents(self) -> tuple[int, int]: ...

class LogitTargets:
    def __init__(
        self,
        labels: AnyArray,
        scales: Floats | None,
        n_classes: int,
        largest_response: float,
        smallest_curvature: float,
        n_threads: int,
    ) -> None: ...
    def reset(self) -> None: ...
    def advance(self, values: Floats, node_of_row: _Int32) -> None: ...
    def rows(self) -> Ints: ...
    def mass(self, stride: int = 1) -> Ints: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_outputs(self) -> int: ...
    @property
    def exponents(self) -> tuple[int, int]: ...

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
    def add_from(
        self, X: AnyArray, first_of_row: _Int32, n_threads: int, decision: Floats
    ) -> None: ...
    def predict(
        self, X: AnyArray, first: int, last: int, baseline: float, n_threads: int
    ) -> Floats: ...
    def apply(self, X: AnyArray, first: int, last: int, n_threads: int) -> _Int32: ...

class ShapForest:
    def __init__(self, forest: Forest, n_samples: AnyArray) -> None: ...
    def values(self, X: AnyArray, n_threads: int) -> Floats: ...
    def expected(self) -> Floats: ...

def max_threads() -> int: ...
def limit_threads(n_threads: int) -> None: ...
def is_limited() -> bool: ...
def merge_by_mass(
    order: Rows, mass: Ints, group: _Int32, n_groups: int, n_threads: int = 1
) -> Rows: ...
def to_fixed(weights: Floats, exponent: int, n_threads: int = 1) -> Ints: ...
def add_by_leaf(
    state: Floats, table: Floats, leaf: _Int32, label: Ints, n_threads: int = 1
) -> None: ...
def add_rows_by_leaf(state: Floats, table: Floats, leaf: _Int32, n_threads: int = 1) -> None: ...
def add_rows_by_leaf_and_label(
    state: Floats, table: Floats, leaf: _Int32, label: Ints, n_threads: int = 1
) -> None: ...
def exponential_weights(log_weights: Floats, scales: Floats, n_threads: int = 1) -> Floats: ...
def pair_weights(
    scores: Floats, labels: Ints, scales: Floats, kind: int, n_threads: int = 1
) -> Floats: ...
def total(values: Floats, n_threads: int = 1) -> float: ...
def largest(values: Floats, n_threads: int = 1) -> float: ...
def real_exponents(weights: Floats, numerators: Floats, n_threads: int = 1) -> tuple[int, int]: ...
def real_to_fixed(
    weights: Floats,
    numerators: Floats,
    weight_exponent: int,
    numerator_exponent: int,
    n_threads: int = 1,
) -> tuple[Ints, Ints]: ...
def votes_to_fixed(weights: Floats, exponent: int, n_threads: int = 1) -> tuple[Ints, Ints]: ...
def residual_rows(
    prediction: Floats, targets: Floats, scales: Floats, n_threads: int = 1
) -> tuple[Floats, Floats]: ...
def logit_rows(
    decision: Floats,
    labels: Ints,
    scales: Floats,
    largest_response: float,
    smallest_curvature: float,
    n_threads: int = 1,
) -> tuple[Floats, Floats]: ...
def scale_sums(sums: Ints, first: int, second: int) -> Floats: ...
def name_classes(sums: Floats) -> tuple[Floats, float, float]: ...
def raise_misses(values: Floats, amount: float) -> Floats: ...
def newton_values(sums: Floats, prior: float, largest: float) -> tuple[Floats, float, float]: ...
def mean_values(sums: Floats) -> tuple[Floats, float, float]: ...
def heaviest_rows(
    mass: Ints, share: float, among: Rows | None = None, n_threads: int = 1
) -> Rows: ...
def share_of_rows(mass: Ints, share: float) -> float: ...
def encode_integers(labels: AnyArray, n_threads: int) -> tuple[int, Ints, AnyArray] | None: ...
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
def grow_c45(
    codes: _Int32,
    labels: _Int32,
    weights: Floats,
    offsets: Ints,
    values: Floats,
    is_category: npt.NDArray[np.bool_],
    n_classes: int,
    min_cases: float,
    confidence: float,
) -> tuple[_Int32, Floats, _Int32, Floats, Ints, _Int32]: ...
def c45_shares(
    feature: _Int32,
    threshold: Floats,
    label: _Int32,
    by_class: Floats,
    child_offset: Ints,
    children: _Int32,
    X: Floats,
) -> Floats: ...
