"""The labelling screen: progress, the row in question and the keys, drawn by Textual."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, ClassVar, TextIO

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.events import Key, Paste, Resize
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from frugalboost.cli.label.error_estimate import error_text, gain_text
from frugalboost.cli.label.keys import COMMANDS
from frugalboost.cli.label.keystrokes import BACKSPACE, ENTER, ESCAPE, KeyDialogue
from frugalboost.cli.label.pictures import block_text
from frugalboost.cli.label.run import LabelRun
from frugalboost.cli.label.session import progress_text

if TYPE_CHECKING:
    from textual.driver import Driver

NAMED_KEYS = {"enter": ENTER, "ctrl+j": ENTER, "backspace": BACKSPACE, "escape": ESCAPE}
CONTROLS = dict.fromkeys(
    {*range(32), *range(127, 160)} - {ord("\n"), ord("\t")}, "\N{REPLACEMENT CHARACTER}"
)
"""Characters of the data that would control the terminal."""

CELL_WIDTH = 34
CHECK_SECONDS = 0.5
"""How often to check that the terminal still exists."""


def label_on_screen(run: LabelRun, terminal: TextIO) -> None:
    """Ask questions until the person stops or none are left; Ctrl-C is a KeyboardInterrupt."""
    with _signals_restored():
        app = LabelApp(run, terminal)
        app.run(mouse=False)  # so that text can still be selected with the mouse
    if app.problem is not None:
        raise app.problem
    if app.return_code:
        raise RuntimeError("the screen could not be drawn")


@contextmanager
def _signals_restored() -> Iterator[None]:
    """Textual and its event loop leave their handlers behind."""
    names = ("SIGINT", "SIGTERM", "SIGWINCH", "SIGTSTP", "SIGCONT")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


class LabelApp(App[None], inherit_bindings=False):
    """Draws a dialogue and hands it keys; `problem` is what ended it, if not the person."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { overflow: hidden; }
    Static { height: auto; }
    RowView { height: 1fr; min-height: 2; }
    #keys { dock: bottom; height: auto; border-top: solid ansi_bright_black; }
    #title { text-style: bold; }
    #title, #progress { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    #heading { border-top: solid ansi_bright_black; }
    #message { color: ansi_green; }
    #message.typing { color: ansi_yellow; }
    """
    BINDINGS: ClassVar = [
        Binding("ctrl+c", "interrupt", priority=True),
        Binding("ctrl+d", "stop", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
    ]

    def __init__(self, run: LabelRun, terminal: TextIO | None = None) -> None:
        # The terminal's own colours, which all other commands use too.
        super().__init__(None if terminal is None else driver_for(terminal), ansi_color=True)
        self.dialogue = KeyDialogue(run, self)
        self.problem: BaseException | None = None
        self.pressed_keys: asyncio.Queue[str] = asyncio.Queue()

    def compose(self) -> ComposeResult:
        for name in ("title", "progress", "error", "gain", "heading"):
            yield Static(id=name, markup=False)
        yield RowView(self.dialogue)
        with Vertical(id="keys"):
            for name in ("choices", "classes", "commands", "message"):
                yield Static(id=name, markup=False)

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # on Windows
                loop.add_signal_handler(number, self.action_interrupt)
        if not self.is_headless:
            self.set_interval(CHECK_SECONDS, self.stop_without_terminal)
        # Textual assumes that the screen is as it was left.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.run_worker(self.label())

    async def label(self) -> None:
        try:
            await self.dialogue.label()
        except Exception as problem:
            self.problem = problem
        self.exit()

    def action_interrupt(self) -> None:
        self.problem = KeyboardInterrupt()
        self.exit()

    def action_stop(self) -> None:
        self.exit()

    def stop_without_terminal(self) -> None:
        """Stop when the terminal was closed, which Textual does not notice."""
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            self.exit()

    def on_key(self, event: Key) -> None:
        if event.key in NAMED_KEYS:
            self.pressed_keys.put_nowait(NAMED_KEYS[event.key])
        elif event.character and event.is_printable and not event.key.startswith(("alt+", "ctrl+")):
            self.pressed_keys.put_nowait(event.character)

    def on_paste(self, event: Paste) -> None:
        if self.dialogue.typed is not None:
            for character in filter(str.isprintable, event.text):
                self.pressed_keys.put_nowait(character)

    async def next_key(self) -> str:
        return await self.pressed_keys.get()

    async def forget_keys(self) -> None:
        await self.screen.wait_for_refresh()
        while not self.pressed_keys.empty():
            self.pressed_keys.get_nowait()

    def draw(self, *, is_learning: bool = False) -> None:
        """Update everything; Textual sends what has changed to the terminal."""
        for name, content in screen_texts(self.dialogue, is_learning).items():
            self.query_one(f"#{name}", Static).update(content)
        self.query_one("#choices").display = bool(self.dialogue.choices)
        self.query_one("#message").set_class(self.dialogue.typed is not None, "typing")
        self.query_one(RowView).refresh()


def screen_texts(dialogue: KeyDialogue, is_learning: bool) -> dict[str, str | Text]:
    """What the lines above and below the row say."""
    session, options = dialogue.session, dialogue.run.options
    return {
        "title": visible(f"{options.data.name}: every answer is saved in {options.session}"),
        "progress": visible(progress_text(session)),
        "error": "held-out error  " + error_text(session.estimate),
        "gain": "expected gain   " + gain_text(session.estimate, session.surprises),
        "heading": heading_text(dialogue),
        "choices": visible("\n".join(dialogue.choices)),
        "classes": class_text(dialogue),
        "commands": command_text(dialogue),
        "message": visible(message_text(dialogue, is_learning)),
    }


def visible(text: str) -> str:
    """Text of a file, in which a terminal would take some characters for commands.

    >>> visible("a\\x1b[2J")
    'a�[2J'
    """
    return text.translate(CONTROLS)


def heading_text(dialogue: KeyDialogue) -> Text:
    if dialogue.question is None:
        return Text()
    text = Text(visible(dialogue.row_name()), style="bold")
    return text.append(f"   asked for: {visible(dialogue.question.reason)}", style="not bold dim")


def class_text(dialogue: KeyDialogue) -> Text:
    text = Text()
    for name in dialogue.session.classes:
        text.append(f" {dialogue.keys.key_of(name) or 'n'} ", style="reverse bold")
        text.append(f" {visible(name)}   ", style="bold")
    return text or Text("No class is known yet; press n to name one.", style="yellow")


def command_text(dialogue: KeyDialogue) -> Text:
    text = Text()
    for key, name in COMMANDS.items():
        shown = "+" if key == "n" and key in dialogue.keys.class_of else key
        text.append(f" {shown} ", style="reverse")
        text.append(f" {name}  ", style="dim")
    return text


def message_text(dialogue: KeyDialogue, is_learning: bool) -> str:
    if dialogue.typed is not None:
        return f"{dialogue.message} {dialogue.typed}▏"
    return f"{dialogue.message} learning ..." if is_learning else dialogue.message


class RowView(Widget):
    """The row in question, in the space that is left: values in pages, or a picture."""

    def __init__(self, dialogue: KeyDialogue) -> None:
        super().__init__()
        self.dialogue = dialogue

    def render(self) -> RenderableType:
        question, run = self.dialogue.question, self.dialogue.run
        if question is None or not self.size:
            return ""
        if run.pixels is not None:
            return self.draw_picture(question.row or 0)
        return self.draw_cells(run.session.pool.cells(question.row or 0))

    def draw_picture(self, row: int) -> RenderableType:
        run = self.dialogue.run
        assert run.pixels is not None
        picture = run.pixels.picture(run.session.pool.X[row])
        has_colours = self.app.console.color_system is not None and not self.app.no_color
        caption = Text(f"picture: {run.options.image_file}", style="dim", overflow="fold")
        height = self.size.height - 1 - self.height_of(caption)
        return Group(block_text(picture, self.size.width, height, has_colours), caption)

    def draw_cells(self, cells: list[tuple[str, str]]) -> RenderableType:
        """One name and value per line if they fit, else side by side and in pages."""
        whole = cell_grid(cells, 1, is_cut=False)
        if self.height_of(whole) <= self.size.height:
            return whole
        across = max(self.size.width // CELL_WIDTH, 1)
        size = across * max(self.size.height - 1, 1)
        n_pages = -(-len(cells) // size)
        page = self.dialogue.page % n_pages
        grid = cell_grid(cells[size * page : size * (page + 1)], across, is_cut=True)
        return Group(grid, Text(f"page {page + 1} of {n_pages}; v: next page", style="dim"))

    def height_of(self, content: RenderableType) -> int:
        console = self.app.console
        options = console.options.update(width=self.size.width, height=None)
        return len(console.render_lines(content, options, pad=False))


def cell_grid(cells: list[tuple[str, str]], across: int, *, is_cut: bool) -> Table:
    grid = Table.grid(padding=(0, 2))
    for _ in range(across):
        grid.add_column(style="cyan", no_wrap=True, overflow="ellipsis")
        grid.add_column(no_wrap=is_cut, overflow="ellipsis" if is_cut else "fold")
    height = -(-len(cells) // across)
    for line in range(height):
        grid.add_row(*(Text(visible(text)) for cell in cells[line::height] for text in cell))
    return grid


def driver_for(terminal: TextIO) -> type[Driver] | None:
    """Draw on this terminal and fill it.

    By default Textual draws on standard error and takes the size from standard output, neither of
    which works if it is redirected.
    """
    if sys.platform == "win32":
        return None
    from textual.drivers.linux_driver import LinuxDriver

    class TerminalDriver(LinuxDriver):
        def start_application_mode(self) -> None:
            self._file = terminal  # type: ignore[assignment]
            super().start_application_mode()  # type: ignore[no-untyped-call]
            # Textual reads the size in a signal handler. If another signal interrupts that, the
            # older size arrives last and stays. Here the event loop reads it, after the signal.
            asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, self.send_size)
            self.send_size()

        def send_size(self) -> None:
            if not self._in_band_window_resize:
                size = Size(*self._get_terminal_size())
                self._app.post_message(Resize(size, size))

        def _sigcont_application(self, *_: object) -> None:
            # Textual would start a second time after SIGSTOP, for which it could not prepare.
            if self._must_signal_resume:
                super()._sigcont_application()
            else:
                self.send_message(self.SignalResume())

        def _get_terminal_size(self) -> tuple[int, int]:
            width = height = 0
            with suppress(OSError):  # the terminal was closed
                width, height = os.get_terminal_size(terminal.fileno())
            return width or 80, height or 24

    return TerminalDriver
