"""The exact lower bound of AP-Boost (Aziz, Anderton, Aslam 2018, section 4)."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, linprog, milp

from frugalboost._checks import check_bool, check_choice, check_real, names_itself
from frugalboost._typing import Floats, Ints
from frugalboost.analysis.cover import CategoryCover, Cover, Groups, NumberCover
from frugalboost.analysis.two_codes import fewest_rows_of_two_codes
from frugalboost.analysis.weight_order import Node, NodeColumn, find_winner, searched_features

SAFETY = 1e-9
"""Share of a bound allowed for its own rounding: far more than the sums of floats need, far less
than would change the next integer for a million rows."""

LEAST_WEIGHT = 2e-9
"""In units of the loss. The solver treats a coefficient of at most half of this as zero, and with
many such rows might prove too large a bound; a heavier row can only make the bound smaller."""


@dataclass(frozen=True)
class ExactBound:
    """A lower bound, and how far it may be from the largest that holds.

    Attributes
    ----------
    bound : int
        No search assesses fewer row-feature pairs.
    is_optimal : bool
        Whether `bound` is the paper's exact bound. If not, the exact one is between `bound` and
        `upper`: time ran out, or losses that differ by less than a millionth are decisive.
    upper : int
        This many assessments are enough, if they are the right ones.
    seconds : float
        Time taken.
    rows : (n_features,) terms of `bound`: rows on which each feature must be assessed

    Examples
    --------
    >>> from frugalboost import BinnedDataset
    >>> data = BinnedDataset.from_data([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> exact_bound(data, labels=[0, 1, 0, 1], weights=[1, 5, 1, 5], ties="lowest").rows
    array([2, 4])
    """

    bound: int
    is_optimal: bool
    upper: int
    seconds: float
    rows: Ints


@names_itself
def exact_bound(
    dataset: Any,
    labels: Any,
    weights: Any,
    rows: Any = None,
    *,
    ties: str = "any",
    integer: bool = True,
    time_limit: float = 60.0,
) -> ExactBound:
    r"""Return the fewest assessments with which any search can find a node's split.

    Like `weight_order_bound`, but a feature may be assessed on its rows in any order:

    .. math::
        LB_{exact} = n + \sum_{k \ne k^*} \min_{M : \forall j,\ L_M^j \ge E^*} |M|

    Each term is an integer program. Its linear relaxation, rounded up, is also a bound, usually the
    same and computed in a fraction of the time; if rounding gives a set of rows that small, it is
    the answer, and the integer program is solved only for the other features.

    Parameters
    ----------
    dataset, labels, weights, rows, ties : as in `weight_order_bound`
    integer : bool
        Whether to solve integer programs where the relaxation leaves a gap.
    time_limit : float, seconds above 0
        For all integer programs together. Terms not proved by then keep the bound of their
        relaxation, and `is_optimal` is False.

    Returns
    -------
    ExactBound

    Examples
    --------
    Two rows with the same value of the first feature, one of each class, show that it cannot be
    perfect; the second feature is, and must be assessed on all four rows.

    >>> from frugalboost import BinnedDataset
    >>> data = BinnedDataset.from_data([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> result = exact_bound(data, labels=[0, 1, 0, 1], weights=[1, 5, 1, 5], ties="lowest")
    >>> result.bound, result.is_optimal
    (6, True)
    """
    check_choice(ties, ("any", "lowest"), name="ties")
    check_bool(integer, name="integer")
    check_real(time_limit, name="time_limit", low=0.0, closed="neither")
    started = time.perf_counter()
    node = Node.from_arrays(dataset, labels, weights, rows)
    features = searched_features(dataset)
    winner, error = find_winner(node, features)
    least = np.zeros(dataset.n_features, dtype=np.int64)
    least[winner] = node.n_rows
    upper = least.copy()
    left = time_limit
    for feature in features[features != winner]:
        # Losses are integers: worse means worse by at least one unit.
        loss = error + int(ties == "lowest" and feature < winner)
        begun = time.perf_counter()
        term = fewest_rows(node.column(feature), loss, left if integer else 0.0)
        least[feature], upper[feature] = term
        left -= time.perf_counter() - begun
    return ExactBound(
        bound=int(least.sum()),
        is_optimal=bool((least == upper).all()),
        upper=int(upper.sum()),
        seconds=time.perf_counter() - started,
        rows=least,
    )


def fewest_rows(column: NodeColumn, loss: int, seconds: float) -> tuple[int, int]:
    """Lower and upper bound on the number of rows on which every stump loses at least `loss`.

    All rows if even they are not enough: a feature that ties with the winner may need them.
    """
    # A loss is a sum of weights, so reaching one means reaching the next multiple of their common
    # divisor. That helps the solver, which cannot tell a millionth of the loss from zero.
    unit = int(np.gcd.reduce(column.node.masses))
    loss = -(-loss // unit) * unit
    enough = column.shortest_prefix(loss)
    if loss <= 0 or column.best_loss(column.sums(0, column.node.n_rows)) < loss:
        return enough, enough
    if column.n_codes == 2 and column.node.n_classes == 2:
        exact = fewest_rows_of_two_codes(column.cells, column.node.masses, loss)
        return exact, exact
    program = Program.of(column, loss)
    relaxed = program.relax()
    least = program.bound(relaxed)
    if least < enough:
        enough = min(enough, program.rounded(relaxed, column, loss))
    if least < enough and seconds > 0:
        least, enough = program.solve(column, loss, seconds, least, enough)
    return least, enough


@dataclass(frozen=True)
class Program:
    """Minimise the number of rows taken such that every stump loses enough."""

    groups: Groups
    cover: Cover
    n_codes: int
    n_classes: int
    loss: int

    @classmethod
    def of(cls, column: NodeColumn, loss: int) -> Program:
        node = column.node
        K = node.n_classes
        has_missing = bool(node.dataset.has_missing[column.feature])
        n_codes = column.n_bins + has_missing
        groups = Groups.from_rows(column.cells // K, node.labels, node.masses)
        cover: Cover = NumberCover(column.n_bins, has_missing, K)
        if node.dataset.is_categorical[column.feature]:
            cover = CategoryCover(n_codes)
        return cls(groups, cover, n_codes, K, loss)

    @property
    def costs(self) -> Floats:
        return np.repeat([1.0, 0.0], [len(self.groups.codes), self.cover.n_auxiliaries])

    @property
    def weights(self) -> Floats:
        """In units of the loss; a row heavier than the loss is enough by itself, so capping its
        weight there changes nothing and tightens the relaxation."""
        return np.clip(self.groups.weights / float(self.loss), LEAST_WEIGHT, 1.0)

    def matrix(self) -> sparse.csr_array:
        """In terms of the groups, instead of the weight by kind, and of the auxiliaries."""
        n_kinds, n_groups = self.n_codes * self.n_classes, len(self.groups.codes)
        kinds = self.groups.codes * self.n_classes + self.groups.labels
        entries = (self.weights, (kinds, np.arange(n_groups)))
        by_kind = sparse.csr_array(entries, shape=(n_kinds, n_groups))
        whole = self.cover.matrix
        return sparse.csr_array(sparse.hstack([whole[:, :n_kinds] @ by_kind, whole[:, n_kinds:]]))

    @property
    def most(self) -> Floats:
        infinite = np.full(self.cover.n_auxiliaries, np.inf)
        return np.concatenate([self.groups.counts.astype(float), infinite])

    def relax(self) -> OptimizeResult:
        matrix: Any = -self.matrix()  # sparse, which SciPy's type stubs do not cover
        return linprog(
            self.costs,
            A_ub=matrix,
            b_ub=-self.cover.right,
            bounds=[(0.0, most) for most in self.most],
            method="highs",
        )

    def bound(self, relaxed: OptimizeResult) -> int:
        """The bound proved by the multipliers (weak duality), whatever the solver's tolerances."""
        if relaxed.ineqlin is None or relaxed.ineqlin.marginals is None:
            return 0
        price = self.cover.prices(-np.asarray(relaxed.ineqlin.marginals))
        kind = price.by_kind[self.groups.codes, self.groups.labels]
        excess = np.maximum(self.weights * kind - 1.0, 0.0)
        proved = price.total - math.fsum(excess * self.groups.counts)
        return max(0, math.ceil(proved - SAFETY * (1.0 + abs(proved))))

    def rounded(self, relaxed: OptimizeResult, column: NodeColumn, loss: int) -> int:
        """Number of rows of a solution rounded up, and reduced while that is still enough."""
        if relaxed.x is None:
            return column.node.n_rows
        taken = np.ceil(relaxed.x[: len(self.groups.codes)] - 1e-7).astype(np.int64)
        taken = np.clip(taken, 0, self.groups.counts)
        return self._fewest_of(taken, column, loss)

    def _fewest_of(self, taken: Ints, column: NodeColumn, loss: int) -> int:
        """Drop rows, the lightest first, while every stump loses enough: in integers, so
        exactly."""
        sums = self.groups.sums(taken, self.n_codes, self.n_classes)
        if column.best_loss(sums) < loss:
            return column.node.n_rows
        n_taken = int(taken.sum())
        is_done = np.zeros_like(sums, dtype=bool)
        for group in np.flatnonzero(taken)[np.argsort(self.groups.weights[taken > 0])]:
            kind = self.groups.codes[group], self.groups.labels[group]
            for _ in range(0 if is_done[kind] else int(taken[group])):
                sums[kind] -= self.groups.weights[group]
                if column.best_loss(sums) < loss:
                    sums[kind] += self.groups.weights[group]
                    is_done[kind] = True  # heavier rows of the kind are needed all the more
                    break
                n_taken -= 1
        return n_taken

    def solve(
        self, column: NodeColumn, loss: int, seconds: float, least: int, enough: int
    ) -> tuple[int, int]:
        """Bounds from the integer program, solved as far as time allows."""
        solution = milp(
            self.costs,
            constraints=LinearConstraint(self.matrix(), lb=self.cover.right),
            bounds=Bounds(0.0, self.most),
            integrality=self.costs.astype(np.int64),
            options={"time_limit": seconds, "mip_rel_gap": 0.0},
        )
        if solution.mip_dual_bound is not None and math.isfinite(solution.mip_dual_bound):
            least = max(least, math.ceil(solution.mip_dual_bound - 1e-6))
        if solution.x is not None:
            taken = np.rint(solution.x[: len(self.groups.codes)]).astype(np.int64)
            enough = min(enough, self._fewest_of(taken, column, loss))
        return min(least, enough), enough
