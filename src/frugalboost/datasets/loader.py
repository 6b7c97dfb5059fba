"""Find a data set and read it."""

from __future__ import annotations

import os
from pathlib import Path

from frugalboost._checks import names_itself
from frugalboost.datasets.catalogue import Entry, find_entry
from frugalboost.datasets.dataset import Dataset
from frugalboost.datasets.openml import fetch as fetch_from_openml
from frugalboost.datasets.readers import read_file

VARIABLE = "FRUGALBOOST_DATA"


@names_itself
def load_dataset(
    name: str, data_home: str | os.PathLike[str] | None = None, *, fetch: bool = False
) -> Dataset:
    """Load a real data set.

    Parameters
    ----------
    name : str
        For example ``"adult"``; the error for an unknown name lists them all.
    data_home : path, optional
        Folder with the files. Default: the folder named by the environment variable
        ``FRUGALBOOST_DATA``, else ``frugalboost`` in the user's cache folder.
    fetch : bool, default=False
        Fetch the data from OpenML if the file is absent and OpenML has a copy. Row order and
        names are then OpenML's, so most copies come without the official split.

    Returns
    -------
    Dataset
        With `X`, `y`, `feature_names`, `categorical`, and, where there is an official split,
        `X_train`, `y_train`, `X_test`, `y_test`.

    Examples
    --------
    >>> load_dataset("adlut")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: load_dataset: name must be one of 'a6a', 'adult', ...; got 'adlut'.
    """
    entry = find_entry(name)
    path = data_folder(data_home) / entry.file_name
    if path.is_file():
        return read_file(path, entry)
    if fetch:
        return fetch_from_openml(entry, _download_folder(data_home))
    raise FileNotFoundError(_not_found(entry, path))


def data_folder(data_home: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder where `load_dataset` looks for files.

    Parameters
    ----------
    data_home : path or None
        None: the folder named by the environment variable ``FRUGALBOOST_DATA``, else one in the
        user's cache.

    Returns
    -------
    folder : Path

    Examples
    --------
    >>> data_folder("tables").parts
    ('tables',)
    """
    if data_home is not None:
        return Path(data_home).expanduser()
    if folder := os.environ.get(VARIABLE):
        return Path(folder).expanduser()
    return _cache_folder()


def _download_folder(data_home: str | os.PathLike[str] | None) -> Path:
    # Never the folder that the variable names: it may be shared and read-only.
    return (_cache_folder() if data_home is None else data_folder(data_home)) / "openml"


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "frugalboost"


def _not_found(entry: Entry, path: Path) -> str:
    message = (
        f"{path} does not exist; put the file there, or name another folder with "
        f"data_home or the environment variable {VARIABLE}."
    )
    if entry.openml is not None:
        message += f" load_dataset({entry.name!r}, fetch=True) fetches the data from OpenML."
    return message
