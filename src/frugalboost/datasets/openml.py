"""Data sets that are not on disk, from OpenML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from frugalboost.datasets.catalogue import Entry
from frugalboost.datasets.dataset import Dataset
from frugalboost.datasets.readers import as_labels, frame_to_dataset, import_pandas
from frugalboost.tables.formats import CSV, has_suffix


def fetch(entry: Entry, cache: Path) -> Dataset:
    """Fetch one data set with scikit-learn, which keeps the download in `cache`."""
    from sklearn.datasets import fetch_openml

    if entry.openml is None:
        raise ValueError(f"fetch must be False for {entry.name!r}; OpenML has no copy.")
    import_pandas()
    name, version = entry.openml
    cache.mkdir(parents=True, exist_ok=True)
    return from_bunch(
        fetch_openml(name, version=version, data_home=str(cache), as_frame=True), entry
    )


def from_bunch(bunch: Any, entry: Entry) -> Dataset:
    """Turn scikit-learn's bunch into what the file of the same data set would give."""
    if has_suffix(entry.file_name, CSV):
        frame = bunch.data.assign(**{entry.target: bunch.target})
        return frame_to_dataset(frame, entry, entry.n_train)
    return Dataset(
        entry.name,
        bunch.data.to_numpy(dtype=np.float64),
        as_labels(bunch.target.to_numpy()),
        feature_names=tuple(bunch.data),
        categorical=entry.categorical,
        n_train=entry.n_train,
    )
