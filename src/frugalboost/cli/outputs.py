"""Where a command writes: checked before any work is done."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from frugalboost._files import check_regular, claim
from frugalboost.cli.errors import BadUsageError

STANDARD_OUTPUT = ("-", "/dev/stdout")


def check_output(
    path: Path,
    *,
    force: bool,
    reads: Mapping[str, Path | None],
    endings: tuple[str, ...] = (),
    option: str = "--output",
) -> Path:
    """Return the path if a file can be written there.

    What is there is replaced with `force` alone, also if it comes while the command runs; and what
    the command `reads` never, by whatever name: links of both kinds lead to one file.
    """
    check_place(path, endings=endings, option=option)
    check_apart(path, reads, option=option)
    if not force:
        if path.exists():
            raise already_there(path, option)
        claim(path)
    return path


def check_place(path: Path, *, endings: tuple[str, ...] = (), option: str = "--output") -> None:
    """Refuse names that no file can have."""
    if endings and not path.name.lower().endswith(endings):
        raise BadUsageError(f"{option} must end in {', '.join(endings)}; got {path}.")
    if str(path) in STANDARD_OUTPUT:
        raise BadUsageError(f"{option} must be a file; got {str(path)!r}, standard output.")
    if path.is_dir():
        raise BadUsageError(f"{option} must be a file; {path} is a folder.")
    try:
        check_regular(path)
    except OSError as problem:
        raise BadUsageError(f"{option}: {path} cannot be written: {problem.strerror}.") from None
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise BadUsageError(f"{option} must be in a folder that exists; {folder} does not.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadUsageError(
            f"{option} must be in a folder that can be written to; {folder} cannot."
        )


def check_apart(path: Path, reads: Mapping[str, Path | None], *, option: str = "--output") -> None:
    """Refuse to replace what is being read; of a folder, any file in it."""
    if not path.exists():
        return
    for name, other in reads.items():
        if other is None:
            continue
        for file in _files_in(other):
            if path.samefile(file):
                raise BadUsageError(
                    f"{option} must be another file than {name}; got {path} for both."
                )


def already_there(path: Path, option: str = "--output") -> BadUsageError:
    return BadUsageError(f"{option}: {path} already exists; use --force to overwrite it.")


def _files_in(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (file for file in path.rglob("*") if file.is_file())
    elif path.exists():
        yield path
