"""Text in CSV files that a spreadsheet would take for a formula and run."""

from __future__ import annotations

from typing import Any

FORMULA = r"^[=+\-@\t\r]"
"""How cells begin that are run, by the list of OWASP."""

NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
"""Text such as -1.5, which a spreadsheet reads as the number it is."""


def harmless(pa: Any, table: Any) -> Any:
    """A table of which a spreadsheet shows every cell and runs none: an apostrophe comes first."""
    columns = [_harmless_column(pa, column) for column in table.columns]
    names = [f"'{name}" if is_formula(pa, name) else name for name in table.column_names]
    return pa.table(columns, names=names)


def is_formula(pa: Any, text: str) -> bool:
    return bool(_is_formula(pa, pa.array([text]))[0].as_py())


def _is_formula(pa: Any, texts: Any) -> Any:
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
    return pc.if_else(_is_formula(pa, column), quoted, column)
