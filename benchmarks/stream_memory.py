"""A model of data larger than its memory, beside batch boosting that holds all of them.

    FRUGALBOOST_DATA=FOLDER python benchmarks/stream_memory.py [--quick]

Three million flights are written as one Parquet file in order of time, and `frugalboost stream`
learns from it in a process of its own which of them are more than 15 minutes late. Its peak of
memory, imports and all, is its own figure and that of the operating system. Then AdaBoost-LOG is
fitted here to the same rows with trees of the same depth and as many rounds, and both are tested on
the same tenth.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tables import MarkdownTable, verdict

# This process stays small until the command has run: on Linux the peak of a process begins with
# that of the one which started it.

TEST_SHARE, SEED, LATE = 0.1, 0, 15
WITHIN = 1.02


@dataclass(frozen=True)
class Case:
    depth: int
    rounds: int
    sample_constant: int
    confidence_rated: bool
    limit: str = "300MB"

    def options(self) -> list[str]:
        return [
            *("--depth", str(self.depth), "--rounds", str(self.rounds)),
            *("--sample-constant", str(self.sample_constant), "--target-error", "1e-6"),
            *("--memory-limit", self.limit),
            *(["--confidence-rated"] if self.confidence_rated else []),
        ]


FULL = [Case(6, 300, 20_000, True), Case(4, 300, 20_000, False)]
QUICK = [Case(4, 50, 5_000, True)]


def write_parquet(path: str, n_rows: str) -> None:
    """Run in a process of its own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    X, y, names = load(int(n_rows))
    columns = {name: X[:, at] for at, name in enumerate(names)}
    pq.write_table(pa.table({**columns, "delay": y}), path)


def load(n_rows: int) -> tuple[Any, Any, list[str]]:
    """Rows evenly spread over the half year."""
    import numpy as np

    from frugalboost.datasets import data_folder

    with np.load(data_folder(None) / "flights3m.npz") as file:
        X, y, names = file["X"], file["y_delay"], file["feature_names"]
    step = max(1, len(y) // n_rows)
    return X[::step][:n_rows], y[::step][:n_rows], [str(name) for name in names]


def stream(case: Case, data: Path, output: Path) -> tuple[dict[str, Any], int, float]:
    """What the command reports, the peak that the operating system saw, and the seconds."""
    command = [sys.executable, "-m", "frugalboost", "stream", str(data), "-o", str(output)]
    split = ["--test-share", str(TEST_SHARE), "--seed", str(SEED)]
    target = ["--target", "delay", "--positive", f"> {LATE}"]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, *target, *split, *case.options(), "--json"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return json.loads(printed), peak, time.perf_counter() - started


def batch(case: Case, n_rows: int) -> tuple[float, float]:
    """Log loss on the rows that the command has held out, and the seconds."""
    import numpy as np
    from sklearn.metrics import log_loss

    import frugalboost as fb
    from frugalboost.cli.stream.rows import Split

    X, y, _ = load(n_rows)
    late = y > LATE
    is_test = Split(TEST_SHARE, SEED).is_held_out(np.arange(len(y)))
    started = time.perf_counter()
    model = fb.BoostedTreesClassifier(
        rule="log", learning_rate=1.0, max_depth=case.depth, n_estimators=case.rounds
    ).fit(X[~is_test], late[~is_test])
    seconds = time.perf_counter() - started
    return float(log_loss(late[is_test], model.predict_proba(X[is_test]))), seconds


HEADINGS = [
    "depth, rounds",
    "C",
    "confidence",
    "limit, MB",
    "peak, MB (own / system's)",
    "below",
    "log loss, stream",
    "log loss, batch",
    "ratio",
    f"<= {WITHIN}",
    "seconds, stream / batch",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, few rounds")
    parser.add_argument("--write", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write:
        write_parquet(*arguments.write)
        return
    n_rows = 300_000 if arguments.quick else 3_000_000
    cases = QUICK if arguments.quick else FULL
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "flights.parquet"
        command = [sys.executable, __file__, "--write", str(data), str(n_rows)]
        subprocess.run(command, check=True)
        streamed = [stream(case, data, Path(folder) / "model") for case in cases]
    table = MarkdownTable(f"Flights, {n_rows:,} rows", HEADINGS)
    for case, (report, peak, seconds) in zip(cases, streamed, strict=True):
        loss, batch_seconds = batch(case, n_rows)
        limit, ratio = report["memory_limit"], report["test_log_loss"] / loss
        table.add(
            f"{case.depth}, {case.rounds}",
            case.sample_constant,
            "yes" if case.confidence_rated else "no",
            f"{limit / 1e6:.0f}",
            f"{report['peak_bytes'] / 1e6:.0f} / {peak / 1e6:.0f}",
            verdict(max(peak, report["peak_bytes"]) < limit),
            f"{report['test_log_loss']:.5f}",
            f"{loss:.5f}",
            f"{ratio:.4f}",
            verdict(ratio <= WITHIN),
            f"{seconds:.0f} / {batch_seconds:.0f}",
        )


if __name__ == "__main__":
    main()
