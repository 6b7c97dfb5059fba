"""The progress bars of ``verbose=1``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from frugalboost.boosting import Entry
from frugalboost.boosting.loop import OnRound

Update = Callable[..., None]


@contextmanager
def progress_bar(
    verbose: int, title: str, text: str, *, total: int, completed: int, **fields: Any
) -> Iterator[Update | None]:
    """Give a function that moves a bar on standard error; None when nothing is to be shown.

    Parameters
    ----------
    text : shown beside the bar, with fields in braces as rich has them
    **fields : what the text says before the first update, which takes new ones
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
    """Whether bars can be shown; a warning if not."""
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
def progress(verbose: int, n_rounds: int, n_done: int, title: str) -> Iterator[OnRound | None]:
    """A bar by rounds, with the work of the last one.

    Not with the ledger's error: that is another figure for each rule, and none for some.
    """
    text = "{task.fields[share]:.0%} of all assessments"
    first = {"share": 1.0}
    with progress_bar(verbose, title, text, total=n_rounds, completed=n_done, **first) as update:
        if update is None:
            yield None
            return

        def on_round(n_trees: int, entry: Entry) -> None:
            share = entry.assessments / entry.full if entry.full else 0.0
            update(completed=n_trees, share=share)

        yield on_round
