"""Writes the golden files that are not there yet; see README.md beside it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import frugalboost as fb
from frugalboost.saving.container import FORMAT

FOLDER = Path(__file__).parent


def table():
    """Three columns, the second of categories; no random numbers, which a version could change."""
    i = np.arange(60)
    X = np.column_stack([i * 37 % 60 / 4, i * 7 % 5 + 1, (i * 11 % 13) - 6.5])
    X[i % 9 == 4, 0] = np.nan
    X[i % 17 == 3, 2] = np.inf
    return X


X = table()
CODES = (np.arange(60) * 5 % 7 + (X[:, 1] > 2)) % 3
WORDS = np.array(["rouge", "grün", "blue"])[CODES]
SMALL = {"n_estimators": 3, "max_depth": 2, "categorical_features": [1]}


def models():
    """A model of every kind by its name."""
    random = np.random.RandomState(0)
    stumps = fb.BoostedTreesClassifier("gentle", n_estimators=2, max_depth=1)
    stream = {"sample_constant": 10, "max_rounds": 3, "random_state": 0}
    mixed = np.array(["one", 2, 3.5], dtype=object)[CODES]
    found = [
        fb.BoostedTreesClassifier("real", random_state=random, **SMALL).fit(X, WORDS),
        fb.BoostedTreesRegressor(**SMALL).fit(X, CODES * 2.5),
        fb.BaggedTreesClassifier(3, max_depth=2, categorical_features=[1], random_state=0).fit(
            X, WORDS
        ),
        fb.C45Classifier(
            "adaboost_m1", n_estimators=3, categorical_features=[1], random_state=0
        ).fit(X, WORDS),
        fb.FilterBoostClassifier(**stream).partial_fit(X, CODES > 0),
        fb.TandemBoostClassifier(fb.FilterBoostClassifier(**stream), random_state=0).fit(
            X, CODES > 0
        ),
        fb.GambleClassifier(**SMALL).fit(X, mixed),
        fb.OneAgainstAllClassifier(stumps).fit(X, CODES.astype(np.int8)),
        fb.PrunedEnsembleClassifier(stumps, n_estimators=1, random_state=0).fit(X, WORDS),
    ]
    return {type(model).__name__: model for model in found}


def answers(model):
    """What the model says, as JSON keeps it."""
    said = {"digest": fb.digest(model), "predict": model.predict(X).tolist()}
    if hasattr(model, "decision_function"):
        said["decision_function"] = model.decision_function(X).tolist()
    return {"X": X.tolist(), **said}


def main():
    for kind, model in models().items():
        path = FOLDER / f"format-{FORMAT}-{kind}.fboost"
        if not path.exists():
            fb.save(model, path)
            path.with_suffix(".json").write_text(json.dumps(answers(model)) + "\n", "utf-8")
    path = FOLDER / "format-1-run.npz"
    if not path.exists():
        run = fb.FilterBoostClassifier(max_rounds=3, random_state=0, checkpoint=path)
        run.fit(X, WORDS)
        path.with_suffix(".json").write_text(json.dumps(answers(run)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
