"""What a report is about: a model, rows that it has not seen, and perhaps those that it has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost.cli.inspect import describe_model
from frugalboost.cli.model_rows import ModelColumns, trees_of
from frugalboost.cli.progress import bar
from frugalboost.cli.tables import open_table
from frugalboost.cli.training import Examples, Record, is_data_of, split_again


@dataclass(frozen=True, eq=False)
class Subject:
    """A model and rows.

    Attributes
    ----------
    path, data : files of the model and of the rows
    model : fitted estimator
    inner : what it is made of, where it is a pruned ensemble
    about : what `frugalboost inspect` says of the model
    test : rows to judge it by
    train : rows that it was fitted to, if they are in the same file
    is_known : whether the model was fitted to some of the rows to judge it by
    weight : the column of the rows' weights, if one was named
    seed : of the samples that are drawn where all rows would take too long
    """

    path: Path
    data: Path
    model: Any
    inner: Any
    about: dict[str, Any]
    test: Examples
    train: Examples | None
    is_known: bool
    weight: str | None = None
    seed: int = 0

    @property
    def is_classifier(self) -> bool:
        return hasattr(self.model, "classes_")

    @property
    def used_features(self) -> list[int]:
        """Features that some tree splits on, ascending."""
        used = np.unique(np.concatenate([tree.feature for tree in trees_of(self.model)]))
        return [int(feature) for feature in used if feature >= 0]

    def sample(self, rows: Examples, most: int) -> Examples:
        """All of the rows, or so many drawn at random, in their order."""
        if len(rows) <= most:
            return rows
        drawn = np.random.default_rng(self.seed).choice(len(rows), most, replace=False)
        return rows.take(np.sort(drawn))


def read_subject(path: Path, data: Path, target: str | None, weight: str | None) -> Subject:
    """Open both files. Of the file of the fit, the rows held out are those to judge by."""
    model = fb.load(path)
    rows = ModelColumns.of(model).whole(open_table(data), target, weight)
    record, train, is_known = Record.of(model), None, False
    if record is not None and is_data_of(record, data):
        with bar("splitting the rows", 2) as advance:
            fitted, held = split_again(record, rows.y)
            advance(1)
            if len(held):
                train, rows = rows.take(fitted), rows.take(held)
        is_known = not len(held)
    check_rows(rows, data, hasattr(model, "classes_"))
    inner = getattr(model, "ensemble_", model)
    return Subject(path, data, model, inner, describe_model(path), rows, train, is_known, weight)


def check_rows(rows: Examples, data: Path, is_classifier: bool) -> None:
    """Refuse rows that nothing can be learnt from about a model."""
    if len(rows) < 2:
        raise ValueError(f"{data} must have at least two rows to judge a model by; it has 1.")
    found = {*np.asarray(rows.y).tolist()}
    if is_classifier and len(found) < 2:
        raise ValueError(
            f"{data} must have rows of at least two classes to judge a model by; all are "
            f"{found.pop()!r}."
        )
