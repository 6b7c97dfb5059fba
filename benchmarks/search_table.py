"""The table of docs/searches.md: what each search looks at, reads and takes.

    python benchmarks/search_table.py [--repeats 15]

Data that ship with scikit-learn, all rows, one thread. A cell is share of assessments / share of
reads / seconds of the ledger, the least of `repeats` fits taken in turn.
"""

from __future__ import annotations

import argparse
from typing import Any

from sklearn.datasets import load_breast_cancer, load_digits

import frugalboost as fb
from tables import MarkdownTable

SEARCHES = ("exhaustive", "quick", "adaptive", "incremental", "two_stage", "auto")

CASES: list[tuple[str, str, str, int, int]] = [
    ("digits, 0 to 4 against 5 to 9", "halves", "adaboost", 3, 200),
    ("digits, ten classes", "digits", "adaboost", 4, 200),
    ("digits, ten classes", "digits", "real", 4, 100),
    ("breast_cancer", "cancer", "adaboost", 1, 500),
    ("breast_cancer", "cancer", "real", 3, 200),
]


def load(name: str) -> tuple[Any, Any]:
    X, y = load_breast_cancer(return_X_y=True) if name == "cancer" else load_digits(return_X_y=True)
    return X, y >= 5 if name == "halves" else y


def cell(ledgers: list[Any]) -> str:
    full = ledgers[0].total("full")
    shares = [ledgers[0].total(name) / full for name in ("assessments", "reads")]
    seconds = min(ledger.total("seconds") for ledger in ledgers)
    return " / ".join(f"{figure:.2f}" for figure in (*shares, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15)
    repeats = parser.parse_args().repeats
    table = MarkdownTable("Searches", ["data", "rule, depth, rounds", *SEARCHES])
    for title, name, rule, depth, rounds in CASES:
        X, y = load(name)
        ledgers: dict[str, list[Any]] = {search: [] for search in SEARCHES}
        for _ in range(repeats):
            for search in SEARCHES:
                model = fb.BoostedTreesClassifier(
                    rule, max_depth=depth, n_estimators=rounds, search=search, n_jobs=1
                )
                ledgers[search].append(model.fit(X, y).ledger_)
        table.add(title, f"{rule}, {depth}, {rounds}", *map(cell, ledgers.values()))


if __name__ == "__main__":
    main()
