"""A run on a stream: rows in random order, a model trained on them, its test."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import frugalboost as fb
from frugalboost._typing import AnyArray, Ints
from frugalboost.cli.errors import implausible
from frugalboost.cli.outputs import check_output, check_outside
from frugalboost.cli.progress import bar
from frugalboost.cli.stream.rows import (
    MIXED_READERS,
    ChosenRows,
    Positive,
    Split,
    count_rows,
    files_of,
    kind_of,
    open_in_order,
    open_mixed,
    reading_bytes,
    store_size,
)
from frugalboost.cli.stream.work_folder import WorkFolder
from frugalboost.data.targets import RareClassesWarning, look_like_decimals, why_rare
from frugalboost.filtering.memory import peak_bytes
from frugalboost.filtering.plan import check_memory, make_filter_plan
from frugalboost.filtering.reading import look_up
from frugalboost.streams import ParquetOracle
from frugalboost.tables.opening import require_pyarrow

if TYPE_CHECKING:
    from frugalboost.filtering import Certificate

Shuffle = Literal["auto", "none", "store"]

MOST_CLASSES = 100
"""A target with more different numbers is taken for a quantity."""

TEST_ROWS = 16384
FIRST_ROWS = 10_000
"""How many labels are checked if the rows are not read beforehand."""

CHECKPOINT_SECONDS = 10.0
"""So that Ctrl-C loses little work; a checkpoint takes milliseconds."""


@dataclass(frozen=True)
class StreamOptions:
    """The options of the command; `params` are those of `FilterBoostClassifier`."""

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
        """Refuse what cannot work, before any rows are read."""
        for path in (self.data, *filter(None, [self.test])):
            kind_of(path)
        reads = {"DATA": self.data, "--test": self.test}
        # A resumed run replaces its own checkpoint; any other file fails to load.
        is_resumed = self.resume and self.output.exists()
        check_output(self.output, force=self.force or is_resumed, reads=reads)
        check_outside(self.output, reads)
        # Otherwise its files would count as changed data, and its rows would never be reused.
        check_outside(self.work.path, reads, option="--work-folder")
        self.work.check_own()
        self.work.check_apart(self.output)
        if not 0 <= self.test_share < 1:
            raise ValueError(f"--test-share must be in [0, 1); got {self.test_share}.")
        if self.test_share and self.test is not None:
            raise ValueError("--test-share cannot be combined with --test; got both.")
        parent = self.work.path.absolute().parent
        if not parent.is_dir():
            raise ValueError(f"--work-folder: folder {parent} does not exist.")
        plan = make_filter_plan(fb.FilterBoostClassifier(**self.params, random_state=self.seed), 2)
        check_memory(self.memory_limit, plan)

    @property
    def target_column(self) -> str:
        """What errors call y."""
        return f"{self.data}: the target {self.target!r}"

    @property
    def split(self) -> Split | None:
        return Split(self.test_share, self.seed) if self.test_share else None

    @property
    def work(self) -> WorkFolder:
        """Where rows in random order are stored while the run needs them."""
        beside = self.output.with_name(self.output.name + ".work")
        return WorkFolder(self.work_folder or beside, is_kept=self.work_folder is not None)

    def made_from(self) -> dict[str, Any]:
        """Everything that determines the rows of a store and their order."""
        return {
            "files": [[name, size, modified] for name, size, modified in files_of(self.data)],
            "target": self.target,
            "columns": None if self.columns is None else list(self.columns),
            "positive": None if self.positive is None else str(self.positive),
            "test_share": self.test_share,
            "seed": self.seed,
        }


def run_stream(options: StreamOptions, verbose: int = 0) -> dict[str, Any]:
    """Train and test; return what --json prints. The memory used does not grow with the data."""
    started = time.perf_counter()
    with training_rows(options) as (oracle, shuffle):
        model = train(options, oracle, verbose)
        test = evaluate(options, model)
    return {
        "rule": model.rule,
        "rounds": model.n_estimators_,
        "rows": oracle.n_rows,
        "examples": model.n_examples_,
        "acceptance": float(model.ledger_.column("acceptance")[-1]),
        "error_bound": float(model.ledger_.column("error_bound")[-1]),
        "target_error": model.target_error,
        "stop_reason": model.stop_reason_,
        "certificate": in_words(model.certificate_, oracle.n_rows, model.mode),
        "test_rows": test.n_rows,
        "test_log_loss": test.log_loss,
        "test_error": test.error,
        "shuffle": shuffle,
        "memory_limit": options.memory_limit,
        "peak_bytes": peak_bytes(),
        "seconds": time.perf_counter() - started,
        "digest": fb.digest(model),
        "model": str(options.output),
    }


@contextmanager
def training_rows(options: StreamOptions) -> Iterator[tuple[Any, str]]:
    """An oracle of the rows to train on, and how they are shuffled."""
    shuffle = options.shuffle
    if shuffle == "auto":
        size = store_size(options.data, open_in_order(options, options.data))
        shuffle = "store" if options.work.has_room(size) else "none"
    if shuffle == "none":
        yield mixed_rows(options), shuffle
        return
    with options.work.in_use():
        yield stored_rows(options), shuffle


def mixed_rows(options: StreamOptions) -> ChosenRows:
    """Rows straight from the files, mixed with their neighbours."""
    if options.test_share and kind_of(options.data) is not ParquetOracle:
        raise ValueError(
            "--test-share with --shuffle none needs numbered rows, which CSV files do not have. "
            "Use --shuffle store, or --test with a file."
        )
    check_plausible(odd_labels(first_labels(options)), options)
    table = open_mixed(options, options.data)
    reading = MIXED_READERS * reading_bytes(options.data, table)
    return ChosenRows(table, positive=options.positive, split=options.split, reading_bytes=reading)


def stored_rows(options: StreamOptions) -> Any:
    """Rows in random order from a store on disk, written now unless a previous run left it."""
    table = open_in_order(options, options.data)
    rows = ChosenRows(table, positive=options.positive, split=options.split)
    reading = reading_bytes(options.data, table)
    release_arrow()
    n_rows = count_rows(options.data, table)
    store = options.work.store(rows, options.made_from(), options.memory_limit, reading, n_rows)
    check_classes(store.classes, options)
    check_plausible(odd_classes(store.classes.tolist(), store.count_classes()), options)
    release_arrow()
    return store.oracle(recycle=options.recycle, random_state=options.seed)


def release_arrow() -> None:
    """Return memory that Arrow keeps after reading a file."""
    require_pyarrow().default_memory_pool().release_unused()


def check_classes(classes: AnyArray, options: StreamOptions) -> None:
    """Refuse a target without classes before training starts."""
    if len(classes) < 2:
        asked = "" if options.positive is None else f" with --positive '{options.positive}'"
        raise ValueError(
            f"{options.target_column} must have at least two classes{asked}; got only "
            f"{classes.tolist()[0]!r}."
        )
    if len(classes) > MOST_CLASSES and classes.dtype.kind in "iuf":
        raise ValueError(
            f"{options.target_column} must hold classes; got {len(classes):,} different numbers. "
            "Turn them into two classes with --positive, such as --positive '> 15'."
        )


def first_labels(options: StreamOptions) -> list[Any]:
    """The labels of the first rows."""
    rows = ChosenRows(open_in_order(options, options.data), positive=options.positive)
    labels: list[Any] = []
    while len(labels) < FIRST_ROWS and len(batch := rows.draw(FIRST_ROWS - len(labels)).y):
        labels += batch.tolist()
    return labels


def odd_labels(labels: list[Any]) -> str | None:
    counts = Counter(labels)
    return odd_classes(list(counts), np.array(list(counts.values())))


def odd_classes(classes: list[Any], counts: Ints) -> str | None:
    """Why text labels are unlikely to be classes; many decimal commas suffice, however frequent."""
    oddity = why_rare(classes, counts)
    if oddity is None and len(classes) > MOST_CLASSES and look_like_decimals(classes):
        return f"{len(classes):,} classes that look like numbers with decimal commas."
    return oddity


def check_plausible(oddity: str | None, options: StreamOptions) -> None:
    """Refuse a target that is unlikely to hold classes: its fit would take hours."""
    if oddity is not None and not options.many_classes:
        raise implausible(options.data, f"target {options.target!r}", oddity)


def train(options: StreamOptions, oracle: Any, verbose: int) -> fb.FilterBoostClassifier:
    model = fb.FilterBoostClassifier(
        **options.params,
        checkpoint=options.output,
        checkpoint_seconds=CHECKPOINT_SECONDS,
        memory_limit=options.memory_limit,
        random_state=options.seed,
        verbose=verbose,
    )
    model._overwrites = True  # commands have their own rule, with --force
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # part of the report
        warnings.simplefilter("ignore", RareClassesWarning)  # refused before, or asked for
        return model.fit_stream(oracle, resume=options.resume)


@dataclass(frozen=True)
class Evaluation:
    """Scores on rows that the model has not seen; None without any."""

    n_rows: int = 0
    log_loss: float | None = None
    error: float | None = None


def evaluate(options: StreamOptions, model: fb.FilterBoostClassifier) -> Evaluation:
    """Predict the held-out rows, or those of another file, block by block."""
    if options.test is not None:
        path, split = options.test, None
    elif options.split is not None:
        path, split = options.data, options.split
    else:
        return Evaluation()
    table = open_in_order(options, path, model.feature_names_in_.tolist())
    rows = ChosenRows(table, positive=options.positive, split=split, held_out=True)
    with bar("testing", count_rows(path, table)) as advance:
        return score(rows, model, advance)


def score(
    rows: ChosenRows, model: fb.FilterBoostClassifier, advance: Callable[[float], None]
) -> Evaluation:
    """Predict all rows; `advance` counts the rows read, chosen or not."""
    n = wrong = n_read = 0
    loss = 0.0
    while len((batch := rows.draw(TEST_ROWS)).y):
        advance(rows.source.n_given - n_read)
        n_read = rows.source.n_given
        codes, is_known = look_up(model.classes_, np.asarray(batch.y))
        if not is_known.all():
            unknown = batch.y[int(np.flatnonzero(~is_known)[0])]
            raise ValueError(
                f"the test rows contain a class that the training rows do not: {unknown!r}."
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # arrays have no names, unlike the table
            shares = model.predict_proba(batch.X)
        wrong += int((shares.argmax(axis=1) != codes).sum())
        # As in scikit-learn's log_loss: a probability of zero costs 36, not infinity.
        given = np.maximum(shares[np.arange(len(codes)), codes], np.finfo(np.float64).eps)
        loss -= float(np.log(given).sum())
        n += len(codes)
    return Evaluation(n, loss / n, wrong / n) if n else Evaluation()


def in_words(certificate: Certificate, n_rows: int | None, mode: str) -> str:
    """A sentence on what the run has proved."""
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
