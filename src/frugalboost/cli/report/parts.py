"""What a page is made of: sections of notes, tables and figures, all of them plain text so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class PageTable:
    """Rows of cells, the first of each row being its heading.

    Attributes
    ----------
    caption : what it shows
    headings : of the columns, the first being that of the rows' headings; none: names and values
    rows : list of lists of texts
    """

    caption: str
    headings: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class PageFigure:
    """A drawing.

    Attributes
    ----------
    caption : what it shows, also for those who do not see it
    svg : the drawing, an element of SVG
    is_wide : whether it takes the width of the page
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
    numbers : what was found, as JSON has it
    """

    name: str
    title: str
    notes: list[str] = field(default_factory=list)
    tables: list[PageTable] = field(default_factory=list)
    figures: list[PageFigure] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)


def number_text(value: Any) -> str:
    """
    >>> number_text(1234), number_text(0.123456), number_text(None), number_text(2e-7)
    ('1,234', '0.1235', 'none', '2e-07')
    """
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
