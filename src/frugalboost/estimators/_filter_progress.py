"""The progress bar of a run that draws its examples."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from frugalboost.estimators._progress import warn_no_rich
from frugalboost.filtering import FilterBooster, FilterEntry
from frugalboost.filtering.loop import OnRound


@contextmanager
def filter_progress(
    verbose: int, n_rounds: int, booster: FilterBooster, title: str
) -> Iterator[OnRound | None]:
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
        TextColumn(
            "{task.fields[examples]:,} examples, {task.fields[acceptance]:.1%} accepted, "
            "error <= {task.fields[bound]:.4f}"
        ),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        done = len(booster.ensemble)
        task = bar.add_task(
            title, total=n_rounds, completed=done, examples=0, acceptance=1.0, bound=1.0
        )

        def on_round(n_trees: int, entry: FilterEntry) -> None:
            bar.update(
                task,
                completed=n_trees,
                examples=booster.tap.n_used,
                acceptance=entry.acceptance,
                bound=entry.error_bound,
            )

        yield on_round
