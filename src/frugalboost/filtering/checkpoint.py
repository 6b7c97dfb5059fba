"""A run on disk: enough to go on from, written whole or not at all."""

from __future__ import annotations

import json
import os
import time
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.boosting.arrays import from_arrays, to_arrays
from frugalboost.data import Schema
from frugalboost.filtering.loop import FilterBooster, FilterEntry
from frugalboost.filtering.reader import Reader

FORMAT = 1
META = "meta"


@dataclass(frozen=True)
class Checkpoint:
    """What a run knows between two rounds.

    Attributes
    ----------
    params : dict
        Parameters that decide what comes next, by name.
    classes : array of the user's labels
    reader : Reader
    ensemble, ledger : the trees and rounds so far
    tap : dict, where the next example is
    finished : str or None, why the run ended, if it did
    """

    params: dict[str, Any]
    classes: AnyArray
    reader: Reader
    ensemble: Ensemble
    ledger: Ledger
    tap: dict[str, Any]
    finished: str | None

    def write(self, path: Path) -> None:
        """Write beside the last checkpoint, then take its place in one step."""
        meta = {
            "format": FORMAT,
            "params": self.params,
            "classes": labels_to_json(self.classes),
            "reader": reader_to_json(self.reader),
            "ledger": [asdict(entry) for entry in self.ledger.entries],
            "tap": self.tap,
            "finished": self.finished,
        }
        part = path.with_name(path.name + ".part")
        try:
            with open(part, "wb") as file:
                arrays: dict[str, Any] = {**to_arrays(self.ensemble), META: json.dumps(meta)}
                np.savez(file, **arrays)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except OSError as problem:
            part.unlink(missing_ok=True)
            raise OSError(
                problem.errno,
                f"checkpoint could not be written: {problem.strerror}; the last one is intact",
                str(path),
            ) from None

    @classmethod
    def read(cls, path: Path, owner: str) -> Checkpoint:
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = dict(file)
            meta = json.loads(str(arrays.pop(META)))
            return cls(
                meta["params"],
                labels_from_json(meta["classes"]),
                reader_from_json(meta["reader"], owner),
                from_arrays(arrays),
                Ledger([FilterEntry(**entry) for entry in meta["ledger"]]),
                meta["tap"],
                meta["finished"],
            )
        except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as problem:
            raise ValueError(
                f"{owner}: checkpoint must be a file that a fit has written; got {path}: {problem}"
            ) from None


def check_same_params(now: dict[str, Any], then: dict[str, Any], owner: str) -> None:
    """Refuse to go on with other parameters: the result would be that of no single fit."""
    for name, value in now.items():
        if then.get(name) != value:
            raise ValueError(
                f"{owner}: {name} must be {then.get(name)!r}, that of the checkpoint, to go on "
                f"from it; got {value!r}."
            )


@dataclass
class Keeper:
    """Writes a checkpoint when rounds or seconds enough have passed since the last one."""

    path: Path
    params: dict[str, Any]
    classes: AnyArray
    every_rounds: int | None
    every_seconds: float | None

    def __post_init__(self) -> None:
        self._last = time.monotonic()
        self._rounds = 0

    def __call__(self, booster: FilterBooster) -> None:
        self._rounds += 1
        if self._is_due():
            self.write(booster, None)

    def _is_due(self) -> bool:
        if self.every_rounds is not None and self._rounds >= self.every_rounds:
            return True
        seconds = time.monotonic() - self._last
        return self.every_seconds is not None and seconds >= self.every_seconds

    def write(self, booster: FilterBooster, finished: str | None) -> None:
        Checkpoint(
            self.params,
            self.classes,
            booster.tap.reader,
            booster.ensemble,
            booster.ledger,
            booster.tap.state(),
            finished,
        ).write(self.path)
        self._last, self._rounds = time.monotonic(), 0


def labels_to_json(labels: AnyArray | None) -> Any:
    """Labels as JSON with their type; only numbers and strings can come back the same."""
    if labels is None:
        return None
    values = labels.tolist()
    if not all(isinstance(value, (str, int, float, bool)) for value in values):
        raise TypeError(
            "checkpoint: labels and categories must be numbers or strings to be written; got "
            f"{next(v for v in values if not isinstance(v, (str, int, float, bool)))!r}."
        )
    return {"dtype": labels.dtype.str, "values": values}


def labels_from_json(found: Any) -> AnyArray:
    labels = np.empty(len(found["values"]), dtype=found["dtype"])
    labels[:] = found["values"]
    return labels


def reader_to_json(reader: Reader) -> dict[str, Any]:
    schema = reader.schema
    return {
        "classes": labels_to_json(reader.classes),
        "is_encoded": reader.is_encoded,
        "n_features": schema.n_features,
        "feature_names": labels_to_json(schema.feature_names),
        "is_categorical": schema.is_categorical.tolist(),
        "categories": [labels_to_json(known) for known in schema.categories],
    }


def reader_from_json(found: dict[str, Any], owner: str) -> Reader:
    names = found["feature_names"]
    schema = Schema(
        found["n_features"],
        None if names is None else labels_from_json(names),
        np.array(found["is_categorical"], dtype=bool),
        tuple(None if known is None else labels_from_json(known) for known in found["categories"]),
    )
    return Reader(schema, labels_from_json(found["classes"]), owner, found["is_encoded"])
