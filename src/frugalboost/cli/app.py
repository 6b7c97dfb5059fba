"""The commands: read the options, call what computes, print.

What computes is imported when a command runs: `stream` has its memory counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

import frugalboost
from frugalboost.cli.errors import Commands
from frugalboost.cli.evaluate_command import evaluate_command
from frugalboost.cli.export_command import export_command
from frugalboost.cli.fit_command import fit_command
from frugalboost.cli.inspect_command import inspect_command
from frugalboost.cli.label.command import label_command
from frugalboost.cli.predict_command import predict_command
from frugalboost.cli.prune_command import prune_command
from frugalboost.cli.report_command import report_command
from frugalboost.cli.reproduce import reproduce_command
from frugalboost.cli.stream_command import stream_command

if TYPE_CHECKING:
    from frugalboost.cli.demo import Outcome

app = typer.Typer(
    help="Boosting that spends work only where it can change the answer.",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"frugalboost {frugalboost.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where an error came from, with a traceback.")
    ] = False,
) -> None:
    del version, debug  # `Commands` looks at it


COMMANDS: dict[str, tuple[Callable[..., None], str]] = {
    "fit": (fit_command, "fit train.csv --target label -o model.fboost"),
    "predict": (predict_command, "predict model.fboost new.csv --proba -o predictions.csv"),
    "evaluate": (evaluate_command, "evaluate model.fboost test.csv"),
    "inspect": (inspect_command, "inspect model.fboost"),
    "prune": (
        prune_command,
        "prune model.fboost held-out.csv --method reduce_error --keep 30 -o small.fboost",
    ),
    "export": (export_command, "export model.fboost -o model.onnx"),
    "report": (report_command, "report model.fboost test.csv -o report.html"),
    "stream": (stream_command, "stream large.parquet --target label -o model.npz"),
    "label": (label_command, "label letters.csv --classes spam,ham"),
    "reproduce": (reproduce_command, "reproduce quick-boost --quick"),
}
"""Each with its example, which --help ends with."""

for _name, (_command, _example) in COMMANDS.items():
    app.command(_name, epilog=f"Example: frugalboost {_example}")(_command)


@app.command(epilog="Example: frugalboost demo --rounds 50")
def demo(
    rounds: Annotated[int, typer.Option(min=1, help="Trees to train.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Train on real data with every search and compare work and models."""
    from frugalboost.cli.demo import SEARCHES, run_demo

    # Progress goes to stderr, so that what is printed can be piped.
    outcomes = list(
        track(
            run_demo(rounds),
            description="training",
            total=len(SEARCHES),
            console=Console(stderr=True),
            transient=True,
        )
    )
    _report(outcomes, rounds, as_json)


def _report(outcomes: list[Outcome], rounds: int, as_json: bool) -> None:
    from frugalboost.cli.demo import DATA, is_same_model

    is_same = is_same_model(outcomes)
    if as_json:
        searches = [asdict(outcome) for outcome in outcomes]
        report = {"data": DATA, "rounds": rounds, "same_model": is_same, "searches": searches}
        typer.echo(json.dumps(report, indent=2))
    else:
        Console().print(_table(outcomes, rounds, DATA))
        if is_same:
            typer.echo("All digests are equal: every search found the same model, bit for bit.")
    if not is_same:
        typer.echo("frugalboost: the digests differ; every search must find one model.", err=True)
        raise typer.Exit(1)


def _table(outcomes: list[Outcome], rounds: int, data: str) -> Table:
    table = Table(title=f"AdaBoost, {rounds} trees of depth 3 on {data}", title_justify="left")
    table.add_column("search")
    for heading in ("assessments", "share of\nexhaustive", "seconds", "test error"):
        table.add_column(heading, justify="right")
    table.add_column("digest")
    for outcome in outcomes:
        table.add_row(
            outcome.search,
            f"{outcome.assessments:,}",
            f"{outcome.share:.3f}",
            f"{outcome.seconds:.2f}",
            f"{outcome.test_error:.4f}",
            outcome.digest[:12],
        )
    return table
