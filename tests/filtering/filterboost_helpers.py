"""Small problems, small models, and oracles that do as a test wants."""

from __future__ import annotations

import json

import numpy as np

from frugalboost import FilterBoostClassifier, digest

# Deep trees, sure leaves, certified runs: every way through the loop.
KINDS = {
    "practical": {},
    "mada": {"rule": "mada"},
    "confidence-rated": {"confidence_rated": True},
    "unit steps": {"confidence_rated": "unit_step"},
    "weighted": {"training": "weighted"},
    "weighted sure pruned": {
        "training": "weighted",
        "confidence_rated": True,
        "pruning_fraction": 0.3,
    },
    "pruned trees": {"max_depth": None, "criterion": "entropy", "pruning_fraction": 1 / 3},
    "pruned sure trees": {"max_depth": 3, "pruning_fraction": 0.3, "confidence_rated": True},
}


def small_model(**options):
    defaults = {"max_rounds": 12, "sample_constant": 50, "random_state": 0}
    return FilterBoostClassifier(**{**defaults, **options})


def sums_of_digits(n=300, n_classes=2, seed=0):
    """Six columns of small numbers, whose first three, noisily, tell the class."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(n, 6)).astype(np.float64)
    total = X[:, :3].sum(axis=1) + rng.normal(size=n)
    cuts = np.quantile(total, np.arange(1, n_classes) / n_classes)
    return X, np.searchsorted(cuts, total)


def change(path, change_meta):
    """Write a checkpoint anew with other entries."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    meta = json.loads(str(arrays["meta"]))
    change_meta(meta)
    arrays["meta"] = np.array(json.dumps(meta))
    with open(path, "wb") as file:
        np.savez(file, **arrays)


class Rows:
    """An oracle of ten lines: the rows in order, again and again unless told otherwise."""

    def __init__(self, X, y, recycle=True):
        self.X, self.y, self.recycle, self.at = X, y, recycle, 0

    def draw(self, n):
        stop = self.at + n if self.recycle else min(self.at + n, len(self.y))
        rows = np.arange(self.at, stop) % len(self.y)
        self.at = stop
        return self.X[rows], self.y[rows]

    def state(self):
        return {"at": self.at}

    def restore(self, state):
        self.at = state["at"]


def same(model, other):
    """Whether two runs took the same course, to the last bit."""
    return (
        digest(model) == digest(other)
        and model.n_examples_ == other.n_examples_
        and model.stop_reason_ == other.stop_reason_
        and model.certificate_ == other.certificate_
        and (model.ledger_.column("edge") == other.ledger_.column("edge")).all()
    )
