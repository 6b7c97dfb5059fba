"""Progress bars on standard error, shown only on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported when bars are shown
    from rich.progress import ProgressColumn

    from frugalboost._progress import Stage
    from frugalboost.reproduce import Step
    from frugalboost.tables.table import TableFile


def is_watched() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def bar(title: str, total: float | None) -> Iterator[Callable[[float], None]]:
    """Yield a function that advances a bar, which disappears at the end."""
    if not is_watched():
        yield lambda steps: None
        return
    from frugalboost._progress import passing_bar

    with passing_bar(title, total) as update:
        yield lambda steps: update(advance=steps)


@contextmanager
def run_bar() -> Iterator[Callable[[Step], None]]:
    """Yield a function that shows how far the jobs of a reproduction are, and the time left."""
    if not is_watched():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress

    # Jobs take from a blink to half an hour: their number says little about the time that is left.
    columns = (BarColumn(), _run_column())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=1.0, text="", end=None)

        def show(step: Step) -> None:
            text = f"{step.done} of {step.total} done", step.title
            end = time.monotonic() + step.seconds_left
            shown.update(task, completed=step.share, text=text, end=end)

        yield show


def _run_column() -> ProgressColumn:
    """How far a run is; the time left also runs down while a long job runs."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class RunColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            if task.fields["end"] is None:
                return Text()
            done, title = task.fields["text"]
            left = timedelta(seconds=max(0, round(task.fields["end"] - time.monotonic())))
            return Text(f"{done}, {left} left  {title}")

    return RunColumn()


def stages() -> Stage:
    """Steps of the library's own work, with bars on a terminal."""
    from frugalboost._progress import stages as library_stages

    return library_stages(int(is_watched()))


def open_data(path: Path, option: str = "DATA", *, without: tuple[str, ...] = ()) -> TableFile:
    """Open a file of rows; where somebody watches, there is a bar while it is read."""
    from frugalboost.tables import open_table
    from frugalboost.tables.files import no_bar

    return open_table(path, option, without=without, bar=bar if is_watched() else no_bar)
