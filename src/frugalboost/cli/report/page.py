"""Sections as one page of HTML. All that comes from files goes through `safe`."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from frugalboost._texts import VALUE, shortened
from frugalboost.cli.printing import shown
from frugalboost.cli.report.parts import PageFigure, PageTable, Section
from frugalboost.cli.report.style import STYLE

# Nothing may be fetched and nothing may run, whatever a name of a column says.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(title: str, lead: list[str], sections: Iterable[Section]) -> str:
    """The whole page, without anything from elsewhere."""
    listed = list(sections)
    links = "".join(f'<li><a href="#{s.name}">{safe(s.title)}</a></li>' for s in listed)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{safe(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<header>
<h1>{safe(title)}</h1>
{paragraphs(lead)}
<nav aria-label="Sections"><ul>{links}</ul></nav>
</header>
<main>
{"".join(map(section_html, listed))}</main>
</body>
</html>
"""


def safe(text: str) -> str:
    """Text of whatever origin as text of the page.

    >>> safe("<b>&\\x00")
    '&lt;b&gt;&amp;\\\\x00'
    """
    return escape(shown(text))


def paragraphs(notes: Iterable[str]) -> str:
    return "".join(f"<p>{safe(note)}</p>\n" for note in notes)


def section_html(section: Section) -> str:
    tables = "".join(map(table_html, section.tables))
    figures = "".join(map(figure_html, section.figures))
    return (
        f'<section id="{section.name}" aria-labelledby="{section.name}-title">\n'
        f'<h2 id="{section.name}-title">{safe(section.title)}</h2>\n'
        f'{paragraphs(section.notes)}<div class="parts">\n{figures}{tables}</div>\n</section>\n'
    )


def table_html(table: PageTable) -> str:
    """A table that scrolls by itself where it is wider than the page."""
    head = "".join(f'<th scope="col">{safe(shortened(heading))}</th>' for heading in table.headings)
    head = f"<thead><tr>{head}</tr></thead>" if table.headings else ""
    body = "".join(f"<tr>{row_html(row)}</tr>\n" for row in table.rows)
    kind = "numbers" if table.headings else "names"
    caption = safe(table.caption)
    return (
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0">'
        f'<table class="{kind}"><caption>{caption}</caption>{head}<tbody>\n{body}</tbody></table>'
        "</div>\n"
    )


def row_html(row: list[str]) -> str:
    cells = "".join(f"<td>{safe(shortened(cell, VALUE))}</td>" for cell in row[1:])
    return f'<th scope="row">{safe(shortened(row[0]))}</th>{cells}'


def figure_html(figure: PageFigure) -> str:
    kind = ' class="wide"' if figure.is_wide else ""
    inner = f'<div class="scroll" tabindex="0">{figure.svg}</div>' if figure.is_wide else figure.svg
    return f"<figure{kind}>{inner}<figcaption>{safe(figure.caption)}</figcaption></figure>\n"
