"""What AP-Boost claims, measured: less work than Quick Boost for the same model, near the bounds.

The paper gives its claims as tables, so the report sets these numbers beside the published ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frugalboost._typing import Floats
from frugalboost.plots import GapDisplay
from frugalboost.reproduce.adaptive_pruning import published
from frugalboost.reproduce.adaptive_pruning.published import SEARCHES
from frugalboost.reproduce.jobs import Result

if TYPE_CHECKING:
    from frugalboost.reproduce.adaptive_pruning.experiment import Trial

Results = Mapping[str, Result]
Work = list[float]
"""Of AP-Boost and of Quick Boost."""


class Saving(NamedTuple):
    """Work of both searches for one data set and heuristic, all rounds."""

    data: str
    heuristic: str
    published_seconds: Work
    seconds: Work
    published_assessments: Work
    assessments: Work
    is_same_model: bool


def savings(trials: Sequence[Trial], results: Results) -> Iterator[Saving]:
    for (data, heuristic), by_search in grouped(trials).items():
        seeds = [by_search[search] for search in SEARCHES]
        digests = [[results[trial.key]["digest"] for trial in each] for each in seeds]
        yield Saving(
            data,
            heuristic,
            list(published.SECONDS[data, heuristic]),
            [mean_of(each, results, "seconds")[-1] for each in seeds],
            [last_published(data, heuristic, search) for search in SEARCHES],
            [mean_of(each, results, "assessments")[-1] for each in seeds],
            digests[0] == digests[1],
        )


def share_saved(work: Work) -> float:
    adaptive, quick = work
    return 1 - adaptive / quick


def mean_of(trials: Sequence[Trial], results: Results, name: str) -> Any:
    """Mean of a list in the results over seeds."""
    return np.mean([results[trial.key][name] for trial in trials], axis=0)


def grouped(trials: Sequence[Trial]) -> dict[tuple[str, str], dict[str, list[Trial]]]:
    """By data and heuristic, then by search: the trials of all seeds."""
    groups: dict[tuple[str, str], dict[str, list[Trial]]] = {}
    for trial in trials:
        by_search = groups.setdefault((trial.data, trial.heuristic), {})
        by_search.setdefault(trial.search, []).append(trial)
    return groups


def last_published(data: str, heuristic: str, search: str) -> float:
    """Assessments of all rounds."""
    return max(
        cell.assessments
        for cell in published.ERRORS
        if (cell.data, cell.heuristic, cell.search) == (data, heuristic, search)
    )


class Gaps(NamedTuple):
    """Figure 1: the exact bound, the exhaustive search, and by name what lies between them."""

    rounds: list[int]
    exact: Any
    full: Any
    counts: dict[str, Any]

    @property
    def display(self) -> GapDisplay:
        return GapDisplay.from_counts(*self)

    def together(self, name: str) -> float:
        """Share of the gaps of all rounds."""
        gap = float((self.full - self.exact).sum())
        return float((self.counts[name] - self.exact).sum()) / gap if gap else 0.0


def gaps(data: str, results: Results) -> Gaps:
    bound = results[f"{data}-exact-bound"]
    rounds, exact = bound["rounds"], np.array(bound["exact"], dtype=float)
    stumps = {search: results[f"{data}-depth1-none-{search}-seed0"] for search in SEARCHES}
    counts = {SEARCHES[s]: of_rounds(fit, "assessments", rounds) for s, fit in stumps.items()}
    counts["weight order bound"] = np.array(bound["weight_order"], dtype=float)
    return Gaps(rounds, exact, of_rounds(stumps["quick"], "full", rounds), counts)


def above_bound(data: str, search: str, results: Results) -> Floats:
    """Figure 2: by which share assessments exceed the weight order bound, by round."""
    bound = results[f"{data}-weight-order-bound"]
    assessed = of_rounds(fit_of(data, search, results), "assessments", bound["rounds"])
    return np.asarray(assessed / np.array(bound["weight_order"], dtype=float) - 1)


def fit_of(data: str, search: str, results: Results) -> Result:
    return results[f"{data}-depth{published.depth_of(data)}-none-{search}-seed0"]


def of_rounds(fit: Result, name: str, rounds: Sequence[int]) -> Any:
    return np.array(fit["by_round"][name], dtype=float)[np.array(rounds) - 1]
