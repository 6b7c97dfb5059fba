"""Bars for the steps of longer work: each has the time left, and goes away when it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeAlias

from frugalboost._shares import OnShare, unheard
from frugalboost.estimators._progress import has_rich

Stage: TypeAlias = Callable[[str], AbstractContextManager[OnShare]]
"""Begins a step that has a title, and gives a function to tell which share of it is done."""

SMALLEST_MOVE = 0.001
"""A bar is not drawn anew for less, as some work has a million steps."""

OPEN: ContextVar[Any] = ContextVar("OPEN", default=None)
"""The bar that is on the screen, if any: two that know nothing of each other would overwrite it."""


@contextmanager
def unseen(title: str) -> Iterator[OnShare]:
    """A step that nobody looks at."""
    yield unheard


@contextmanager
def seen(title: str) -> Iterator[OnShare]:
    """A step with a bar."""
    shown = 0.0
    with passing_bar(title, 1.0) as update:

        def on_share(share: float) -> None:
            nonlocal shown
            if share - shown >= SMALLEST_MOVE:
                shown = share
                update(completed=share)

        yield on_share


def stages(verbose: int) -> Stage:
    """Steps as ``verbose`` asks for them."""
    return seen if verbose and has_rich() else unseen


@contextmanager
def passing_bar(title: str, total: float | None) -> Iterator[Callable[..., None]]:
    """Give rich's function to update a bar on standard error; it goes away at the end.

    Within another one, it is a line below that.
    """
    outer = OPEN.get()
    if outer is not None:
        task = outer.add_task(title, total=total)
        try:
            yield partial(outer.update, task)
        finally:
            outer.remove_task(task)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as Left

    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        Left(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        OPEN.set(shown)
        try:
            yield partial(shown.update, shown.add_task(title, total=total))
        finally:
            OPEN.set(None)
