"""`frugalboost reproduce`: run a paper's experiments and print the results beside the paper's."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from frugalboost._files import claim
from frugalboost.cli.errors import INTERRUPTED, USAGE, BadUsageError, fail
from frugalboost.cli.options import Force
from frugalboost.cli.outputs import already_there

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.reproduce import Paper
    from frugalboost.reproduce.paper import Section, TableOf
    from frugalboost.reproduce.writing import Page

WIDTH = 240
"""Width of the widest table."""


class PaperName(str, Enum):
    """The keys of `frugalboost.reproduce.PAPERS`."""

    adaptive_pruning = "adaptive-pruning"
    quick_boost = "quick-boost"
    filterboost = "filterboost"
    gamble = "gamble"
    ensemble_pruning = "ensemble-pruning"


def reproduce_command(
    paper: Annotated[PaperName, typer.Argument(help="The paper to reproduce.")],
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
            help="Folder for the report; default: reproduce-PAPER.",
            file_okay=False,
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option(help="Fewer rounds and smaller data; takes minutes.")
    ] = False,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of trees per fit (not for adaptive-pruning)."),
    ] = None,
    docs: Annotated[
        Path | None,
        typer.Option(
            help="Markdown page with markers, whose tables are updated as well.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    force: Force = False,
    n_jobs: Annotated[int, typer.Option(help="Number of threads per fit; -1: all cores.")] = 1,
) -> None:
    """Run a paper's experiments and compare its numbers with ours.

    Results are saved in the output folder as they come, so an interrupted run can be continued.
    """
    from frugalboost.datasets import data_folder
    from frugalboost.reproduce import Interrupted, Settings, make_paper

    name = paper.value
    page = None if docs is None else _open(docs)
    folder = (output or Path(f"reproduce-{name}")) / ("quick" if quick else "full")
    _check_folder(folder, force)
    _check_rounds(name, rounds)
    chosen = make_paper(name, data, Settings(quick=quick, n_jobs=n_jobs, rounds=rounds))
    _say_absent(chosen, data_folder(data))
    try:
        _show(_run(chosen, folder), page)
    except Interrupted as stopped:
        _show(stopped.sections, page)
        typer.echo(
            f"Interrupted. Results so far are in {folder}; run the same command to continue.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED) from None
    typer.echo(f"Report written to {folder}.")


def _show(sections: list[Section], page: Page | None) -> None:
    if page is not None:
        page.write(sections)
    for section in sections:
        _print(section)


def _check_folder(folder: Path, force: bool) -> None:
    """Refuse to overwrite a report, unless the results beside it show that a run wrote it."""
    if force:
        return
    written = [folder / name for name in ("report.md", "report.json", "figures")]
    existing = next((path for path in written if path.exists()), None)
    if existing is not None and not (folder / "results").is_dir():
        raise already_there(existing)
    for path in written[:2]:
        if not path.exists():
            claim(path)


def _check_rounds(name: str, rounds: int | None) -> None:
    from frugalboost.reproduce import PAPERS

    if rounds is not None and not PAPERS[name].can_be_cut:
        raise BadUsageError(f"--rounds must be omitted for {name}; got {rounds}.")


def _open(path: Path) -> Page:
    from frugalboost.reproduce.writing import Page

    try:
        return Page(path)
    except ValueError as problem:
        fail(problem, USAGE)


def _say_absent(paper: Paper, folder: Path) -> None:
    for name, files in paper.absent.items():
        typer.echo(f"Skipping {name}: it needs {files} in {folder}.", err=True)
    if not paper.present:
        raise ValueError(
            "none of the paper's data sets were found; use --data to name their folder."
        )


def _run(paper: Paper, folder: Path) -> list[Section]:
    from frugalboost.reproduce import reproduce

    # Progress goes to stderr, so that the output can be piped.
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        return reproduce(
            paper,
            folder,
            lambda done, total, key: bar.update(task, completed=done, total=total, description=key),
        )


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
