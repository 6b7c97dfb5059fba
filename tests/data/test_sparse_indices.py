"""A sparse matrix whose indices leave it is refused; SciPy would read and write out of bounds."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier

from frugalboost import (
    ActiveLearner,
    BaggedTreesClassifier,
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    C45Classifier,
    FilterBoostClassifier,
    GambleClassifier,
    OneAgainstAllClassifier,
    PrunedEnsembleClassifier,
    TandemBoostClassifier,
    prune_ensemble,
)
from frugalboost.data import BinnedDataset, Schema, check_kind
from frugalboost.streams import ArrayOracle, IterableOracle

X = sparse.random_array((60, 4), density=0.5, format="csr", random_state=0)
Y = np.arange(60) % 2
REFUSED = "X must be a sparse matrix with valid indices; got "


def put(name, at, value):
    def damage(matrix):
        getattr(matrix, name)[at] = value

    return damage


def cut(name):
    def damage(matrix):
        setattr(matrix, name, getattr(matrix, name)[:-1])

    return damage


def coordinates(value):
    def damage(matrix):
        matrix.row[3] = value

    return damage


def empty_lies(matrix):
    """No entries, it seems: the last start is the first."""
    matrix.indptr[-1] = 0


def longer_row(matrix):
    matrix.rows[5].append(0)


def far_column(matrix):
    matrix.rows[5][:] = [10**7] * len(matrix.rows[5])


COMPRESSED = [
    (put("indices", 5, 10**7), "indices from 0 to 10000000, not from 0 to"),
    (put("indices", 5, -1), "indices from -1 to"),
    (put("indptr", -1, 10**7), "an indptr that does not lead from 0 to at most"),
    (put("indptr", 0, 1), "an indptr that does not lead from 0 to at most"),
    (put("indptr", 1, -4), "an indptr that decreases"),
    (put("indptr", 1, 10**7), "an indptr that decreases"),
    (empty_lies, "an indptr that decreases"),
    (cut("indptr"), "an indptr that does not lead"),
    (cut("indices"), "an indptr that does not lead"),
    (cut("data"), "an indptr that does not lead"),
]
CASES = [
    *((kind, *case) for kind in ("csr", "csc", "bsr") for case in COMPRESSED),
    ("coo", coordinates(60), "row from 0 to 60, not from 0 to 59"),
    ("coo", coordinates(-1), "row from -1 to 59, not from 0 to 59"),
    ("coo", cut("data"), "row, col and data of different lengths"),
    ("lil", longer_row, "rows and data of different lengths"),
    ("lil", far_column, "rows from 0 to 10000000, not from 0 to 3"),
    ("dia", cut("offsets"), "offsets and data of different lengths"),
]


def damaged(kind, damage):
    matrix = X.asformat(kind, copy=True)
    damage(matrix)
    return matrix


READERS = {
    "check_kind": check_kind,
    "BinnedDataset": BinnedDataset.from_data,
    "Schema": lambda matrix: Schema.from_data(matrix, None),
    "fit": lambda matrix: BoostedTreesClassifier().fit(matrix, Y),
}


@pytest.mark.parametrize(("kind", "damage", "said"), CASES)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_damage_of_every_kind_is_refused(read, kind, damage, said):
    matrix = damaged(kind, damage)
    before = deepcopy(vars(matrix))
    with pytest.raises(ValueError, match=REFUSED + said):
        read(matrix)
    assert {name: str(value) for name, value in vars(matrix).items()} == {
        name: str(value) for name, value in before.items()
    }


FILTER = FilterBoostClassifier(target_error=0.4, max_rounds=1, max_depth=1, random_state=0)
STUMP = BoostedTreesClassifier(n_estimators=1, max_depth=1)
ESTIMATORS = [
    STUMP,
    BoostedTreesRegressor(n_estimators=1),
    BaggedTreesClassifier(n_estimators=2, random_state=0),
    C45Classifier(),
    FILTER,
    TandemBoostClassifier(FILTER, target_error=0.45, random_state=0),
    GambleClassifier(n_estimators=1),
    OneAgainstAllClassifier(STUMP),
    PrunedEnsembleClassifier(STUMP, n_estimators=1, random_state=0),
    ActiveLearner(STUMP),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_every_estimator_refuses_it(estimator, kind):
    place = "row" if kind == "coo" else "indices"
    wrong = damaged(kind, put(place, 5, -1))
    model = deepcopy(estimator)
    refused = rf"^\w+: {REFUSED}{place} from -1 to"
    with pytest.raises(ValueError, match=refused):
        model.fit(wrong, Y)
    easy = np.zeros((60, 4))
    easy[:, 0] = Y
    model.fit(easy, Y)
    names = ("predict", "predict_proba", "decision_function", "apply", "staged_predict", "query")
    for name in names:
        if hasattr(model, name):
            with pytest.raises(ValueError, match=refused):
                list(getattr(model, name)(wrong))
    for name in ("partial_fit", "teach"):
        if hasattr(model, name):
            with pytest.raises(ValueError, match=refused):
                getattr(model, name)(wrong, Y)


def test_other_entrances_refuse_it():
    wrong = damaged("csr", put("indices", 5, -1))
    with pytest.raises(ValueError, match=REFUSED):
        ArrayOracle(wrong, Y)
    with pytest.raises(ValueError, match=REFUSED):
        IterableOracle([(wrong, Y)]).draw(10)
    for model in (BoostedTreesClassifier(n_estimators=3), RandomForestClassifier(3)):
        with pytest.raises(ValueError, match=REFUSED):
            prune_ensemble(model.fit(X, Y), wrong, Y, n_estimators=2)


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "lil", "dia", "dok"])
@pytest.mark.parametrize("shape", [(60, 4), (1, 4), (60, 1), (1, 1)])
def test_what_is_valid_is_taken(kind, shape):
    for density in (0.0, 0.5, 1.0):
        check_kind(sparse.random_array(shape, density=density, format=kind, random_state=1))


def test_room_behind_the_last_entry_may_hold_anything():
    matrix = X.copy()
    matrix.indices = np.append(matrix.indices, 10**7).astype(matrix.indices.dtype)
    matrix.data = np.append(matrix.data, 1.0)
    one, other = BinnedDataset.from_data(matrix), BinnedDataset.from_data(X)
    assert all(np.array_equal(one.column_codes(at), other.column_codes(at)) for at in range(4))
    assert len(matrix.indices) == X.nnz + 1
