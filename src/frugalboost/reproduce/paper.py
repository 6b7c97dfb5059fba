"""What a paper's reproduction consists of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.sources import Sources
from frugalboost.reproduce.text import absences, shape

Cell = str | int | float | None
Shape = tuple[int, int, int, int]
"""Training rows, test rows, features and classes."""


@dataclass(frozen=True)
class Settings:
    """How to run.

    Attributes
    ----------
    quick : bool
        Fewer rounds and smaller data sets, to finish in minutes.
    n_jobs : int or None
        Threads of a fit; None: every core that the process may use.
    rounds : int or None
        Most trees of a fit; None: as many as the paper has. For papers that say `can_be_cut`.
    """

    quick: bool = False
    n_jobs: int | None = None
    rounds: int | None = None


@dataclass(frozen=True)
class TableOf:
    """A table; cells are numbers, or text as it is printed."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class FigureOf:
    """A figure; `draw` fills as many matplotlib axes as `panels` says."""

    name: str
    caption: str
    draw: Callable[[Sequence[Any]], None]
    panels: int = 1


@dataclass(frozen=True)
class Section:
    """A heading with what follows it."""

    title: str
    text: str = ""
    tables: Sequence[TableOf] = ()
    figures: Sequence[FigureOf] = ()


@dataclass(frozen=True)
class Judgement:
    """A claim of a paper beside what was measured.

    Attributes
    ----------
    holds : bool or None
        None: not run yet.
    why, shown_by : str
        If the claim does not hold: the reason, and the table or figure that shows it.
    """

    where: str
    quote: str
    measured: str
    holds: bool | None
    why: str = ""
    shown_by: str = ""

    @property
    def verdict(self) -> str:
        return "" if self.holds is None else "yes" if self.holds else "**no**"


def data_section(
    title: str,
    published: Mapping[str, Shape],
    here: Mapping[str, Shape],
    absent: Mapping[str, str],
    text: str = "",
) -> Section:
    """Sizes of the data sets in the paper and here, and which ones are absent."""
    rows: list[list[Cell]] = [
        [name, shape(published[name]) if name in published else "", shape(here.get(name))]
        for name in dict.fromkeys((*published, *here))
    ]
    table = TableOf(title, ["data", "paper", "here"], rows)
    return Section("Data", f"{text}\n\n{absences(absent)}".strip(), [table])


@dataclass
class Paper(ABC):
    """A paper: its data, its jobs, and its report.

    Attributes
    ----------
    sources : Sources
    settings : Settings
    absent : dict
        Data sets that are absent, and the files they need.
    """

    sources: Sources
    settings: Settings = field(default_factory=Settings)

    title: ClassVar[str]
    data: ClassVar[tuple[str, ...]]
    can_be_cut: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.absent = self.sources.missing(self.data)

    @property
    def present(self) -> list[str]:
        return [name for name in self.data if name not in self.absent]

    @abstractmethod
    def jobs(self) -> list[Job]:
        """All work, in the order in which it is done."""

    @abstractmethod
    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        """The paper's claims, judged by the results by key."""

    @abstractmethod
    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        """The report, from the results by key."""
