"""The methods by name.

To add one: write it as plain Python in ``reference/ensemble_pruning.py``, then on arrays in a file
of its own, returning sets of each size, and give it a name in `CHOOSERS`. The tests of
every method run over `METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from frugalboost._checks import check_choice, check_int
from frugalboost._typing import AnyArray, Ints
from frugalboost.pruning.backfitting import MAX_SWEEPS, backfit
from frugalboost.pruning.ballots import Ballots, check_codes
from frugalboost.pruning.counting import make_counter
from frugalboost.pruning.divergence import kl_order
from frugalboost.pruning.hull import count_wrong, hull_members
from frugalboost.pruning.pairs import PairTable, kappa_backfitting, kappa_order


@dataclass(frozen=True, eq=False)
class Material:
    """What the methods look at.

    Attributes
    ----------
    ballots : WeightedVotes or RealVotes
    labels : (n_rows,) class codes
    distributions : (n_members, n_training_rows) or None
        The weights of the training rows in the round of each member, for "kl".

    Examples
    --------
    >>> from frugalboost.pruning import WeightedVotes
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
    owner: str = "choose_sets",
) -> list[Ints]:
    """Return the members that a method keeps, for each number of them from 1 to `n_kept`.

    Parameters
    ----------
    method : one of `METHODS`
    material : Material
    n_kept : int from 1 to the number of members; "hull" does not look at it
    max_sweeps : most sweeps of backfitting after each step

    Returns
    -------
    sets : list of arrays of members, in the order in which they were chosen
        A single one for "hull".

    Examples
    --------
    >>> from frugalboost.pruning import WeightedVotes
    >>> votes = [[0, 0, 1, 1], [0, 0, 1, 0], [1, 0, 1, 1]]
    >>> material = Material(WeightedVotes.from_arrays(votes, None), np.array([0, 0, 1, 1]))
    >>> [members.tolist() for members in choose_sets("kappa", material, n_kept=2)]
    [[1], [1, 2]]
    """
    check_choice(method, METHODS, name="method", owner=owner)
    n_members = len(material.ballots)
    check_int(n_kept, name="n_estimators", owner=owner, low=1, high=n_members)
    check_int(max_sweeps, name="max_sweeps", owner=owner, low=0)
    return CHOOSERS[method](material, n_kept, max_sweeps, owner)


def _early_stopping(material: Material, n_kept: int, max_sweeps: int, owner: str) -> list[Ints]:
    return prefixes(np.arange(n_kept))


def _kl(material: Material, n_kept: int, max_sweeps: int, owner: str) -> list[Ints]:
    if material.distributions is None:
        raise ValueError(
            f"{owner}: method must be another than 'kl' for an ensemble without distributions of "
            "its rounds; got 'kl'."
        )
    return prefixes(kl_order(material.distributions, n_kept))


def _kappa(material: Material, n_kept: int, max_sweeps: int, owner: str) -> list[Ints]:
    table = pair_table(material.ballots)
    return prefixes(kappa_order(table, len(material.ballots))[:n_kept])


def _hull(material: Material, n_kept: int, max_sweeps: int, owner: str) -> list[Ints]:
    ballots = material.ballots
    labels = check_codes(material.labels, ballots.n_rows, ballots.n_classes, owner)
    return [hull_members(pair_table(ballots), count_wrong(ballots.votes, labels))]


def _reduce_error(material: Material, n_kept: int, max_sweeps: int, owner: str) -> list[Ints]:
    counter = make_counter(material.ballots, material.labels, owner)
    return backfit(counter, [], n_kept, max_sweeps)


def _kappa_backfitting(material: Material, n_kept: int, max_sweeps: int, owner: str) -> list[Ints]:
    table = pair_table(material.ballots)
    return kappa_backfitting(table, len(material.ballots), n_kept, max_sweeps)


CHOOSERS: dict[str, Callable[[Material, int, int, str], list[Ints]]] = {
    "early_stopping": _early_stopping,
    "kl": _kl,
    "kappa": _kappa,
    "hull": _hull,
    "reduce_error": _reduce_error,
    "kappa_backfitting": _kappa_backfitting,
}

METHODS = tuple(CHOOSERS)


def pair_table(ballots: Ballots) -> PairTable:
    return PairTable.from_votes(ballots.votes, ballots.n_classes)


def prefixes(order: Any) -> list[Ints]:
    """The first one, the first two, and so on."""
    return [order[: size + 1] for size in range(len(order))]
