"""Drawing features and rows: by the round, so that a fit can be taken up again."""

from __future__ import annotations

import numpy as np
import pytest

from frugalboost import BinnedDataset
from frugalboost.boosting.sampling import DRAWS, Subset, SubsetPlan, Subsets, in_order
from frugalboost.tree import FixedProblem, Scale

N_ROWS, N_FEATURES = 40, 10


@pytest.fixture(name="dataset")
def table() -> BinnedDataset:
    X = np.random.default_rng(0).normal(size=(N_ROWS, N_FEATURES))
    X[:, 3] = 1.0  # constant: never drawn
    return BinnedDataset.from_data(X)


@pytest.fixture(name="problem")
def weights() -> FixedProblem:
    mass = np.random.default_rng(1).integers(1, 1000, N_ROWS)
    return FixedProblem(Scale("classes", 2, (0, 0)), mass[:, np.newaxis], mass, None)


def drawn(plan: SubsetPlan, dataset: BinnedDataset, problem: FixedProblem, n: int) -> list[Subset]:
    subsets = Subsets(plan, dataset)
    found = []
    for _ in range(n):
        found.append(subsets.next(problem))
        subsets.keep()
    return found


def test_everything_is_nothing_to_choose(dataset: BinnedDataset, problem: FixedProblem) -> None:
    assert drawn(SubsetPlan(), dataset, problem, 2) == [Subset(None, None)] * 2


def test_as_many_as_asked_for(dataset: BinnedDataset, problem: FixedProblem) -> None:
    for features, rows, _, _ in drawn(SubsetPlan(0.5, 0.3), dataset, problem, 20):
        assert features is not None
        assert rows is not None
        assert len(features) == round(0.5 * 9)
        assert 3 not in features
        assert len(rows) == 12
        assert (np.diff(features.astype(int)) > 0).all()
        assert (np.diff(rows.astype(int)) > 0).all()


def test_every_round_draws_anew(dataset: BinnedDataset, problem: FixedProblem) -> None:
    rounds = drawn(SubsetPlan(0.5, 0.3), dataset, problem, 30)
    assert len({tuple(subset.features) for subset in rounds if subset.features is not None}) > 15
    assert len({tuple(subset.rows) for subset in rounds if subset.rows is not None}) == 30
    seen = np.unique(np.concatenate([s.features for s in rounds if s.features is not None]))
    assert seen.tolist() == [0, 1, 2, 4, 5, 6, 7, 8, 9]


def test_seeds_differ(dataset: BinnedDataset, problem: FixedProblem) -> None:
    plans = [SubsetPlan(0.5, seed=(seed,)) for seed in (1, 1, 2)]
    one, same, other = ([s.features.tolist() for s in drawn(p, dataset, problem, 5)] for p in plans)  # type: ignore[union-attr]
    assert one == same != other


def test_trimming_comes_after_sampling(dataset: BinnedDataset, problem: FixedProblem) -> None:
    (whole,) = drawn(SubsetPlan(1.0, 0.5), dataset, problem, 1)
    (trimmed,) = drawn(SubsetPlan(1.0, 0.5, weight_trim=0.6), dataset, problem, 1)
    assert whole.rows is not None
    assert trimmed.rows is not None
    kept = np.isin(whole.rows, trimmed.rows)
    mass = problem.mass
    assert 0.6 <= mass[trimmed.rows].sum() / mass[whole.rows].sum() < 0.7
    assert mass[whole.rows[kept]].min() >= mass[whole.rows[~kept]].max()


def test_a_useless_tree_is_drawn_again_a_few_times(
    dataset: BinnedDataset, problem: FixedProblem
) -> None:
    subsets = Subsets(SubsetPlan(sample_fraction=0.5), dataset)
    tried = []
    while subsets.can_redraw:
        rows = subsets.next(problem).rows
        assert rows is not None
        tried.append(tuple(rows))
    assert len(set(tried)) == len(tried) == DRAWS
    assert not Subsets(SubsetPlan(weight_trim=0.5), dataset).can_redraw


def test_in_order_keeps_the_order() -> None:
    rows = np.array([3, 0, 2, 1], dtype=np.uint32)
    assert in_order(rows, np.array([0, 1, 3], dtype=np.uint32)).tolist() == [3, 0, 1]
    assert in_order(rows, None) is rows
