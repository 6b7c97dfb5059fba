"""How many of the library's Python files five common calls pass through.

    python benchmarks/walks.py [--files]

A file counts when one of its functions runs during the call: these are the files that somebody
has to open to follow it. Each call is made once before, so that imports do not count.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

import frugalboost
import frugalboost as fb

PACKAGE = Path(frugalboost.__file__).parent


def files_of(call: Callable[[], object]) -> list[str]:
    """Files of the package whose functions run during a call."""
    seen: set[str] = set()

    def note(frame: object, event: str, argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)  # type: ignore[attr-defined]

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    inside = (Path(name) for name in seen)
    return sorted(str(p.relative_to(PACKAGE)) for p in inside if p.is_relative_to(PACKAGE))


def walks(folder: Path) -> dict[str, Callable[[], object]]:
    """The calls, all on one small table with a category in it."""
    import pandas as pd

    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(400, 4)), columns=list("abcd"))
    table["e"] = pd.Categorical(rng.choice(["x", "y", "z"], size=400))
    y = (table["a"] + (table["e"] == "x") > 0.3).astype(int)
    table.assign(y=y).to_csv(folder / "table.csv", index=False)
    model = fb.BoostedTreesClassifier(n_estimators=5).fit(table, y)
    numbers = table[list("abcd")].to_numpy()

    def fit_stream() -> object:
        oracle = fb.streams.ArrayOracle(numbers, y.to_numpy(), random_state=0)
        learner = fb.FilterBoostClassifier(max_rounds=5, random_state=0)
        return learner.fit_stream(oracle)

    def command() -> object:
        from frugalboost.cli import main

        words = ["fit", str(folder / "table.csv"), "--target", "y"]
        words += ["-o", str(folder / "command.fboost"), "--force"]
        before, sys.argv = sys.argv, ["frugalboost", *words]
        try:
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.redirect_stderr(io.StringIO()),
                contextlib.suppress(SystemExit),
            ):
                return main()
        finally:
            sys.argv = before

    return {
        "fit": lambda: fb.BoostedTreesClassifier(n_estimators=5).fit(table, y),
        "predict_proba": lambda: model.predict_proba(table),
        "fit_stream": fit_stream,
        "save": lambda: fb.save(model, folder / "model.fboost"),
        "frugalboost fit": command,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", action="store_true", help="name them")
    wants_files = parser.parse_args().files
    with tempfile.TemporaryDirectory() as folder:
        for name, call in walks(Path(folder)).items():
            call()
            passed = files_of(call)
            print(f"{name:16} {len(passed):3}")
            if wants_files:
                print("".join(f"    {file}\n" for file in passed), end="")


if __name__ == "__main__":
    main()
