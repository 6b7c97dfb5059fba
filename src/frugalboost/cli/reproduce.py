"""`frugalboost reproduce`: run the papers' experiments and print the results beside the papers'."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from frugalboost._files import claim
from frugalboost.cli.errors import (
    FAILED,
    INTERRUPTED,
    USAGE,
    BadUsageError,
    CommandError,
    fail,
)
from frugalboost.cli.options import Force
from frugalboost.cli.outputs import already_there
from frugalboost.cli.progress import run_bar

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.reproduce import Recipe, Run, Settings
    from frugalboost.reproduce.paper import Section, TableOf
    from frugalboost.reproduce.writing import Page

WIDTH = 240
"""Width of the widest table."""

ALL = "all"


class PaperName(str, Enum):
    """The keys of `frugalboost.reproduce.PAPERS`, and all of them."""

    adaptive_pruning = "adaptive-pruning"
    quick_boost = "quick-boost"
    filterboost = "filterboost"
    gamble = "gamble"
    ensemble_pruning = "ensemble-pruning"
    all = ALL


def reproduce_command(
    paper: Annotated[PaperName, typer.Argument(help="The paper to reproduce, or all five.")],
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder with the data; default: FRUGALBOOST_DATA.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Folder for the report; with 'all', one subfolder per paper. "
            "Default: reproduce-PAPER.",
            file_okay=False,
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option(help="Fewer rounds and smaller data; takes minutes.")
    ] = False,
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Maximum number of trees per fit; adaptive-pruning always has the paper's.",
        ),
    ] = None,
    docs: Annotated[
        Path | None,
        typer.Option(
            help="Markdown page with markers, whose tables are updated as well. "
            "With 'all': the folder of the pages PAPER.md.",
            exists=True,
        ),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            help="Results that --docs has written, so that their jobs need not be run. "
            "With 'all': the folder of the files PAPER.json.xz.",
            exists=True,
        ),
    ] = None,
    force: Force = False,
    n_jobs: Annotated[int, typer.Option(help="Number of threads per fit; -1: all cores.")] = 1,
    processes: Annotated[
        int,
        typer.Option(min=1, help="Number of fits to run at once; timed fits run one at a time."),
    ] = 1,
) -> None:
    """Run a paper's experiments, or all papers', and compare the published numbers with ours.

    Results are saved in the output folder as they come, so an interrupted run can be continued.
    """
    from frugalboost.reproduce import PAPERS, Recipe, Settings

    names = list(PAPERS) if paper is PaperName.all else [paper.value]
    pages = _pages(names, docs, is_all=paper is PaperName.all)
    _check_rounds(paper, rounds)
    if n_jobs == 0:
        raise BadUsageError("--n-jobs must be an integer other than 0; got 0.")
    known = _known(names, results, quick, is_all=paper is PaperName.all)
    settings = Settings(quick=quick, n_jobs=n_jobs, rounds=rounds)
    base = _base(paper, output)
    folders = {name: base(name) / ("quick" if quick else "full") for name in names}
    for name, folder in folders.items():
        _check_folder(folder, PAPERS[name].title, force)
    with _naming_what_is_kept(folders.values()):
        runs = _runs([Recipe(name, data, _cut(name, settings)) for name in names], folders)
        if not force:
            _check_archives(runs, pages)
        for run in runs:
            _take(run, known)
        in_the_way = _show(runs, _reports(runs, processes, pages, force), pages, force)
    if in_the_way:
        raise already_there(in_the_way[0], "--docs")
    typer.echo(f"Report{'s' if len(runs) > 1 else ''} written to {_listed(folders_of(runs))}.")


@contextmanager
def _naming_what_is_kept(folders: Iterable[Path]) -> Iterator[None]:
    """An interruption before or after the jobs leaves the results of earlier runs."""
    try:
        yield
    except KeyboardInterrupt:
        kept = [folder for folder in folders if any((folder / "results").glob("*.json"))]
        if not kept:
            raise
        typer.echo(f"Interrupted. {_how_to_continue(kept)}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _reports(
    runs: list[Run], processes: int, pages: dict[str, Page], force: bool
) -> list[list[Section]]:
    """Run what is missing; an interruption or a failure ends the command after the tables."""
    from frugalboost.reproduce import FailedError, Interrupted, reproduce_all

    try:
        with run_bar() as on_step:
            return reproduce_all(runs, processes, on_step)
    except Interrupted as stopped:
        _say_in_the_way(_show(runs, stopped.sections, pages, force))
        typer.echo(f"Interrupted. {_how_to_continue(folders_of(runs))}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except FailedError as problem:
        _say_in_the_way(_show(runs, problem.sections, pages, force))
        raise CommandError(f"{problem} {_how_to_continue(folders_of(runs))}", FAILED) from None


def folders_of(runs: Iterable[Run]) -> list[Path]:
    return [run.folder for run in runs]


def _how_to_continue(folders: Iterable[Path]) -> str:
    return f"Results so far are in {_listed(folders)}; run the same command to continue."


def _base(paper: PaperName, output: Path | None) -> Callable[[str], Path]:
    """The folder of a paper by its name."""
    if output is None:
        return lambda name: Path(f"reproduce-{name}")
    return (lambda name: output / name) if paper is PaperName.all else (lambda name: output)


def _listed(folders: Iterable[Path]) -> str:
    return ", ".join(map(str, folders))


def _runs(recipes: list[Recipe], folders: dict[str, Path]) -> list[Run]:
    """Papers with at least one data set; what is absent is said, once for all papers."""
    from frugalboost.datasets import data_folder
    from frugalboost.reproduce import Run

    runs = [Run.of(recipe, folders[recipe.name]) for recipe in recipes]
    absent = {name: needed for run in runs for name, needed in run.paper.absent.items()}
    for name, needed in absent.items():
        papers = ", ".join(run.name for run in runs if name in run.paper.absent)
        typer.echo(f"Skipping {name} ({papers}): it needs {needed}.", err=True)
    if absent:
        typer.echo(f"Data are read from {data_folder(recipes[0].data)}.", err=True)
    for run in runs:
        if not run.paper.present:
            typer.echo(f"Skipping {run.name}: it has no data.", err=True)
    runs = [run for run in runs if run.paper.present]
    if not runs:
        raise ValueError(
            "none of the paper's data sets were found; use --data to name their folder."
        )
    return runs


def _show(
    runs: list[Run], reports: list[list[Section]], pages: dict[str, Page], force: bool
) -> list[Path]:
    """Print the tables, and after several papers how many of their claims hold; write the pages.

    Return pictures of others, which are known only now; pages where they are in the way stay as
    they are.
    """
    from frugalboost.reproduce import summary_section

    in_the_way: list[Path] = []
    for run, sections in zip(runs, reports, strict=True):
        if run.name in pages and not run.left:
            others = [] if force else pages[run.name].other_pictures(sections)
            in_the_way += others
            if not others:
                _write_page(run, pages[run.name], sections)
        for section in sections:
            _print(section)
    if len(runs) > 1:
        _print(summary_section({run.name: run.judgements() for run in runs}))
    return in_the_way


def _write_page(run: Run, page: Page, sections: list[Section]) -> None:
    from frugalboost.reproduce import write_archive

    page.write(sections)
    write_archive(page.archive, run.results, is_quick=run.paper.settings.quick)


def _say_in_the_way(paths: list[Path]) -> None:
    """Where a run ends with another message anyway."""
    for path in paths[:1]:
        typer.echo(str(already_there(path, "--docs")), err=True)


def _check_folder(folder: Path, title: str, force: bool) -> None:
    """Refuse to overwrite a report that no run of this paper wrote."""
    if force:
        return
    written = [folder / name for name in ("report.md", "report.json", "figures")]
    existing = next((path for path in written if path.exists()), None)
    if existing is not None and not _is_report_of(folder, title):
        raise already_there(existing)
    for path in written[:2]:
        if not path.exists():
            claim(path)


def _is_report_of(folder: Path, title: str) -> bool:
    """Whether what is there has the title of the paper, and stands beside results of jobs."""
    from frugalboost.reproduce.jobs import is_result
    from frugalboost.reproduce.writing import beginnings

    reports = {folder / name: start for name, start in beginnings(title).items()}
    is_titled = all(_begins_with(path, start) for path, start in reports.items() if path.exists())
    return is_titled and any(map(is_result, (folder / "results").glob("*.json")))


def _begins_with(path: Path, start: bytes) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(start)) == start


def _check_rounds(paper: PaperName, rounds: int | None) -> None:
    from frugalboost.reproduce import PAPERS

    if paper is not PaperName.all and rounds is not None and not PAPERS[paper.value].can_be_cut:
        raise BadUsageError(f"--rounds must be omitted for {paper.value}; got {rounds}.")


def _cut(name: str, settings: Settings) -> Settings:
    """A paper's settings; all its rounds if it cannot be cut."""
    from frugalboost.reproduce import PAPERS

    return settings if PAPERS[name].can_be_cut else replace(settings, rounds=None)


def _check_archives(runs: Iterable[Run], pages: dict[str, Page]) -> None:
    """Refuse to overwrite results beside a page that this run does not have."""
    from frugalboost.reproduce.archive import read_archive

    for run in runs:
        page = pages.get(run.name)
        if page is None or not page.archive.exists():
            continue
        try:
            kept = read_archive(page.archive, is_quick=run.paper.settings.quick)
        except (OSError, ValueError) as problem:
            raise BadUsageError(f"--docs: {problem} With --force it is overwritten.") from None
        lost = kept.keys() - {job.key for job in run.jobs}
        if lost:
            raise BadUsageError(
                f"--docs: {page.archive} has {len(lost)} results that this run has not, such as "
                f"{min(lost)}; use --force to overwrite it."
            )


def _pages(names: Iterable[str], docs: Path | None, *, is_all: bool) -> dict[str, Page]:
    """The pages of the documentation that are to be written, by paper."""
    if docs is None:
        return {}
    if docs.is_dir() != is_all:
        what = "a folder of pages" if is_all else "a page"
        raise BadUsageError(f"--docs must be {what}; got {docs}.")
    return {name: _open(docs / f"{name}.md" if is_all else docs) for name in names}


def _known(
    names: Iterable[str], results: Path | None, is_quick: bool, *, is_all: bool
) -> dict[str, tuple[Path, dict[str, Any]]]:
    """The results of an earlier run, by paper, with their file."""
    from frugalboost.reproduce.archive import SUFFIX, read_archive

    if results is None:
        return {}
    if results.is_dir() != is_all:
        what = "a folder of results" if is_all else "a file of results"
        raise BadUsageError(f"--results must be {what}; got {results}.")
    paths = {name: results / f"{name}{SUFFIX}" if is_all else results for name in names}
    present = {name: path for name, path in paths.items() if path.exists()}
    if not present:
        raise BadUsageError(f"--results must have files PAPER{SUFFIX}; {results} has none.")
    return {name: (path, read_archive(path, is_quick=is_quick)) for name, path in present.items()}


def _take(run: Run, known: dict[str, tuple[Path, dict[str, Any]]]) -> None:
    if run.name not in known:
        return
    path, results = known[run.name]
    try:
        run.take(results)
    except ValueError as problem:
        raise BadUsageError(f"--results: {path}: {problem}") from None


def _open(path: Path) -> Page:
    """A page with markers."""
    from frugalboost.reproduce.writing import Page

    try:
        return Page(path)
    except FileNotFoundError:
        raise BadUsageError(f"--docs must hold {path.name}; {path} does not exist.") from None
    except (OSError, ValueError) as problem:
        fail(problem, USAGE)


def _print(section: Section) -> None:
    # Better that the terminal wraps long lines than that columns wrap words.
    console = Console(width=max(Console().width, WIDTH), soft_wrap=True)
    for table in section.tables:
        console.print(_as_rich(table))


def _as_rich(table: TableOf) -> Table:
    shown = Table(title=table.title, title_justify="left")
    for heading in table.headings:
        shown.add_column(heading, overflow="fold")
    for row in table.rows:
        shown.add_row(*("" if cell is None else str(cell) for cell in row))
    return shown
