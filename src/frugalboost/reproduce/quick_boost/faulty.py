"""Section 4: the faulty training that the paper warns of, to be compared with the exact one.

Every feature is trained on the heaviest rows that hold a share of the weight; all but the best are
dropped; those left are trained on all rows, and the best of them becomes the stump.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._typing import Rows
from frugalboost.analysis.weight_order import searched_features
from frugalboost.boosting import Booster, Ensemble, TrainingData, boost
from frugalboost.boosting.sampling import Subset
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.quick_boost.curves import errors_of_stages, looks
from frugalboost.reproduce.sources import Source
from frugalboost.rules import RULES_BY_NAME
from frugalboost.tree import AnyProblem, GrownTree, TreeGrower, TreePlan

CHECKS = 200
"""Rounds whose choice is compared with that of training on all rows."""


class FaultyBooster(Booster):
    """AdaBoost with stumps of features chosen on part of the weight.

    Attributes
    ----------
    n_checked, n_right : int
        Rounds whose choice was compared with that of training on all rows, and how many agreed.
    """

    def __init__(
        self, data: TrainingData, share: float, n_kept: int, n_threads: int, check_every: int
    ) -> None:
        plan = TreePlan("error", search="exhaustive", max_depth=1, n_threads=n_threads)
        super().__init__(data, RULES_BY_NAME["adaboost"](2, 1.0), plan, 0.0)
        self._scout = TreeGrower(data.dataset, plan)
        self._all = searched_features(data.dataset).astype(np.uint32)
        self._share, self._n_kept, self._check_every = share, n_kept, check_every
        self._n_rounds = self.n_checked = self.n_right = 0

    def _grow(self, problem: AnyProblem, subset: Subset) -> tuple[GrownTree, str]:
        kept = self._best_features(problem, heaviest(problem.mass, self._share))
        grown = self._grower.grow(problem, None, "exhaustive", kept)
        self._n_rounds += 1
        if self._n_rounds % self._check_every == 0:
            exact = self._scout.grow(problem, None, "exhaustive", self._all)
            self.n_checked += 1
            self.n_right += feature_of(grown) == feature_of(exact)
        return grown, "exhaustive"

    def _best_features(self, problem: AnyProblem, rows: Rows) -> Rows:
        """One after another, the best of those that are left."""
        left = self._all
        kept: list[int] = []
        while len(kept) < self._n_kept and len(left):
            best = feature_of(self._scout.grow(problem, rows, "exhaustive", left))
            if best < 0:  # these rows are all of one class
                break
            kept.append(best)
            left = left[left != best]
        return np.array(sorted(kept), dtype=np.uint32) if kept else self._all


def heaviest(masses: Any, share: float) -> Rows:
    """The fewest heaviest rows that hold this share of the weight, ascending.

    >>> heaviest(np.array([1, 6, 1, 2]), 0.8)
    array([1, 3], dtype=uint32)
    """
    order = np.argsort(-masses, kind="stable")
    seen = masses[order].cumsum()
    n = int(np.searchsorted(seen, share * float(seen[-1]))) + 1
    return np.sort(order[:n]).astype(np.uint32)


def feature_of(grown: GrownTree) -> int:
    """The feature of a stump; -1 if the tree has none."""
    return int(grown.nodes.arrays()["feature"][0])


def faulty_ensemble(
    source: Source, share: float, n_kept: int, rounds: int, n_threads: int, check_every: int
) -> tuple[Ensemble, FaultyBooster]:
    codes = source.codes
    data = TrainingData(source.binned, codes, np.ones(len(codes)))
    booster = FaultyBooster(data, share, n_kept, n_threads, check_every)
    rule = RULES_BY_NAME["adaboost"](2, 1.0)
    ensemble = Ensemble(source.binned.n_features, rule.n_outputs, 0.0)
    return boost(booster, ensemble, rule, rounds)[0], booster


def faulty_curve(source: Source, share: float, n_kept: int, rounds: int, n_threads: int) -> Result:
    """Loss and error of the faulty training, and how often it took the right feature."""
    check_every = max(1, rounds // CHECKS)
    ensemble, booster = faulty_ensemble(source, share, n_kept, rounds, n_threads, check_every)
    rule = RULES_BY_NAME["adaboost"](2, 1.0)
    at = looks(len(ensemble)) - 1
    train, test = (
        (decision[:, 0] for decision in ensemble.staged_decision(X.astype(np.float64), n_threads))
        for X in (source.X_train, source.X_test)
    )
    return {
        "n_trees": len(ensemble),
        "digest": ensemble.digest(),
        "share_right": booster.n_right / max(booster.n_checked, 1),
        "rounds": (at + 1).tolist(),
        **errors_of_stages(source, rule, at, train, test),
    }
