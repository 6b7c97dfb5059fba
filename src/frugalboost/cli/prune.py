"""Make a model smaller, and say what that costs and what it saves."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.examples import Examples
from frugalboost.cli.held_out import is_data_of, split_again, split_codes
from frugalboost.cli.inspect import trees_of
from frugalboost.cli.outputs import check_output
from frugalboost.cli.progress import bar, is_watched
from frugalboost.cli.record import Record, plain_scores
from frugalboost.cli.rows_of_model import ModelColumns
from frugalboost.cli.tables import open_table
from frugalboost.cli.testing import score_rows
from frugalboost.filtering.reading import look_up

TIMED_ROWS = 10_000
TIMED_SECONDS = 0.5
"""How long a prediction is repeated for its time at best."""


@dataclass(frozen=True)
class PruneOptions:
    """Which members to keep, by which rows."""

    model: Path
    data: Path
    output: Path
    method: str = "reduce_error"
    keep: str = "auto"
    target: str | None = None
    test: Path | None = None
    test_share: float = 0.3
    reweight: bool = True
    seed: int = 0
    force: bool = False
    command: str = ""

    def check(self) -> None:
        reads = {"MODEL": self.model, "DATA": self.data, "--test": self.test}
        check_output(self.output, force=self.force, reads=reads)
        if not 0 <= self.test_share < 1:
            raise BadUsageError(f"--test-share must be in [0, 1); got {self.test_share}.")
        parse_keep(self.keep, None)


@dataclass(frozen=True)
class Side:
    """A model before or after."""

    members: int
    bytes: int
    test_error: float | None
    microseconds_per_row: float
    digest: str


@dataclass(frozen=True)
class PruneReport:
    """What came of it."""

    model: str
    method: str
    rows: int
    test_rows: int
    before: Side
    after: Side


def run_prune(options: PruneOptions) -> PruneReport:
    """Prune by some rows of the data, test on the others or on another file, and write."""
    options.check()
    model = fb.load(options.model)
    whole = getattr(model, "ensemble_", model)
    check_prunable(whole)
    record = Record.of(model) or Record()
    choice, test = read_examples(model, options)
    kept = parse_keep(options.keep, len(trees_of(whole)))
    small = fb.prune_ensemble(
        whole,
        choice.X,
        choice.y,
        method=options.method,
        n_estimators=kept,
        reweight=options.reweight,
        verbose=int(is_watched()),
    )
    scores = scores_of(small, test)
    note = {
        "command": options.command,
        "method": options.method,
        "members": len(trees_of(whole)),
        "rows": len(choice),
        "by_held_out": is_data_of(record, options.data),
    }
    changed = dataclasses.replace(record, scores=plain_scores(scores), pruned=note)
    changed.attach(small)
    fb.save(small, options.output)
    sample = (test if len(test) else choice).take(
        np.arange(min(TIMED_ROWS, len(test) or len(choice)))
    )
    return PruneReport(
        model=str(options.output),
        method=options.method,
        rows=len(choice),
        test_rows=len(test),
        before=side(whole, options.model, scores_of(whole, test), sample),
        after=side(small, options.output, scores, sample),
    )


def check_prunable(model: Any) -> None:
    """Say at once what cannot be pruned, and why."""
    if not hasattr(model, "classes_"):
        raise ValueError(f"MODEL must be a classifier to be pruned; got a {type(model).__name__}.")
    if not hasattr(model, "_ensemble"):
        raise ValueError(
            f"MODEL must be one committee to be pruned; got a {type(model).__name__}, which has "
            "one for each class."
        )


def parse_keep(text: str, n_members: int | None) -> int | str:
    """How many members "auto", a number, or a share such as 0.3 or 30% stand for.

    >>> parse_keep("20", 100), parse_keep("0.3", 100), parse_keep("30%", 10), parse_keep("auto", 5)
    (20, 30, 3, 'auto')
    """
    found: int | str | None = None
    if text == "auto":
        found = "auto"
    elif text.isdecimal() and int(text) >= 1:
        found = int(text)
    else:
        share = _share(text)
        found = None if share is None else max(1, round(share * (n_members or 1)))
    if found is None:
        raise BadUsageError(
            "--keep must be auto, a number of trees from 1, or a share such as 0.3 or 30%; got "
            f"{text!r}."
        )
    if isinstance(found, int) and n_members is not None and found > n_members:
        raise BadUsageError(f"--keep must be at most the model's {n_members} trees; got {text}.")
    return found


def _share(text: str) -> float | None:
    try:
        number = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None
    return number if 0 < number <= 1 else None


def read_examples(model: Any, options: PruneOptions) -> tuple[Examples, Examples]:
    """Rows to choose by and rows to test on; there may be none of the latter.

    Of the very file that the model was fitted to, those rows alone that the fit has held out; but
    "kl" is about the rows of the fit.
    """
    rows = whole_file(model, options.data, options.target)
    record = Record.of(model)
    if record is not None and is_data_of(record, options.data):
        with bar("splitting the rows", None):
            fitted, held = split_again(record, rows.y)
            if options.method == "kl":
                return rows.take(fitted), rows.take(held)
            rows = rows.take(held) if len(held) else rows
    if options.test is not None:
        return rows, whole_file(model, options.test, options.target, "--test")
    with bar("splitting the rows", None):
        return split_off(model, rows, options)


def split_off(model: Any, rows: Examples, options: PruneOptions) -> tuple[Examples, Examples]:
    """A share of the rows to test on, drawn by the seed."""
    if options.test_share == 0 or len(rows) < 2:
        return rows, rows.take(np.arange(0))
    codes = look_up(model.classes_, np.asarray(rows.y))[0]
    kept, held = split_codes(codes, options.test_share, options.seed)
    return rows.take(kept), rows.take(held)


def whole_file(model: Any, path: Path, target: str | None, option: str = "DATA") -> Examples:
    """All rows of a file as the model wants them."""
    return ModelColumns.of(model).whole(open_table(path, option), target)


def scores_of(model: Any, test: Examples) -> dict[str, Any] | None:
    return score_rows(model, test) if len(test) else None


def side(model: Any, path: Path, scores: dict[str, Any] | None, sample: Examples) -> Side:
    return Side(
        members=len(trees_of(model)),
        bytes=path.stat().st_size,
        test_error=None if scores is None else scores["error"],
        microseconds_per_row=1e6 * best_time(model, sample.X) / len(sample),
        digest=fb.digest(model),
    )


def best_time(model: Any, X: Any, seconds: float = TIMED_SECONDS) -> float:
    """Seconds of the fastest of several predictions."""
    times: list[float] = []
    with bar("timing", seconds) as advance:
        while not times or sum(times) < seconds:
            started = time.perf_counter()
            model.predict(X)
            times.append(time.perf_counter() - started)
            advance(times[-1])
    return min(times)
