"""Rows that `fit` does not learn from: drawn by the seed, and found again in the same file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Ints
from frugalboost.cli.progress import bytes_bar
from frugalboost.cli.record import Record
from frugalboost.data.targets import encode_labels
from frugalboost.pruning.fitting import split_rows

CHUNK_BYTES = 1 << 20


def split(y: AnyArray, task: str, share: float, seed: int) -> tuple[Ints, Ints]:
    """Rows to fit and rows to test on, ascending; every class has rows to fit."""
    n = len(y)
    if share == 0 or n < 2:
        return np.arange(n), np.arange(0)
    codes = encode_labels(y)[1] if task == "classes" else np.zeros(n, dtype=np.int64)
    return split_codes(codes, share, seed)


def split_codes(codes: AnyArray, share: float, seed: int) -> tuple[Ints, Ints]:
    """The same for codes of classes; refuse what leaves no row to test on."""
    try:
        return split_rows(codes, share, seed)
    except ValueError as problem:
        n_classes = len(np.unique(codes))
        raise ValueError(
            "--test-share must leave a row to test on besides one of each class to learn from; "
            f"got {len(codes):,} rows of {n_classes:,} classes. Use --test-share 0 to test on none."
        ) from problem


def is_data_of(record: Record | None, path: Path) -> bool:
    """Whether a file is, byte for byte, the one that a model was fitted to."""
    if record is None or not record.data_sha256:
        return False
    return fingerprint(path) == record.data_sha256


def split_again(record: Record, y: AnyArray) -> tuple[Ints, Ints]:
    """What `split` said in the fit."""
    return split(y, record.task, record.test_share or 0.0, record.seed or 0)


def chosen_by(pruned: Mapping[str, Any]) -> str | None:
    """What to say of scores on rows held out, if some of them chose the trees that stayed."""
    if not pruned.get("by_held_out"):
        return None
    return (
        f"{pruned.get('rows', 0):,} of the rows held out chose the trees that stayed when the "
        "model was pruned, so the scores flatter it a little."
    )


def fingerprint(path: Path) -> str:
    """SHA-256 of a file."""
    state = hashlib.sha256()
    with bytes_bar("checking", path) as advance, open(path, "rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            state.update(chunk)
            advance(len(chunk))
    return state.hexdigest()
