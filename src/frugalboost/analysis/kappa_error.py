"""The kappa-error diagram of an ensemble (Ensemble pruning, section 3.4, figure 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from frugalboost._checks import names_itself
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.pruning.ballots import WeightedVotes, check_codes
from frugalboost.pruning.hull import count_wrong, hull_pairs
from frugalboost.pruning.kappa import PairTable
from frugalboost.pruning.members import class_codes, member_ballots


@dataclass(frozen=True, eq=False)
class KappaError:
    """Agreement and error of every pair of members.

    Attributes
    ----------
    pairs : (n_pairs, 2), members i < j
    kappa : (n_pairs,)
        Agreement beyond chance: 1 for members that agree on every row, 0 for as much agreement as
        by chance. If both always predict the same single class, it is 1.
    error : (n_pairs,)
        Mean error of the two members.
    hull : (n_hull,), positions in `pairs`
        Pairs at the corners of the convex hull, counter-clockwise from the lowest kappa. Several
        pairs may share a corner.
    member_errors : (n_members,)

    Examples
    --------
    >>> diagram = KappaError.from_votes([[0, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, 1]], [0, 0, 1, 1])
    >>> diagram.pairs.tolist(), diagram.error.tolist()
    ([[0, 1], [0, 2], [1, 2]], [0.125, 0.125, 0.25])
    """

    pairs: Ints
    kappa: Floats
    error: Floats
    hull: Ints
    member_errors: Floats

    @property
    def hull_members(self) -> Ints:
        """Members of the pairs at corners: those that ``method="hull"`` keeps."""
        return np.unique(self.pairs[self.hull])

    @classmethod
    def from_votes(cls, votes: Any, labels: Any) -> KappaError:
        """Compute the diagram.

        Parameters
        ----------
        votes : (n_members, n_rows) class codes, at least two members
        labels : (n_rows,) class codes

        Examples
        --------
        >>> votes = [[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1]]
        >>> diagram = KappaError.from_votes(votes, [0, 0, 1, 1])
        >>> diagram.kappa, diagram.error
        (array([0.5, 1. , 0.5]), array([0.125, 0.   , 0.125]))
        """
        labels = np.asarray(labels)
        n_classes = int(max(np.max(votes, initial=0), labels.max(initial=0))) + 1
        ballots = WeightedVotes.from_arrays(votes, None, max(n_classes, 2))
        codes = check_codes(labels, ballots.n_rows, ballots.n_classes)
        return _diagram(ballots.votes, codes, ballots.n_classes)


@names_itself
def kappa_error(model: Any, X: Any, y: Any) -> KappaError:
    """Return the kappa-error diagram of a fitted ensemble on some rows.

    Parameters
    ----------
    model : as in `member_ballots`, with two members or more
    X : table of shape (n_samples, n_features)
        The paper uses the training rows.
    y : labels, of classes known to the ensemble

    Returns
    -------
    KappaError

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from frugalboost import BoostedTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BoostedTreesClassifier("adaboost", n_estimators=4, max_depth=2).fit(X, y)
    >>> diagram = kappa_error(model, X, y)
    >>> diagram.pairs.shape, bool((diagram.kappa <= 1).all())
    ((6, 2), True)
    """
    ballots = member_ballots(model, X)
    labels = class_codes(model, y, ballots.n_rows)
    return _diagram(ballots.votes, labels, ballots.n_classes)


def _diagram(votes: AnyArray, labels: Ints, n_classes: int) -> KappaError:
    if len(votes) < 2:
        raise ValueError("an ensemble must have at least two members; got 1.")
    table = PairTable.from_votes(votes, n_classes)
    wrong = count_wrong(votes, labels)
    both = wrong[table.first] + wrong[table.second]
    return KappaError(
        np.stack([table.first, table.second], axis=1),
        table.kappa,
        both / (2 * len(labels)),
        hull_pairs(table, wrong),
        wrong / len(labels),
    )
