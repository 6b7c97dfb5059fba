"""One screen: how far one is, the row in question, the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from frugalboost.active import Entry
from frugalboost.cli.label.gauge import Gauge, bounds
from frugalboost.cli.label.image import Picture, blocks
from frugalboost.cli.label.keys import COMMANDS, ClassKeys
from frugalboost.cli.label.session import Labelling

CELL_WIDTH = 34
MOST_CLASSES = 12
LEAST_ROOM = 4
"""Lines for the row, however small the window."""

BAR = 20


@dataclass
class Screen:
    """What to draw; `page` and `message` change as keys are struck."""

    console: Console
    session: Labelling
    keys: ClassKeys
    title: str
    picture: Picture | None = None
    image: Path | None = None
    page: int = 0
    message: str = ""
    typed: str | None = None
    choices: list[str] = field(default_factory=list)

    def draw(self, asked: Entry | None) -> RenderableType:
        """Everything, from above to below; the row has what room the rest leaves."""
        above = [*self._progress(), Rule(style="dim")]
        keys = [self._class_keys(), self._command_keys(), self._last_line()]
        below: list[RenderableType] = [Rule(style="dim"), *map(Text, self.choices), *keys]
        if asked is None:
            return Group(*above, *below)
        above.append(self._heading(asked))
        taken = len(self.console.render_lines(Group(*above, *below)))
        room = max(self.console.height - taken, LEAST_ROOM)
        return Group(*above, self._row(asked.row or 0, room), *below)

    def _progress(self) -> list[RenderableType]:
        session = self.session
        return [
            Text(self.title, style="bold", no_wrap=True, overflow="ellipsis"),
            Text(progress_text(session), no_wrap=True, overflow="ellipsis"),
            Text("held-out error  " + error_text(session.gauge)),
            Text("expected gain   " + gain_text(session.gauge, session.surprises)),
        ]

    def _heading(self, asked: Entry) -> Text:
        text = Text(self.session.pool.name_of(asked.row or 0), style="bold")
        text.append(f"   asked for: {asked.reason}", style="not bold dim")
        return text

    def _row(self, row: int, room: int) -> RenderableType:
        if self.picture is None:
            return self._cells(self.session.pool.cells(row), room)
        pixels = self.picture.pixels(self.session.pool.X[row])
        has_colours = self.console.color_system is not None and not self.console.no_color
        caption = Text(f"picture: {self.image}", style="dim", overflow="fold")
        left = room - 1 - len(self.console.render_lines(caption))
        return Group(blocks(pixels, self.console.width, left, has_colours), caption)

    def _cells(self, cells: list[tuple[str, str]], room: int) -> RenderableType:
        """Names and values, side by side if they are many; those that do not fit, a page on."""
        whole = self._grid(cells, 1, is_cut=False)
        if len(self.console.render_lines(whole, pad=False)) <= room:
            return whole
        across = max(self.console.width // CELL_WIDTH, 1)
        size = across * (room - 1)
        n_pages = -(-len(cells) // size)
        page = self.page % n_pages
        grid = self._grid(cells[size * page : size * (page + 1)], across, is_cut=True)
        return Group(grid, Text(f"page {page + 1} of {n_pages}; v: the next", style="dim"))

    def _grid(self, cells: list[tuple[str, str]], across: int, *, is_cut: bool) -> Table:
        grid = Table.grid(padding=(0, 2))
        for _ in range(across):
            grid.add_column(style="cyan", no_wrap=True, overflow="ellipsis")
            grid.add_column(no_wrap=is_cut, overflow="ellipsis" if is_cut else "fold")
        high = -(-len(cells) // across)
        for at in range(high):
            grid.add_row(*(Text(text) for cell in cells[at::high] for text in cell))
        return grid

    def _class_keys(self) -> Text:
        text = Text()
        for name in self.session.classes:
            key = self.keys.key_of(name)
            text.append(f" {key or 'n'} ", style="reverse bold")
            text.append(f" {name}   ", style="bold")
        return text if text else Text("No class is known yet: n names one.", style="yellow")

    def _command_keys(self) -> Text:
        text = Text()
        for key, name in COMMANDS.items():
            shown = "+" if key == "n" and key in self.keys.class_of else key
            text.append(f" {shown} ", style="reverse")
            text.append(f" {name}  ", style="dim")
        return text

    def _last_line(self) -> Text:
        if self.typed is not None:
            return Text(f"{self.message} {self.typed}▏", style="yellow")
        return Text(self.message, style="green")


def progress_text(session: Labelling) -> str:
    """Labels given, of each class, and skips."""
    n, budget = len(session.given), session.plan.budget
    parts = [f"labels {n}"]
    if budget is not None:
        filled = min(BAR * n // budget, BAR)
        parts = [f"labels {n} of {budget} {'█' * filled}{'░' * (BAR - filled)}"]
    if len(session.answers) > n:
        parts.append(f"{len(session.answers) - n} from the file")
    counts = session.counts().most_common(MOST_CLASSES)
    if counts:
        parts.append(", ".join(f"{name}: {count}" for name, count in counts))
    if session.now.skipped:
        parts.append(f"skipped {len(session.now.skipped)}")
    return " · ".join(parts)


def error_text(gauge: Gauge) -> str:
    """In words, with the rows that it is of.

    >>> error_text(Gauge(True, n_tested=40, n_wrong=3))
    '7.5 % (1.6 to 20.4): 3 of 40 random rows, asked as checks and not learnt from'
    """
    if not gauge.has_model:
        return "not known yet; it needs labels of two classes"
    if gauge.error is None:
        return "not known yet; it needs a check"
    low, high = bounds(gauge.n_wrong, gauge.n_tested)
    rows = "rows of the validation file"
    if not gauge.is_given:
        rows = "random rows, asked as checks and not learnt from"
    return (
        f"{100 * gauge.error:.1f} % ({100 * low:.1f} to {100 * high:.1f}): {gauge.n_wrong} of "
        f"{gauge.n_tested} {rows}"
    )


def gain_text(gauge: Gauge, surprises: Sequence[bool]) -> str:
    """What further labels may bring; `surprises`: whether the model had expected others.

    >>> gain_text(Gauge(True, changes=(0.02, 0.01)), [True, False, False])
    'a training changes about 1.5 % of the predictions; 1 of the last 3 answers surprised the model'
    """
    if not gauge.has_model:
        return "not known yet; it needs labels of two classes"
    text = "not known yet; it needs another answer"
    if gauge.expected_change is not None:
        text = f"a training changes about {100 * gauge.expected_change:.1f} % of the predictions"
    if surprises:
        text += f"; {sum(surprises)} of the last {len(surprises)} answers surprised the model"
    return text
