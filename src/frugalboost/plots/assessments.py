"""Assessments so far, round by round (AP-Boost, figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._typing import AnyArray, Floats
from frugalboost.plots._checks import (
    check_line,
    check_named,
    check_numbers,
    check_pair,
    check_rounds,
)
from frugalboost.plots._lines import LinesDisplay

FULL = "exhaustive"


class AssessmentsDisplay(LinesDisplay):
    """Running totals of assessments against the round.

    Parameters
    ----------
    assessments : dict of name to (n_rounds,) assessments of each round; n_rounds may differ
    bounds : pair of rounds, ascending and counted from 1, and the lower bound in each; or None
        A bound takes long to compute, so it may be known for some rounds only. In the running
        total, bounds of rounds between two known ones are interpolated linearly, rounds before the
        first known one count as much as it, and the line ends with the last. Only if every round
        is known is the line a bound; otherwise it is an estimate of one.
    bounds_name : name of the line of bounds, which is dashed

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> display = AssessmentsDisplay({"quick": [9, 5, 5]}, bounds=([1, 3], [4, 6]))
    >>> display.running_totals
    {'quick': array([ 9., 14., 19.]), 'lower bound': array([ 4.,  9., 15.])}
    >>> from matplotlib.figure import Figure
    >>> display.plot(ax=Figure().subplots()).lines_["quick"].get_xdata()
    array([1, 2, 3])
    """

    def __init__(
        self,
        assessments: Mapping[str, Any],
        bounds: tuple[Any, Any] | None = None,
        bounds_name: str = "lower bound",
    ) -> None:
        named = check_named(assessments, name="assessments", of="lines")
        self.assessments = {
            name: check_numbers(counts, name=f"assessments[{name!r}]")
            for name, counts in named.items()
        }
        self.bounds = None if bounds is None else check_bounds(bounds)
        self.bounds_name = bounds_name
        if bounds is not None and bounds_name in self.assessments:
            raise ValueError(f"bounds_name must not be a name of assessments; got {bounds_name!r}.")

    @classmethod
    def from_estimators(
        cls,
        models: Mapping[str, Any],
        full: bool = True,
        bounds: tuple[Any, Any] | None = None,
        bounds_name: str = "lower bound",
    ) -> AssessmentsDisplay:
        """Take the assessments from the ledgers of fitted models.

        Parameters
        ----------
        models : dict of name to fitted model
        full : whether to add what an exhaustive search assesses, as "exhaustive"
            All models must then have the same trees, as those of different searches do.
        bounds, bounds_name : as in the class
        """
        named = check_named(models, name="models", of="fitted models")
        for model in named.values():
            check_is_fitted(model)
        counts = {name: model.ledger_.assessments for name, model in named.items()}
        if full and FULL not in counts:
            counts[FULL] = common_full([model.ledger_.full for model in named.values()])
        return cls(counts, bounds, bounds_name)

    @property
    def running_totals(self) -> dict[str, Floats]:
        """Running total of each line, from round 1 on."""
        totals = {name: np.cumsum(counts) for name, counts in self.assessments.items()}
        if self.bounds is not None:
            rounds, values = self.bounds
            every = np.arange(1, int(rounds[-1]) + 1)
            totals[self.bounds_name] = np.cumsum(np.interp(every, rounds, values))
        return totals

    def _points(self) -> dict[str, tuple[AnyArray, AnyArray]]:
        totals = self.running_totals.items()
        return {name: (np.arange(1, len(line) + 1), line) for name, line in totals}

    def _style(self, index: int, name: str) -> dict[str, Any]:
        is_bound = name not in self.assessments
        return {"color": "black", "linestyle": "--"} if is_bound else {}

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "round", "ylabel": "assessments so far"}


def check_bounds(bounds: Any) -> tuple[Floats, Floats]:
    check_pair(bounds, name="bounds", of="rounds and values")
    rounds = check_rounds(bounds[0], name="bounds[0]")
    like = "the rounds of bounds[0]"
    check_line(bounds[1], len(rounds), name="bounds[1]", like=like)
    return rounds, check_numbers(bounds[1], name="bounds[1]")


def common_full(columns: list[AnyArray]) -> AnyArray:
    """The longest column; the others must be prefixes of it."""
    longest = max(columns, key=len)
    if any((column != longest[: len(column)]).any() for column in columns):
        raise ValueError(
            "full must be False for models with different trees, for which an exhaustive search "
            "would make different assessments; got True."
        )
    return longest
