"""The rounds of boosting and bagging with trees of C4.5.

To a rule, a tree is its votes: a leaf for each class, whose value is that of the class.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.boosting import Entry
from frugalboost.boosting.sampling import DRAWS, draw_copies
from frugalboost.boosting.state import GrowingState, count_examples
from frugalboost.c45.coding import C45Plan, CodedTable
from frugalboost.c45.committee import C45Committee, values_of_classes
from frugalboost.c45.tree import C45Tree
from frugalboost.data import Schema
from frugalboost.rules import Action, LeafSums, Rule, Verdict
from frugalboost.tree import AnyProblem
from frugalboost.tree.fixed_point import sums_by_leaf


@dataclass(frozen=True, eq=False)
class C45Data:
    """The training rows.

    Attributes
    ----------
    X : (n, n_features), numbers and codes of categories
    labels : (n,), class codes
    sample_weight : (n,), above 0
    """

    X: AnyArray
    schema: Schema
    labels: AnyArray
    sample_weight: Floats

    def coded(self) -> CodedTable:
        known = self.schema.categories
        return CodedTable.of(self.X, [0 if each is None else len(each) for each in known])

    def state(self, rule: Rule) -> GrowingState:
        return GrowingState(self.labels, self.sample_weight, rule, n_threads=1)


class C45Round(NamedTuple):
    """A tree, its votes on the training rows, and the rule's verdict."""

    tree: C45Tree
    votes: Ints
    verdict: Verdict

    def entry(self, seconds: float) -> Entry:
        """The ledger entry; assessments are counted for the searches only."""
        return Entry(0, 0, 0, seconds, self.verdict.error, "c45", self.tree.n_leaves)


class C45Booster:
    """Runs the rounds.

    Parameters
    ----------
    data : C45Data
    rule : AdaBoostM1 or Bagging
    plan : C45Plan
    seed : tuple of int, or None
        For drawing as many rows as there are, by weight; None: trees grow on weighted rows.
    """

    has_ended = False

    def __init__(
        self, data: C45Data, rule: Rule, plan: C45Plan, seed: tuple[int, ...] | None = None
    ) -> None:
        self._data, self._rule, self._plan, self._seed = data, rule, plan, seed
        self._table = data.coded()
        self._state = data.state(rule)
        self._n_examples = count_examples(data.sample_weight)
        self._n_kept = self._attempt = 0
        self._is_fresh = True

    @property
    def can_redraw(self) -> bool:
        """Whether another sample may be better than the last, and not too many have been tried."""
        return self._seed is not None and self._attempt < DRAWS

    def round(self, *, is_first: bool) -> C45Round:
        """Grow and judge one tree; the weights move if it is kept."""
        problem = self._state.problem()
        cases = self._cases(problem)
        tree = self._table.grow(self._data.labels, cases, self._rule.n_classes, self._plan)
        votes = tree.votes(self._data.X)
        leaves = self._leaves(problem, votes)
        verdict = self._rule.judge(leaves, is_first and not self.can_redraw, self._is_fresh)
        if verdict.action is Action.DROP_AND_RESTART:
            self._state.restart()
            self._is_fresh = True
        elif verdict.action is not Action.DROP_AND_STOP:
            self._state.advance_by_leaf(votes, verdict)
            self._n_kept, self._attempt, self._is_fresh = self._n_kept + 1, 0, False
        return C45Round(tree, votes, verdict)

    def finish(self, candidate: C45Round) -> C45Tree:
        return candidate.tree

    def _cases(self, problem: AnyProblem) -> Floats:
        """How many cases each row counts as: its copies, or its weight, with a mean of 1."""
        mass = problem.mass
        if self._seed is None:
            return np.asarray(mass * (self._n_examples / float(mass.sum())))
        # By the number of the round: a tree does not depend on how many samples others took.
        random = np.random.default_rng([*self._seed, self._n_kept, self._attempt])
        self._attempt += 1
        rows, copies = draw_copies(random, mass, len(mass))
        cases = np.zeros(len(mass))
        cases[rows] = copies
        return cases

    def _leaves(self, problem: AnyProblem, votes: Ints) -> LeafSums:
        """The weights of the labels by vote, for the rule to judge."""
        K = self._rule.n_classes
        sums = sums_by_leaf(problem, votes.astype(np.int32), K)
        leaves = problem.scale.leaf_sums(sums, len(votes), self._n_examples)
        # A vote names its class, even where most of its rows have another.
        return leaves._replace(grown=np.eye(K), is_drawn=self._seed is not None)


def round_masses(data: C45Data, rule: Rule, committee: C45Committee) -> Iterator[Ints]:
    """The weights of the training rows in the round of each member, in units of their own."""
    state = data.state(rule)
    values = values_of_classes(rule)
    for tree, step, restarted in zip(
        committee.trees, committee.steps, committee.restarts, strict=True
    ):
        if restarted:
            state.restart()
        yield state.problem().mass.copy()
        state.advance_by_leaf(tree.votes(data.X), Verdict(values, step, 0.0, Action.KEEP))
