"""Whether a checkpoint is complete, and whether its parts belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from typing import Any, get_args

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.filtering.loop import FilterEntry
from frugalboost.filtering.plan import SEED
from frugalboost.filtering.reading import ORACLE_ERRORS, reason_of
from frugalboost.filtering.scored_stream import LARGEST_CHUNK
from frugalboost.filtering.stopping import StopReason
from frugalboost.streams.iterables import UsedSourceError

LARGEST = 1 << 62
ITEM_SIZES = (1, 2, 4, 8, 16)
KINDS = {"int": (int,), "float": (int, float), "str": (str,)}
"""Types that JSON returns for the fields of a round."""


def check_meta(meta: Any) -> None:
    """Refuse what no run would write; a ValueError names the entry."""
    require(isinstance(meta, dict), "its description", "names and values", meta)
    for name in ("params", "reader", "tap"):
        require(isinstance(meta.get(name), dict), name, "names and values", meta.get(name))
    seed = meta["params"].get(SEED)
    is_seed = seed is None or (type(seed) is int and 0 <= seed < 1 << 32)
    require(is_seed, f"params.{SEED}", "None or a number from 0 to 2**32 - 1", seed)
    require(isinstance(meta.get("ledger"), list), "ledger", "a list", meta.get("ledger"))
    for at, entry in enumerate(meta["ledger"]):
        check_round(entry, f"ledger[{at}]")
    check_stream(meta["tap"])
    finished, reasons = meta.get("finished"), get_args(StopReason)
    is_reason = finished is None or (isinstance(finished, str) and finished in reasons)
    require(is_reason, "finished", f"None or one of {', '.join(reasons)}", finished)


def check_round(entry: Any, where: str) -> None:
    require(isinstance(entry, dict), where, "a round", entry)
    known = {field.name: field for field in fields(FilterEntry)}
    for name in entry:
        require(name in known, where, "a round of known fields", name)
    for name, field in known.items():
        if name not in entry and field.default is not MISSING:
            continue
        value, kinds = entry.get(name), KINDS[str(field.type)]
        is_kind = isinstance(value, kinds) and not isinstance(value, bool)
        is_small = (
            isinstance(value, str) or (is_kind and not abs(value) > LARGEST) or value != value
        )
        require(is_kind and is_small, f"{where}.{name}", f"of type {field.type}", value)


def check_reader(reader: dict[str, Any], n_features: int) -> None:
    """Check what there is of each feature; the labels in it are checked when they are read."""
    for name in ("classes", "feature_names", "categories", "is_categorical", "is_encoded"):
        require(name in reader, f"reader.{name}", "an entry of the reader", None)
    n, is_encoded = reader.get("n_features"), reader["is_encoded"]
    is_number = type(n) is int and n == n_features
    require(is_number, "reader.n_features", f"{n_features}, as in the trees", n)
    require(isinstance(is_encoded, bool), "reader.is_encoded", "true or false", is_encoded)
    for name in ("is_categorical", "categories"):
        values = reader[name]
        is_whole = isinstance(values, list) and len(values) == n_features
        require(is_whole, f"reader.{name}", f"a list for {n_features} features", values)
    for i, is_categorical in enumerate(reader["is_categorical"]):
        where = f"reader.is_categorical[{i}]"
        require(isinstance(is_categorical, bool), where, "true or false", is_categorical)
        known = reader["categories"][i]
        kind = f"{'labels' if is_categorical else 'None'}, as {where} is {is_categorical}"
        require((known is not None) == is_categorical, f"reader.categories[{i}]", kind, known)


def check_categories(arrays: dict[str, AnyArray], known: Sequence[AnyArray | None]) -> None:
    """Refuse fewer categories of a feature than its splits tell apart."""
    has_set = arrays["category_start"] >= 0
    for feature in np.unique(arrays["feature"][has_set]).tolist():
        least = arrays["n_categories"][has_set & (arrays["feature"] == feature)].max()
        n = 0 if known[feature] is None else len(known[feature])
        where = f"reader.categories[{feature}].values"
        require(n >= least, where, f"at least {least} categories, as in the trees", n)


def check_stream(stream: dict[str, Any], where: str = "tap") -> None:
    """Check the position in the stream; only the oracle can check its own state."""
    require("oracle" in stream, f"{where}.oracle", "the state of an oracle", None)
    for name in ("asked", "at", "n_used"):
        check_count(stream.get(name), f"{where}.{name}", "a number of examples")
    # A run would draw them all at once, and from a source without an end for ever.
    chunk = f"at most {LARGEST_CHUNK} examples"
    check_count(stream["asked"], f"{where}.asked", chunk, high=LARGEST_CHUNK)
    at = stream["at"]
    for name in ("asked", "n_used"):
        require(at <= stream[name], f"{where}.at", f"at most {stream[name]}", at)
    last = stream.get("last", "")
    require(isinstance(last, str), f"{where}.last", "the digest of some examples", last)
    size = stream.get("itemsize")
    is_size = type(size) is int and size in ITEM_SIZES
    require(is_size, f"{where}.itemsize", "a number of bytes", size)
    coins: Any = stream.get("coins")
    try:
        np.random.PCG64(0).state = coins
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError):
        require(False, f"{where}.coins", "the state of a generator", coins)


def check_count(value: Any, where: str, what: str, low: int = 0, high: int = LARGEST) -> None:
    require(type(value) is int and low <= value <= high, where, what, value)


def require(holds: bool, name: str, allowed: str, value: Any) -> None:
    if not holds:
        raise ValueError(f"{name} must be {allowed}; got {repr(value)[:60]}")


@contextmanager
def damage_named(path: Any) -> Iterator[None]:
    """Turn whatever goes wrong with a file's content into one error that names the file."""
    try:
        yield
    except ORACLE_ERRORS as problem:
        reason = str(problem)[:300]
        raise ValueError(
            f"checkpoint must be a file written by a fit; got {path}: {reason}"
        ) from None


@contextmanager
def oracle_named(path: Any) -> Iterator[None]:
    """Say of an oracle that cannot continue a run whether it or the file is to be replaced."""
    try:
        yield
    except UsedSourceError as problem:
        raise ValueError(
            "oracle must be a new one to resume, as its source can be iterated only once; got one "
            f"that has yielded {problem.n_items} items. Create an oracle from a new generator, or "
            "from a function that returns one; see docs/streams.md."
        ) from None
    except ORACLE_ERRORS as problem:
        raise ValueError(
            "checkpoint must be of a run with the same kind of oracle, on the same source; got "
            f"{path}: {reason_of(problem)}."
        ) from None


TANDEM = "tandem"
"""Where the checkpoint of a tandem keeps what tells members apart."""

CONTINUED = {
    "FilterBoostClassifier": "its from_checkpoint returns the model",
    "TandemBoostClassifier": "its fit and fit_stream continue it with resume=True",
}


class OtherWriterError(ValueError):
    """A checkpoint that another class wrote; `reason` says which, and what to call."""

    reason: str


def check_writer(stream: dict[str, Any], wanted: str, path: Any) -> None:
    """Refuse a checkpoint of another class."""
    writer = "TandemBoostClassifier" if TANDEM in stream else "FilterBoostClassifier"
    if writer != wanted:
        reason = f"it is the checkpoint of a {writer}, and {CONTINUED[writer]}"
        error = OtherWriterError(f"checkpoint must be written by a {wanted}; got {path}: {reason}.")
        error.reason = reason
        raise error
