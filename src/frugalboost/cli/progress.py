"""Progress bars on standard error, shown only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported when bars are shown
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
    from datetime import timedelta

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    # Jobs take from a blink to half an hour: their number says little about the time that is left.
    columns = (BarColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=1.0)

        def show(step: Step) -> None:
            left = timedelta(seconds=round(step.seconds_left))
            text = f"{step.done} of {step.total} done, {left} left  {step.title}"
            shown.update(task, completed=step.share, description=text)

        yield show


def stages() -> Stage:
    """Steps of the library's own work, with bars on a terminal."""
    from frugalboost._progress import stages as library_stages

    return library_stages(int(is_watched()))


def open_data(path: Path, option: str = "DATA", *, without: tuple[str, ...] = ()) -> TableFile:
    """Open a file of rows; where somebody watches, there is a bar while it is read."""
    from frugalboost.tables import open_table
    from frugalboost.tables.files import no_bar

    return open_table(path, option, without=without, bar=bar if is_watched() else no_bar)
