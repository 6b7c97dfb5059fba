"""All results of a paper in one file, which is kept beside its page and can be read again."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Mapping
from pathlib import Path

import frugalboost
from frugalboost._files import whole_file
from frugalboost.reproduce.jobs import Result

SUFFIX = ".json.xz"
MOST_BYTES = 1 << 28
"""Limit when unpacked; those of the five papers need less than a tenth."""


def write_archive(path: Path, results: Mapping[str, Result], *, is_quick: bool) -> None:
    """Write results by key; equal results give an equal file."""
    results = json.loads(as_text(dict(results)))  # as they are read: keys that are numbers sort so
    kept = {
        "version": frugalboost.__version__,
        "quick": is_quick,
        "sha256": digest_of(results),
        "results": results,
    }
    text = as_text(kept)
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(lzma.compress(text.encode()))


def read_archive(path: Path, *, is_quick: bool) -> dict[str, Result]:
    """Return the results by key; those of another version, or of short runs, are refused."""
    kept = parsed(path)
    version, results = kept.get("version"), kept.get("results")
    if version != frugalboost.__version__:
        raise ValueError(
            f"{path} must have results of version {frugalboost.__version__}; got {version!r}."
        )
    if kept.get("quick") is not is_quick:
        kind = "with" if is_quick else "without"
        raise ValueError(f"{path} must have results of a run {kind} --quick.")
    if not isinstance(results, dict) or not all(isinstance(r, dict) for r in results.values()):
        raise ValueError(f"{path} must map the names of jobs to their results.")
    if kept.get("sha256") != digest_of(results):
        raise ValueError(f"{path} must be as --docs has written it; its results were changed.")
    return results


def digest_of(results: Mapping[str, Result]) -> str:
    return hashlib.sha256(as_text(dict(results)).encode()).hexdigest()


def as_text(kept: object) -> str:
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def parsed(path: Path) -> dict[str, object]:
    try:
        with lzma.open(path) as file:
            text = file.read(MOST_BYTES + 1)
        kept = json.loads(text) if len(text) <= MOST_BYTES else None
    except (lzma.LZMAError, EOFError, ValueError, RecursionError):
        kept = None
    if not isinstance(kept, dict):
        raise ValueError(f"{path} must be a file of results that --docs has written.")
    return kept
