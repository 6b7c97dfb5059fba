"""What labels buy (GAMBLE, figure 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from frugalboost._typing import Floats
from frugalboost.plots._checks import as_floats, check_named, check_pair, check_rounds
from frugalboost.plots._lines import BaselinesDisplay

BAND = 0.2
"""Opacity: lines below a band stay visible."""


class LabelCurveDisplay(BaselinesDisplay):
    """Error by number of labels, for learners that choose rows, those that do not, and all rows.

    Parameters
    ----------
    curves : dict of name to a pair of (n,) labels, ascending, and errors
        Errors are (n,), or (n_runs, n) for several runs, which are drawn as their mean with a band
        from the lowest to the highest. n may differ between curves; NaN leaves a gap.
    baselines : dict of name to number, or None
        Errors with all labels, drawn as horizontal dashed lines.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, those of baselines too, after `plot`
    bands_ : dict of name to band, for curves of several runs, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> curves = {
    ...     "active": ([10, 20, 30], [0.5, 0.25, 0.125]),
    ...     "random": ([10, 20, 30], [[0.5, 0.5, 0.25], [0.5, 0.25, 0.25]]),
    ... }
    >>> display = LabelCurveDisplay(curves, baselines={"batch": 0.125})
    >>> lines = display.plot(ax=Figure().subplots()).lines_
    >>> lines["random"].get_ydata()
    array([0.5  , 0.375, 0.25 ])
    >>> display.labels_to_reach(0.25)
    {'active': [20], 'random': [30, 20]}
    """

    def __init__(
        self, curves: Mapping[str, Any], baselines: Mapping[str, float] | None = None
    ) -> None:
        named = check_named(curves, name="curves", of="lines")
        self.curves = {name: check_runs(curve, name) for name, curve in named.items()}
        self._read_baselines(baselines)

    @classmethod
    def from_learners(
        cls, learners: Mapping[str, Any], baselines: Mapping[str, float] | None = None
    ) -> LabelCurveDisplay:
        """Read the histories of learners that were run with rows held out.

        Parameters
        ----------
        learners : dict of name to ActiveLearner, or to a list of them, several runs
            After `run` with `validation`. Runs of one name are compared at the numbers of labels
            that all of them had.
        baselines : as in the class
        """
        named = check_named(learners, name="learners", of="learners")
        return cls({name: read_histories(each, name) for name, each in named.items()}, baselines)

    def labels_to_reach(self, error: float) -> dict[str, list[int | None]]:
        """The fewest labels with an error of at most `error`, for each run; None: never."""
        return {
            name: [first_at_most(labels, run, error) for run in runs]
            for name, (labels, runs) in self.curves.items()
        }

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return {name: (labels, runs.mean(axis=0)) for name, (labels, runs) in self.curves.items()}

    def _draw_others(self, kwargs: Mapping[str, Any]) -> None:
        self.bands_ = {}
        for name, (labels, runs) in self.curves.items():
            if len(runs) > 1:
                colour = self.lines_[name].get_color()
                self.bands_[name] = self.ax_.fill_between(
                    labels, runs.min(axis=0), runs.max(axis=0), color=colour, alpha=BAND
                )
        super()._draw_others(kwargs)

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "labels", "ylabel": "error"}


def check_runs(curve: Any, name: str) -> tuple[Floats, Floats]:
    """Numbers of labels, and errors as (n_runs, n)."""
    check_pair(curve, name=f"curves[{name!r}]", of="labels and errors")
    labels = check_rounds(curve[0], name=f"labels of curves[{name!r}]")
    errors = as_floats(curve[1])
    runs = None if errors is None else np.atleast_2d(errors)
    if runs is None or runs.ndim != 2 or not len(runs) or runs.shape[1] != len(labels):
        got = repr(curve[1]) if errors is None else f"shape {errors.shape}"
        raise ValueError(
            f"errors of curves[{name!r}] must be {len(labels)} numbers, as many as its "
            f"labels, or rows of that many numbers; got {got}."
        )
    return labels, runs


def first_at_most(labels: Floats, errors: Floats, error: float) -> int | None:
    """
    >>> first_at_most(np.array([10, 20]), np.array([0.5, 0.25]), 0.3)
    20
    """
    is_low = errors <= error
    return int(labels[is_low.argmax()]) if is_low.any() else None


def read_histories(learners: Any, name: str) -> tuple[list[int], list[list[float]]]:
    """Numbers of labels that all runs had at some point, and the errors then."""
    several = list(learners) if isinstance(learners, (tuple, list)) else [learners]
    runs = [errors_by_labels(getattr(learner, "history_", ())) for learner in several]
    common = sorted(set.intersection(*(set(run) for run in runs))) if runs else []
    if not common:
        raise ValueError(
            f"learners[{name!r}] must have been run with validation and, if several, "
            f"share at least one number of labels; got {learners!r}."
        )
    return common, [[run[n] for n in common] for run in runs]


def errors_by_labels(history: Iterable[Any]) -> dict[int, float]:
    return {entry.labels: entry.error for entry in history if entry.error is not None}
