"""What a paper's reproduction consists of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.sources import Sources

Cell = str | int | float | None


@dataclass(frozen=True)
class Settings:
    """How to run.

    Attributes
    ----------
    quick : bool
        Fewer rounds and smaller data sets, for a look in minutes.
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
    """A table; cells are as they are to be printed, or numbers."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class FigureOf:
    """A figure; `draw` fills matplotlib axes, of which there are as many as `panels`."""

    name: str
    caption: str
    draw: Callable[[Sequence[Any]], None]
    panels: int = 1


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it."""

    title: str
    text: str = ""
    tables: Sequence[TableOf] = ()
    figures: Sequence[FigureOf] = ()


@dataclass
class Paper(ABC):
    """A paper: its data, its jobs, and its report.

    Attributes
    ----------
    sources : Sources
    settings : Settings
    absent : dict
        Data sets that are not there, and the files they need.
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
    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        """The report, from the results by key."""
