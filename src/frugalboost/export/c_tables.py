"""Trees as a few flat tables, for traversal in C."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.export import c_text
from frugalboost.export.description import Description, Tree, left_codes


@dataclass(frozen=True)
class TreeTables:
    """One tree. Children are inner nodes of it, or ``-1 - row`` for a row of its values."""

    question: AnyArray  # twice the feature, plus one if missing values go left
    threshold: Floats
    set_number: AnyArray  # -1 where the node has a threshold
    left: AnyArray
    right: AnyArray
    values: Floats


class Sets:
    """The sets of codes that go left, each kept once: number of codes, then their bits in bytes."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, bytes], int] = {}

    def number(self, goes_left: AnyArray) -> int:
        key = len(goes_left), np.packbits(goes_left, bitorder="little").tobytes()
        return self._numbers.setdefault(key, len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def sizes(self) -> AnyArray:
        return np.array([size for size, _ in self._numbers], dtype=np.int64)

    @property
    def starts(self) -> AnyArray:
        return np.cumsum([0, *(len(bits) for _, bits in self._numbers)])[:-1]

    @property
    def bits(self) -> AnyArray:
        return np.frombuffer(b"".join(bits for _, bits in self._numbers), dtype=np.uint8)


def tables_of(tree: Tree, sets: Sets) -> TreeTables:
    """The tables of one tree. Leaves with equal values share a row."""
    splits = tree.splits
    inner = np.flatnonzero(~splits.is_leaf)
    # Compared by their bits: 0.0 and -0.0 differ, which sums may show.
    bits = np.ascontiguousarray(tree.values[splits.is_leaf]).view(np.int64)
    rows, row_of_leaf = np.unique(bits, axis=0, return_inverse=True)
    place = np.cumsum(~splits.is_leaf) - 1
    place[splits.is_leaf] = -1 - row_of_leaf.reshape(-1)
    set_number = np.full(len(inner), -1)
    for at, node in enumerate(inner.tolist()):
        if splits.category_start[node] >= 0:
            set_number[at] = sets.number(left_codes(splits, node))
    return TreeTables(
        question=2 * splits.feature[inner].astype(np.int64) + splits.missing_left[inner],
        threshold=np.where(set_number >= 0, 0.0, splits.threshold[inner]),
        set_number=set_number,
        left=place[splits.left[inner]],
        right=place[splits.right[inner]],
        values=rows.view(np.float64),
    )


def write_tables(model: Description, prefix: str) -> str:
    """All tables of a model as C text."""
    sets = Sets()
    trees = [tables_of(tree, sets) for tree in model.trees]
    first_node = np.cumsum([0, *(len(tree.question) for tree in trees)])
    first_row = np.cumsum([0, *(len(tree.values) for tree in trees)])[:-1]

    def joined(name: str) -> AnyArray:
        return np.concatenate([getattr(tree, name) for tree in trees])

    parts = [
        "/* Tree t has the nodes from first_node[t] to first_node[t + 1]. */\n",
        c_text.integers(f"{prefix}_first_node", first_node),
        c_text.integers(f"{prefix}_first_row", first_row),
    ]
    if has_own_outputs(model):
        outputs = np.array([tree.first_output for tree in model.trees])
        parts.append(c_text.integers(f"{prefix}_output", outputs))
    parts += [
        "/* Twice the feature, plus one if missing values go left. */\n",
        c_text.integers(f"{prefix}_question", joined("question")),
        c_text.doubles(f"{prefix}_threshold", joined("threshold")),
    ]
    if model.is_divided:
        parts.append(c_text.doubles(f"{prefix}_divisor", model.divisors))
    if len(sets):
        parts += [
            "/* The set of categories that go left; -1: the node has a threshold. */\n",
            c_text.integers(f"{prefix}_set", joined("set_number")),
            c_text.integers(f"{prefix}_set_size", sets.sizes),
            c_text.integers(f"{prefix}_set_start", sets.starts),
            c_text.table(
                "unsigned char", f"{prefix}_set_bits", map(str, sets.bits.tolist()), len(sets.bits)
            ),
        ]
    parts += [
        "/* Children: nodes of the tree, or -1 - r for row r of its values. */\n",
        c_text.integers(f"{prefix}_left", joined("left")),
        c_text.integers(f"{prefix}_right", joined("right")),
        c_text.doubles(f"{prefix}_value", joined("values")),
    ]
    return "".join(parts)


def has_own_outputs(model: Description) -> bool:
    """Whether each tree adds to only one of several outputs."""
    return model.n_outputs > 1 and model.trees[0].width == 1


def has_sets(model: Description) -> bool:
    """Whether some node splits by a set of categories."""
    return any(bool((tree.splits.category_start >= 0).any()) for tree in model.trees)
