"""The options of `frugalboost fit`, and what it prints."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frugalboost.cli.options import (
    AsJson,
    Data,
    Force,
    ManyClasses,
    Weight,
    parse_params,
    typed_command,
)

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.fit import FitReport


class TaskName(str, Enum):
    classes = "classes"
    regression = "regression"


def fit_command(
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the model.")],
    target: Annotated[
        str | None,
        typer.Option(help="Column to predict; not needed for LIBSVM, nor for NPZ with y."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Column to exclude; can be repeated.")
    ] = None,
    weight: Weight = None,
    task: Annotated[
        TaskName | None,
        typer.Option(help="Default: classes for words, booleans and up to 30 whole numbers."),
    ] = None,
    test: Annotated[
        Path | None, typer.Option(help="File to test on instead of rows held out.")
    ] = None,
    test_share: Annotated[
        float, typer.Option(help="Share of the rows, in [0, 1), held out for testing.")
    ] = 0.2,
    rule: Annotated[
        str | None, typer.Option(help="Boosting rule, such as logit (the default) or real.")
    ] = None,
    trees: Annotated[
        int | None,
        typer.Option("--trees", "--n-estimators", help="Maximum number of trees; default: 100."),
    ] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Default: the rule's own.")] = None,
    depth: Annotated[
        int | None,
        typer.Option("--depth", "--max-depth", help="Maximum depth of a tree; default: no limit."),
    ] = None,
    leaves: Annotated[
        int | None,
        typer.Option("--leaves", "--max-leaf-nodes", help="Maximum leaves of a tree; default: 31."),
    ] = None,
    early_stopping: Annotated[
        bool,
        typer.Option(
            "--early-stopping", help="Stop when the score on held-out rows no longer improves."
        ),
    ] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Threads; all cores if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    param: Annotated[
        list[str] | None,
        typer.Option(help="Any other parameter of the estimator, as name=value."),
    ] = None,
    many_classes: ManyClasses = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Train a model on a file, with a score on rows held out."""
    from frugalboost.cli.fit import FitOptions, run_fit
    from frugalboost.cli.progress import is_watched

    asked = {
        "rule": rule,
        "n_estimators": trees,
        "learning_rate": learning_rate,
        "max_depth": depth,
        "max_leaf_nodes": leaves,
        "early_stopping": early_stopping or None,
        "n_jobs": jobs,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    options = FitOptions(
        data=data,
        output=output,
        target=target,
        ignore=tuple(ignore or ()),
        weight=weight,
        task=None if task is None else task.value,
        test=test,
        test_share=test_share,
        seed=seed,
        force=force,
        many_classes=many_classes,
        params={**given, **parse_params(param or [])},
        command=typed_command(),
    )
    _print(run_fit(options, verbose=int(is_watched())), as_json)


def _print(report: FitReport, as_json: bool) -> None:
    from frugalboost.cli.printing import print_json, print_lines

    if as_json:
        print_json(asdict(report))
        return
    for name, reason in report.left_out.items():
        typer.echo(f"Column {name!r} was left out: {reason}.", err=True)
    print_lines(f"Model in {report.model}", _lines(report))


def _lines(report: FitReport) -> list[tuple[str, str]]:
    from frugalboost._texts import size_text
    from frugalboost.cli.printing import score_lines

    what = "classes" if report.task == "classes" else "a number"
    return [
        ("target", f"{report.target} ({what}; --task chooses)"),
        ("learnt from", f"{report.rows:,} rows, {report.features} features"),
        ("trees", f"{report.trees:,} ({report.kind})"),
        *score_lines(report.scores, "held out"),
        ("seconds", f"{report.seconds:.2f}"),
        ("size", size_text(report.bytes)),
        ("digest", report.digest[:12]),
    ]
