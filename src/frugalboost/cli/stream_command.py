"""The options of `frugalboost stream`, and what it prints."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from frugalboost.cli.errors import fail
from frugalboost.cli.options import Force, ManyClasses

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.stream import StreamOptions, StreamReport

UNITS = {
    "": 1,
    "B": 1,
    **{f"{prefix}B": 1000**power for power, prefix in enumerate("KMGT", 1)},
    **{f"{prefix}IB": 1024**power for power, prefix in enumerate("KMGT", 1)},
}


class Rule(str, Enum):
    log = "log"
    mada = "mada"


class Mode(str, Enum):
    practical = "practical"
    certified = "certified"


class ShuffleBy(str, Enum):
    auto = "auto"
    none = "none"
    store = "store"


def stream_command(
    data: Annotated[Path, typer.Argument(help="A Parquet or CSV file, or a folder of them.")],
    target: Annotated[str, typer.Option(help="Column to predict.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write the model, as a checkpoint."),
    ],
    positive: Annotated[
        str | None,
        typer.Option(help="Make two classes of a target of numbers, e.g. '> 15'."),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Features, separated by commas; default: all columns.")
    ] = None,
    memory_limit: Annotated[
        str | None, typer.Option(help="Memory limit of the process, e.g. 300MB or 2GB.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Maximum number of trees.")] = 500,
    depth: Annotated[int, typer.Option(min=1, help="Maximum depth of a tree.")] = 4,
    rule: Annotated[Rule, typer.Option(help="FilterBoost or MadaBoost.")] = Rule.log,
    mode: Annotated[Mode, typer.Option(help="How edges are estimated.")] = Mode.practical,
    target_error: Annotated[
        float, typer.Option(help="Stop when the error is at most this.")
    ] = 0.05,
    failure_probability: Annotated[
        float,
        typer.Option(help="Probability that the error is larger than --target-error after all."),
    ] = 0.05,
    sample_constant: Annotated[
        float, typer.Option(help="C: a tree grows on C ln(t + 1) examples in round t.")
    ] = 3000,
    confidence_rated: Annotated[bool, typer.Option(help="Leaves say how sure they are.")] = False,
    test_share: Annotated[
        float, typer.Option(help="Share of the rows, in [0, 1), held out for testing.")
    ] = 0.0,
    test: Annotated[Path | None, typer.Option(help="File or folder to test on.")] = None,
    shuffle: Annotated[
        ShuffleBy,
        typer.Option(
            help="store: write the rows in random order to the disk first, once; none: mix rows "
            "that stand near each other; auto: store if the disk has room."
        ),
    ] = ShuffleBy.auto,
    work_folder: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the rows in random order, kept for the next run; default: one "
            "beside the output that is removed at the end."
        ),
    ] = None,
    recycle: Annotated[bool, typer.Option(help="Start over after the last row.")] = True,
    resume: Annotated[bool, typer.Option(help="Continue from the output if it exists.")] = False,
    many_classes: ManyClasses = False,
    force: Force = False,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Train on data larger than memory: boosting that draws its examples."""
    try:
        options = _read(
            data=data,
            target=target,
            output=output,
            positive=positive,
            columns=None if columns is None else tuple(columns.split(",")),
            memory_limit=None if memory_limit is None else parse_size(memory_limit),
            test_share=test_share,
            test=test,
            shuffle=shuffle.value,
            work_folder=work_folder,
            recycle=recycle,
            resume=resume,
            force=force,
            many_classes=many_classes,
            seed=seed,
            params={
                "rule": rule.value,
                "mode": mode.value,
                "target_error": target_error,
                "failure_probability": failure_probability,
                "sample_constant": sample_constant,
                "confidence_rated": confidence_rated,
                "max_rounds": rounds,
                "max_depth": depth,
            },
        )
    except (ValueError, OSError) as problem:
        fail(problem, 2)
    from frugalboost.cli.progress import is_watched

    _print(_run(options, verbose=int(is_watched() and not as_json)), as_json)


def parse_size(text: str) -> int:
    """Bytes from a number and a unit.

    >>> parse_size("300MB"), parse_size("1.5 GiB"), parse_size("4096")
    (300000000, 1610612736, 4096)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", text)
    if found is None or found[2].upper() not in UNITS or float(found[1]) == 0:
        raise ValueError(
            f"--memory-limit must be bytes, or a number with KB, MB, GB, KiB, MiB or GiB; got "
            f"{text!r}."
        )
    return int(float(found[1]) * UNITS[found[2].upper()])


def _read(*, positive: str | None, **options: object) -> StreamOptions:
    from frugalboost.cli.stream import StreamOptions
    from frugalboost.cli.stream_rows import Positive

    asked = None if positive is None else Positive.parse(positive)
    read = StreamOptions(positive=asked, **options)  # type: ignore[arg-type]
    read.check()
    return read


def _run(options: StreamOptions, verbose: int) -> StreamReport:
    from frugalboost.cli.stream import run_stream

    before = _changed(options.output)
    try:
        return run_stream(options, verbose)
    except KeyboardInterrupt:
        if _changed(options.output) == before and not options.resume:
            typer.echo("Interrupted before the first checkpoint; nothing was kept.", err=True)
        else:
            typer.echo(
                f"Interrupted. The checkpoint {options.output} was kept; run the same command "
                "with --resume to continue.",
                err=True,
            )
        raise typer.Exit(130) from None
    except (ValueError, TypeError, OSError, ImportError) as problem:
        fail(problem, 1)


def _changed(path: Path) -> int | None:
    return path.stat().st_mtime_ns if path.exists() else None


def _print(report: StreamReport, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(asdict(report), indent=2))
    else:
        console = Console()
        console.print(_table(report))
    limit = report.memory_limit
    if limit is not None and report.peak_bytes > limit:
        typer.echo(
            f"frugalboost: the process held {_megabytes(report.peak_bytes)} at its peak, more than "
            f"the limit of {_megabytes(limit)}.",
            err=True,
        )


def _table(report: StreamReport) -> Table:
    table = Table(title=f"Model in {report.model}", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(overflow="fold")
    for name, value in _lines(report):
        table.add_row(name, value)
    return table


def _lines(report: StreamReport) -> list[tuple[str, str]]:
    limit = report.memory_limit
    against = "no limit" if limit is None else f"limit {_megabytes(limit)}"
    lines = [
        ("rounds", f"{report.rounds:,}"),
        ("rows", "unknown" if report.rows is None else f"{report.rows:,}"),
        ("examples drawn", f"{report.examples:,}"),
        ("acceptance rate", f"{report.acceptance:.4f}"),
        ("error estimate", f"{report.error_bound:.4f} (twice the acceptance rate)"),
        ("stopped by", report.stop_reason),
        ("certificate", report.certificate),
        ("shuffle", report.shuffle),
    ]
    if report.test_log_loss is not None and report.test_error is not None:
        lines += [
            ("test rows", f"{report.test_rows:,}"),
            ("test log loss", f"{report.test_log_loss:.5f}"),
            ("test error", f"{report.test_error:.5f}"),
        ]
    return [
        *lines,
        ("peak memory", f"{_megabytes(report.peak_bytes)} ({against})"),
        ("seconds", f"{report.seconds:.1f}"),
        ("digest", report.digest[:12]),
    ]


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.0f} MB"
