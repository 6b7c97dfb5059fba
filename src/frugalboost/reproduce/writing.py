"""A report as Markdown, JSON and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from frugalboost._files import whole_file
from frugalboost.reproduce.archive import SUFFIX
from frugalboost.reproduce.jobs import Result, write_whole
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf

FORMATS = ("png", "svg")
BEGIN = "<!-- tables: written by frugalboost reproduce, do not edit -->"
END = "<!-- end of the tables -->"
PANEL = (6.4, 4.4)


def write_report(
    folder: Path, title: str, sections: Sequence[Section], results: Mapping[str, Result]
) -> None:
    """Write ``report.md``, ``report.json`` and what is below ``figures``."""
    has_figures = can_draw()
    if has_figures:
        for section in sections:
            for figure in section.figures:
                draw(figure, folder / "figures")
    write_whole(folder / "report.md", markdown(title, sections, has_figures))
    report = {"title": title, "sections": [as_json(each) for each in sections]}
    write_whole(folder / "report.json", json.dumps(report | {"results": results}, indent=1))


def beginnings(title: str) -> dict[str, bytes]:
    """By name, how the files of a report begin."""
    as_json = json.dumps({"title": title}, indent=1).removesuffix("\n}")
    return {"report.md": f"# {title}\n".encode(), "report.json": as_json.encode()}


class Page:
    """A page of documentation that holds a report between two markers."""

    def __init__(self, path: Path) -> None:
        self._path = path
        text = path.read_bytes().decode("utf-8")  # with the ends of lines that the page has
        self._newline = "\r\n" if "\r\n" in text else "\n"
        if text.count(BEGIN) != 1 or text.count(END) != 1:
            raise ValueError(f"{path} must hold the markers {BEGIN!r} and {END!r}, once each.")
        self._above, rest = text.split(BEGIN)
        self._below = rest.split(END)[1]

    @property
    def archive(self) -> Path:
        """Where all results are kept."""
        return self._path.parent / "results" / (self._path.stem + SUFFIX)

    def other_pictures(self, sections: Sequence[Section]) -> list[Path]:
        """Return the files where pictures belong that the page, as it is, does not show."""
        names = [f"{figure.name}.svg" for each in sections for figure in each.figures]
        paths = [self._path.parent / "figures" / name for name in names]
        text = self._path.read_text(encoding="utf-8")
        return [path for path in paths if path.exists() and f"(figures/{path.name})" not in text]

    def write(self, sections: Sequence[Section]) -> None:
        """Put the tables in, and the pictures beside the page."""
        has_figures = can_draw()
        body = "\n".join([BEGIN, "", *section_lines(sections, has_figures), END])
        body = self._newline.join(body.split("\n"))
        write_whole(self._path, self._above + body + self._below)
        for section in sections if has_figures else ():
            for figure in section.figures:
                draw(figure, self._path.parent / "figures", ("svg",))


def can_draw() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


def draw(figure: FigureOf, folder: Path, formats: Sequence[str] = FORMATS) -> None:
    """A picture in each format, without a display."""
    from matplotlib import rc_context

    folder.mkdir(parents=True, exist_ok=True)
    picture = drawn(figure)
    # No date and no random names inside, so that equal numbers give an equal file.
    with rc_context({"svg.hashsalt": figure.name}):
        for kind in formats:
            metadata = {"Date": None} if kind == "svg" else {}
            with whole_file(folder / f"{figure.name}.{kind}") as file:
                picture.savefig(file, format=kind, dpi=120, metadata=metadata)


def drawn(figure: FigureOf) -> Any:
    """A matplotlib figure, without a display."""
    from matplotlib.figure import Figure

    n = figure.panels
    picture = Figure(figsize=(PANEL[0] * min(n, 2), PANEL[1] * -(-n // 2)), layout="constrained")
    axes = list(picture.subplots(-(-n // 2), min(n, 2), squeeze=False).flat)
    figure.draw(axes[:n])
    for left_over in axes[n:]:
        left_over.remove()
    return picture


def markdown(title: str, sections: Sequence[Section], has_figures: bool) -> str:
    return "\n".join([f"# {title}", "", *section_lines(sections, has_figures)])


def section_lines(sections: Sequence[Section], has_figures: bool) -> Iterator[str]:
    for section in sections:
        yield from (f"## {section.title}", "")
        if section.text:
            yield from (section.text, "")
        for table in section.tables:
            yield from (*table_lines(table), "")
        for figure in section.figures:
            yield from (figure_line(figure, has_figures), "")


def figure_line(figure: FigureOf, is_there: bool) -> str:
    if is_there:
        return f"![{figure.caption}](figures/{figure.name}.svg)"
    return f'({figure.caption} Not drawn: pip install "frugalboost[plots]".)'


def table_lines(table: TableOf) -> Iterator[str]:
    """
    >>> print("\\n".join(table_lines(TableOf("Sizes", ["data", "rows"], [["a6a", 11220]]))))
    ### Sizes
    <BLANKLINE>
    | data | rows |
    |---|---:|
    | a6a | 11220 |
    """
    yield from (f"### {table.title}", "")
    yield line(table.headings)
    sides = ("---:" if is_number(table, i) else "---" for i in range(len(table.headings)))
    yield "|" + "|".join(sides) + "|"
    yield from (line(row) for row in table.rows)


def line(cells: Sequence[Cell]) -> str:
    return "| " + " | ".join("" if cell is None else str(cell) for cell in cells) + " |"


def is_number(table: TableOf, column: int) -> bool:
    """Whether a column holds numbers, to be set flush right."""
    texts = [str(row[column]) for row in table.rows]
    return any(texts) and all(text[:1] in "+-0123456789" for text in texts if text)


def as_json(section: Section) -> Result:
    tables = [
        {"title": each.title, "headings": list(each.headings), "rows": [list(r) for r in each.rows]}
        for each in section.tables
    ]
    figures = [{"name": each.name, "caption": each.caption} for each in section.figures]
    return {"title": section.title, "text": section.text, "tables": tables, "figures": figures}
