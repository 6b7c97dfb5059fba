"""Discrete AdaBoost.MH (Schapire, Singer 1999): one tree with a vector of yes/no votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import criteria_led_by
from frugalboost.rules.leaves import add_by_leaf, add_rows_by_leaf_and_label
from frugalboost.rules.pairs import VoteRule, pair_misses
from frugalboost.rules.problem import TreeProblem, Verdict
from frugalboost.rules.weights import WeightFunction, tree_weights


@dataclass(frozen=True)
class AdaBoostMH(VoteRule):
    """A leaf votes +1 or -1 for each class; one step for all of them.

    The state is the growing form, as in AdaBoost, for each pair of a row and a class: the log
    weight rises by twice the step where the vote was wrong and stays the same where it was right.
    For two classes this is AdaBoost, bit for bit. `Verdict.error` is the weighted share of wrong
    pairs.
    """

    name: ClassVar[str] = "mh"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("error")
    default_learning_rate: ClassVar[float] = 1.0
    weight: ClassVar[WeightFunction] = "exponential"

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        return TreeProblem(self.layout, tree_weights(state, sample_weight, n_threads))

    @property
    def tells_rise(self) -> bool:
        return self.n_classes == 2

    def rise(self, verdict: Verdict) -> Floats | None:
        return self._rise_of_pairs(verdict) if self.tells_rise else None

    def _rise_of_pairs(self, verdict: Verdict) -> Floats:
        # A wrong vote and a right one differ by twice the step in -Y F; a zero changes no bit.
        return 2 * verdict.step * pair_misses(verdict.values)

    def advance(
        self,
        state: Floats,
        verdict: Verdict,
        leaf_of_row: AnyArray,
        labels: AnyArray,
        n_threads: int = 1,
    ) -> None:
        rise = self._rise_of_pairs(verdict)
        if self.n_classes == 2:
            add_by_leaf(state, rise, leaf_of_row, labels, n_threads)
        else:  # a table of vectors, one for each leaf and label
            add_rows_by_leaf_and_label(state, rise, leaf_of_row, labels, n_threads)
