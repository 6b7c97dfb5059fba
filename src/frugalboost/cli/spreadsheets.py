"""Text in CSV files that a spreadsheet would take for a formula and run.

It is written with an apostrophe in front, and labels are read without it: they come back as they
were. So a text that has such an apostrophe of its own gets another one.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray

FORMULA = r"(?s)^'*[=+\-@\t\r]."
"""How cells begin that are run, by the list of OWASP, after apostrophes; a sign alone is not."""

NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
"""Text such as -1.5, which a spreadsheet reads as the number it is."""


def guarded(text: str) -> str:
    """
    >>> guarded("=cmd"), guarded("-1.5"), guarded("+"), guarded("'=cmd")
    ("'=cmd", '-1.5', '+', "''=cmd")
    """
    is_formula = re.match(FORMULA, text) and not re.fullmatch(NUMBER, text)
    return f"'{text}" if is_formula else text


def unguarded(text: str) -> str:
    """What `guarded` was given.

    >>> unguarded("'=cmd"), unguarded("'quoted'")
    ('=cmd', "'quoted'")
    """
    return text[1:] if text.startswith("'") and re.match(FORMULA, text) else text


def unguarded_labels(labels: AnyArray) -> AnyArray:
    """Labels from a file; anything but texts stays as it is."""
    if labels.dtype.kind not in "OU":
        return labels
    found = [unguarded(each) if isinstance(each, str) else each for each in labels.tolist()]
    return np.array(found, dtype=labels.dtype)


def harmless(pa: Any, table: Any) -> Any:
    """A table of which a spreadsheet shows every cell and runs none: an apostrophe comes first."""
    columns = [_harmless_column(pa, column) for column in table.columns]
    return pa.table(columns, names=[guarded(name) for name in table.column_names])


def _is_formula(texts: Any) -> Any:
    import pyarrow.compute as pc

    begins = pc.match_substring_regex(texts, FORMULA)
    return pc.and_(begins, pc.invert(pc.match_substring_regex(texts, NUMBER)))


def _harmless_column(pa: Any, column: Any) -> Any:
    """Numbers cannot be run; categories are texts like others."""
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    quoted = pc.binary_join_element_wise(
        pa.scalar("'", column.type), column, pa.scalar("", column.type)
    )
    return pc.if_else(_is_formula(column), quoted, column)
