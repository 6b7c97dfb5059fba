"""Scores of a model, block by block: few numbers are kept, however many rows there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints

LEAST = float(np.finfo(np.float64).eps)
"""As in scikit-learn's log_loss: what a model holds for impossible costs 36, not infinity."""


@dataclass
class ClassScores:
    """Scores of a classifier."""

    classes: list[Any]
    rows: int = 0
    weight: float = 0.0
    loss: float = 0.0
    confusion: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    sure: list[Floats] = field(default_factory=list)
    codes: list[Ints] = field(default_factory=list)
    weights: list[Floats] = field(default_factory=list)

    def add(self, codes: Ints, predicted: Ints, shares: Floats, weights: Floats) -> None:
        """Count some rows: codes of classes, those predicted, and probabilities."""
        n_classes = len(self.classes)
        if not self.rows:
            self.confusion = np.zeros((n_classes, n_classes))
        np.add.at(self.confusion, (codes, predicted), weights)
        given = np.maximum(shares[np.arange(len(codes)), codes], LEAST)
        self.loss -= float(weights @ np.log(given))
        self.rows += len(codes)
        self.weight += float(weights.sum())
        if n_classes == 2:
            self.sure.append(shares[:, 1])
            self.codes.append(codes)
            self.weights.append(weights)

    def result(self) -> dict[str, Any]:
        """All scores by name; there is an AUC where both of two classes occur."""
        right = float(np.trace(self.confusion))
        total = self.weight
        return {
            "rows": self.rows,
            "error": 1.0 - right / total,
            "accuracy": right / total,
            "log_loss": self.loss / total,
            "auc": self._auc(),
            "classes": self.classes,
            "confusion": [[_whole(cell) for cell in row] for row in self.confusion.tolist()],
        }

    def _auc(self) -> float | None:
        if len(self.classes) != 2 or not (self.confusion.sum(axis=1) > 0).all():
            return None
        return weighted_auc(
            np.concatenate(self.sure), np.concatenate(self.codes), np.concatenate(self.weights)
        )


def weighted_auc(sure: Floats, codes: Ints, weights: Floats) -> float:
    """Share of pairs, one row of each class, that are in the right order; ties count half.

    >>> weighted_auc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([0, 0, 1, 1]), np.ones(4))
    0.875
    """
    _, group = np.unique(sure, return_inverse=True)
    zeros = np.bincount(group, weights=weights * (codes == 0))
    ones = np.bincount(group, weights=weights * (codes == 1))
    below = np.cumsum(zeros) - zeros
    return float((ones @ (below + zeros / 2)) / (zeros.sum() * ones.sum()))


@dataclass
class NumberScores:
    """Scores of a regressor."""

    rows: int = 0
    weight: float = 0.0
    squares: float = 0.0
    distances: float = 0.0
    mean: float = 0.0
    spread: float = 0.0

    def add(self, y: Floats, predicted: Floats, weights: Floats) -> None:
        """Count some rows; the spread of y is carried on from block to block (Chan et al.)."""
        self.rows += len(y)
        added = float(weights.sum())
        if added == 0:
            return
        gaps = y - predicted
        self.squares += float(weights @ gaps**2)
        self.distances += float(weights @ np.abs(gaps))
        mean = float(weights @ y) / added
        total = self.weight + added
        shift = mean - self.mean
        self.spread += float(weights @ (y - mean) ** 2) + shift**2 * self.weight * added / total
        self.mean += shift * added / total
        self.weight = total

    def result(self) -> dict[str, Any]:
        """All scores by name; no R2 where y is always the same."""
        total = self.weight
        return {
            "rows": self.rows,
            "rmse": float(np.sqrt(self.squares / total)),
            "mae": self.distances / total,
            "r2": None if self.spread == 0 else 1.0 - self.squares / self.spread,
        }


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value


class Scorer:
    """Asks a model about rows with known answers."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.classes: AnyArray | None = getattr(model, "classes_", None)
        self.scores: ClassScores | NumberScores = (
            NumberScores() if self.classes is None else ClassScores(self.classes.tolist())
        )

    def add(self, X: Any, y: AnyArray, weights: Floats | None = None) -> None:
        """Predict some rows and count what came of it."""
        w = np.ones(len(y)) if weights is None else weights
        if isinstance(self.scores, NumberScores):
            self.scores.add(np.asarray(y, dtype=np.float64), self.model.predict(X), w)
            return
        codes = self._codes(y)
        predicted = self._codes(self.model.predict(X))
        self.scores.add(codes, predicted, self.model.predict_proba(X), w)

    def result(self) -> dict[str, Any]:
        if self.scores.weight == 0:
            raise ValueError("a model must be evaluated on rows whose weights are not all 0.")
        return self.scores.result()

    def _codes(self, y: AnyArray) -> Ints:
        from frugalboost.filtering.reading import look_up

        assert self.classes is not None
        codes, is_known = look_up(self.classes, np.asarray(y))
        if not is_known.all():
            odd = np.asarray(y)[int(np.flatnonzero(~is_known)[0])]
            odd = odd.item() if isinstance(odd, np.generic) else odd
            known = ", ".join(map(repr, self.classes.tolist()[:10]))
            raise ValueError(
                f"the target has a class that the model does not know: {odd!r}; it knows {known}."
            )
        return codes
