"""Train on files larger than memory: rows in random order on disk, a model, its test."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import frugalboost as fb
from frugalboost._typing import AnyArray, Ints
from frugalboost.cli.errors import implausible
from frugalboost.cli.outputs import check_output
from frugalboost.cli.progress import bar
from frugalboost.cli.stream_rows import ChosenRows, Positive, Split, files_of, kind_of
from frugalboost.cli.stream_store import WorkFolder
from frugalboost.cli.stream_tables import (
    MIXED_READERS,
    count_rows,
    open_in_order,
    open_mixed,
    reading_bytes,
    store_size,
)
from frugalboost.data.targets import RareClassesWarning, look_like_decimals, why_rare
from frugalboost.filtering import Certificate
from frugalboost.filtering.memory import peak_bytes
from frugalboost.filtering.reading import look_up
from frugalboost.streams import ParquetOracle
from frugalboost.streams.optional import require_pyarrow

Shuffle = Literal["auto", "none", "store"]

MOST_CLASSES = 100
"""Of numbers; more are taken for a quantity."""

TEST_ROWS = 16384
FIRST_ROWS = 10_000
"""Whose labels are looked at where the rows are not read beforehand."""

CHECKPOINT_SECONDS = 10.0
"""So that Ctrl-C costs little; a checkpoint takes milliseconds."""


@dataclass(frozen=True)
class StreamOptions:
    """What to train on, where to, and how; `params` are those of `FilterBoostClassifier`."""

    data: Path
    target: str
    output: Path
    params: dict[str, Any]
    columns: tuple[str, ...] | None = None
    positive: Positive | None = None
    test_share: float = 0.0
    test: Path | None = None
    shuffle: Shuffle = "auto"
    work_folder: Path | None = None
    memory_limit: int | None = None
    recycle: bool = True
    resume: bool = False
    force: bool = False
    many_classes: bool = False
    seed: int = 0

    def check(self) -> None:
        """Raise an error that says what cannot be done, before anything is read."""
        for path in (self.data, *filter(None, [self.test])):
            kind_of(path)
        reads = {"DATA": self.data, "--test": self.test}
        # A run that goes on replaces its own checkpoint; what is no checkpoint cannot be read.
        goes_on = self.resume and self.output.exists()
        check_output(self.output, force=self.force or goes_on, reads=reads)
        WorkFolder(self.folder, is_kept=self.work_folder is not None).check_own()
        if not 0 <= self.test_share < 1:
            raise ValueError(f"--test-share must be in [0, 1); got {self.test_share}.")
        if self.test_share and self.test is not None:
            raise ValueError("--test-share must not be given with --test; got both.")
        if not self.folder.absolute().parent.is_dir():
            raise ValueError(
                f"--work-folder must be in a folder that exists; got {str(self.folder)!r}."
            )
        open_in_order(self, self.data)

    @property
    def split(self) -> Split | None:
        return Split(self.test_share, self.seed) if self.test_share else None

    @property
    def folder(self) -> Path:
        """Where rows in random order are kept while the run needs them."""
        return self.work_folder or self.output.with_name(self.output.name + ".work")

    def made_from(self) -> dict[str, Any]:
        """What decides which rows a store holds, and in which order."""
        return {
            "files": [[name, size, modified] for name, size, modified in files_of(self.data)],
            "target": self.target,
            "columns": None if self.columns is None else list(self.columns),
            "positive": None if self.positive is None else str(self.positive),
            "test_share": self.test_share,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class StreamReport:
    """What came of it."""

    rounds: int
    rows: int | None
    examples: int
    acceptance: float
    error_bound: float
    stop_reason: str
    certificate: str
    test_rows: int
    test_log_loss: float | None
    test_error: float | None
    shuffle: str
    memory_limit: int | None
    peak_bytes: int
    seconds: float
    digest: str
    model: str


def run_stream(options: StreamOptions, verbose: int = 0) -> StreamReport:
    """Train and test. The limit bounds what that holds in memory, however large the data."""
    started = time.perf_counter()
    with training_rows(options) as (oracle, shuffle):
        model = train(options, oracle, verbose)
        outcome = evaluate(options, model)
    n_rows = oracle.n_rows
    return StreamReport(
        rounds=model.n_estimators_,
        rows=n_rows,
        examples=model.n_examples_,
        acceptance=float(model.ledger_.column("acceptance")[-1]),
        error_bound=float(model.ledger_.column("error_bound")[-1]),
        stop_reason=model.stop_reason_,
        certificate=in_words(model.certificate_, n_rows, model.mode),
        test_rows=outcome.n_rows,
        test_log_loss=outcome.log_loss,
        test_error=outcome.error,
        shuffle=shuffle,
        memory_limit=options.memory_limit,
        peak_bytes=peak_bytes(),
        seconds=time.perf_counter() - started,
        digest=fb.digest(model),
        model=str(options.output),
    )


@contextmanager
def training_rows(options: StreamOptions) -> Iterator[tuple[Any, str]]:
    """An oracle of the rows to train on, and how they are shuffled."""
    work = WorkFolder(options.folder, is_kept=options.work_folder is not None)
    table = open_in_order(options, options.data)
    shuffle = options.shuffle
    if shuffle == "auto":
        shuffle = "store" if work.has_room(store_size(options.data, table)) else "none"
    if shuffle == "none":
        check_numbered(options)
        check_plausible(odd_labels(first_labels(options)), options)
        table = open_mixed(options, options.data)
        reading = MIXED_READERS * reading_bytes(options.data, table)
        yield (
            ChosenRows(
                table, positive=options.positive, split=options.split, reading_bytes=reading
            ),
            shuffle,
        )
        return
    with work.in_use():
        rows = ChosenRows(table, positive=options.positive, split=options.split)
        reading = reading_bytes(options.data, table)
        release_arrow()
        n_rows = count_rows(options.data, table)
        store = work.store(rows, options.made_from(), options.memory_limit, reading, n_rows)
        check_classes(store.classes, options)
        check_plausible(odd_classes(store.classes.tolist(), store.count_classes()), options)
        release_arrow()
        yield store.oracle(recycle=options.recycle, random_state=options.seed), shuffle


def release_arrow() -> None:
    """Arrow keeps what it is given back when a file was read; others need it now."""
    require_pyarrow().default_memory_pool().release_unused()


def check_numbered(options: StreamOptions) -> None:
    if options.test_share and kind_of(options.data) is not ParquetOracle:
        raise ValueError(
            "--test-share needs the numbers of rows, which CSV files do not have; got --shuffle "
            "none. Use --shuffle store, or --test with a file."
        )


def check_classes(classes: AnyArray, options: StreamOptions) -> None:
    """Say at once what is wrong with the target."""
    if len(classes) < 2:
        asked = "" if options.positive is None else f" by --positive {options.positive}"
        raise ValueError(
            f"target {options.target!r} must have at least two classes{asked}; got only "
            f"{classes.tolist()[0]!r}."
        )
    if len(classes) > MOST_CLASSES and classes.dtype.kind in "iuf":
        raise ValueError(
            f"target {options.target!r} must be a class; got {len(classes)} different numbers. "
            "Make two classes of them with --positive, such as --positive '> 15'."
        )


def first_labels(options: StreamOptions) -> list[Any]:
    """Those of the first rows, each once."""
    rows = ChosenRows(open_in_order(options, options.data), positive=options.positive)
    labels: list[Any] = []
    while len(labels) < FIRST_ROWS and len(batch := rows.draw(FIRST_ROWS - len(labels)).y):
        labels += batch.tolist()
    return labels


def odd_labels(labels: list[Any]) -> str | None:
    counts = Counter(labels)
    return odd_classes(list(counts), np.array(list(counts.values())))


def odd_classes(classes: list[Any], counts: Ints) -> str | None:
    """What is odd about texts as classes; decimal commas are also where each has many rows."""
    odd = why_rare(classes, counts)
    if odd is None and len(classes) > MOST_CLASSES and look_like_decimals(classes):
        return f"{len(classes):,} classes that look like numbers with decimal commas."
    return odd


def check_plausible(odd: str | None, options: StreamOptions) -> None:
    """Refuse a target that can hardly be meant for classes: its fit would take hours."""
    if odd is not None and not options.many_classes:
        raise implausible(options.data, f"target {options.target!r}", odd)


def train(options: StreamOptions, oracle: Any, verbose: int) -> fb.FilterBoostClassifier:
    model = fb.FilterBoostClassifier(
        **options.params,
        checkpoint=options.output,
        checkpoint_seconds=CHECKPOINT_SECONDS,
        memory_limit=options.memory_limit,
        random_state=options.seed,
        verbose=verbose,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the report says it
        warnings.simplefilter("ignore", RareClassesWarning)  # refused before, or asked for
        return model.fit_stream(oracle, resume=options.resume)


@dataclass(frozen=True)
class Evaluation:
    """Of rows that the model has not seen; None without any."""

    n_rows: int = 0
    log_loss: float | None = None
    error: float | None = None


def evaluate(options: StreamOptions, model: fb.FilterBoostClassifier) -> Evaluation:
    """Predict the rows held out, or those of another file, a few at a time."""
    if options.test is not None:
        path, split = options.test, None
    elif options.split is not None:
        path, split = options.data, options.split
    else:
        return Evaluation()
    table = open_in_order(options, path, model.feature_names_in_.tolist())
    rows = ChosenRows(table, positive=options.positive, split=split, held_out=True)
    with bar("testing", count_rows(path, table)) as advance:
        return test_on(rows, model, advance)


def test_on(
    rows: ChosenRows, model: fb.FilterBoostClassifier, advance: Callable[[float], None]
) -> Evaluation:
    """Predict all rows; the bar moves with those that are read."""
    n = wrong = n_read = 0
    loss = 0.0
    while len((batch := rows.draw(TEST_ROWS)).y):
        advance(rows.source.n_given - n_read)
        n_read = rows.source.n_given
        codes, is_known = look_up(model.classes_, np.asarray(batch.y))
        if not is_known.all():
            unknown = batch.y[int(np.flatnonzero(~is_known)[0])]
            raise ValueError(
                f"the test rows have a class that the training rows do not: {unknown!r}."
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # arrays have no names; the table has
            shares = model.predict_proba(batch.X)
        wrong += int((shares.argmax(axis=1) != codes).sum())
        # As scikit-learn's log_loss: what a model holds for impossible costs 36, not infinity.
        given = np.maximum(shares[np.arange(len(codes)), codes], np.finfo(np.float64).eps)
        loss -= float(np.log(given).sum())
        n += len(codes)
    return Evaluation(n, loss / n, wrong / n) if n else Evaluation()


def in_words(certificate: Certificate, n_rows: int | None, mode: str) -> str:
    """What the run has proved, in a sentence."""
    c = certificate
    if mode != "certified":
        return "None: --mode practical only estimates the error; --mode certified can prove it."
    if not c.holds:
        return (
            f"None: the run ended ({c.stop_reason}) before the filter could show an error of at "
            f"most {c.target_error:g}."
        )
    promise = (
        f"The error is at most {c.target_error:g} with probability at least "
        f"{1 - c.failure_probability:g}, if examples are independent draws"
    )
    if n_rows is not None and c.examples > n_rows:
        return promise + "; here rows came more than once, so take it for an estimate."
    return promise + "."
