"""What sections 3.1 to 3.3 prove, measured on fitted committees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeRegressor

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats
from frugalboost.analysis import fitted_rounds, subset_mass
from frugalboost.data import BinnedDataset
from frugalboost.reference.gamble import response_vectors, squared_response
from frugalboost.reproduce.gamble.boosters import Options, make_booster
from frugalboost.reproduce.gamble.fits import work
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

N_ROUNDS = 100
AT = (1, 10, 100)
"""Rounds whose weights are looked at."""
FEW = 20
"""Rounds of a committee for each class."""


def tree_facts(source: Source, shared: Options) -> Result:
    """Of GAMBLE on one table: its values, trees of y and of y^2, and the work of K committees."""
    gamble = make_booster("gamble", shared).fit(source.X_train, source.y_train)
    values = np.vstack([leaf_values(tree) for tree in gamble.estimators_])
    K = len(gamble.classes_)
    return {
        "n_classes": K,
        "n_trees": len(gamble.estimators_),
        "largest": float(np.abs(values).max()),
        "largest_sum": float(np.abs(values.sum(axis=1)).max()),
        # A class that no row of a leaf has gets the lowest value there is (Result 3).
        "with_absent_class": float(np.mean(has_absent_class(gamble, source))),
        **twin_trees(source, shared),
        "work_ratio": work_of_committees(source, shared),
        "stump_ratio": work_of_committees(source, replace(shared, leaves=2)),
    }


def leaf_values(tree: Any) -> AnyArray:
    return np.asarray(tree.value[tree.feature < 0])


def has_absent_class(model: Any, source: Source) -> AnyArray:
    """For each leaf, whether some class has no training row in it."""
    codes, leaves = source.codes, model.apply(source.X_train)
    absent = []
    for column in leaves.T:
        places = np.unique(column, return_inverse=True)[1]
        counts = np.zeros((places.max() + 1, codes.max() + 1), dtype=np.int64)
        np.add.at(counts, (places, codes), 1)
        absent.append((counts == 0).any(axis=1))
    return np.concatenate(absent)


def twin_trees(source: Source, shared: Options) -> Result:
    """Theorem 3.2 and corollary 3.1 on scikit-learn's trees, with the weights of some rounds."""
    options = {**shared.parameters, "learning_rate": 1.0}
    dataset = BinnedDataset.from_data(
        source.X_train, categorical_features=options["categorical_features"]
    )
    model = fb.BoostedTreesClassifier("gentle", **options).fit(source.X_train, source.y_train)
    at = [n for n in AT if n <= len(model.estimators_)]
    X = np.nan_to_num(source.X_train, nan=-1.0)
    K = int(source.codes.max()) + 1
    y = response_vectors(source.codes, K)
    # Whole numbers: their sums are exact, and what ties for y ties for y^2.
    whole = (np.rint((K - 1) * y), np.rint((K - 1) ** 2 * y**2))
    same, gaps = 0, []
    for each in fitted_rounds(model, dataset, source.X_train, source.y_train, at):
        weights = np.maximum(np.rint(each.weights / each.weights.max() * 2**20), 1.0)
        one, other = (grown(X, part, weights) for part in whole)
        same += is_same(one, other)
        g, h = (leaf_means(part, one.apply(X), weights) for part in (y, y**2))
        gaps.append(float(np.abs(h - squared_response(g)).max()))
    return {"n_pairs": len(at), "n_same": same, "gap": max(gaps)}


def grown(X: AnyArray, responses: Floats, weights: Floats) -> Any:
    """By depth: which of two nodes comes first does not matter then."""
    tree = DecisionTreeRegressor(max_depth=4, random_state=0)
    return tree.fit(X, responses, sample_weight=weights)


def leaf_means(responses: Floats, leaves: AnyArray, weights: Floats) -> Floats:
    """What a regression with these leaves says of each row."""
    places = np.unique(leaves, return_inverse=True)[1]
    total = np.bincount(places, weights)
    sums = np.array([np.bincount(places, weights * column) for column in responses.T])
    return np.asarray((sums / total).T[places])


def is_same(one: Any, other: Any) -> bool:
    """Whether two of scikit-learn's trees have the same splits."""
    return all(
        np.array_equal(getattr(one.tree_, name), getattr(other.tree_, name))
        for name in ("feature", "threshold", "children_left", "children_right")
    )


def work_of_committees(source: Source, shared: Options) -> float:
    """Of Gentle AdaBoost.MH, a committee for each class, relative to GAMBLE's; round for round."""
    options = {**shared.parameters, "n_estimators": FEW}
    one = fb.GambleClassifier(**options).fit(source.X_train, source.y_train)
    gentle = fb.BoostedTreesClassifier("gentle", learning_rate=1.0, **options)
    many = fb.OneAgainstAllClassifier(gentle).fit(source.X_train, source.y_train)
    rounds = sum(len(each.estimators_) for each in many.estimators_) / len(many.estimators_)
    ours = work(one) / len(one.estimators_)
    return sum(work(each) for each in many.estimators_) / rounds / ours


SHARES = (0.01, 0.1)
"""Of the rows, the heaviest first."""


def heavy_shares(source: Source, key: str, shared: Options) -> Result:
    """The share of the weight that the heaviest rows have, in some rounds."""
    model = make_booster(key, shared).fit(source.X_train, source.y_train)
    dataset = BinnedDataset.from_data(source.X_train)
    at = [n for n in looked_at(shared.rounds) if n <= len(model.estimators_)]
    rounds = fitted_rounds(model, dataset, source.X_train, source.y_train, at)
    return {
        "rounds": at,
        "shares": [subset_mass(each.weights, SHARES).tolist() for each in rounds],
    }


def looked_at(rounds: int) -> list[int]:
    return [*(n for n in (10, 120, 300) if n < rounds), rounds]


def binary_twin(source: Source, shared: Options) -> Result:
    """Whether GAMBLE with half the step is Gentle AdaBoost, for two classes."""
    rows = source.X_train, source.y_train
    gamble = fb.GambleClassifier(learning_rate=0.5, **shared.parameters).fit(*rows)
    gentle = fb.BoostedTreesClassifier("gentle", learning_rate=1.0, **shared.parameters).fit(*rows)
    return {"is_same": fb.digest(gamble) == fb.digest(gentle), "n_trees": len(gamble.estimators_)}
