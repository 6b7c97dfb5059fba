"""What the fits say, set beside what the paper prints: numbers for its tables and its claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frugalboost._typing import Floats
from frugalboost.plots import GapDisplay
from frugalboost.reproduce.adaptive_pruning import published
from frugalboost.reproduce.adaptive_pruning.published import NONE, SEARCHES, Published
from frugalboost.reproduce.jobs import Result

if TYPE_CHECKING:
    from frugalboost.reproduce.adaptive_pruning.experiment import Trial

Results = Mapping[str, Result]
Work = dict[str, float]
"""By search."""
Group = dict[str, list["Trial"]]
"""By search, the fits of all seeds."""


@dataclass(frozen=True)
class Findings:
    """The fits planned, the data sets to run, and the results there are, by key."""

    trials: Sequence[Trial]
    chosen: Sequence[str]
    results: Results

    def groups(self) -> dict[tuple[str, str], Group]:
        """By data and heuristic; those that no interruption has left unfinished."""
        groups: dict[tuple[str, str], Group] = {}
        for trial in self.trials:
            by_search = groups.setdefault((trial.data, trial.heuristic), {})
            by_search.setdefault(trial.search, []).append(trial)
        return {
            name: group
            for name, group in groups.items()
            if all(trial.key in self.results for each in group.values() for trial in each)
        }

    def plain(self) -> dict[str, Group]:
        """AdaBoost without a heuristic, by data."""
        return {data: group for (data, name), group in self.groups().items() if name == NONE}

    def mean(self, trials: Sequence[Trial], name: str, rounds: int) -> float | None:
        """Mean over seeds of a list in the results, after so many rounds; None: not that many."""
        at = [list(self.results[trial.key]["marks"]) for trial in trials]
        if not trials or rounds not in at[0]:
            return None
        lists = [self.results[trial.key][name] for trial in trials]
        return float(np.mean([values[at[0].index(rounds)] for values in lists]))

    def assessments(self, group: Group, rounds: int) -> Work:
        means = {s: self.mean(trials, "assessments", rounds) for s, trials in group.items()}
        return {search: mean for search, mean in means.items() if mean is not None}

    def is_same_model(self, group: Group) -> bool:
        """Whether searches with equally many rounds have one model, and all grew the same trees."""
        by_seed = zip(*group.values(), strict=True)
        return all(self._are_alike([self.results[trial.key] for trial in each]) for each in by_seed)

    def _are_alike(self, fits: list[Result]) -> bool:
        digests = {(fit["marks"][-1], fit["digest"]) for fit in fits}
        shortest = min(len(fit["by_round"]["full"]) for fit in fits)
        sizes = {tuple(fit["by_round"]["full"][:shortest]) for fit in fits}
        return len(sizes) == 1 and len(digests) == len({rounds for rounds, _ in digests})

    def depth(self, data: str, search: str, depth: int) -> float | None:
        """Table 10: assessments of all rounds."""
        fit = self.results.get(f"{data}-depth{depth}-{NONE}-{search}-seed0")
        return None if fit is None else float(fit["assessments"][-1])

    def with_bound(self, kind: str) -> list[str]:
        """Data sets with a bound ("exact" or "weight-order") and the fits that it belongs to."""
        return [
            data
            for data in self.chosen
            if f"{data}-{kind}-bound" in self.results and data in self._compared(kind)
        ]

    def _compared(self, kind: str) -> list[str]:
        depths = {data: 1 if kind == "exact" else published.depth_of(data) for data in self.chosen}
        return [
            data
            for data, depth in depths.items()
            if all(self.depth(data, search, depth) is not None for search in SEARCHES)
        ]


class Saving(NamedTuple):
    """Assessments of the searches after the most rounds that all of them have."""

    data: str
    heuristic: str
    rounds: int
    paper: Work
    here: Work
    is_same_model: bool


def savings(findings: Findings) -> Iterator[Saving]:
    for (data, heuristic), group in findings.groups().items():
        last = [findings.results[each[0].key]["marks"][-1] for each in group.values()]
        paper = {s: at_rounds(data, heuristic, s, min(last)).assessments for s in published.PRINTED}
        here = findings.assessments(group, min(last))
        yield Saving(data, heuristic, min(last), paper, here, findings.is_same_model(group))


def at_rounds(data: str, heuristic: str, search: str, rounds: int) -> Published:
    wanted = (data, heuristic, search, rounds)
    return next(
        cell
        for cell in published.ERRORS
        if (cell.data, cell.heuristic, cell.search, cell.rounds) == wanted
    )


def share_saved(work: Mapping[str, float], search: str) -> float | None:
    """What a search saves over Quick Boost; None if it was not run."""
    return 1 - work[search] / work["quick"] if search in work else None


class Gaps(NamedTuple):
    """Figure 1: the exact bound, the exhaustive search, and by name what lies between them."""

    rounds: list[int]
    exact: Any
    full: Any
    counts: dict[str, Any]

    @property
    def display(self) -> GapDisplay:
        return GapDisplay.from_counts(*self)

    def share(self, name: str) -> Floats:
        return np.asarray(self.display.shares[name], dtype=float)

    def together(self, name: str) -> float:
        """Share of the gaps of all rounds."""
        gap = float((self.full - self.exact).sum())
        return float((self.counts[name] - self.exact).sum()) / gap if gap else 0.0


BOUND = "weight order bound"


def gaps(data: str, results: Results) -> Gaps:
    bound = results[f"{data}-exact-bound"]
    rounds, exact = bound["rounds"], np.array(bound["exact"], dtype=float)
    stumps = {search: results[f"{data}-depth1-none-{search}-seed0"] for search in SEARCHES}
    counts = {SEARCHES[s]: of_rounds(fit, "assessments", rounds) for s, fit in stumps.items()}
    counts[BOUND] = np.array(bound["weight_order"], dtype=float)
    return Gaps(rounds, exact, of_rounds(stumps["quick"], "full", rounds), counts)


def gaps_by_batches(data: str, results: Results) -> dict[int, Floats]:
    """Quick Boost's shares of the gap, by its number of batches; none if they were not tried."""
    tried = results.get(f"{data}-stumps-quick-batches")
    if tried is None:
        return {}
    found = gaps(data, results)
    rounds = np.array(found.rounds) - 1
    counts = {n: np.array(each, dtype=float)[rounds] for n, each in tried["by_round"].items()}
    other = found._replace(counts=counts)
    return {int(n): other.share(n) for n in counts}


def in_part(shares: Floats, low: float, high: float) -> float:
    """How many of the rounds that have a gap have a share of it between these."""
    known = shares[~np.isnan(shares)]
    return float(np.mean((low <= known) & (known <= high)))


class Excess(NamedTuple):
    """Figure 2: by which share assessments exceed the weight order bound."""

    by_round: Floats
    together: float


def above_bound(data: str, search: str, results: Results) -> Excess:
    bound, fitted = results[f"{data}-weight-order-bound"], fit_of(data, search, results)
    rounds = [each for each in bound["rounds"] if each <= fitted["marks"][-1]]
    least = np.array(bound["weight_order"][: len(rounds)], dtype=float)
    assessed = of_rounds(fitted, "assessments", rounds)
    return Excess(assessed / least - 1, float(assessed.sum() / least.sum() - 1))


def fit_of(data: str, search: str, results: Results) -> Result:
    return results[f"{data}-depth{published.depth_of(data)}-none-{search}-seed0"]


def of_rounds(fit: Result, name: str, rounds: Sequence[int]) -> Any:
    return np.array(fit["by_round"][name], dtype=float)[np.array(rounds) - 1]


class Units(NamedTuple):
    """Assessments with and without constant features, beside the paper's."""

    data: str
    search: str
    rounds: int
    n_constants: int
    paper: float
    without: float
    counted: float

    @property
    def counted_is_nearer(self) -> bool:
        return abs(self.counted / self.paper - 1) < abs(self.without / self.paper - 1)


def units(findings: Findings) -> Iterator[Units]:
    for data in findings.chosen:
        for search in published.PRINTED:
            key = f"{data}-depth{published.depth_of(data)}-none-{search}-seed0"
            plain = findings.results.get(key)
            counted = findings.results.get(f"{key}-constants")
            if plain is None or counted is None:
                continue
            for at, rounds in enumerate(counted["marks"]):
                if rounds in plain["marks"]:
                    paper = at_rounds(data, NONE, search, rounds).assessments
                    ours = plain["assessments"][at], counted["assessments"][at]
                    yield Units(data, search, rounds, counted["n_constants"], paper, *ours)


class PerTree(NamedTuple):
    """Assessments of weight trimming for each tree."""

    data: str
    heuristic: str
    search: str
    n_trees: float
    paper: float
    mean: float
    last: float


def per_tree(findings: Findings) -> Iterator[PerTree]:
    """The paper's fits go on with the same tree; per round they can be compared."""
    for (data, heuristic), group in findings.groups().items():
        if heuristic not in (published.TRIM_MORE, published.TRIM):
            continue
        for search, trials in group.items():
            fits = [findings.results[trial.key]["by_round"]["assessments"] for trial in trials]
            cells = [c for c in published.ERRORS if (c.data, c.heuristic) == (data, heuristic)]
            last = max(c.rounds for c in cells)
            printed = at_rounds(data, heuristic, published.PAPER_OF[search], last).assessments
            yield PerTree(
                data,
                heuristic,
                search,
                float(np.mean([len(each) for each in fits])),
                printed / last,
                float(np.mean([np.mean(each) for each in fits])),
                float(np.mean([each[-1] for each in fits])),
            )
