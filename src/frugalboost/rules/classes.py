"""Rules with one weight for each row, whose trees keep the weights of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Rule
from frugalboost.rules.leaves import add_by_leaf
from frugalboost.rules.problem import Layout, TreeProblem, Verdict
from frugalboost.rules.weights import tree_weights


@dataclass(frozen=True)
class ClassRule(Rule):
    """What these rules have in common: the layout, and a state of log weights, (n,)."""

    @property
    def layout(self) -> Layout:
        return "classes"

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        return TreeProblem("classes", tree_weights(state, sample_weight, n_threads))


@dataclass(frozen=True)
class NamingRule(ClassRule):
    """Each leaf names its heaviest class, and the log weight of the rows it gets wrong rises."""

    names_classes: ClassVar[bool] = True

    @property
    def tells_rise(self) -> bool:
        return True

    def advance(
        self,
        state: Floats,
        verdict: Verdict,
        leaf_of_row: AnyArray,
        labels: AnyArray,
        n_threads: int = 1,
    ) -> None:
        rise = self.rise(verdict)
        assert rise is not None  # as `tells_rise` says
        add_by_leaf(state, rise, leaf_of_row, labels, n_threads)
