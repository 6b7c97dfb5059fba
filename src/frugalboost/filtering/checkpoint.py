"""Resuming interrupted runs: everything that a run needs, in one file."""

from __future__ import annotations

import io
import json
import struct
import time
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from frugalboost._files import check_regular, interrupts_deferred, whole_file
from frugalboost._texts import shortened
from frugalboost._typing import AnyArray
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.boosting.ensemble import check_arrays, from_arrays, to_arrays
from frugalboost.data import Schema
from frugalboost.data.columns import sort_labels
from frugalboost.data.targets import encode_labels
from frugalboost.filtering.checkpoint_checks import (
    check_categories,
    check_meta,
    check_reader,
    require,
)
from frugalboost.filtering.loop import FilterBooster, FilterEntry
from frugalboost.filtering.plan import NEWER, SEED, FilterPlan
from frugalboost.filtering.reading import BatchReader
from frugalboost.filtering.scored_stream import FILE

SUFFIX = ".npy"


def read_archive(content: bytes) -> dict[str, AnyArray]:
    """Return the arrays by name, as `numpy.savez` wrote them; a ValueError says what is wrong.

    `numpy.load` would unpack data compressed a thousandfold, and allocate an array of any size
    before reading it.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        if any(member.compress_type != zipfile.ZIP_STORED for member in members):
            raise ValueError("its arrays are compressed")
        if sum(member.file_size for member in members) > len(content):
            raise ValueError("its arrays are larger than the file")
        return {
            member.filename.removesuffix(SUFFIX): _read_array(archive.read(member))
            for member in members
        }


def _read_array(raw: bytes) -> AnyArray:
    file = io.BytesIO(raw)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("its arrays have an unknown version")
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.hasobject or is_fortran or min(shape, default=0) < 0:
        raise ValueError("it has arrays of the wrong type")
    return np.frombuffer(raw, dtype, offset=file.tell()).reshape(shape)


FORMAT = 1
META = "meta"

BROKEN = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading a file raises if it was not written by a fit, or is damaged."""


@dataclass(frozen=True)
class Checkpoint:
    """The state of a run between two rounds.

    Attributes
    ----------
    params : dict
        Parameters that determine what comes next, by name.
    classes : array of the user's labels
    reader : BatchReader
    ensemble, ledger : the trees and rounds so far
    stream : dict, the position of the next example
    finished : str or None, why the run ended, if it did
    """

    params: dict[str, Any]
    classes: AnyArray
    reader: BatchReader
    ensemble: Ensemble
    ledger: Ledger
    stream: dict[str, Any]
    finished: str | None

    def write(self, path: Path) -> None:
        """Write beside the last checkpoint, then replace it in one step."""
        meta = self.as_json()
        try:
            # Interrupted halfway, zipfile raises an error of its own in place of KeyboardInterrupt.
            with interrupts_deferred(), whole_file(path) as file:
                arrays: dict[str, Any] = {**to_arrays(self.ensemble), META: meta}
                np.savez(file, **arrays)
        except OSError as problem:
            kept = "; the last one is intact" if path.is_file() else ""
            raise OSError(
                problem.errno,
                f"checkpoint could not be written: {problem.strerror or problem}{kept}",
                str(path),
            ) from None

    def as_json(self) -> str:
        """Return everything but the trees."""
        meta = {
            "format": FORMAT,
            "params": self.params,
            "classes": labels_to_json(self.classes),
            "reader": reader_to_json(self.reader),
            "ledger": [asdict(entry) for entry in self.ledger.entries],
            "tap": self.stream,
            "finished": self.finished,
        }
        try:
            return json.dumps(meta)
        except TypeError as problem:
            raise TypeError(
                "state of the oracle must be numbers, strings, lists and dicts for a "
                f"checkpoint; {problem}."
            ) from None

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        check_regular(path)  # a pipe would be waited for
        content = path.read_bytes()  # errors up to here come from the disk, not the file
        try:
            arrays = read_archive(content)
            meta = json.loads(str(arrays.pop(META)))
            if meta["format"] != FORMAT:
                raise ValueError(f"its format is {meta['format']}, this version reads {FORMAT}.")
            check_meta(meta)
            check_arrays(arrays)
            reader = reader_from_json(meta["reader"], int(arrays["shape"][0]))
            check_categories(arrays, reader.schema.categories)
            return cls(
                meta["params"],
                classes_from_json(meta["classes"]),
                reader,
                from_arrays(arrays),
                Ledger([FilterEntry(**entry) for entry in meta["ledger"]]),
                {**meta["tap"], FILE: str(path)},
                meta["finished"],
            )
        except BROKEN as problem:
            raise ValueError(
                f"checkpoint must be a file written by a fit; got {path}: {problem}"
            ) from None


def check_replaceable(path: Path) -> None:
    """Refuse to overwrite a file that no run has written: it may be the user's data."""
    if path.is_file() and path.stat().st_size and not is_checkpoint(path):
        raise ValueError(
            "checkpoint must be a new file, or the checkpoint of an earlier run, which is "
            f"overwritten; got {path}, which is another file."
        )


def is_checkpoint(path: Path) -> bool:
    """Whether the file has the parts of a checkpoint; they may be damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (OSError, ValueError, zipfile.BadZipFile):
        return False
    return {f"{META}{SUFFIX}", f"shape{SUFFIX}"} <= names


def check_belongs(stored: Checkpoint, plan: FilterPlan) -> None:
    """Refuse trees that do not fit the classes of the file, and rounds without a tree."""
    if stored.ensemble.n_outputs != plan.rule.n_outputs:
        raise ValueError(
            f"classes must fit trees of {stored.ensemble.n_outputs} outputs; got "
            f"{stored.classes.tolist()!r}"
        )
    own, labels = stored.reader.classes.tolist(), stored.classes.tolist()
    is_own = own in (labels, list(range(len(labels))))  # for a table they are codes
    require(is_own, "reader.classes", f"{labels!r} or their numbers from 0", own)
    if len(stored.ledger.entries) != len(stored.ensemble):
        raise ValueError(
            f"ledger must have a round for each of the {len(stored.ensemble)} trees; got "
            f"{len(stored.ledger.entries)}"
        )


def check_same_params(
    now: dict[str, Any], then: dict[str, Any], told: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Refuse to resume with other parameters: no single fit would give the result.

    `told` has the names of those that the user knows by another one.
    """
    then = NEWER | then
    for name, value in now.items():
        if name == SEED and (value is None or SEED not in then):
            continue  # None is the checkpoint's own, and older checkpoints have none
        if then.get(name) != value:
            raise ValueError(
                f"{told.get(name, name)} must be {shortened(repr(then.get(name)))}, as in the "
                f"checkpoint, to resume from it; got {value!r}."
            )


@dataclass
class CheckpointWriter:
    """Writes a checkpoint when enough rounds or seconds have passed since the last one.

    It holds the position of the next example after the last round: a round that could not be
    finished is tried again, and ends in the same way or, with more examples allowed, continues.
    """

    path: Path
    params: dict[str, Any]
    classes: AnyArray
    every_rounds: int | None
    every_seconds: float | None

    def __post_init__(self) -> None:
        self._last = time.monotonic()
        self._rounds = 0

    def begin(self, booster: FilterBooster) -> None:
        """Refuse at once what a file could not hold, rather than after the first hour."""
        self._stream = booster.stream.state()
        self._checkpoint(booster, None).as_json()

    def __call__(self, booster: FilterBooster) -> None:
        self._stream = booster.stream.state()
        self._rounds += 1
        if self._is_due():
            self.write(booster, None)

    def _is_due(self) -> bool:
        if self.every_rounds is not None and self._rounds >= self.every_rounds:
            return True
        seconds = time.monotonic() - self._last
        return self.every_seconds is not None and seconds >= self.every_seconds

    def write(self, booster: FilterBooster, finished: str | None) -> None:
        self._checkpoint(booster, finished).write(self.path)
        self._last, self._rounds = time.monotonic(), 0

    def _checkpoint(self, booster: FilterBooster, finished: str | None) -> Checkpoint:
        reader, ensemble, ledger = booster.stream.reader, booster.ensemble, booster.ledger
        return Checkpoint(
            self.params, self.classes, reader, ensemble, ledger, self._stream, finished
        )


def labels_to_json(labels: AnyArray | None) -> Any:
    """Return labels as JSON with their type; only numbers and strings can be restored exactly."""
    if labels is None:
        return None
    values = labels.tolist()
    if not all(isinstance(value, (str, int, float, bool)) for value in values):
        raise TypeError(
            "labels and categories must be numbers or strings for a checkpoint; got "
            f"{next(v for v in values if not isinstance(v, (str, int, float, bool)))!r}."
        )
    return {"dtype": labels.dtype.str, "values": values}


def labels_from_json(stored: Any, where: str) -> AnyArray:
    """Return labels exactly as they were written; a ValueError names the entry."""
    require(isinstance(stored, dict), where, "labels with their type", stored)
    values = stored.get("values")
    is_list = isinstance(values, list) and all(isinstance(v, (str, int, float)) for v in values)
    require(is_list, f"{where}.values", "a list of numbers or strings", values)
    dtype = label_type(stored.get("dtype"), values, f"{where}.dtype")
    labels = np.zeros(len(values), dtype=dtype)
    with suppress(OverflowError, ValueError):  # then they remain zeros
        labels[:] = values
    # By their text, as 1 equals True and 1.0, and NaN does not equal itself.
    is_same = repr(labels.tolist()) == repr(values)
    require(is_same, f"{where}.values", f"a list of labels of type {dtype}", values)
    return labels


def label_type(name: Any, values: list[Any], where: str) -> np.dtype[Any]:
    dtype = np.dtype("V")
    if isinstance(name, str):
        with suppress(SyntaxError, TypeError, ValueError):
            dtype = np.dtype(name)
    is_known = dtype.kind in "biufUO" and dtype.itemsize * len(values) <= room_for(values)
    require(is_known, where, "the type of such labels", name)
    return dtype


def classes_from_json(stored: Any) -> AnyArray:
    """Return the classes, which are distinct and in the order that a fit gives them."""
    classes = labels_from_json(stored, "classes")
    labels = classes.tolist()
    is_ordered = len(set(labels)) > 1 and encode_labels(classes)[0].tolist() == labels
    require(is_ordered, "classes.values", "two or more labels, distinct and in order", labels)
    return classes


def room_for(values: list[Any]) -> int:
    """Most bytes that labels may take: a type can have room for longer texts than there are."""
    return (1 << 20) + 40 * sum(len(str(value)) for value in values)


def reader_to_json(reader: BatchReader) -> dict[str, Any]:
    schema = reader.schema
    return {
        "classes": labels_to_json(reader.classes),
        "n_features": schema.n_features,
        "feature_names": labels_to_json(schema.feature_names),
        "is_categorical": schema.is_categorical.tolist(),
        "categories": [labels_to_json(known) for known in schema.categories],
        "is_encoded": reader.is_encoded,
    }


def reader_from_json(stored: dict[str, Any], n_features: int) -> BatchReader:
    check_reader(stored, n_features)
    schema = Schema(
        n_features,
        names_from_json(stored["feature_names"], n_features),
        np.array(stored["is_categorical"], dtype=bool),
        tuple(
            None if known is None else categories_from_json(known, f"reader.categories[{i}]")
            for i, known in enumerate(stored["categories"])
        ),
    )
    classes = labels_from_json(stored["classes"], "reader.classes")
    return BatchReader(schema, classes, stored["is_encoded"])


def categories_from_json(stored: Any, where: str) -> AnyArray:
    """Return the categories of a feature, which are distinct and in the order that binning gives.

    Trees know them by their position.
    """
    known = labels_from_json(stored, where)
    labels = known.tolist()
    is_ordered = sort_labels(list(set(labels))) == labels
    require(is_ordered, f"{where}.values", "categories, distinct and in order", labels)
    return known


def names_from_json(stored: Any, n_features: int) -> AnyArray | None:
    if stored is None:
        return None
    where = "reader.feature_names"
    names = labels_from_json(stored, where)
    values = names.tolist()
    is_of_one_type = len({type(value) for value in values}) == 1
    is_whole = is_of_one_type and len(set(values)) == len(values) == n_features
    require(is_whole, f"{where}.values", f"{n_features} distinct names", values)
    return names
