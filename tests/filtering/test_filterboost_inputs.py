"""Tables and labels of every kind, and tables that are hardly any."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from filterboost_helpers import small_model, sums_of_digits
from scipy import sparse

from estimator_helpers import mixed_table, noisy_labels
from frugalboost import digest
from frugalboost.streams import ArrayOracle

pytestmark = pytest.mark.thorough

X, Y = sums_of_digits()
CODES = X.astype(np.int64)
HELD = {
    **{
        np.dtype(kind).name: CODES.astype(kind)
        for kind in (
            *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
            *(np.float16, np.float32, np.float64, np.longdouble),
        )
    },
    "Fortran order": np.asfortranarray(X),
    "every other column": np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": np.ascontiguousarray(X[::-1])[::-1],
    "big endian": X.astype(">f8"),
    "lists": X.tolist(),
    "objects": X.astype(object),
    "csr": sparse.csr_matrix(X),
    "csc": sparse.csc_array(X),
    "coo": sparse.coo_matrix(X),
}


@pytest.mark.parametrize("table", HELD.values(), ids=HELD)
def test_equal_arrays_give_equal_models(table):
    model = small_model(max_depth=2).fit(table, Y)
    plain = small_model(max_depth=2).fit(X, Y)
    assert digest(model) == digest(plain)
    assert (model.decision_function(table) == plain.decision_function(X)).all()
    assert digest(small_model(max_depth=2).partial_fit(table, Y)) == digest(
        small_model(max_depth=2).partial_fit(X, Y)
    )


@pytest.mark.parametrize("table", HELD.values(), ids=HELD)
def test_so_do_streams_of_them(table):
    streamed = small_model().fit_stream(ArrayOracle(table, Y, random_state=4))
    assert digest(streamed) == digest(small_model().fit_stream(ArrayOracle(X, Y, random_state=4)))


def frames():
    """Categories, missing ones too, and numbers with gaps, in three libraries."""
    rng = np.random.default_rng(1)
    names = rng.choice(["red", "green", "blue", "grey", None], size=300).tolist()
    numbers = np.where(rng.random(300) < 0.2, np.nan, rng.normal(size=300))
    words = pd.Categorical(names, categories=["blue", "green", "grey", "red"])
    labels = (pd.Series(names).isin(["red", "grey"]) ^ (np.nan_to_num(numbers) > 1)).to_numpy()
    return labels, {
        "pandas": pd.DataFrame({"colour": words, "size": numbers}),
        "polars": pl.DataFrame(
            {
                "colour": pl.Series(names, dtype=pl.Categorical),
                "size": pl.Series(numbers).fill_nan(None),
            }
        ),
        "pyarrow": pa.table(
            {"colour": pa.array(names).dictionary_encode(), "size": pa.array(numbers)}
        ),
    }


@pytest.mark.parametrize("call", ["fit", "fit_stream", "partial_fit"])
def test_equal_frames_give_equal_models(call):
    labels, tables = frames()

    def fitted(table):
        model = small_model(max_depth=2, sample_constant=100)
        if call == "fit_stream":
            return model.fit_stream(ArrayOracle(table, labels, random_state=4))
        return getattr(model, call)(table, labels)

    models = {name: fitted(table) for name, table in tables.items()}
    assert len({digest(model) for model in models.values()}) == 1
    for name, table in tables.items():
        assert models[name].feature_names_in_.tolist() == ["colour", "size"]
        assert models[name].score(table, labels) > 0.9  # the rule is learnt, not only repeated
    with pytest.raises(ValueError, match="feature names should match"):
        models["pandas"].predict(tables["pandas"].rename(columns={"size": "length"}))


@pytest.mark.parametrize("call", ["fit", "partial_fit"])
def test_categories_by_number_are_those_of_a_frame(call):
    """Codes that are not 0, 1, 2: what they stand for is looked up once and not twice."""
    labels, tables = frames()
    frame = tables["pandas"]
    number = {"blue": 3.0, "green": 11.0, "grey": 12.0, "red": 40.0}
    table = np.c_[frame["colour"].astype(object).map(number), frame["size"]]
    model = small_model(max_depth=2, sample_constant=100, categorical_features=[0])
    by_number = getattr(model, call)(table, labels)
    by_name = getattr(small_model(max_depth=2, sample_constant=100), call)(frame, labels)
    assert (by_number.decision_function(table) == by_name.decision_function(frame)).all()
    unknown = np.array([[99.0, 0.0], [np.nan, 0.0]])
    assert np.ptp(by_number.decision_function(unknown)) == 0


@pytest.mark.parametrize("most_bytes", [0, 1 << 30])
def test_sparse_categories(most_bytes, monkeypatch):
    """Made dense as a whole where it fits, else batch by batch."""
    monkeypatch.setattr("frugalboost.filtering.fitting.DENSE_BYTES", most_bytes)
    table = mixed_table(200)
    labels = noisy_labels(table, 2)
    model = small_model(categorical_features=[3], max_depth=2)
    dense = digest(model.fit(table, labels))
    assert dense == digest(model.fit(sparse.csr_array(table), labels))


def test_categories_of_several_types_of_text(tmp_path):
    """A file cannot tell them apart, so a run with them must not depend on their types."""
    models, plain = [], np.array([1, "a", "b", "c", "0", 0.5], dtype=object)
    numpys = np.array([1, np.str_("a"), "b", np.str_("c"), "0", np.float64(0.5)], dtype=object)
    codes = np.random.default_rng(0).integers(len(plain), size=300)
    for names in (plain, numpys):
        options = {"categorical_features": [0], "checkpoint": tmp_path / "run", "max_depth": 2}
        table, labels = names[codes][:, None], codes % 2
        small_model(max_rounds=2, **options).fit(table, labels)
        models.append(small_model(max_rounds=4, **options).fit(table, labels, resume=True))
    assert digest(models[0]) == digest(models[1])
    assert (models[0].predict(table) == models[1].predict(table)).all()


LABELS = {
    "strings": ["no", "yes", "maybe"],
    "booleans": [True, False],
    "tuples": [(1, 2), (0, 1), (1,)],
    "numbers and strings": [1, "1", "one"],
    "large integers": [-5, 7, 10**12],
    "floats": [0.0, 1.0, 5.0],
}


@pytest.mark.parametrize("names", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("call", ["fit", "fit_stream", "partial_fit"])
def test_labels_of_any_kind(names, n_classes, call):
    names = names[:n_classes]
    table, codes = sums_of_digits(200, len(names))
    y = [names[code] for code in codes]
    model = small_model(max_rounds=3)
    if call == "fit_stream":
        model.fit_stream(ArrayOracle(table, y, random_state=0))
    else:
        getattr(model, call)(table, y)
    assert set(model.classes_.tolist()) == set(names)
    assert model.predict_proba(table).shape == (200, len(names))
    assert set(model.predict(table).tolist()) <= set(names)
    right = np.mean([said == label for said, label in zip(model.predict(table), y, strict=True)])
    assert right > 1 / len(names)


TINY = {
    "two rows": (np.array([[0.0], [1.0]]), [0, 1]),
    "three rows": (np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0]]), [0, 1, 1]),
    "rows that say nothing": (np.zeros((10, 2)), [0, 1] * 5),
    "an empty column": (np.c_[np.arange(10.0), np.full(10, np.nan)], [0] * 5 + [1] * 5),
    "nothing but gaps": (np.full((10, 2), np.nan), [0, 1] * 5),
    "infinities": (np.array([[-np.inf], [np.inf], [0.0], [np.nan]] * 3), [0, 1, 0, 1] * 3),
}


@pytest.mark.parametrize(("table", "y"), TINY.values(), ids=TINY)
@pytest.mark.parametrize("call", ["fit", "partial_fit"])
def test_tiny_tables(table, y, call):
    for kind in ({}, {"confidence_rated": True}, {"max_depth": 3, "pruning_fraction": 0.3}):
        model = getattr(small_model(max_rounds=4, **kind), call)(table, y)
        assert len(model.estimators_) > 0
        assert np.isfinite(model.predict_proba(table)).all()
        if np.isfinite(table).any() and np.ptp(np.nan_to_num(table[:, 0], posinf=9)) > 0:
            assert model.score(table, y) >= 0.9
        else:  # all rows are one row to a tree
            assert len(np.unique(model.decision_function(table))) == 1
