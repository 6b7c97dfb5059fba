"""What a page is made of: sections of notes, tables and figures, as data for the templates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first of each row being its heading.

    Attributes
    ----------
    caption : what the table shows
    headings : of the columns; empty for a list of names and values
    rows : list of lists of texts
    """

    caption: str
    headings: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Figure:
    """A drawing.

    Attributes
    ----------
    caption : what it shows, also for screen readers
    svg : an SVG element
    is_wide : whether it takes the full width of the page
    """

    caption: str
    svg: str
    is_wide: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the page.

    Attributes
    ----------
    name : for links and for JSON
    title : its heading
    numbers : the results, as JSON has them
    """

    name: str
    title: str
    notes: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)


def number_text(value: Any) -> str:
    """
    >>> number_text(1234), number_text(0.123456), number_text(None), number_text(2e-7)
    ('1,234', '0.1235', 'none', '2e-07')
    """
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
