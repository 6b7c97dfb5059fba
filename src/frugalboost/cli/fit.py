"""Train a model on a file, and test it on rows that it has not seen."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import frugalboost as fb
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.examples import Examples
from frugalboost.cli.fit_params import check_params, make_estimator
from frugalboost.cli.held_out import fingerprint, split
from frugalboost.cli.learning import Choice, Learning, Task, choose, read_learning
from frugalboost.cli.outputs import check_output
from frugalboost.cli.progress import bar
from frugalboost.cli.record import Record, plain_scores
from frugalboost.cli.rows_of_model import ModelColumns
from frugalboost.cli.scores import Scorer
from frugalboost.cli.tables import TableFile, open_table
from frugalboost.cli.testing import score_rows
from frugalboost.data.targets import RareClassesWarning


@dataclass(frozen=True)
class FitOptions:
    """What to train on, where to, and how; `params` are those of the estimator."""

    data: Path
    output: Path
    target: str | None = None
    ignore: tuple[str, ...] = ()
    weight: str | None = None
    task: Task | None = None
    test: Path | None = None
    test_share: float = 0.2
    seed: int = 0
    force: bool = False
    many_classes: bool = False
    params: dict[str, Any] = field(default_factory=dict)
    command: str = ""

    def check(self) -> None:
        """Say what cannot be done before anything is read."""
        reads = {"DATA": self.data, "--test": self.test}
        check_output(self.output, force=self.force, reads=reads)
        if not 0 <= self.test_share < 1:
            raise BadUsageError(f"--test-share must be in [0, 1); got {self.test_share}.")
        check_params(self.params, self.task)


@dataclass(frozen=True)
class FitReport:
    """What came of it."""

    model: str
    kind: str
    task: str
    target: str
    rows: int
    features: int
    left_out: dict[str, str]
    trees: int
    scores: dict[str, Any] | None
    seconds: float
    bytes: int
    digest: str


def run_fit(options: FitOptions, verbose: int = 0) -> FitReport:
    """Train, test and write the model."""
    options.check()
    file = open_table(options.data)
    choice = choose(file, options.target, options.ignore, options.weight)
    test = open_test(options.test, choice)
    learning = read_learning(file, choice, options.task, options.many_classes)
    share = 0.0 if test is not None else options.test_share
    params = {"random_state": options.seed, **options.params, "verbose": verbose}
    model = make_estimator(params, learning.task)
    with bar("splitting the rows", 2) as advance:
        kept, held = split(learning.y, learning.task, share, options.seed)
        advance(1)
        train = learning.examples.take(kept)
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RareClassesWarning)  # refused before, or asked for
        model.fit(train.X, train.y, sample_weight=train.weights)
    seconds = time.perf_counter() - started
    model.set_params(verbose=0)  # a progress bar is no property of a model
    record = new_record(options, learning, choice, len(kept))
    record.attach(model)  # the columns of a file to test on are read by it
    scores = held_out_scores(model, learning.examples.take(held), test, choice)
    replace(record, scores=plain_scores(scores)).attach(model)
    fb.save(model, options.output)
    return FitReport(
        model=str(options.output),
        kind=type(model).__name__,
        task=learning.task,
        target=choice.target,
        rows=len(kept),
        features=len(learning.kinds),
        left_out=learning.left_out,
        trees=model.n_estimators_,
        scores=scores,
        seconds=seconds,
        bytes=options.output.stat().st_size,
        digest=fb.digest(model),
    )


def open_test(path: Path | None, choice: Choice) -> TableFile | None:
    if path is None:
        return None
    test = open_table(path, "--test")
    test.check(choice.target, "--target")
    return test


def held_out_scores(
    model: Any, held: Examples, test: TableFile | None, choice: Choice
) -> dict[str, Any] | None:
    """Scores on rows held out, or on those of another file; None without any."""
    if test is None:
        return score_rows(model, held) if len(held) else None
    scorer = Scorer(model)
    weight = choice.weight if choice.weight in test.names else None
    for block in ModelColumns.of(model).blocks(test, with_target=True, weight=weight):
        assert block.y is not None
        scorer.add(block.X, block.y, block.weights)
    return scorer.result()


def new_record(options: FitOptions, learning: Learning, choice: Choice, n_rows: int) -> Record:
    return Record(
        command=options.command,
        version=fb.__version__,
        data=options.data.name,
        data_sha256=fingerprint(options.data),
        target=choice.target,
        weight=choice.weight,
        task=learning.task,
        rows=n_rows,
        test_share=0.0 if options.test is not None else options.test_share,
        seed=options.seed,
        booleans=[name for name, kind in learning.kinds.items() if kind == "boolean"],
        ignored=list(choice.ignore),
        left_out=list(learning.left_out),
    )
