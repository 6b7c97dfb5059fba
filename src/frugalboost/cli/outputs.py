"""Output files: checked before any work is done, and harmless when a spreadsheet opens them.

Text that a spreadsheet would run as a formula is written with a leading apostrophe, and labels are
read without it, so they survive the round trip. Text that already has such an apostrophe therefore
gets another one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frugalboost._files import check_regular, claim
from frugalboost.cli.errors import BadUsageError

if TYPE_CHECKING:
    from frugalboost._typing import AnyArray

STANDARD_OUTPUT = ("-", "/dev/stdout")

FORMULA = r"(?s)^'*[=+\-@\t\r]."
"""Cells that spreadsheets run, according to OWASP, after any apostrophes; a sign alone is safe."""

NUMBER = r"^[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[iI][nN][fF]) *$"
"""Text such as -1.5, which a spreadsheet reads as the number it is, or -inf, which runs nothing."""


def check_output(
    path: Path,
    *,
    force: bool,
    reads: Mapping[str, Path | None],
    endings: tuple[str, ...] = (),
) -> Path:
    """Return the path if a file can be written there.

    An existing file is only replaced with `force`, even if it appears while the command runs. A
    file that the command `reads` is never replaced, whatever it is called: symbolic and hard links
    lead to the same file.
    """
    check_place(path, endings=endings)
    check_apart(path, reads)
    if not force:
        if path.exists():
            raise already_there(path)
        claim(path)
    return path


def check_place(path: Path, *, endings: tuple[str, ...] = (), option: str = "--output") -> None:
    """Raise an error if no file can be written under this name."""
    if endings and not path.name.lower().endswith(endings):
        known = " or ".join(filter(None, [", ".join(endings[:-1]), endings[-1]]))
        raise BadUsageError(f"{option} must end in {known}; got {path}.")
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
        raise BadUsageError(f"{option}: folder {folder} does not exist.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadUsageError(f"{option}: folder {folder} is not writable.")


def check_apart(path: Path, reads: Mapping[str, Path | None], *, option: str = "--output") -> None:
    """Refuse to replace a file that is being read, or any file in a folder that is."""
    if not path.exists():
        return
    for name, other in reads.items():
        if other is not None and any(path.samefile(file) for file in _files_in(other)):
            raise BadUsageError(f"{option} must be a different file from {name}; both are {path}.")


def check_outside(
    path: Path, reads: Mapping[str, Path | None], *, option: str = "--output"
) -> None:
    """Refuse even a new file in a folder that is being read: the next run would take it for a part
    of what it reads, and never replace it."""
    places = [Path(os.path.abspath(path)), Path(os.path.realpath(path))]
    around = [each for place in places for each in (place, *place.parents) if each.is_dir()]
    for name, other in reads.items():
        if other is not None and any(other.samefile(folder) for folder in around):
            raise BadUsageError(
                f"{option} must be outside of {name}, the folder {other}; got {path}."
            )


def already_there(path: Path, option: str = "--output") -> BadUsageError:
    return BadUsageError(f"{option}: {path} already exists; use --force to overwrite it.")


def _files_in(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (file for file in path.rglob("*") if file.is_file())
    elif path.exists():
        yield path


def guarded(text: str) -> str:
    """
    >>> guarded("=cmd"), guarded("-1.5"), guarded("+"), guarded("'=cmd")
    ("'=cmd", '-1.5', '+', "''=cmd")
    """
    is_formula = re.match(FORMULA, text) and not re.fullmatch(NUMBER, text)
    return f"'{text}" if is_formula else text


def unguarded(text: str) -> str:
    """The text that `guarded` was given.

    >>> unguarded("'=cmd"), unguarded("'quoted'")
    ('=cmd', "'quoted'")
    """
    return text[1:] if text.startswith("'") and re.match(FORMULA, text) else text


def unguarded_labels(labels: AnyArray) -> AnyArray:
    """Labels from a file; values other than text are unchanged."""
    import numpy as np

    if labels.dtype.kind not in "OU":
        return labels
    plain = [unguarded(each) if isinstance(each, str) else each for each in labels.tolist()]
    return np.array(plain, dtype=labels.dtype)


def harmless(pa: Any, table: Any) -> Any:
    """An Arrow table of which a spreadsheet shows every cell and runs none."""
    columns = [_harmless_column(pa, column) for column in table.columns]
    return pa.table(columns, names=[guarded(name) for name in table.column_names])


def _harmless_column(pa: Any, column: Any) -> Any:
    """Numbers cannot be run; categories are treated as text."""
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    is_number = pc.match_substring_regex(column, NUMBER)
    is_formula = pc.and_(pc.match_substring_regex(column, FORMULA), pc.invert(is_number))
    empty = pa.scalar("", column.type)
    quoted = pc.binary_join_element_wise(pa.scalar("'", column.type), column, empty)
    return pc.if_else(is_formula, quoted, column)
