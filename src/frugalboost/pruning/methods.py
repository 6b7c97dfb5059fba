"""The pruning methods by name.

To add one: write it as plain Python in ``reference/ensemble_pruning.py``, then on arrays in a file
of its own, returning sets of each size, and give it a name in `CHOOSERS`. The tests of
every method run over `METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from frugalboost._checks import check_choice, check_int
from frugalboost._progress import OnShare, ignore_progress, part_of
from frugalboost._typing import AnyArray, Ints
from frugalboost.pruning.backfitting import MAX_SWEEPS, backfit
from frugalboost.pruning.ballots import Ballots, check_codes
from frugalboost.pruning.counting import make_counter
from frugalboost.pruning.divergence import kl_order
from frugalboost.pruning.hull import count_wrong, hull_members
from frugalboost.pruning.kappa import PairTable, kappa_backfitting, kappa_order


@dataclass(frozen=True, eq=False)
class Material:
    """The data that the methods use.

    Attributes
    ----------
    ballots : WeightedVotes or RealVotes
    labels : (n_rows,) class codes
    distributions : (n_members, n_training_rows) or None
        The weights of the training rows in each member's round, for "kl".

    Examples
    --------
    >>> from frugalboost.pruning.ballots import (WeightedVotes)
    >>> votes = WeightedVotes.from_arrays([[0, 1, 1], [0, 0, 1]], weights=[1.0, 2.0])
    >>> Material(votes, labels=[0, 1, 1]).ballots.n_rows
    3
    """

    ballots: Ballots
    labels: AnyArray
    distributions: AnyArray | None = None


def choose_sets(
    method: str,
    material: Material,
    n_kept: int,
    *,
    max_sweeps: int = MAX_SWEEPS,
    on_share: OnShare = ignore_progress,
) -> list[Ints]:
    """Return the members that a method keeps, for each number of them from 1 to `n_kept`.

    Parameters
    ----------
    method : one of `METHODS`
    material : Material
    n_kept : int from 1 to the number of members; "hull" ignores it
    max_sweeps : maximum number of backfitting sweeps after each step
    on_share : callable
        Called now and then with the share of the work done.

    Returns
    -------
    sets : list of arrays of members, in the order in which they were chosen
        A single set for "hull".

    Examples
    --------
    >>> from frugalboost.pruning.ballots import (WeightedVotes)
    >>> votes = [[0, 0, 1, 1], [0, 0, 1, 0], [1, 0, 1, 1]]
    >>> material = Material(WeightedVotes.from_arrays(votes, None), np.array([0, 0, 1, 1]))
    >>> [members.tolist() for members in choose_sets("kappa", material, n_kept=2)]
    [[1], [1, 2]]
    """
    check_choice(method, METHODS, name="method")
    n_members = len(material.ballots)
    check_int(n_kept, name="n_estimators", low=1, high=n_members)
    check_int(max_sweeps, name="max_sweeps", low=0)
    sets = CHOOSERS[method](PruningRequest(material, n_kept, max_sweeps, on_share))
    on_share(1.0)
    return sets


class PruningRequest(NamedTuple):
    """The input of a method."""

    material: Material
    n_kept: int
    max_sweeps: int
    on_share: OnShare

    @property
    def ballots(self) -> Ballots:
        return self.material.ballots

    def pairs(self, votes: AnyArray, share: float = 1.0) -> PairTable:
        """Kappa of all pairs, which takes this share of the method's time."""
        on_part = part_of(self.on_share, 0.0, share)
        return PairTable.from_votes(votes, self.ballots.n_classes, on_part)


def _early_stopping(request: PruningRequest) -> list[Ints]:
    return prefixes(np.arange(request.n_kept))


def _kl(request: PruningRequest) -> list[Ints]:
    if request.material.distributions is None:
        raise ValueError(
            "method must not be 'kl' for an ensemble without distributions of its rounds; got 'kl'."
        )
    return prefixes(kl_order(request.material.distributions, request.n_kept, request.on_share))


def _kappa(request: PruningRequest) -> list[Ints]:
    table = request.pairs(request.ballots.votes)
    return prefixes(kappa_order(table, len(request.ballots))[: request.n_kept])


def _hull(request: PruningRequest) -> list[Ints]:
    ballots = request.ballots
    labels = check_codes(request.material.labels, ballots.n_rows, ballots.n_classes)
    votes = ballots.votes
    return [hull_members(request.pairs(votes), count_wrong(votes, labels))]


def _reduce_error(request: PruningRequest) -> list[Ints]:
    counter = make_counter(request.ballots, request.material.labels)
    return backfit(counter, [], request.n_kept, request.max_sweeps, request.on_share)


def _kappa_backfitting(request: PruningRequest) -> list[Ints]:
    # Sums of kappas are over members, not over rows: there is little left to do.
    table = request.pairs(request.ballots.votes, share=0.9)
    on_part = part_of(request.on_share, 0.9, 1.0)
    return kappa_backfitting(
        table, len(request.ballots), request.n_kept, request.max_sweeps, on_part
    )


CHOOSERS: dict[str, Callable[[PruningRequest], list[Ints]]] = {
    "early_stopping": _early_stopping,
    "kl": _kl,
    "kappa": _kappa,
    "hull": _hull,
    "reduce_error": _reduce_error,
    "kappa_backfitting": _kappa_backfitting,
}

METHODS = tuple(CHOOSERS)


def prefixes(order: Any) -> list[Ints]:
    """The first one, the first two, and so on."""
    return [order[: size + 1] for size in range(len(order))]
