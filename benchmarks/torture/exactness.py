"""Two ways to fit one model, chosen at random, against the exhaustive search on one thread."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import frugalboost as fb
from frugalboost import _threads
from frugalboost._core import limit_threads
from frugalboost.data import binned as storage
from frugalboost.rules import RULES, rule_class
from frugalboost.tree.grow import SEARCHES

from .attack import Attack, expect
from .tables import Random, Table, make_table

MOST_THREADS = 16
RULES_AND_CRITERIA = [
    *((rule, criterion) for rule in RULES for criterion in rule_class(rule).criteria),
    *[("l2", "auto")] * 5,
]
BINS = (2, 16, 255, 256, 257, 1000)
ENTRY_COSTS = (0, 8, 10**9)
"""Of a sparse column: all columns are sparse that can be, some, none."""


@dataclass(frozen=True)
class Way:
    """What must not matter."""

    search: str = "exhaustive"
    n_jobs: int = 1
    form: str = "dense"
    entry_cost: int = 8


def pick(rng: Random, values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def a_way(rng: Random) -> Way:
    return Way(
        pick(rng, (*SEARCHES, "auto")),
        int(rng.integers(1, MOST_THREADS + 1)),
        pick(rng, ("dense", "columns", "csr", "csc")),
        pick(rng, ENTRY_COSTS),
    )


def in_form(X: Any, form: str) -> Any:
    if form == "columns":
        return np.asfortranarray(X)
    if form in ("csr", "csc"):
        return sparse.csr_array(X) if form == "csr" else sparse.csc_array(X)
    return X


def parameters(rng: Random, rule: str, is_large: bool) -> dict[str, Any]:
    """Few rounds and small trees; half of the problems look at some rows or features only."""
    chosen: dict[str, Any] = {
        "n_estimators": int(rng.integers(1, 4 if is_large else 8)),
        "max_bins": pick(rng, BINS),
        "random_state": 0,
        "min_samples_leaf": int(rng.integers(1, 5)),
    }
    if rng.random() < 0.7:
        chosen["max_depth"] = int(rng.integers(1, 5))
    else:
        chosen["max_leaf_nodes"] = int(rng.integers(2, 12))
    if rng.random() < 0.5:
        chosen |= pick(rng, subsets(rule))
    return chosen


def subsets(rule: str) -> list[dict[str, Any]]:
    common: list[dict[str, Any]] = [
        {"feature_fraction": 0.5},
        {"sample_fraction": 0.6},
        {"weight_trim": 0.8},
        {"feature_fraction": 0.7, "sample_fraction": 0.5},
    ]
    if rule == "l2":
        return common
    copies = [] if rule == "logit" else [{"resample": True}, {"resample": 20}]
    return [*common, *copies, {"pruning_fraction": 0.3}]


def model_of(rule: str, criterion: str, given: dict[str, Any]) -> Any:
    if rule == "l2":
        return fb.BoostedTreesRegressor(**given)
    return fb.BoostedTreesClassifier(rule, criterion=criterion, **given)


def outcome(model: Any, table: Table, way: Way) -> str:
    """The digest, or why there is no model."""
    storage.ENTRY_COST = way.entry_cost
    model.set_params(search=way.search, n_jobs=way.n_jobs)
    try:
        model.fit(in_form(table.X, way.form), table.y, table.weights)
    except ValueError as problem:
        return f"ValueError: {problem}"
    return fb.digest(model)


def allow_threads() -> None:
    """More than there are cores, which a fit would not take by itself."""
    limit_threads(MOST_THREADS)
    _threads._cores = lambda: MOST_THREADS


def compare(rng: Random, n_rows: int, n_features: int, is_large: bool) -> Counter[str]:
    allow_threads()
    rule, criterion = pick(rng, RULES_AND_CRITERIA)
    n_classes = None if rule == "l2" else int(rng.integers(2, 5))
    table = make_table(rng, n_rows, n_features, n_classes)
    given = parameters(rng, rule, is_large) | {"categorical_features": table.categories or None}
    model = model_of(rule, criterion, given)
    expected = outcome(model, table, Way())
    for way in (a_way(rng), a_way(rng)):
        found = outcome(model, table, way)
        expect(
            found == expected,
            f"{model!r} of {table.X.shape}: {way} gives {found}, exhaustive {expected}",
        )
    return Counter({"refused alike" if expected.startswith("ValueError") else "same digest": 1})


def tiny(seed: int, number: int, folder: Path) -> Counter[str]:
    rng = np.random.default_rng([1, seed, number])
    return compare(rng, int(rng.integers(5, 201)), int(rng.integers(1, 9)), False)


def large(seed: int, number: int, folder: Path) -> Counter[str]:
    rng = np.random.default_rng([2, seed, number])
    # From 16,384 rows for each thread on, threads share long loops in another way.
    fewest, most = (40_000, 200_000) if rng.random() < 0.1 else (3_000, 40_000)
    n_rows = int(fewest * (most / fewest) ** rng.random())
    return compare(rng, n_rows, int(rng.integers(2, 9)), True)


PROMISE = "every search, storage and number of threads gives one digest"
TINY = Attack("exact, small tables", PROMISE, tiny, share=3)
LARGE = Attack("exact, large tables", PROMISE, large, share=4)
