"""What a report is about: a model, rows to evaluate it on, and what is known about both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from frugalboost._progress import Stage, without_bar
from frugalboost._typing import AnyArray, Floats, Ints


class Examples(Protocol):
    """Rows with labels and, perhaps, weights."""

    @property
    def X(self) -> Any: ...  # noqa: N802
    @property
    def y(self) -> AnyArray: ...
    @property
    def weights(self) -> Floats | None: ...
    def take(self, rows: Ints) -> Examples: ...
    def __len__(self) -> int: ...


@dataclass(frozen=True, eq=False)
class Subject:
    """A model and rows.

    Attributes
    ----------
    model : fitted estimator
    trees : all of its trees
    about : what `frugalboost inspect --json` prints about the model
    test : rows to evaluate it on
    scores : of the model on these rows, by name
    microseconds_per_row : how long the model takes to predict
    train : rows that it was fitted to, if they are in the same file
    train_scores : of the model on those rows
    is_known : whether the model was fitted to some of the rows in `test`
    notes : what else to say about the scores
    weight : the column of the rows' weights, if one was named
    stage : progress of the longer steps
    seed : of the samples that are drawn where all rows would take too long
    """

    model: Any
    trees: Sequence[Any]
    about: dict[str, Any]
    test: Examples
    scores: dict[str, Any]
    microseconds_per_row: float
    train: Examples | None = None
    train_scores: dict[str, Any] | None = None
    is_known: bool = False
    notes: Sequence[str] = ()
    weight: str | None = None
    stage: Stage = without_bar
    seed: int = 0

    @property
    def inner(self) -> Any:
        """What the model is made of, if it is a pruned ensemble."""
        return getattr(self.model, "ensemble_", self.model)

    @property
    def is_classifier(self) -> bool:
        return hasattr(self.model, "classes_")

    @property
    def used_features(self) -> list[int]:
        """Features that some tree splits on, ascending."""
        used = np.unique(np.concatenate([tree.feature for tree in self.trees]))
        return [int(feature) for feature in used if feature >= 0]

    def sample(self, rows: Examples, most: int) -> Examples:
        """All of the rows, or `most` of them drawn at random, in their order."""
        if len(rows) <= most:
            return rows
        drawn = np.random.default_rng(self.seed).choice(len(rows), most, replace=False)
        return rows.take(np.sort(drawn))
