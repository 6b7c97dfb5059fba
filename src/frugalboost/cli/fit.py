"""`frugalboost fit`: train a model on a file, and test it on rows that it has not seen."""

from __future__ import annotations

import ast
import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import frugalboost as fb
from frugalboost._texts import size_text
from frugalboost.cli.errors import BadUsageError, naming
from frugalboost.cli.options import (
    AsJson,
    Data,
    Force,
    ManyClasses,
    ModelOutput,
    Seed,
    TestShare,
    Weight,
)
from frugalboost.cli.outputs import check_output
from frugalboost.cli.printing import counted, print_json, print_lines, score_lines
from frugalboost.cli.progress import bar, is_watched, open_data
from frugalboost.tables.errors import nearest

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.training import Columns, Examples, Learning, Record, Task
    from frugalboost.tables.table import TableFile

OPTIONS = {
    "rule": "--rule",
    "n_estimators": "--trees",
    "learning_rate": "--learning-rate",
    "max_depth": "--depth",
    "max_leaf_nodes": "--leaves",
    "early_stopping": "--early-stopping",
    "n_jobs": "--jobs",
}
"""Parameters that have their own option."""


class TaskName(str, Enum):
    classes = "classes"
    regression = "regression"


def fit_command(
    data: Data,
    output: ModelOutput,
    target: Annotated[
        str | None,
        typer.Option(help="Column to predict; not needed for LIBSVM, or for NPZ with y."),
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
        Path | None, typer.Option(help="File to test on instead of held-out rows.")
    ] = None,
    test_share: TestShare = 0.2,
    rule: Annotated[
        str | None, typer.Option(help="Boosting rule, such as logit (the default) or real.")
    ] = None,
    trees: Annotated[
        int | None,
        typer.Option("--trees", "--n-estimators", help="Maximum number of trees; default: 100."),
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="Default: depends on the rule.")
    ] = None,
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
        int | None, typer.Option("--jobs", "-j", help="Number of threads; default: all cores.")
    ] = None,
    seed: Seed = 0,
    param: Annotated[
        list[str] | None,
        typer.Option(help="Any other parameter of the estimator, as name=value."),
    ] = None,
    many_classes: ManyClasses = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Train a model on a file and score it on held-out rows."""
    from frugalboost.cli.training import check_test_share, choose_columns, read_learning

    values = (rule, trees, learning_rate, depth, leaves, early_stopping or None, jobs)
    given = dict(zip(OPTIONS, values, strict=True))
    params = {name: value for name, value in given.items() if value is not None}
    others = parse_params(param or [])
    params.update(others)
    names = {**OPTIONS, **{name: f"--param {name}" for name in others}}
    asked: Task | None = None if task is None else task.value
    check_output(output, force=force, reads={"DATA": data, "--test": test})
    check_test_share(test_share)
    with naming(names):
        check_params(params, asked)

    table = open_data(data)
    columns = choose_columns(table, target, ignore or (), weight)
    test_table = None if test is None else open_data(test, "--test")
    if test_table is not None:
        test_table.check(columns.target, "--target")
    learning = read_learning(table, columns, asked, many_classes)
    share = test_share if test is None else 0.0
    with naming(names):
        report = run_fit(learning, params, share, seed, test_table, output)
    print_json(report) if as_json else print_report(report)


def parse_params(given: Sequence[str]) -> dict[str, Any]:
    """Parameters from texts such as max_bins=64; values that are not Python literals are words.

    >>> parse_params(["max_bins=64", "rule=real", "weight_trim=None"])
    {'max_bins': 64, 'rule': 'real', 'weight_trim': None}
    """
    params = {}
    for text in given:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign or not name:
            raise BadUsageError(f"--param must be name=value, such as max_bins=64; got {text!r}.")
        try:
            params[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            params[name] = value
    return params


def estimator_of(task: Task) -> Any:
    return fb.BoostedTreesClassifier if task == "classes" else fb.BoostedTreesRegressor


def check_params(params: dict[str, Any], task: Task | None) -> None:
    """Refuse names and values that the task's estimator does not take, before a file is read.

    Without --task the file decides; then it is enough that one estimator takes them all.
    """
    from frugalboost.rules import RULES

    tasks: list[Task] = ["classes", "regression"] if task is None else [task]
    for name in params:
        check_name(name, tasks)
    if "rule" in params and params["rule"] not in RULES:
        unless = ", and must be omitted for a regression" if task is None else ""
        raise BadUsageError(
            f"rule must be one of {', '.join(map(repr, sorted(RULES)))}{unless}; got "
            f"{params['rule']!r}."
        )
    able = [each for each in tasks if set(params) <= names_of(each)]
    problems = [problem for each in able if (problem := refusal(params, each)) is not None]
    if problems and len(problems) == len(able):
        raise BadUsageError(str(problems[0])) from problems[0]


def check_name(name: str, tasks: list[Task]) -> None:
    known = sorted(set().union(*map(names_of, tasks)))
    if name in known:
        return
    if name == "rule":
        raise BadUsageError(
            "rule must be omitted for a regression, which always boosts the squared error."
        )
    if name in OPTIONS:
        raise BadUsageError(f"{name} must be omitted for {' or '.join(tasks)}.")
    near = nearest(name, known)
    hint = f"They are {', '.join(known)}." if near is None else f"Did you mean {near!r}?"
    raise BadUsageError(f"--param must be a parameter of the estimator; got {name!r}. {hint}")


def names_of(task: Task) -> set[str]:
    return set(estimator_of(task)().get_params())


def refusal(params: dict[str, Any], task: Task) -> Exception | None:
    """The estimator's objection to the values, if any."""
    from frugalboost.base.params import FitPlan

    model = estimator_of(task)(**params)
    rule, n_classes = (model.rule, 2) if task == "classes" else ("l2", 1)
    try:
        FitPlan.from_params(model, rule, n_classes)
    except (TypeError, ValueError) as problem:
        return problem
    return None


def run_fit(
    learning: Learning,
    params: dict[str, Any],
    test_share: float,
    seed: int,
    test_table: TableFile | None,
    output: Path,
) -> dict[str, Any]:
    """Train, test and write the model; return what --json prints."""
    from frugalboost.cli.training import plain_scores, split

    for name in params:
        check_name(name, [learning.task])
    given = {"random_state": seed, **params, "verbose": int(is_watched())}
    model = estimator_of(learning.task)(**given)
    target = f"{learning.path}: the target {learning.columns.target!r}"
    with naming({"y": target}, ValueError):
        with bar("splitting the rows", 2) as advance:
            fitted, held_out = split(learning.examples.y, learning.task, test_share, seed)
            advance(1)
            examples = learning.examples.take(fitted)
        seconds = train(model, examples)
    record = make_record(learning, len(examples), test_share, seed)
    record.attach(model)  # tells how to read the columns of a file to test on
    scores = held_out_scores(model, learning.examples.take(held_out), test_table, learning.columns)
    replace(record, scores=plain_scores(scores)).attach(model)
    fb.save(model, output)
    return {
        "model": str(output),
        "kind": type(model).__name__,
        "task": learning.task,
        "target": learning.columns.target,
        "rows": len(examples),
        "features": len(learning.kinds),
        "left_out": learning.left_out,
        "trees": model.n_estimators_,
        "scores": scores,
        "seconds": seconds,
        "bytes": output.stat().st_size,
        "digest": fb.digest(model),
    }


def train(model: Any, examples: Examples) -> float:
    """Fit the model; return the seconds it took."""
    from frugalboost.data.targets import RareClassesWarning

    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RareClassesWarning)  # refused before, or asked for
        model.fit(examples.X, examples.y, sample_weight=examples.weights)
    seconds = time.perf_counter() - started
    model.set_params(verbose=0)  # a progress bar is not a property of the model
    return seconds


def make_record(learning: Learning, n_rows: int, test_share: float, seed: int) -> Record:
    from frugalboost.cli.training import Record, fingerprint, typed_command

    return Record(
        command=typed_command(),
        version=fb.__version__,
        data=learning.path.name,
        data_sha256=fingerprint(learning.path),
        target=learning.columns.target,
        weight=learning.columns.weight,
        task=learning.task,
        rows=n_rows,
        test_share=test_share,
        seed=seed,
        booleans=[name for name, kind in learning.kinds.items() if kind == "boolean"],
        ignored=list(learning.columns.ignore),
        left_out=list(learning.left_out),
        first_feature=learning.first_feature,
    )


def held_out_scores(
    model: Any, held_out: Examples, test_table: TableFile | None, columns: Columns
) -> dict[str, Any] | None:
    """Scores on another file, or on the held-out rows; None without either."""
    from frugalboost.cli.training import score_rows

    if test_table is None:
        return score_rows(model, held_out) if len(held_out) else None
    from frugalboost.cli.model_rows import score_table

    weight = columns.weight if columns.weight in test_table.names else None
    return score_table(model, test_table, weight=weight)


def print_report(report: dict[str, Any]) -> None:
    for name, reason in report["left_out"].items():
        typer.echo(f"Column {name!r} was left out: {reason}.", err=True)
    what = "classes" if report["task"] == "classes" else "a number"
    read = f"{counted(report['rows'], 'row')}, {counted(report['features'], 'feature')}"
    lines = [
        ("target", f"{report['target']} ({what}; change with --task)"),
        ("trained on", read),
        ("trees", f"{report['trees']:,} ({report['kind']})"),
        *score_lines(report["scores"], "held out"),
        ("seconds", f"{report['seconds']:.2f}"),
        ("size", size_text(report["bytes"])),
        ("digest", report["digest"][:12]),
    ]
    print_lines(f"Model written to {report['model']}", lines)
