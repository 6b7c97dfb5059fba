"""The progress bar of ``verbose=1``."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from frugalboost.boosting import Entry
from frugalboost.boosting.loop import OnRound


def warn_no_rich() -> None:
    warnings.warn(
        'verbose=1 needs rich for its progress bar: pip install "frugalboost[progress]".',
        UserWarning,
        stacklevel=3,
    )


@contextmanager
def progress(verbose: int, n_rounds: int, n_done: int, title: str) -> Iterator[OnRound | None]:
    """Give a callback that moves a bar on standard error; None when nothing is to be shown."""
    if verbose == 0:
        yield None
        return
    try:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
    except ImportError:
        warn_no_rich()
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("error {task.fields[error]:.4f}, {task.fields[share]:.0%} of all assessments"),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=n_rounds, completed=n_done, error=float("nan"), share=1.0)

        def on_round(n_trees: int, entry: Entry) -> None:
            share = entry.assessments / entry.full if entry.full else 0.0
            bar.update(task, completed=n_trees, error=entry.error, share=share)

        yield on_round
