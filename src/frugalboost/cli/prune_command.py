"""The options of `frugalboost prune`, and what it prints."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frugalboost.cli.options import AsJson, Data, Force, Model, typed_command

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.prune import PruneReport, Side


class Method(str, Enum):
    """The keys of `frugalboost.pruning.METHODS`."""

    early_stopping = "early_stopping"
    kl = "kl"
    kappa = "kappa"
    hull = "hull"
    reduce_error = "reduce_error"
    kappa_backfitting = "kappa_backfitting"


def prune_command(
    model: Model,
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the model.")],
    method: Annotated[
        Method,
        typer.Option(help="How to choose; kl needs the rows of the fit."),
    ] = Method.reduce_error,
    keep: Annotated[
        str, typer.Option(help="Trees to keep: a number, a share such as 0.3 or 30%, or auto.")
    ] = "auto",
    target: Annotated[
        str | None, typer.Option(help="Column of the right answers; default: the model's target.")
    ] = None,
    test: Annotated[Path | None, typer.Option(help="File to test on.")] = None,
    test_share: Annotated[
        float, typer.Option(help="Share of DATA, in [0, 1), held out for testing.")
    ] = 0.3,
    reweight: Annotated[
        bool, typer.Option(help="Refit the weights of the remaining trees to the log loss.")
    ] = True,
    seed: Annotated[int, typer.Option(min=0, help="Random seed for the rows to test on.")] = 0,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Keep the trees that matter, chosen by rows that the model was not fitted to.

    If DATA is the file of the fit, the rows are those that it has held out.
    """
    from frugalboost.cli.printing import print_json
    from frugalboost.cli.prune import PruneOptions, run_prune

    report = run_prune(
        PruneOptions(
            model=model,
            data=data,
            output=output,
            method=method.value,
            keep=keep,
            target=target,
            test=test,
            test_share=test_share,
            reweight=reweight,
            seed=seed,
            force=force,
            command=typed_command(),
        )
    )
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


def _print(report: PruneReport) -> None:
    from frugalboost.cli.printing import print_table

    title = (
        f"Model in {report.model}: pruned by {report.method} on {report.rows:,} rows, tested on "
        f"{report.test_rows:,}"
    )
    before, after = _cells(report.before), _cells(report.after)
    rows = [[name, before[name], after[name]] for name in before]
    print_table(title, ["", "before", "after"], rows, right=True)


def _cells(side: Side) -> dict[str, str]:
    error = "no rows" if side.test_error is None else f"{side.test_error:.4f}"
    return {
        "members": f"{side.members:,}",
        "bytes": f"{side.bytes:,}",
        "test error": error,
        "microseconds per row": f"{side.microseconds_per_row:.2f}",
        "digest": side.digest[:12],
    }
