"""Label curves, and how many labels an error takes where some runs never reach it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from frugalboost.reproduce.jobs import Result


@dataclass(frozen=True)
class LabelRun:
    """One label curve, and Batch on the same rows.

    Attributes
    ----------
    batch : Result of `error_curve`
    curve : Result of `label_curve`
    n_rows : int
        Training rows.
    """

    batch: Result
    curve: Result
    n_rows: int

    @property
    def target(self) -> float:
        """Batch's lowest error in any round."""
        return float(min(self.batch["test_error"]))

    def lowest(self, errors: str = "error") -> float:
        """Of all committees, after their last round, or after their best."""
        return float(min(self.curve[errors]))

    @property
    def end(self) -> int:
        """Labels of the last committee."""
        return int(self.curve["labels"][-1])

    def place(self, target: float, errors: str = "error") -> int | None:
        """Of the first committee with an error of at most `target`; None if none has."""
        places = (i for i, error in enumerate(self.curve[errors]) if error <= target)
        return next(places, None)

    def labels(self, target: float, errors: str = "error") -> int | None:
        place = self.place(target, errors)
        return None if place is None else int(self.curve["labels"][place])

    def work(self, target: float) -> int | None:
        """Of all committees until then."""
        place = self.place(target)
        return None if place is None else int(self.curve["work"][place])


@dataclass(frozen=True)
class Needed:
    """Labels to reach an error, over runs.

    Attributes
    ----------
    counts : tuple of int or None
        None: never.
    limit : int
        Labels at the end of a run: one that never reached the error needs more.
    """

    counts: tuple[int | None, ...]
    limit: int

    @property
    def n_runs(self) -> int:
        return len(self.counts)

    @property
    def n_reached(self) -> int:
        return self.n_runs - self.counts.count(None)

    @property
    def median(self) -> float | None:
        """A run that never reached the error is above all others; None: so is the median.

        >>> Needed((30, None, 50), 100).median, Needed((30, None), 100).median
        (50.0, None)
        """
        middle = float(np.median([np.inf if n is None else n for n in self.counts]))
        return middle if np.isfinite(middle) else None

    @property
    def at_least(self) -> float:
        """The median, or what it exceeds."""
        return self.limit if self.median is None else self.median


def count_labels(
    runs: Sequence[LabelRun], target: float | None = None, errors: str = "error"
) -> Needed | None:
    """Labels to a target, or else to the lowest error of Batch in each run."""
    if not runs:
        return None
    counts = (run.labels(run.target if target is None else target, errors) for run in runs)
    return Needed(tuple(counts), min(run.end for run in runs))


def say(needed: Needed) -> str:
    """The median, and the share of the runs if not all reached the error.

    >>> say(Needed((560, 590), 1000)), say(Needed((None, None), 7494)), say(Needed((9, 8, None), 9))
    ('575', '> 7,494 (0 of 2)', '9 (2 of 3)')
    """
    reached = (
        "" if needed.n_reached == needed.n_runs else f" ({needed.n_reached} of {needed.n_runs})"
    )
    return f"{'> ' if needed.median is None else ''}{needed.at_least:,.0f}{reached}"


def ratio(active: Needed | None, random: Needed | None) -> str:
    """Of the medians; a bound where only one is known.

    >>> active = Needed((30,), 100)
    >>> ratio(active, Needed((60,), 100)), ratio(active, Needed((None,), 60))
    ('0.50', '< 0.50')
    """
    if active is None or random is None or active.median is None:
        return ""
    bound = "< " if random.median is None else ""
    return f"{bound}{active.median / random.at_least:.2f}"
