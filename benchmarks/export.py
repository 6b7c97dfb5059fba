"""Exported models beside the models themselves: ONNX under onnxruntime, C under the C compiler.

    python benchmarks/export.py [two] [five] [adult] [--rows 10000] [--trees 100]

- two, five: rows with missing values, infinities and categories, half of them on thresholds; every
  rule and every other estimator, with two and with five classes.
- adult: every rule on a real table with categories, from the folder that FRUGALBOOST_DATA names.

Differences are the largest over all rows. Times are CPU microseconds a row in one thread, from rows
to probabilities in one call (C: a loop of calls); sizes are of the files and of the compiled C.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats
from frugalboost.export import to_c, to_onnx
from frugalboost.export.describe import unwrapped
from frugalboost.rules import RULES
from tables import MarkdownTable, verdict

TOLERANCE = 1e-6
HEADINGS = [
    "model",
    "labels equal",
    "decisions equal: ONNX",
    "C",
    "probabilities differ by: ONNX",
    "C",
    "us/row: library",
    "ONNX",
    "C",
    "kB: ONNX",
    "C file",
    "compiled",
    "holds",
]
LOOP = """
void all_rows(const double *x, int n, double *proba, double *decision, int *label) {
    int i;
    for (i = 0; i < n; ++i, x += model_n_features) {
        model_predict_proba(x, proba + (long)i * model_n_classes);
        if (decision != 0) {
            model_decision(x, decision + (long)i * model_n_outputs);
            label[i] = model_predict(x);
        }
    }
}
"""


@dataclass(frozen=True)
class Said:
    """What one form of a model says about rows, and how long it takes for one."""

    labels: AnyArray
    probabilities: Floats
    decisions: Floats
    microseconds: float
    kilobytes: tuple[float, ...]


def by_library(model: Any, X: Any) -> Said:
    decisions = model.decision_function(X).reshape(len(X), -1)
    spent = microseconds(lambda: model.predict_proba(X), len(X))
    return Said(model.predict(X), model.predict_proba(X), decisions, spent, ())


def by_onnx(model: Any, codes: Floats) -> Said:
    content = to_onnx(model).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options)
    label, probabilities, decisions = session.run(None, {"X": codes})
    spent = microseconds(lambda: session.run(["probabilities"], {"X": codes}), len(codes))
    size = (len(content) / 1e3,)
    return Said(label, probabilities, decisions.reshape(len(codes), -1), spent, size)


def by_c(model: Any, codes: Floats, folder: Path) -> Said:
    text = to_c(model)
    source, target = folder / "model.c", folder / "model.so"
    source.write_text(text + LOOP)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, str(source), "-lm", "-o", str(target)], check=True)
    run = ctypes.CDLL(str(target)).all_rows
    n, n_classes = len(codes), len(model.classes_)
    probabilities = np.empty((n, n_classes))
    decisions = np.empty((n, 1 if n_classes == 2 else n_classes))
    labels = np.empty(n, dtype=np.intc)
    run(at(codes), n, at(probabilities), at(decisions), at(labels))
    spent = microseconds(lambda: run(at(codes), n, at(probabilities), None, None), n)
    sizes = (len(text) / 1e3, target.stat().st_size / 1e3)
    return Said(model.classes_[labels], probabilities, decisions, spent, sizes)


def at(array: AnyArray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def microseconds(call: Callable[[], Any], n_rows: int) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times) / n_rows * 1e6


def compare(table: MarkdownTable, name: str, model: Any, X: Any) -> None:
    codes = coded(model, X)
    with tempfile.TemporaryDirectory() as folder:
        own, others = (
            by_library(model, X),
            (by_onnx(model, codes), by_c(model, codes, Path(folder))),
        )
    is_same = all(bool((said.labels == own.labels).all()) for said in others)
    apart = [float(np.abs(said.probabilities - own.probabilities).max()) for said in others]
    table.add(
        name,
        verdict(is_same),
        *(verdict(bool((said.decisions == own.decisions).all())) for said in others),
        *(f"{each:.1e}" for each in apart),
        *(f"{said.microseconds:.1f}" for said in (own, *others)),
        *(f"{size:.0f}" for said in others for size in said.kilobytes),
        verdict(is_same and max(apart) < TOLERANCE),
    )


def coded(model: Any, X: Any) -> Floats:
    """X as exported models take it: categories as codes."""
    inner = unwrapped(model)
    schema = getattr(inner, "_schema", None) or inner.estimators_[0]._schema
    return np.ascontiguousarray(schema.encode(X), dtype=np.float64)


def made_table(n: int, random: np.random.Generator) -> Floats:
    X = random.normal(size=(n, 10)).round(2)
    X[:, 8], X[:, 9] = random.integers(0, 8, n), random.integers(0, 100, n)
    numbers = X[:, :8]
    numbers[random.random(numbers.shape) < 0.02] = np.inf
    numbers[random.random(numbers.shape) < 0.02] = -np.inf
    X[random.random(X.shape) < 0.1] = np.nan
    return X


def made_labels(X: Floats, n_classes: int, random: np.random.Generator) -> AnyArray:
    known = np.nan_to_num(X, nan=0.5, posinf=2.0, neginf=-2.0)
    score = known[:, :4].sum(axis=1) + known[:, 8] % 3 + known[:, 9] % 7 / 3
    return np.floor(np.abs(score + random.normal(size=len(X)))).astype(int) % n_classes


def on_thresholds(model: Any, X: Floats, random: np.random.Generator) -> Floats:
    """Rows in which half of the numbers are thresholds of the model."""
    X = X.copy()
    inner = unwrapped(model)
    members = inner.estimators_ if isinstance(inner, fb.OneAgainstAllClassifier) else [inner]
    trees = [tree for member in members for tree in member.estimators_]
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    for column in range(8):
        cuts = threshold[(feature == column) & ~np.isnan(threshold)]
        if len(cuts):
            hit = random.random(len(X)) < 0.5
            X[hit, column] = random.choice(cuts, hit.sum())
    return X


def makers(n_trees: int, **params: Any) -> Iterator[tuple[str, Any]]:
    for rule in RULES:
        yield rule, fb.BoostedTreesClassifier(rule, n_estimators=n_trees, **params)
    boosted = fb.BoostedTreesClassifier("real", n_estimators=n_trees, **params)
    yield "bagged", fb.BaggedTreesClassifier(n_trees, random_state=0, **params)
    yield "GAMBLE", fb.GambleClassifier(n_estimators=n_trees, **params)
    yield "one against all", fb.OneAgainstAllClassifier(boosted)
    yield "FilterBoost", fb.FilterBoostClassifier(max_rounds=n_trees, random_state=0, **params)
    yield "pruned", fb.PrunedEnsembleClassifier(boosted, "kappa", n_estimators=n_trees // 3)


def made(n_classes: int, n_rows: int, n_trees: int) -> None:
    random = np.random.default_rng(0)
    X, X_new = made_table(4000, random), made_table(n_rows, random)
    y = made_labels(X, n_classes, random)
    title = f"{n_rows:,} rows, {n_classes} classes, {n_trees} trees"
    table = MarkdownTable(title, HEADINGS)
    for name, model in makers(n_trees, categorical_features=[8, 9]):
        model.fit(X, y)
        half = n_rows // 2
        hit = on_thresholds(model, X_new[half:], random)
        compare(table, name, model, np.concatenate([X_new[:half], hit]))


def adult(n_rows: int, n_trees: int) -> None:
    data = fb.load_dataset("adult")
    rows = np.random.default_rng(0).permutation(len(data.y))
    fitted, held = rows[n_rows : 2 * n_rows], rows[:n_rows]
    table = MarkdownTable(f"adult: {n_rows:,} rows, {n_trees} trees", HEADINGS)
    for name, model in makers(n_trees):
        if name in RULES:
            model.fit(data.X.iloc[fitted], data.y[fitted])
            compare(table, name, model, data.X.iloc[held])


PARTS = {"two": partial(made, 2), "five": partial(made, 5), "adult": adult}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--trees", type=int, default=100)
    options = parser.parse_args()
    for part in options.parts or ["two", "five"]:
        PARTS[part](options.rows, options.trees)


if __name__ == "__main__":
    main()
