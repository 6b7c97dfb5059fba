"""From a file to a `Dataset`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from frugalboost._typing import AnyArray
from frugalboost.datasets.catalogue import Entry
from frugalboost.datasets.dataset import Dataset
from frugalboost.tables.formats import NPZ, has_suffix
from frugalboost.tables.npz import NPZ_ERRORS, load_arrays


def read_file(path: Path, entry: Entry) -> Dataset:
    """Read the file of one data set."""
    try:
        if has_suffix(path, NPZ):
            return _from_arrays(load_arrays(path), entry)
        return _read_csv(path, entry)
    except NPZ_ERRORS as problem:
        raise ValueError(
            f"{path} cannot be read as the data set {entry.name!r} ({problem}); "
            "delete it and download it again."
        ) from problem


def _from_arrays(arrays: Mapping[str, AnyArray], entry: Entry) -> Dataset:
    if "y_train" in arrays:
        train = _table(arrays, "X_train")
        X = _stack(train, _table(arrays, "X_test"))
        y = np.concatenate([arrays["y_train"], arrays["y_test"]])
        n_train: int | None = train.shape[0]
    else:
        X, y, n_train = _table(arrays, "X"), arrays[entry.target], None
    return Dataset(
        entry.name,
        X,
        y,
        feature_names=_feature_names(arrays, X.shape[1]),
        categorical=entry.categorical,
        classes=tuple(arrays["classes"].tolist()) if "classes" in arrays else None,
        n_train=n_train,
    )


def _table(arrays: Mapping[str, AnyArray], key: str) -> Any:
    """Return a dense table, or a CSR matrix if the file holds the parts of one."""
    if key in arrays:
        return arrays[key]
    # The file stores column numbers in one byte to be small; SciPy needs them as int32.
    indices = arrays[f"{key}_indices"].astype(np.int32)
    parts = (arrays[f"{key}_data"], indices, arrays[f"{key}_indptr"])
    return sp.csr_matrix(parts, shape=tuple(arrays[f"{key}_shape"].tolist()))


def _stack(first: Any, second: Any) -> Any:
    if isinstance(first, sp.csr_matrix):
        return sp.vstack([first, second], format="csr")
    return np.concatenate([first, second])


def _feature_names(arrays: Mapping[str, AnyArray], n_features: int) -> tuple[str, ...]:
    if "feature_names" in arrays:
        return tuple(arrays["feature_names"].tolist())
    return tuple(f"x{feature}" for feature in range(n_features))


def import_pandas() -> Any:
    """Return pandas, or say how to install it; only data with categories need it."""
    try:
        import pandas
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            'data with categories need pandas; install it with pip install "frugalboost[datasets]".'
        ) from None
    return pandas


def _read_csv(path: Path, entry: Entry) -> Dataset:
    pandas = import_pandas()
    # Everything is read as text first: only "?" is missing ("NA" could be a category), and
    # categories that look like numbers must not become amounts.
    frame = pandas.read_csv(path, dtype=str, na_values=["?"], keep_default_na=False)
    n_train = None
    if "split" in frame:
        is_test = frame.pop("split") == "test"
        frame = pandas.concat([frame[~is_test], frame[is_test]], ignore_index=True)
        n_train = int((~is_test).sum())
    return frame_to_dataset(frame, entry, n_train)


def frame_to_dataset(frame: Any, entry: Entry, n_train: int | None) -> Dataset:
    """Return a data set with features as amounts or categories, and the target as an array."""
    features = frame.drop(columns=[entry.target, *entry.ignored], errors="ignore")
    kinds = {name: "float64" if entry.is_amount(name) else "category" for name in features}
    return Dataset(
        entry.name,
        features.astype(kinds),
        as_labels(frame[entry.target].to_numpy()),
        feature_names=tuple(features),
        categorical=tuple(name for name, kind in kinds.items() if kind == "category"),
        n_train=n_train,
    )


def as_labels(values: AnyArray) -> AnyArray:
    """Return labels as integers if all of them are, else as text.

    >>> as_labels(np.array(["2", "4"], dtype=object))
    array([2, 4])
    """
    text = values.astype(str)
    try:
        return text.astype(np.int64)
    except ValueError:
        return text
