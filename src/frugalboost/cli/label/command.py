"""The options of `frugalboost label`, and how it ends."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from frugalboost.cli.errors import fail
from frugalboost.cli.options import Force, ManyClasses, SpreadsheetSafe

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.label.desk import Desk, LabelOptions


class Utility(str, Enum):
    margin = "margin"
    entropy = "entropy"
    disagreement = "disagreement"
    random = "random"


def label_command(
    data: Annotated[
        Path, typer.Argument(help="Rows to label: a CSV (also .gz), Parquet, Arrow or NPZ file.")
    ],
    classes: Annotated[
        str | None,
        typer.Option(help="Names, separated by commas, perhaps with keys: cat,dog or y=yes,n=no."),
    ] = None,
    label_column: Annotated[
        str | None, typer.Option(help="Column that holds the labels known already.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option(help="Column that names the rows; it is not learnt from.")
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to learn from, separated by commas; default: all.")
    ] = None,
    show: Annotated[
        str | None, typer.Option(help="Columns to show only, separated by commas.")
    ] = None,
    image: Annotated[
        str | None, typer.Option(help="Rows are pictures, WIDTHxHEIGHT or WIDTHxHEIGHTx3.")
    ] = None,
    image_columns: Annotated[
        str | None, typer.Option(help="Columns that are the pixels, such as 'pixel*'.")
    ] = None,
    validation: Annotated[
        Path | None, typer.Option(help="File of labelled rows to measure the error on.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Column of labels in the validation file.")
    ] = None,
    session: Annotated[
        Path | None, typer.Option(help="Where every answer is kept; default: DATA.session.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="CSV of the labels; default: DATA.labels.csv."),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many labels, all sittings together.")
    ] = None,
    batch: Annotated[int, typer.Option(min=1, help="Answers between two trainings.")] = 1,
    start: Annotated[
        int, typer.Option(min=0, help="Rows drawn at random before the model chooses.")
    ] = 10,
    checks: Annotated[
        float | None,
        typer.Option(
            help="Share of the questions, in [0, 1), that are drawn at random to measure the "
            "error and not learnt from; default: 0.1, or 0 with --validation."
        ),
    ] = None,
    utility: Annotated[
        Utility, typer.Option(help="What makes a row worth asking about.")
    ] = Utility.margin,
    rule: Annotated[
        str | None, typer.Option(help="Rule of the committee, such as real; default: GAMBLE.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Trees of the committee.")] = None,
    pool_size: Annotated[
        int, typer.Option(min=1, help="Rows that are looked at for each question, at most.")
    ] = 50_000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    spreadsheet_safe: SpreadsheetSafe = True,
    many_classes: ManyClasses = False,
    force: Force = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Questions as JSON lines, answers from the input.")
    ] = False,
) -> None:
    """Label rows with single keystrokes, most informative first; saves after every answer."""
    try:
        options = _read(
            data=data,
            session=session or data.with_name(data.name + ".session"),
            output=output or data.with_name(data.name + ".labels.csv"),
            columns={
                "label_column": label_column,
                "id_column": id_column,
                "columns": None if columns is None else _names(columns),
                "show": () if show is None else _names(show),
            },
            classes=classes,
            image=image,
            image_columns=image_columns,
            validation=validation,
            target=target,
            force=force,
            many_classes=many_classes,
            spreadsheet_safe=spreadsheet_safe,
            plan={
                "batch": batch,
                "utility": utility.value,
                "start": start,
                "check_share": _checks(checks, validation),
                "pool_size": pool_size,
                "rule": rule,
                "rounds": rounds,
                "budget": budget,
                "seed": seed,
            },
        )
    except (ValueError, OSError) as problem:
        fail(problem, 2)
    _run(options, as_json)


def _checks(checks: float | None, validation: Path | None) -> float:
    if checks is not None:
        return checks
    return 0.1 if validation is None else 0.0


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _read(*, columns: dict[str, Any], plan: dict[str, Any], **options: Any) -> LabelOptions:
    from frugalboost.cli.label.data import DataOptions
    from frugalboost.cli.label.desk import LabelOptions
    from frugalboost.cli.label.session import Plan
    from frugalboost.rules import RULES

    if plan["rule"] is not None and plan["rule"] not in RULES:
        raise ValueError(f"--rule must be one of {', '.join(RULES)}; got {plan['rule']!r}.")
    read = LabelOptions(columns=DataOptions(**columns), plan=Plan(**plan), **options)
    read.check()
    return read


def _run(options: LabelOptions, as_json: bool) -> None:
    from frugalboost.cli.label.desk import open_desk

    try:
        with no_warnings_of_rare_classes(), open_desk(options) as desk:
            try:
                _answer(desk, as_json)
            finally:
                said = desk.write()
            _end(desk, said, as_json)
    except KeyboardInterrupt:
        typer.echo("Interrupted. Every answer is kept; the same command goes on.", err=True)
        raise typer.Exit(130) from None
    except (ValueError, TypeError, OSError, ImportError, EOFError) as problem:
        fail(problem, 1)


@contextmanager
def no_warnings_of_rare_classes() -> Iterator[None]:
    """They were refused, asked for, or answered one by one; a screen is no place for warnings."""
    from frugalboost.data.targets import RareClassesWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RareClassesWarning)
        yield


def _answer(desk: Desk, as_json: bool) -> None:
    """Let a person answer, or a script."""
    if _is_terminal() and not as_json:
        from frugalboost.cli.label.output import counted
        from frugalboost.cli.label.screen import Screen
        from frugalboost.cli.label.terminal import Terminal

        console = Console(stderr=not sys.stdout.isatty())
        options = desk.options
        title = f"{options.data.name}: every answer is saved in {options.session}"
        image = None if desk.picture is None else options.image_file
        screen = Screen(console, desk.session, desk.keys, title, desk.picture, image)
        if not desk.is_new:
            screen.message = f"Welcome back. {counted(len(desk.session.given), 'label')} so far."
        Terminal(desk.session, screen, desk.write).run()
    else:
        from frugalboost.cli.label.lines import Lines

        lines = iter(sys.stdin.readline, "")
        Lines(desk.session, desk.keys, lines, desk.write, _echo, as_json).run()


def _is_terminal() -> bool:
    try:
        import termios
    except ImportError:  # of Unix only; elsewhere answers are lines
        return False
    return hasattr(termios, "tcgetattr") and sys.stdin.isatty()


def _echo(line: str) -> None:
    typer.echo(line)
    sys.stdout.flush()  # whoever answers waits for it


def _end(desk: Desk, said: str, as_json: bool) -> None:
    from frugalboost.cli.label.screen import error_text, progress_text

    session = desk.session
    reason = session.stop_reason or "stopped"
    if as_json:
        gauge = session.gauge
        found = {"labels": len(session.given), "skipped": len(session.now.skipped)}
        tested = {"tested": gauge.n_tested, "wrong": gauge.n_wrong, "change": gauge.expected_change}
        _echo(json.dumps({"end": reason, **found, **tested, "output": str(desk.options.output)}))
        return
    _echo(f"Finished: {reason}." if session.stop_reason else "Stopped.")
    _echo(progress_text(session))
    _echo(f"held-out error: {error_text(session.gauge)}")
    _echo(f"{said} The same command goes on; the session is {desk.options.session}.")
