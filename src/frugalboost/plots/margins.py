"""How sure an ensemble is of the right answers (Schapire, Freund, Bartlett, Lee 1998)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._typing import AnyArray, Floats
from frugalboost.plots._axes import DASHES
from frugalboost.plots._checks import (
    check_flat,
    check_named,
    check_numbers,
    check_rounds,
    own_class,
)
from frugalboost.plots._lines import LinesDisplay


class MarginsDisplay(LinesDisplay):
    """The share of rows whose margin is at most x, after several rounds.

    Parameters
    ----------
    margins : dict of name to (n,) margins
        From -1, where all members are as wrong as they can be, to 1.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> display = MarginsDisplay({"round 1": [1.0, -1.0], "round 9": [0.75, 0.25]})
    >>> display.distribution("round 9")
    (array([0.25, 0.75]), array([0.5, 1. ]))
    """

    def __init__(self, margins: Mapping[str, Any]) -> None:
        named = check_named(margins, name="margins", of="lines")
        self.margins = {
            name: check_numbers(values, name=f"margins[{name!r}]") for name, values in named.items()
        }

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, rounds: Sequence[int] | None = None
    ) -> MarginsDisplay:
        """Compute margins of a fitted classifier made of the library's trees.

        A margin is the decision for the row's own class minus the largest for another, divided by
        the largest difference that the trees allow; for discrete AdaBoost this is the share of the
        votes for the right class minus that for the wrong one.

        Parameters
        ----------
        model : fitted classifier
        X, y : rows, and their labels
        rounds : ascending, counted from 1; None: the first, the one at a tenth, and the last
        """
        check_is_fitted(model)
        check_flat(model)
        own = own_class(model.classes_, y, of="model")
        most = largest_margins(model)
        wanted = rounds_to_show(rounds, len(most))
        margins = {}
        for number, decision in enumerate(model.staged_decision_function(X), start=1):
            if number in wanted:
                normalized = margins_of(decision, own) / most[number - 1]
                margins[f"round {number}"] = np.clip(normalized, -1.0, 1.0)  # sums are rounded
        return cls(margins)

    def distribution(self, name: str) -> tuple[Floats, Floats]:
        """Margins in ascending order, and the share of rows at or below each."""
        ordered = np.sort(self.margins[name])
        return ordered, np.arange(1, len(ordered) + 1) / len(ordered)

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return {name: self.distribution(name) for name in self.margins}

    def _style(self, index: int, name: str) -> dict[str, Any]:
        # The last of three dashes is solid.
        return {"linestyle": DASHES[-1 - index % len(DASHES)], "drawstyle": "steps-post"}

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "margin", "ylabel": "share of rows at or below", "ylim": (0.0, 1.0)}


def rounds_to_show(rounds: Sequence[int] | None, n: int) -> set[int]:
    if rounds is None:
        return {1, max(1, n // 10), n}
    chosen = {int(number) for number in check_rounds(rounds, name="rounds")}
    if max(chosen) > n:
        raise ValueError(
            f"rounds must be at most {n}, the number of rounds of the model; got {rounds}."
        )
    return chosen


def margins_of(decision: Floats, own: AnyArray) -> Floats:
    if decision.ndim == 1:
        return np.where(own == 1, decision, -decision)
    rows = np.arange(len(decision))
    others = decision.copy()
    others[rows, own] = -np.inf
    return np.asarray(decision[rows, own] - others.max(axis=1))


def largest_margins(model: Any) -> Floats:
    """The largest possible margin after each round."""
    by_tree = [largest_leaf_margin(tree.value[tree.is_leaf]) for tree in model.estimators_]
    most = np.cumsum(np.abs(model.estimator_weights_) * by_tree)
    if getattr(model, "_n_shared", 1) > 1:  # decisions are means over the trees, not sums
        most = most / np.arange(1, len(most) + 1)
    return np.where(most > 0, most, 1.0)  # trees with only zeros have margins of zero


def largest_leaf_margin(values: Floats) -> float:
    if values.shape[1] == 1:
        return float(np.abs(values).max())
    return float((values.max(axis=1) - values.min(axis=1)).max())
