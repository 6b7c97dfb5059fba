"""The options of `frugalboost label`, and how it ends."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from frugalboost.cli.errors import BadUsageError, fail
from frugalboost.cli.options import Force, ManyClasses, Seed, SpreadsheetSafe

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.label.run import LabelOptions, LabelRun


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
        typer.Option(
            help="Class names separated by commas, with keys if you like: cat,dog or y=yes,n=no."
        ),
    ] = None,
    label_column: Annotated[
        str | None, typer.Option(help="Column with the labels that are already known.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option(help="Column that names the rows; not learnt from.")
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to learn from, separated by commas; default: all.")
    ] = None,
    show: Annotated[
        str | None, typer.Option(help="Columns to show but not learn from, separated by commas.")
    ] = None,
    image: Annotated[
        str | None,
        typer.Option(help="Show rows as pictures: WIDTHxHEIGHT, or WIDTHxHEIGHTx3."),
    ] = None,
    image_columns: Annotated[
        str | None, typer.Option(help="Columns that hold the pixels, such as 'pixel*'.")
    ] = None,
    validation: Annotated[
        Path | None, typer.Option(help="File with labelled rows to measure the error on.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Column with the labels in the validation file.")
    ] = None,
    session: Annotated[
        Path | None, typer.Option(help="File that keeps every answer; default: DATA.session.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="CSV file for the labels; default: DATA.labels.csv."),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many labels, including earlier runs.")
    ] = None,
    batch: Annotated[int, typer.Option(min=1, help="Answers between two trainings.")] = 1,
    start: Annotated[
        int, typer.Option(min=0, help="Rows drawn at random before the model chooses.")
    ] = 10,
    checks: Annotated[
        float | None,
        typer.Option(
            help="Share of the questions, in [0, 1), drawn at random to measure the error "
            "and not learnt from; default: 0.1, or 0 with --validation."
        ),
    ] = None,
    utility: Annotated[
        Utility, typer.Option(help="What makes a row worth asking about.")
    ] = Utility.margin,
    rule: Annotated[
        str | None, typer.Option(help="Rule of the committee, such as real; default: GAMBLE.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Trees in the committee.")] = None,
    pool_size: Annotated[
        int, typer.Option(min=1, help="The most rows considered for each question.")
    ] = 50_000,
    seed: Seed = 0,
    spreadsheet_safe: SpreadsheetSafe = True,
    many_classes: ManyClasses = False,
    force: Force = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print questions as JSON lines; read answers as lines."),
    ] = False,
) -> None:
    """Label rows with single keystrokes, most informative first; saves after every answer."""
    try:
        options = _read_options(
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
                "check_share": _check_share(checks, validation),
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


def _check_share(checks: float | None, validation: Path | None) -> float:
    if checks is not None:
        return checks
    return 0.1 if validation is None else 0.0


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _read_options(*, columns: dict[str, Any], plan: dict[str, Any], **more: Any) -> LabelOptions:
    from frugalboost.cli.label.data import DataOptions
    from frugalboost.cli.label.run import LabelOptions
    from frugalboost.cli.label.session import Plan
    from frugalboost.rules import RULES

    if plan["rule"] is not None and plan["rule"] not in RULES:
        raise ValueError(f"--rule must be one of {', '.join(RULES)}; got {plan['rule']!r}.")
    options = LabelOptions(columns=DataOptions(**columns), plan=Plan(**plan), **more)
    options.check()
    return options


def _run(options: LabelOptions, as_json: bool) -> None:
    from frugalboost.cli.label.run import open_run

    try:
        terminal = None if as_json else _terminal()
        with _no_warnings_about_rare_classes(), open_run(options) as run:
            try:
                _label(run, terminal, as_json)
            finally:
                written = run.write()
            _report(run, written, as_json)
    except KeyboardInterrupt:
        typer.echo("Interrupted. Every answer is kept; the same command continues.", err=True)
        raise typer.Exit(130) from None
    except (ValueError, TypeError, OSError, ImportError, EOFError) as problem:
        fail(problem, 1)


def _terminal() -> TextIO | None:
    """Where to draw for the person at the keyboard; None if the input is not a keyboard."""
    if not sys.stdin.isatty():
        return None
    try:
        import textual  # noqa: F401
    except ModuleNotFoundError:
        raise ImportError(
            "label needs textual to take answers from a terminal; install it with pip install "
            '"frugalboost[cli]".'
        ) from None
    for stream in (sys.stdout, sys.stderr):
        if stream.isatty():
            return stream
    raise BadUsageError(
        "label needs a terminal to draw on, but standard output and standard error are both "
        "redirected; leave one of them, or use --json."
    )


@contextmanager
def _no_warnings_about_rare_classes() -> Iterator[None]:
    """Such classes were already refused, allowed, or answered one by one."""
    from frugalboost.data.targets import RareClassesWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RareClassesWarning)
        yield


def _label(run: LabelRun, terminal: TextIO | None, as_json: bool) -> None:
    """Take the answers of a person, or of a script."""
    if terminal is not None:
        from frugalboost.cli.label.screen import label_on_screen

        label_on_screen(run, terminal)
    else:
        from frugalboost.cli.label.lines import LineDialogue

        lines = iter(sys.stdin.readline, "")
        LineDialogue(run.session, run.keys, lines, run.write, _echo, as_json).run()


def _echo(line: str) -> None:
    typer.echo(line)
    sys.stdout.flush()  # a script may be waiting for it


def _report(run: LabelRun, written: str, as_json: bool) -> None:
    """Say why it ended, what was labelled, and how good the model is."""
    from frugalboost.cli.label.error_estimate import error_text
    from frugalboost.cli.label.session import progress_text

    session, estimate = run.session, run.session.estimate
    if as_json:
        ending = {
            "end": session.stop_reason or "stopped",
            "labels": len(session.given),
            "skipped": len(session.state.skipped),
            "tested": estimate.n_tested,
            "wrong": estimate.n_wrong,
            "change": estimate.expected_change,
            "output": str(run.options.output),
        }
        _echo(json.dumps(ending))
        return
    _echo(f"Finished: {session.stop_reason}." if session.stop_reason else "Stopped.")
    _echo(progress_text(session))
    _echo(f"held-out error: {error_text(estimate)}")
    _echo(f"{written} The same command continues the session in {run.options.session}.")
