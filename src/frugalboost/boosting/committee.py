"""A weighted sum of weak learners that are not the core's trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from frugalboost._typing import Floats
from frugalboost.rules.gentle import gamble_values, gamble_values_of_both


class Regression(Protocol):
    """A fitted regression, which predicts (n, n_outputs) for the rows of a table."""

    def predict(self, X: Any) -> Floats: ...


@dataclass(frozen=True)
class CodeRegressions:
    """GAMBLE's weak learner: a regression of the class codes, and one of their squares.

    Attributes
    ----------
    n_classes : int
    codes : Regression
        The paper's g; for two classes, that of the second only.
    squares : Regression or None
        The paper's h. None: it follows from g by Corollary 3.1, as for trees, or is 1, as for two
        classes.
    """

    n_classes: int
    codes: Regression
    squares: Regression | None

    def mean_codes(self, X: Any) -> Floats:
        """``g``, within the range of the codes: weighted means never leave it (Result 3)."""
        return np.clip(self.codes.predict(X), -1 / (self.n_classes - 1), 1.0)

    def values(self, X: Any) -> Floats:
        """What the learner adds to the decision, (n, n_outputs), before scaling by the step."""
        return self.values_of(X, self.mean_codes(X))

    def values_of(self, X: Any, mean_codes: Floats) -> Floats:
        """The same for known mean codes."""
        if self.n_classes == 2:
            return mean_codes
        if self.squares is None:
            return gamble_values(mean_codes)
        smallest = 1 / (self.n_classes - 1) ** 2
        return gamble_values_of_both(mean_codes, np.clip(self.squares.predict(X), smallest, 1.0))


@dataclass
class Committee:
    """Weak learners and steps; the decision is the sum of step times value.

    Attributes
    ----------
    n_features, n_outputs : int
    members : list of CodeRegressions
    steps : list of float
    """

    n_features: int
    n_outputs: int
    members: list[CodeRegressions] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.members)

    def append(self, tree: CodeRegressions, step: float, *, restarted: bool) -> None:
        assert not restarted  # GAMBLE never restarts
        self.members.append(tree)
        self.steps.append(step)

    def head(self, n: int) -> Committee:
        """The first n members, as a copy that can grow independently."""
        return Committee(self.n_features, self.n_outputs, self.members[:n], self.steps[:n])

    def decision(self, X: Any) -> Floats:
        """Decision (n, n_outputs)."""
        *_, last = self.staged_decision(X)
        return last

    def staged_decision(self, X: Any) -> Iterator[Floats]:
        """Decision after each member; every array is new."""
        sums = np.zeros((1, self.n_outputs))
        for member, step in zip(self.members, self.steps, strict=True):
            sums = sums + step * member.values(X)
            yield sums
