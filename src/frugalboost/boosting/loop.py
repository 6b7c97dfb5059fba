"""The boosting loop: the one place that counts rounds."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from frugalboost._typing import AnyArray, Ints, Rows
from frugalboost.boosting.auto import ORDERED, AutoSearch, WeightOrder, search_clock
from frugalboost.boosting.ensemble import Ensemble
from frugalboost.boosting.ledger import Entry, Ledger
from frugalboost.boosting.sampling import (
    EVERYTHING,
    Subset,
    SubsetPlan,
    Subsets,
    in_order,
    leaf_sums_of_copies,
    weight_of_example,
)
from frugalboost.boosting.state import TrainingData, make_state
from frugalboost.boosting.stopping import EarlyStopping
from frugalboost.boosting.tree_pruning import Pruning, prune_pessimistically, prune_with_held_out
from frugalboost.rules import Action, LeafSums, Rule, Verdict
from frugalboost.tree import AnyProblem, FlatTree, GrownTree, TreeGrower, TreePlan
from frugalboost.tree.fixed_point import sums_by_leaf

OnRound = Callable[[int, Entry], None]


class Candidate(NamedTuple):
    """A tree and the rule's verdict on it.

    Attributes
    ----------
    grown : GrownTree
    pruning : what is cut off it; None: pruning is off
    verdict : on the remaining leaves
    search : the one that grew the tree
    """

    grown: GrownTree
    pruning: Pruning | None
    verdict: Verdict
    search: str

    @property
    def n_leaves(self) -> int:
        return self.grown.nodes.n_leaves if self.pruning is None else self.pruning.n_leaves

    def entry(self, seconds: float) -> Entry:
        """The ledger entry of a round that took this long."""
        nodes = self.grown.nodes
        return Entry(
            nodes.assessments,
            nodes.reads,
            nodes.full,
            seconds,
            self.verdict.error,
            self.search,
            self.n_leaves,
            nodes.pruned_nodes,
            nodes.scans,
            nodes.full_scans,
        )

    @property
    def verdict_on_grown(self) -> Verdict:
        """The verdict by the leaves of the tree as grown, which are those the core knows."""
        if self.pruning is None:
            return self.verdict
        return self.verdict._replace(values=self.pruning.spread(self.verdict.values))


class Booster:
    """Runs the rounds: what to fit, in which order to read the rows, what values leaves get."""

    def __init__(
        self,
        data: TrainingData,
        rule: Rule,
        plan: TreePlan,
        baseline: float,
        subset: SubsetPlan = EVERYTHING,
    ) -> None:
        self._data = data
        self._rule = rule
        self._plan = plan
        self._n_examples = data.n_examples
        self._grower = TreeGrower(data.dataset, plan)
        self._state = make_state(data, rule, baseline, plan.n_threads)
        self._subsets = Subsets(subset, data.dataset, plan.n_threads)
        self._is_fresh = True
        self._order = WeightOrder(rule.n_classes, plan.n_threads)
        reads_of_a_row = self._grower.read_share * data.dataset.n_features
        self._auto = AutoSearch(self._searches(), reads_of_a_row)
        self._clock = search_clock(plan.n_threads)
        self.has_ended = False  # whether boosting ended with the last tree replayed

    def _searches(self) -> tuple[str, str]:
        """Searches that ``"auto"`` chooses from: a thorough one and one that prunes."""
        if not self._subsets.is_everything:  # nothing to reuse from round to round
            return "exhaustive", "adaptive"
        if self._rule.fits_residuals and self._data.has_equal_weights:
            return "incremental", "adaptive"
        if not self._rule.tells_rise:
            return "exhaustive", "adaptive"
        plan = self._plan
        suits = self._rule.n_classes == 2 and plan.criterion == "error"
        if suits and plan.min_samples_leaf == 1:
            return "incremental", "two_stage"
        return "incremental", "adaptive"

    def replay(self, ensemble: Ensemble, leaves: AnyArray) -> None:
        """Bring the state to where it was after `ensemble` was fitted to the same rows.

        `leaves` are the nodes that the rows end in, (n, n_trees).
        """
        for t, (tree, step, restarted, nodes) in enumerate(
            zip(ensemble.trees, ensemble.steps, ensemble.restarts, leaves.T, strict=True)
        ):
            if restarted:
                self._state.problem()  # the problem of the dropped tree
                self._state.restart()
            if t == len(ensemble) - 1:
                self.has_ended = self._ends_with(tree, nodes)
            verdict = Verdict(tree.value[tree.is_leaf], step, 0.0, Action.KEEP)
            self._state.replay(tree, nodes, verdict)
            self._subsets.keep()
            self._is_fresh = False

    def _ends_with(self, tree: FlatTree, nodes: AnyArray) -> bool:
        """Whether the rule, in this state, keeps the tree and ends boosting with it.

        By the sums over all rows, even if the tree grew on some: a tree is kept as the last one
        only if no row contradicts it, and then all rows of a leaf agree with those drawn.
        """
        problem = self._state.problem()
        sums = sums_by_leaf(problem, tree.leaf_number[nodes], tree.n_leaves)
        sums = sums[sums.any(axis=1)]  # rows other than those of the first fit may miss a leaf
        scaled = problem.scale.leaf_sums(sums, self._data.dataset.n_rows, self._n_examples)
        leaves = scaled._replace(is_drawn=self._subsets.draws_copies)
        verdict = self._rule.judge(leaves, is_first=False, is_fresh=self._is_fresh)
        return verdict.action is Action.KEEP_AND_STOP

    def round(self, *, is_first: bool) -> Candidate:
        """Grow and judge one tree; the state advances if the tree is kept."""
        problem = self._state.problem()
        subset = self._subsets.next(problem)
        grown, search = self._grow(problem, subset)
        pruning, leaves = self._leaves(problem, subset, grown)
        # A model needs a first tree, but not this one while others can be drawn.
        verdict = self._rule.judge(leaves, is_first and not self.can_redraw, self._is_fresh)
        candidate = Candidate(grown, pruning, verdict, search)
        if verdict.action in (Action.DROP_AND_STOP, Action.KEEP_AND_STOP):
            self._subsets.note_end(subset, problem.labels)
        if verdict.action is Action.DROP_AND_RESTART:
            self._state.restart()
            self._is_fresh = True
        elif verdict.action is not Action.DROP_AND_STOP:
            self._state.advance(grown, candidate.verdict_on_grown)
            self._subsets.keep()
            self._is_fresh = False
        self._order.note(grown)
        return candidate

    def _leaves(
        self, problem: AnyProblem, subset: Subset, grown: GrownTree
    ) -> tuple[Pruning | None, LeafSums]:
        """The pruning, and the sums of the remaining leaves for the rule to judge."""
        sums, of_all = grown.sums, grown.sums_of_all
        if subset.drawn is not None:  # the core sees only the copies
            of_all = sums_by_leaf(problem, grown.leaf_of_row, grown.nodes.n_leaves)
        everyone = sums if of_all is None else of_all
        pruning = self._prune(problem, subset, grown, everyone)
        if pruning is not None:
            sums, of_all = pruning.join(sums), None if of_all is None else pruning.join(of_all)
        sizes = self._data.dataset.n_rows, self._n_examples
        if subset.drawn is None:
            return pruning, problem.scale.leaf_sums(sums, *sizes, of_all)
        assert of_all is not None
        return pruning, leaf_sums_of_copies(problem, subset.drawn, sums, of_all, *sizes)

    def _prune(
        self, problem: AnyProblem, subset: Subset, grown: GrownTree, sums_of_all: Ints
    ) -> Pruning | None:
        """What to cut off a tree; None if pruning is off."""
        confidence = self._plan.confidence
        if subset.held is None and confidence is None:
            return None
        example = weight_of_example(problem, subset.drawn, sums_of_all, self._n_examples)
        if subset.held is not None:
            fitted = subset.drawn or problem
            return prune_with_held_out(self._rule, fitted, grown, subset.held, example)
        assert confidence is not None  # or pruning would be off
        return prune_pessimistically(grown, example, confidence)

    @property
    def can_redraw(self) -> bool:
        """Whether the tree after a useless one can grow on another subset."""
        return self._subsets.can_redraw

    def _grow(self, problem: AnyProblem, subset: Subset) -> tuple[GrownTree, str]:
        # Copies are spread too evenly to prune, and too few to be worth a trial.
        is_auto = self._plan.search == "auto" and subset.drawn is None
        search = self._plan.search if not is_auto else self._auto.choose(problem)
        if search == "auto":
            search = "exhaustive"
        started = self._clock()
        rows = subset.rows
        if search in ORDERED:
            rows = self._heaviest_first(problem, subset)
        grown = self._grower.grow(subset.drawn or problem, rows, search, subset.features)
        if is_auto:
            self._auto.learn(search, self._clock() - started)
        return grown, search

    def _heaviest_first(self, problem: AnyProblem, subset: Subset) -> Rows:
        if subset.drawn is None or subset.rows is None:
            return in_order(self._order.rows(problem), subset.rows)
        return subset.rows[np.argsort(-subset.drawn.mass[subset.rows], kind="stable")]

    def finish(self, candidate: Candidate) -> FlatTree:
        """The tree of a candidate."""
        tree = self._grower.finish(candidate.grown, candidate.verdict_on_grown.values)
        return (
            tree
            if candidate.pruning is None
            else candidate.pruning.collapse(tree, candidate.verdict.values)
        )


class AnyCandidate(Protocol):
    """The result of a round."""

    @property
    def verdict(self) -> Verdict: ...

    def entry(self, seconds: float) -> Entry: ...


class AnyBooster(Protocol):
    """Anything that runs rounds: `Booster`, or one whose weak learners are not the core's trees."""

    @property
    def has_ended(self) -> bool: ...

    @property
    def can_redraw(self) -> bool: ...

    def round(self, *, is_first: bool) -> AnyCandidate: ...

    def finish(self, candidate: Any) -> Any: ...


class AnyEnsemble(Protocol):
    """A container of the weak learners."""

    def __len__(self) -> int: ...

    def append(self, tree: Any, step: float, *, restarted: bool) -> None: ...


class RoundWatcher(Protocol):
    """Is notified when rounds begin and end."""

    def begin(self) -> None:
        """Called before a round, and again if its tree was dropped and the round goes on."""

    def end(self, ensemble: Any, ledger: Ledger) -> bool:
        """Called after a tree is kept; return True to stop."""


E = TypeVar("E", bound=AnyEnsemble)


def boost(
    booster: AnyBooster,
    ensemble: E,
    rule: Rule,
    n_rounds: int,
    *,
    stopping: EarlyStopping | None = None,
    on_round: OnRound | None = None,
    watcher: RoundWatcher | None = None,
) -> tuple[E, Ledger]:
    """Add up to `n_rounds` trees to `ensemble` and return it with a ledger of their cost."""
    ledger = Ledger()
    restarted = False
    dropped: Entry | None = None
    n_wanted = len(ensemble) + (0 if booster.has_ended else n_rounds)
    # A dropped tree does not count; the first tree after a restart is kept or ends the loop.
    while len(ensemble) < n_wanted:
        if watcher is not None:
            watcher.begin()
        started = time.perf_counter()
        candidate = booster.round(is_first=len(ensemble) == 0)
        verdict = candidate.verdict
        entry = candidate.entry(time.perf_counter() - started).after(dropped)
        if verdict.action is Action.DROP_AND_STOP:
            if not booster.can_redraw:
                break
            dropped = entry
            continue
        if verdict.action is Action.DROP_AND_RESTART:
            restarted, dropped = True, entry
            continue
        tree = booster.finish(candidate)
        ensemble.append(tree, verdict.step, restarted=restarted)
        restarted, dropped = False, None
        ledger.append(entry)
        if on_round is not None:
            on_round(len(ensemble), entry)
        is_enough = watcher is not None and watcher.end(ensemble, ledger)
        if verdict.action is Action.KEEP_AND_STOP:
            break
        if stopping is not None and stopping.watch(rule, tree, verdict.step):
            break
        if is_enough:
            break
    return ensemble, ledger
