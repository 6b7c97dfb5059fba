"""The progress bar of a run that draws its examples."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from frugalboost.estimators._progress import progress_bar
from frugalboost.filtering import FilterBooster, FilterEntry
from frugalboost.filtering.loop import OnRound

TEXT = (
    "{task.fields[examples]:,} examples, {task.fields[acceptance]:.1%} accepted, "
    "estimated error {task.fields[bound]:.4f}"
)


@contextmanager
def filter_progress(
    verbose: int, n_rounds: int, booster: FilterBooster, title: str
) -> Iterator[OnRound | None]:
    """A bar by rounds, with the examples drawn, the acceptance rate and the error bound."""
    n_done = len(booster.ensemble)
    first = {"examples": booster.tap.n_used, "acceptance": 1.0, "bound": 1.0}
    with progress_bar(verbose, title, TEXT, total=n_rounds, completed=n_done, **first) as update:
        if update is None:
            yield None
            return

        def on_round(n_trees: int, entry: FilterEntry) -> None:
            update(
                completed=n_trees,
                examples=booster.tap.n_used,
                acceptance=entry.acceptance,
                bound=entry.error_bound,
            )

        yield on_round
