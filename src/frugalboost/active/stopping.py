"""When to stop asking, and the results of each batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

StopReason: TypeAlias = Literal["budget", "target", "patience", "utility", "pool"]
"""``"budget"``: the maximum number of labels; ``"target"``: the held-out error is at most the
target; ``"patience"``: it has not improved for that many batches; ``"utility"``: no row is useful
enough; ``"pool"``: every row was answered or skipped."""


@dataclass(frozen=True)
class BatchEntry:
    """The results of one batch.

    Attributes
    ----------
    labels : int, number of labels so far
    error : float or None, held-out error; None without `validation` or without a model
    utility : float, the largest in the batch; infinite for ties and random starts
    seconds : float, time for choosing and training, without the labeler
    """

    labels: int
    error: float | None
    utility: float
    seconds: float


@dataclass(frozen=True)
class Limits:
    """Limits of a run, which ends when the first is reached; None disables a limit."""

    budget: int | None = None
    target_error: float | None = None
    patience: int | None = None
    min_utility: float | None = None

    def reached(self, n_labels: int, errors: Sequence[float]) -> StopReason | None:
        """Return why to stop before choosing the next batch, or None, given the held-out errors.

        >>> Limits(target_error=0.2).reached(30, [0.3, 0.2, 0.2])
        'target'
        >>> [Limits(patience=n).reached(30, [0.3, 0.2, 0.2]) for n in (1, 2)]
        ['patience', None]
        """
        if self.target_error is not None and errors and errors[-1] <= self.target_error:
            return "target"
        if self.budget is not None and n_labels >= self.budget:
            return "budget"
        if self.patience is not None and batches_without_gain(errors) >= self.patience:
            return "patience"
        return None

    def is_too_low(self, utility: float) -> bool:
        return self.min_utility is not None and utility < self.min_utility


def batches_without_gain(errors: Sequence[float]) -> int:
    """Return the number of batches since the lowest error first occurred.

    >>> batches_without_gain([0.3, 0.1, 0.2, 0.1])
    2
    """
    return len(errors) - 1 - errors.index(min(errors)) if errors else 0
