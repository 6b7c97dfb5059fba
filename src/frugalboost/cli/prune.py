"""`frugalboost prune`: make a model smaller, and report what that costs and saves."""

from __future__ import annotations

import time
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import frugalboost as fb
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.opening import open_model
from frugalboost.cli.options import AsJson, Data, Force, Model, ModelOutput, Seed, Target, TestShare
from frugalboost.cli.outputs import check_output
from frugalboost.cli.printing import counted, print_json, print_table
from frugalboost.cli.progress import bar, is_watched, open_data

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.training import Examples

TIMED_ROWS = 10_000
TIMED_SECONDS = 0.5
"""Predictions are repeated for this long to find the fastest."""


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
    output: ModelOutput,
    method: Annotated[
        Method,
        typer.Option(help="How to choose the trees; kl needs the training rows."),
    ] = Method.reduce_error,
    keep: Annotated[
        str, typer.Option(help="Trees to keep: a number, a share such as 0.3 or 30%, or auto.")
    ] = "auto",
    target: Target = None,
    test: Annotated[Path | None, typer.Option(help="File to test on.")] = None,
    test_share: TestShare = 0.3,
    reweight: Annotated[
        bool | None,
        typer.Option(
            help="Refit the weights of the remaining trees to the log loss.",
            show_default="yes, if trees have weights",
        ),
    ] = None,
    seed: Seed = 0,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Keep the trees that matter, chosen by rows that the model was not fitted to.

    If DATA is the file that the model was fitted to, its held-out rows are used.
    """
    from frugalboost.cli.model_rows import trees_of
    from frugalboost.cli.training import check_test_share
    from frugalboost.pruning.members import has_equal_votes

    check_output(output, force=force, reads={"MODEL": model, "DATA": data, "--test": test})
    check_test_share(test_share)
    parse_keep(keep, None)
    loaded = open_model(model)
    whole = getattr(loaded, "ensemble_", loaded)
    check_prunable(whole)
    rows = read_rows(loaded, data, target)
    rows, test_rows = choose_rows(loaded, data, rows, method)
    if test_rows is None and test is not None:
        test_rows = read_rows(loaded, test, target, "--test")
    if test_rows is None:
        rows, test_rows = split_off(loaded, rows, test_share, seed)
    small = fb.prune_ensemble(
        whole,
        rows.X,
        rows.y,
        method=method.value,
        n_estimators=parse_keep(keep, len(trees_of(whole))),
        reweight=not has_equal_votes(whole) if reweight is None else reweight,
        verbose=int(is_watched()),
    )
    scores = scores_of(small, test_rows)
    attach_record(small, loaded, data, method, len(rows), scores)
    fb.save(small, output)
    sample = test_rows if len(test_rows) else rows
    report = {
        "model": str(output),
        "method": method.value,
        "rows": len(rows),
        "test_rows": len(test_rows),
        "before": describe(whole, model, scores_of(whole, test_rows), sample),
        "after": describe(small, output, scores, sample),
    }
    print_json(report) if as_json else print_report(report)


def parse_keep(text: str, n_members: int | None) -> int | str:
    """The number of members that "auto", a number, or a share such as 0.3 or 30% stands for.

    >>> parse_keep("20", 100), parse_keep("0.3", 100), parse_keep("30%", 10), parse_keep("auto", 5)
    (20, 30, 3, 'auto')
    """
    if text == "auto":
        return text
    if text.isdecimal() and int(text) >= 1:
        number = int(text)
    else:
        share = _share(text)
        number = 0 if share is None else max(1, round(share * (n_members or 1)))
    if number == 0:
        raise BadUsageError(
            "--keep must be auto, a number of trees >= 1, or a share such as 0.3 or 30%; got "
            f"{text!r}."
        )
    if n_members is not None and number > n_members:
        trees = counted(n_members, "tree")
        raise BadUsageError(f"--keep must not exceed the model's {trees}; got {text}.")
    return number


def _share(text: str) -> float | None:
    try:
        number = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None
    return number if 0 < number <= 1 else None


def check_prunable(model: Any) -> None:
    """Refuse models that cannot be pruned before data is read."""
    if not hasattr(model, "classes_"):
        raise ValueError(f"MODEL must be a classifier to be pruned; got a {type(model).__name__}.")
    if not hasattr(model, "ledger_"):
        raise ValueError(
            "MODEL must be a single committee of trees to be pruned; got a "
            f"{type(model).__name__}, whose members are ensembles themselves."
        )


def read_rows(model: Any, path: Path, target: str | None, option: str = "DATA") -> Examples:
    """All rows of a file, with the columns of the model."""
    from frugalboost.cli.model_rows import ModelColumns

    return ModelColumns.of(model).whole(open_data(path, option), target)


def choose_rows(
    model: Any, data: Path, rows: Examples, method: Method
) -> tuple[Examples, Examples | None]:
    """Rows to choose the trees by, and rows to test on if that is already decided.

    From the file that the model was fitted to, only the rows that the fit held out are used; but
    "kl" needs the training rows, and is tested on the others.
    """
    from frugalboost.cli.training import Record, is_data_of, split_again

    record = Record.of(model)
    if record is None or not is_data_of(record, data):
        return rows, None
    with bar("splitting the rows", None):
        fitted, held_out = split_again(record, rows.y)
        if method is Method.kl:
            return rows.take(fitted), rows.take(held_out)
        return (rows.take(held_out) if len(held_out) else rows), None


def split_off(
    model: Any, rows: Examples, test_share: float, seed: int
) -> tuple[Examples, Examples]:
    """Hold out a random share of the rows for testing."""
    import numpy as np

    from frugalboost.cli.training import split_codes
    from frugalboost.filtering.reading import look_up

    with bar("splitting the rows", None):
        if test_share == 0 or len(rows) < 2:
            return rows, rows.take(np.arange(0))
        codes = look_up(model.classes_, np.asarray(rows.y))[0]
        kept, held_out = split_codes(codes, test_share, seed)
        return rows.take(kept), rows.take(held_out)


def scores_of(model: Any, rows: Examples) -> dict[str, Any] | None:
    from frugalboost.cli.training import score_rows

    return score_rows(model, rows) if len(rows) else None


def attach_record(
    small: Any, model: Any, data: Path, method: Method, n_rows: int, scores: dict[str, Any] | None
) -> None:
    """Give the pruned model the record of the whole one, with a note on how it was pruned."""
    from frugalboost.cli.model_rows import trees_of
    from frugalboost.cli.training import Record, is_data_of, plain_scores, typed_command

    record = Record.of(model) or Record()
    note = {
        "command": typed_command(),
        "method": method.value,
        "members": len(trees_of(model)),
        "rows": n_rows,
        "by_held_out": is_data_of(record, data),
    }
    replace(record, scores=plain_scores(scores), pruned=note).attach(small)


def describe(
    model: Any, path: Path, scores: dict[str, Any] | None, sample: Examples
) -> dict[str, Any]:
    """Size, error and speed of a model."""
    from frugalboost.cli.model_rows import trees_of

    return {
        "members": len(trees_of(model)),
        "bytes": path.stat().st_size,
        "test_error": None if scores is None else scores["error"],
        "microseconds_per_row": microseconds_per_row(model, sample, TIMED_SECONDS),
        "digest": fb.digest(model),
    }


def microseconds_per_row(model: Any, rows: Examples, seconds: float) -> float:
    """What a prediction of the first rows takes, at best."""
    import numpy as np

    sample = rows.take(np.arange(min(TIMED_ROWS, len(rows))))
    return 1e6 * best_time(model, sample.X, seconds) / len(sample)


def best_time(model: Any, X: Any, seconds: float) -> float:
    """Seconds of the fastest of several predictions."""
    times: list[float] = []
    with bar("timing", seconds) as advance:
        while not times or sum(times) < seconds:
            started = time.perf_counter()
            model.predict(X)
            times.append(time.perf_counter() - started)
            advance(times[-1])
    return min(times)


def print_report(report: dict[str, Any]) -> None:
    title = (
        f"Model written to {report['model']}: pruned by {report['method']} on "
        f"{counted(report['rows'], 'row')}, tested on {report['test_rows']:,}"
    )
    before, after = _cells(report["before"]), _cells(report["after"])
    rows = [[name, before[name], after[name]] for name in before]
    print_table(title, ["", "before", "after"], rows, right=True)


def _cells(side: dict[str, Any]) -> dict[str, str]:
    error = "no rows" if side["test_error"] is None else f"{side['test_error']:.4f}"
    return {
        "trees": f"{side['members']:,}",
        "bytes": f"{side['bytes']:,}",
        "test error": error,
        "microseconds per row": f"{side['microseconds_per_row']:.2f}",
        "digest": side["digest"][:12],
    }
