"""Progress of long work: the share that is done, and progress bars."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeAlias, TypeVar

OnShare: TypeAlias = Callable[[float], None]
"""Called now and then with the share that is done, from 0 to 1 and never decreasing."""

Item = TypeVar("Item")


def ignore_progress(share: float) -> None:
    """Ignore progress, where nobody watches it."""


def part_of(on_share: OnShare, start: float, end: float) -> OnShare:
    """Report the progress of a part of the work as a share of the whole.

    >>> part_of(print, 0.5, 1.0)(0.5)
    0.75
    """
    return lambda share: on_share(start + (end - start) * share)


def counted(items: Iterable[Item], n_items: int, on_share: OnShare) -> Iterator[Item]:
    """Yield the items; each counts as done when the next one is requested.

    >>> list(counted("ab", 2, print))
    0.5
    1.0
    ['a', 'b']
    """
    for number, item in enumerate(items, start=1):
        yield item
        on_share(number / n_items)


Update = Callable[..., None]


@contextmanager
def progress_bar(
    verbose: int, title: str, text: str, *, total: int, completed: int, **fields: Any
) -> Iterator[Update | None]:
    """Yield a function that updates a bar on standard error; None if nothing is to be shown.

    Parameters
    ----------
    text : shown beside the bar, with fields in braces as in rich
    **fields : values of the text's fields before the first update, which takes new ones
    """
    if verbose == 0 or not has_rich():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn(text),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total, completed=completed, **fields)
        yield lambda **changes: bar.update(task, **changes)


def has_rich() -> bool:
    """Whether bars can be shown; warn if not."""
    try:
        import rich.progress  # noqa: F401
    except ImportError:
        warnings.warn(
            'verbose=1 needs rich for its progress bar: pip install "frugalboost[progress]".',
            UserWarning,
            stacklevel=2,
        )
        return False
    return True


@contextmanager
def rounds_bar(
    verbose: int, n_rounds: int, n_done: int, title: str
) -> Iterator[Callable[[int, Any], None] | None]:
    """A bar that counts rounds and shows the work of the last one.

    It does not show the ledger's error: a different figure for each rule, and missing for some.
    """
    text = "{task.fields[share]:.0%} of all assessments"
    first = {"share": 1.0}
    with progress_bar(verbose, title, text, total=n_rounds, completed=n_done, **first) as update:
        if update is None:
            yield None
            return

        def on_round(n_trees: int, entry: Any) -> None:
            share = entry.assessments / entry.full if entry.full else 0.0
            update(completed=n_trees, share=share)

        yield on_round


Stage: TypeAlias = Callable[[str], AbstractContextManager[OnShare]]
"""Begins a step with a title, and yields a function that takes the share of it that is done."""

SMALLEST_MOVE = 0.001
"""A bar is not redrawn for less, as some work has a million steps."""

OPEN: ContextVar[Any] = ContextVar("OPEN", default=None)
"""The bar on the screen, if any: two independent bars would overwrite each other."""


@contextmanager
def without_bar(title: str) -> Iterator[OnShare]:
    """A step without a bar."""
    yield ignore_progress


@contextmanager
def with_bar(title: str) -> Iterator[OnShare]:
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
    """Steps with or without bars, as ``verbose`` requests."""
    return with_bar if verbose and has_rich() else without_bar


@contextmanager
def passing_bar(title: str, total: float | None) -> Iterator[Callable[..., None]]:
    """Yield rich's function to update a bar on standard error; the bar disappears at the end.

    Inside another one, it is a line below it.
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
