"""The options of `frugalboost stream`, and what it prints."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frugalboost.cli.errors import INTERRUPTED, USAGE, fail, naming
from frugalboost.cli.options import AsJson, Force, ManyClasses, Seed, TestShare
from frugalboost.cli.printing import print_json, print_lines
from frugalboost.cli.progress import is_watched

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.stream.run import StreamOptions

OPTIONS = {
    "target": "--target",
    "columns": "--columns",
    "memory_limit": "--memory-limit",
    "max_rounds": "--rounds",
    "random_state": "--seed",
    "max_depth": "--depth",
    "rule": "--rule",
    "mode": "--mode",
    "target_error": "--target-error",
    "failure_probability": "--failure-probability",
    "sample_constant": "--sample-constant",
    "confidence_rated": "--confidence-rated",
    "training": "--training",
}
"""By the parameters of the estimator and of oracles."""

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


ERROR_BOUNDS = {"log": "twice the acceptance rate", "mada": "the acceptance rate"}


class Training(str, Enum):
    filtered = "filtered"
    weighted = "weighted"


class ShuffleBy(str, Enum):
    auto = "auto"
    none = "none"
    store = "store"


def stream_command(
    data: Annotated[Path, typer.Argument(help="A Parquet or CSV file, or a folder of them.")],
    target: Annotated[str, typer.Option(help="Column to predict.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write the model (a checkpoint)."),
    ],
    positive: Annotated[
        str | None,
        typer.Option(help="Turn a numeric target into two classes, e.g. '> 15'."),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Comma-separated features; default: all columns.")
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
        typer.Option(help="Probability that the error exceeds --target-error anyway."),
    ] = 0.05,
    sample_constant: Annotated[
        float, typer.Option(help="C: a tree grows on C ln(t + 1) examples in round t.")
    ] = 3000,
    confidence_rated: Annotated[bool, typer.Option(help="Let leaves express confidence.")] = False,
    training: Annotated[
        Training,
        typer.Option(help="Grow trees on accepted examples, or on all, weighted."),
    ] = Training.filtered,
    test_share: TestShare = 0.0,
    test: Annotated[Path | None, typer.Option(help="File or folder to test on.")] = None,
    shuffle: Annotated[
        ShuffleBy,
        typer.Option(
            help="store: first write the rows to disk in random order; none: only mix "
            "neighbouring rows; auto: store if there is enough disk space."
        ),
    ] = ShuffleBy.auto,
    work_folder: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the shuffled rows, kept for the next run; default: a temporary one "
            "beside the output."
        ),
    ] = None,
    recycle: Annotated[bool, typer.Option(help="Start over after the last row.")] = True,
    resume: Annotated[bool, typer.Option(help="Continue from the output if it exists.")] = False,
    many_classes: ManyClasses = False,
    force: Force = False,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Train on data larger than memory, with boosting that samples its examples."""
    from frugalboost.cli.stream.rows import Positive, open_in_order
    from frugalboost.cli.stream.run import StreamOptions

    try:
        options = StreamOptions(
            data=data,
            target=target,
            output=output,
            positive=None if positive is None else Positive.parse(positive),
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
                "training": training.value,
                "max_rounds": rounds,
                "max_depth": depth,
            },
        )
        with naming(OPTIONS):
            options.check()
    except (ValueError, TypeError, OSError) as problem:
        fail(problem, USAGE)
    labels = dict.fromkeys(("y", "the stream"), options.target_column)
    with naming(OPTIONS), naming(labels, ValueError):
        open_in_order(options, data)  # finds a wrong name before rows of an earlier run are removed
        report = run_or_interrupt(options, verbose=int(is_watched() and not as_json))
    if as_json:
        print_json(report)
    else:
        print_lines(f"Model written to {report['model']}", _lines(report))
    warn_of_memory(report)


def parse_size(text: str) -> int:
    """Bytes from a number and a unit.

    >>> parse_size("300MB"), parse_size("1.5 GiB"), parse_size("4096")
    (300000000, 1610612736, 4096)
    """
    size = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", text)
    if size is None or size[2].upper() not in UNITS or float(size[1]) == 0:
        raise ValueError(
            "--memory-limit must be a number of bytes, or a number with KB, MB, GB, KiB, MiB or "
            f"GiB; got {text!r}."
        )
    return int(float(size[1]) * UNITS[size[2].upper()])


def run_or_interrupt(options: StreamOptions, verbose: int) -> dict[str, Any]:
    """Run; after an interrupt, say whether there is a checkpoint to continue from."""
    from frugalboost.cli.stream.run import run_stream

    before = _changed(options.output)
    try:
        return run_stream(options, verbose)
    except KeyboardInterrupt:
        is_resumed = options.resume and options.output.exists()
        if _changed(options.output) == before and not is_resumed:
            kept = "nothing was kept."
            if options.work.has_rows():
                kept = f"the shuffled rows in {options.work.path} were kept for the next run."
            message = f"Interrupted before the first checkpoint; {kept}"
        else:
            message = (
                f"Interrupted. The checkpoint {options.output} was kept; run the same command "
                "with --resume to continue."
            )
        typer.echo(message, err=True)
        raise typer.Exit(INTERRUPTED) from None


def _changed(path: Path) -> int | None:
    return path.stat().st_mtime_ns if path.exists() else None


def _lines(report: dict[str, Any]) -> list[tuple[str, str]]:
    rows, limit = report["rows"], report["memory_limit"]
    lines = [
        ("rounds", f"{report['rounds']:,}"),
        ("rows", "unknown" if rows is None else f"{rows:,}"),
        ("examples drawn", f"{report['examples']:,}"),
        ("acceptance rate", f"{report['acceptance']:.4f}"),
        ("error estimate", _error_estimate(report)),
        ("stopped by", report["stop_reason"]),
        ("certificate", report["certificate"]),
        ("shuffle", report["shuffle"]),
    ]
    if report["test_error"] is not None:
        lines += [
            ("test rows", f"{report['test_rows']:,}"),
            ("test log loss", f"{report['test_log_loss']:.5f}"),
            ("test error", f"{report['test_error']:.5f}"),
        ]
    against = "no limit" if limit is None else f"limit {_megabytes(limit)}"
    return [
        *lines,
        ("peak memory", f"{_megabytes(report['peak_bytes'])} ({against})"),
        ("seconds", f"{report['seconds']:.1f}"),
        ("digest", report["digest"][:12]),
    ]


def _error_estimate(report: dict[str, Any]) -> str:
    if report["stop_reason"] == "target":
        # The bound is of the round before the last tree, which need not be near the target yet.
        return f"at most {report['target_error']:g} (the filter rejected enough examples)"
    return f"{report['error_bound']:.4f} ({ERROR_BOUNDS[report['rule']]})"


def warn_of_memory(report: dict[str, Any]) -> None:
    limit, peak = report["memory_limit"], report["peak_bytes"]
    if limit is not None and peak > limit:
        typer.echo(
            f"frugalboost: the process used {_megabytes(peak)} at its peak, more than the limit "
            f"of {_megabytes(limit)}.",
            err=True,
        )


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.0f} MB"
