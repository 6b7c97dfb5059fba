"""Choosing each round's search for ``search="auto"``, and the row order it may need."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from statistics import median

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Rows
from frugalboost.tree import AnyProblem, GrownTree

ORDERED = ("quick", "adaptive", "ap_boost")
"""Searches that read their rows heaviest first."""


class WeightOrder:
    """Sorts the rows by weight once and merges from then on.

    A round changes the weights of all rows of one leaf and class alike, so each such group stays
    in order. After rounds that needed no order, the last one is stale; merging then finds more
    runs.
    """

    def __init__(self, n_classes: int, n_threads: int = 1) -> None:
        self._n_classes = n_classes
        self._n_threads = n_threads
        self._rows: Rows | None = None
        self._last: GrownTree | None = None

    def note(self, grown: GrownTree) -> None:
        """Remember the tree that will determine the next weights."""
        self._last = grown

    def rows(self, problem: AnyProblem) -> Rows:
        """All rows, heaviest first."""
        if self._rows is None or self._last is None:  # merge the runs that happen to be in order
            rows = np.arange(problem.n_rows, dtype=np.uint32)
            group, n_groups = np.zeros(problem.n_rows, dtype=np.int32), 1
        else:
            rows, (group, n_groups) = self._rows, self._groups(self._last, problem)
        self._rows = native.merge_by_mass(rows, problem.mass, group, n_groups, self._n_threads)
        return self._rows

    def _groups(self, last: GrownTree, problem: AnyProblem) -> tuple[AnyArray, int]:
        """Group of each row, and number of groups; a tree changes the weights of a group alike."""
        group, n_groups = last.leaf_of_row, last.nodes.n_leaves
        if problem.labels is None:
            return group, n_groups
        group *= self._n_classes
        group += problem.labels.astype(np.int32)
        return group, n_groups * self._n_classes


SAMPLED_ROWS = 1024
"""Rows sampled to see how the mass is spread; reading all would cost as much as a stump."""

ROUNDS_BETWEEN_LOOKS = 8
"""The mass does not concentrate in a round or two, and a check costs as much as a small tree."""

ROUNDS_OF_A_TRIAL = 5

ROUNDS_BEFORE_TRIALS = 3
"""Rounds of the thorough search before a trial: its first has more to do than later ones."""

TOLERANCE = 1.05
"""How much slower a trial may be: trees differ, and the mass keeps concentrating."""

HOPELESS = 1.25
"""A trial ends early when each of its rounds takes this much longer."""

HEAVY_MASS = 0.99

FIRST_TRIAL = {"two_stage": 0.5, "adaptive": 0.05}
"""Largest share of the rows that may hold `HEAVY_MASS` when a pruning search is first tried.

``"adaptive"`` reads single columns in order of mass, all over memory: at equal counts it takes
about five times as long as an exhaustive search.
"""

MANY_READS = 40.0
"""Cells per row read by a thorough search from which ``"two_stage"`` is tried at once: reading a
column or two in full then adds little, and its histograms are half as large."""


def search_clock(n_threads: int) -> Callable[[], float]:
    """Return the clock that times searches.

    Other processes must not tip the balance, so a search on one thread is charged its CPU time. On
    several threads, the caller sleeps while the others work, and a search that divides its work
    badly would seem faster. So it is charged wall-clock time.
    """
    return time.thread_time if n_threads == 1 else time.perf_counter


class AutoSearch:
    """Switches to pruning once few rows hold nearly all of the mass, if that proves faster.

    The thorough search runs first and is timed. When the mass is concentrated enough, the pruning
    one is tried for a few rounds, or for two if it is far slower. If it takes longer, the mass
    must concentrate by another fifth before it is tried again: a fit wastes a few rounds at most.
    But trees change, and the thorough search's times before the trial may be out of date; if it is
    no faster in the rounds after the trial, the pruning one resumes. Times are medians of the last
    rounds.

    Parameters
    ----------
    searches : tuple of str
        The thorough search and the pruning one.
    reads_of_a_row : float
        Cells that a thorough search of a node reads per row.
    """

    def __init__(self, searches: tuple[str, str], reads_of_a_row: float) -> None:
        self._thorough, self._pruning = searches
        is_cheap = self._pruning == "two_stage" and reads_of_a_row >= MANY_READS
        self._largest_share = 1.0 if is_cheap else FIRST_TRIAL[self._pruning]
        self._heavy_share = 1.0
        self._seconds = {search: deque[float](maxlen=ROUNDS_OF_A_TRIAL) for search in searches}
        self._rounds_to_wait = 0
        self._appeal: tuple[float, float] | None = None

    def choose(self, problem: AnyProblem) -> str:
        """Return the name of the search for this round."""
        self._rounds_to_wait -= 1
        if self._rounds_to_wait < 0:
            self._rounds_to_wait = ROUNDS_BETWEEN_LOOKS - 1
            stride = max(1, problem.n_rows // SAMPLED_ROWS)
            self._heavy_share = native.share_of_rows(problem.mass_of_every(stride), HEAVY_MASS)
        is_timed = len(self._seconds[self._thorough]) >= ROUNDS_BEFORE_TRIALS
        if not is_timed or self._heavy_share > self._largest_share:
            return self._thorough
        return self._pruning

    def learn(self, search: str, seconds: float) -> None:
        """Take the round's time into account."""
        self._seconds[search].append(seconds)
        if search == self._pruning:
            self._judge(self._seconds[search], median(self._seconds[self._thorough]))
        elif self._appeal is not None:
            self._judge_again(self._seconds[search], *self._appeal)

    def _judge(self, trial: deque[float], usual: float) -> None:
        is_over = len(trial) == ROUNDS_OF_A_TRIAL and median(trial) > TOLERANCE * usual
        # The first round of a trial has nothing to reuse, so it takes longer in any case.
        if is_over or (len(trial) > 1 and min(trial) > HOPELESS * usual):
            self._appeal = median(trial), self._largest_share
            self._largest_share = 0.8 * self._heavy_share
            trial.clear()
            self._seconds[self._thorough].clear()

    def _judge_again(self, fresh: deque[float], took: float, largest_share: float) -> None:
        if len(fresh) == ROUNDS_BEFORE_TRIALS:
            self._appeal = None
            if took <= median(fresh):
                self._largest_share = largest_share
