"""Writing a block store: all or nothing."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from frugalboost._checks import check_int
from frugalboost._files import whole_folder
from frugalboost._typing import AnyArray
from frugalboost.streams.encoder import RowEncoder
from frugalboost.streams.external_shuffle import permuted_parts, scatter
from frugalboost.streams.iterables import IterableOracle
from frugalboost.streams.oracle import seed_of

FORMAT = "frugalboost block store"
VERSION = 1
MEMORY_LIMIT = 256 << 20
BLOCK_BYTES = 1 << 20
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_store(
    path: Any,
    source: Any,
    *,
    memory_limit: int,
    block_rows: int | None,
    dtype: Any,
    categorical_features: Any,
    random_state: Any,
    on_rows: Callable[[int], None],
) -> None:
    """Write the examples of a source to a new folder, in random order."""
    memory_limit = check_int(memory_limit, name="memory_limit", low=1 << 16)
    if block_rows is not None:
        check_int(block_rows, name="block_rows", low=1)
    rng = np.random.default_rng(seed_of(random_state))
    oracle = _as_oracle(source)
    with new_store(Path(path)) as folder:
        X, y = oracle.draw(1024)[:2]
        if len(y) == 0:
            raise ValueError("there must be at least one example; got none.")
        encoder = RowEncoder(
            X,
            names=getattr(oracle, "feature_names", None),
            dtype=dtype,
            categorical_features=categorical_features,
        )
        n_bytes = encoder.record.itemsize
        _check_room(folder, getattr(oracle, "n_rows", None), n_bytes)
        # A part is in memory twice while it is reordered.
        step = max(1, min(65536, memory_limit // 4 // n_bytes))
        records = _reported(_records(oracle, encoder, X, y, step), on_rows)
        paths = scatter(records, folder / "parts", rng)
        parts = _reported(permuted_parts(paths, encoder.record, memory_limit // 4, rng), on_rows)
        meta = {"order": rng.bytes(8).hex(), **_write_rows(folder, encoder, parts)}
        (folder / "parts").rmdir()
        _write_meta(folder, meta, block_rows or min(65536, max(64, BLOCK_BYTES // n_bytes)))


@contextmanager
def new_store(path: Path) -> Iterator[Path]:
    """Yield a hidden folder that becomes ``path`` if all goes well, and is removed otherwise."""
    if path.exists():
        raise FileExistsError(f"path must not exist yet; {path} does.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"path must be in a folder that exists; {path.parent} does not.")
    try:
        with whole_folder(path) as folder:
            yield folder
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise OSError(
            error.errno, f"there must be enough disk space for {path}; nothing was kept"
        ) from None


def _as_oracle(source: Any) -> Any:
    if not hasattr(source, "draw"):
        return IterableOracle(source)
    if getattr(source, "recycle", False):
        raise ValueError("source must end; got one with recycle=True.")
    return source


def _check_room(folder: Path, n_rows: int | None, n_bytes: int) -> None:
    """Raise at once if the disk is too small, provided the source knows how much it holds."""
    needed = (n_rows or 0) * n_bytes
    free = shutil.disk_usage(folder).free
    if needed > free:
        message = f"{needed / 1e6:.0f} MB are needed, {free / 1e6:.0f} MB are free"
        raise OSError(f"there must be enough disk space for all rows; {message}.")


def _records(oracle: Any, encoder: RowEncoder, X: Any, y: Any, step: int) -> Iterator[AnyArray]:
    while len(y):
        yield encoder.encode(X, y)
        X, y = oracle.draw(step)[:2]


def _reported(parts: Iterator[AnyArray], on_rows: Callable[[int], None]) -> Iterator[AnyArray]:
    for part in parts:
        yield part
        on_rows(len(part))


def _write_rows(folder: Path, encoder: RowEncoder, parts: Iterator[AnyArray]) -> dict[str, Any]:
    """Write features and labels, codes in order now that all are known; return the metadata."""
    classes, label_places = encoder.order_labels()
    schema, places = encoder.order_categories()
    shape = (encoder.n_rows, encoder.n_features)
    with (folder / "X.npy").open("wb") as X, (folder / "y.npy").open("wb") as y:
        _write_header(X, encoder.dtype, shape)
        _write_header(y, label_places.dtype, shape[:1])
        for records in parts:
            for feature, place in places.items():
                _translate(records["x"][:, feature], place)
            X.write(np.ascontiguousarray(records["x"]).tobytes())
            y.write(label_places[records["y"]].tobytes())
    names = None if encoder.names is None else encoder.names.tolist()
    categories = schema and [None if c is None else c.tolist() for c in schema.categories]
    return {
        "n_rows": encoder.n_rows,
        "classes": classes.tolist(),
        "feature_names": names,
        "categories": categories,
    }


def _translate(codes: AnyArray, place: AnyArray) -> None:
    known = ~np.isnan(codes)
    codes[known] = place[codes[known].astype(np.int64)]


def _write_header(file: BinaryIO, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    descr = np.lib.format.dtype_to_descr(dtype)
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)


def _write_meta(folder: Path, meta: dict[str, Any], block_rows: int) -> None:
    """Write the last file; a store without it is unfinished."""
    whole = {"format": FORMAT, "version": VERSION, "block_rows": block_rows, **meta}
    (folder / "meta.json").write_bytes(json.dumps(whole).encode())
