"""Where a command writes: checked before any work is done."""

from __future__ import annotations

import os
from pathlib import Path

from frugalboost.cli.errors import BadUsageError


def check_output(path: Path, *, force: bool, endings: tuple[str, ...] = ()) -> Path:
    """Return the path if a file can be written there."""
    if endings and not path.name.lower().endswith(endings):
        raise BadUsageError(f"--output must end in {', '.join(endings)}; got {path}.")
    if str(path) == "-":
        raise BadUsageError("--output must be a file; got '-'. Standard output is not supported.")
    if path.is_dir():
        raise BadUsageError(f"--output must be a file; {path} is a folder.")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise BadUsageError(f"--output must be in a folder that exists; {folder} does not.")
    if path.exists() and not force:
        raise BadUsageError(f"--output: {path} already exists; use --force to overwrite it.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadUsageError(
            f"--output must be in a folder that can be written to; {folder} cannot."
        )
    return path


def check_apart(path: Path, others: dict[str, Path]) -> None:
    """Refuse to replace what is being read."""
    for name, other in others.items():
        if path.exists() and other.exists() and path.samefile(other):
            raise BadUsageError(f"--output must be another file than {name}; got {path} for both.")
