"""Tables, labels and weights that cannot be used: a clear error, and the old model stays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from frugalboost import BinnedDataset, BoostedTreesClassifier, BoostedTreesRegressor, digest

rng = np.random.default_rng(0)
X = rng.normal(size=(30, 3))
Y = np.arange(30) % 2

KINDS = [BoostedTreesClassifier, BoostedTreesRegressor]
both = pytest.mark.parametrize("kind", KINDS)

TABLES = {
    "no rows": (np.empty((0, 3)), r"0 sample\(s\)"),
    "no columns": (np.empty((30, 0)), r"0 feature\(s\)"),
    "empty list": ([], "Expected 2D array, got 1D array"),
    "one dimension": (X[:, 0], "Expected 2D array, got 1D array"),
    "list of numbers": (X[:, 0].tolist(), "Expected 2D array, got 1D array"),
    "three dimensions": (X[:, :, np.newaxis], "dim 3"),
    "a number": (3.0, "Expected 2D array|Expected sequence or array-like, got <class 'float'>"),
    "nothing": (None, "Expected 2D array, got scalar array"),
    "ragged": ([[1.0, 2.0], [3.0]], "inhomogeneous"),
    "strings": (np.full((30, 3), "a"), "column 0 of X must be numeric; got <U1"),
    "strings as objects": (np.full((30, 3), "a", dtype=object), "column 0 of X must be numeric"),
    "strings in a frame": (
        pd.DataFrame({"x": X[:, 0], "name": ["a"] * 30}),
        "column 'name' of X must be numeric or boolean; got String.*Cast it to a category",
    ),
    "dates in a frame": (
        pd.DataFrame({"when": pd.date_range("2020-01-01", periods=30)}),
        "column 'when' of X must be numeric or boolean; got Datetime",
    ),
    "complex": (X + 1j, "Complex data not supported"),
    "dates": (np.full((30, 1), "2020-01-01", dtype="M8[D]"), "must be an array of numbers"),
    "no rows, sparse": (sparse.csr_array((0, 3)), r"0 sample\(s\)"),
    "no rows, frame": (pd.DataFrame({"x": []}), r"0 sample\(s\)"),
    "one column twice": (
        pd.DataFrame(X, columns=["a", "b", "a"]),
        "(unique|distinct) column names",
    ),
}


@both
@pytest.mark.parametrize(("table", "message"), TABLES.values(), ids=TABLES)
def test_tables_that_are_none(kind, table, message):
    n_rows = len(table) if isinstance(table, list) else getattr(table, "shape", (30,))[0]
    with pytest.raises((ValueError, TypeError), match=message):
        kind(n_estimators=2).fit(table, np.arange(n_rows) % 2)


@both
@pytest.mark.parametrize("n", [0, 29, 31])
def test_y_of_another_length(kind, n):
    with pytest.raises(ValueError, match=r"inconsistent numbers|0 sample|0 class|for each of"):
        kind().fit(X, np.arange(n) % 2)
    with pytest.raises(ValueError, match=r"y must have one entry for each of the 30 rows|0 sample"):
        kind().fit(BinnedDataset.from_data(X), np.arange(n) % 2)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "y must hold a target for each row; got None"),
        (np.where(Y, np.nan, 1.0), "Input y contains NaN"),
        (np.where(Y, np.inf, 1.0), "Input y contains infinity"),
        (np.where(Y, 1e101, 1.0), "y must be within -1e100 and 1e100.*got 1e"),
        (np.full(30, "high"), "could not convert|dtype"),
        (np.zeros((30, 2)), "1d array"),
    ],
)
def test_targets_that_are_none(y, message):
    with pytest.raises(ValueError, match=message):
        BoostedTreesRegressor().fit(X, y)


WEIGHTS = {
    "negative": (np.where(Y, -1.0, 1.0), "got .*-1.0"),
    "NaN": (np.where(Y, np.nan, 1.0), "got NaN"),
    "infinite": (np.where(Y, np.inf, 1.0), "got infinity"),
    "all zero": (np.zeros(30), "got only zeros"),
    "a zero for all": (0, "got only zeros"),
    "too few": (np.ones(29), "got 29 weights for 30 rows"),
    "too many": (np.ones(31), "got 31 weights for 30 rows"),
    "a matrix": (np.ones((30, 1)), "got 2D"),
    "words": (["heavy"] * 30, "could not convert string to float"),
    "None among them": ([None] * 30, "got NaN|float"),
}


@both
@pytest.mark.parametrize(("weights", "message"), WEIGHTS.values(), ids=WEIGHTS)
def test_weights_that_are_none(kind, weights, message):
    rule = f"{kind.__name__}: sample_weight must be one finite number >= 0 for each row"
    with pytest.raises(ValueError, match=f"{rule}.*{message}"):
        kind().fit(X, Y, weights)


def test_one_class_and_one_row():
    with pytest.raises(ValueError, match="y must hold at least two classes; got 1 class, 'a'"):
        BoostedTreesClassifier().fit(X, ["a"] * 30)
    with pytest.raises(ValueError, match="at least two classes; got 1 class, 0"):
        BoostedTreesClassifier().fit(X[:1], [0])
    with pytest.raises(ValueError, match="at least two classes; got 1 class, 1"):
        BoostedTreesClassifier().fit(X, Y, Y)  # the other class has no weight
    assert BoostedTreesRegressor().fit(X[:1], [2.5]).predict(X).tolist() == [2.5] * 30


@both
@pytest.mark.parametrize("value", [0.0, 3.5, np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("hold", [np.array, sparse.csr_array, pd.DataFrame])
def test_columns_that_say_nothing_work(kind, value, hold):
    empty = hold(np.full((30, 2), value))
    model = kind(n_estimators=3).fit(empty, Y)
    assert model.estimators_[0].n_leaves == 1
    assert len(set(model.predict(hold(X[:, :2])).tolist())) == 1
    beside = np.column_stack([np.full(30, value), Y])
    model = kind(n_estimators=60, max_depth=1).fit(hold(beside), Y)
    assert (model.predict(hold(beside)).round(1) == Y).all()


@both
def test_categories_beyond_the_limit(kind):
    many = np.arange(65536.0)[:, np.newaxis]
    with pytest.raises(ValueError, match="column 0 of X must have at most 65535 categories"):
        kind(categorical_features=[0], n_estimators=1).fit(many, np.arange(65536) % 2)


@both
def test_predicting_on_what_does_not_fit(kind):
    model = kind(n_estimators=2, max_depth=2).fit(X, Y)
    with pytest.raises(ValueError, match=f"X has 2 features, but {kind.__name__} is expecting 3"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match="X has 4 features"):
        model.apply(sparse.csr_array(np.ones((5, 4))))
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        model.predict(X[:0])
    with pytest.raises(ValueError, match="Expected 2D array"):
        model.predict(X[0])
    with pytest.raises(ValueError, match=r"column \d of X must be numeric; got <U1"):
        model.predict(np.full((2, 3), "a"))
    with pytest.raises(TypeError, match="X must hold raw values for prediction; got a Binned"):
        model.predict(BinnedDataset.from_data(X))


@pytest.mark.parametrize(
    "use",
    [
        lambda model: model.predict(X),
        lambda model: model.predict_proba(X),
        lambda model: model.decision_function(X),
        lambda model: next(model.staged_predict(X)),
        lambda model: model.apply(X),
        lambda model: model.estimators_,
        lambda model: model.feature_importances_,
        digest,
    ],
)
def test_using_a_model_before_it_is_fitted(use):
    with pytest.raises(NotFittedError, match="BoostedTreesClassifier instance is not fitted yet"):
        use(BoostedTreesClassifier())


FAILURES = {
    "other features, bad labels": ((X[:, :2], np.full(30, np.nan)), {}, "Input y contains NaN"),
    "named features, bad weights": (
        (pd.DataFrame(X, columns=list("abc")), Y, -Y),
        {},
        "sample_weight must be",
    ),
    "binned, bad labels": (
        (BinnedDataset.from_data(X[:, :1]), Y[:9]),
        {},
        "y must have one entry for each of the 30 rows",
    ),
    "bad parameter": ((X[:, :2], Y), {"max_bins": 1}, "max_bins must be"),
    "bad column": ((np.full((30, 2), "a"), Y), {}, "column 0 of X must be numeric"),
}


@both
@pytest.mark.parametrize(("arguments", "options", "message"), FAILURES.values(), ids=FAILURES)
@pytest.mark.parametrize("warm_start", [False, True])
def test_a_failed_fit_leaves_the_old_model(kind, arguments, options, message, warm_start):
    model = kind(n_estimators=3, warm_start=warm_start).fit(X, Y)
    before, names = digest(model), set(vars(model))
    prediction = model.predict(X)
    if warm_start:
        message += "|X must have the 3 features of the first fit"
    with pytest.raises(ValueError, match=message):
        model.set_params(n_estimators=5, **options).fit(*arguments)
    assert digest(model) == before
    assert set(vars(model)) == names
    assert model.n_features_in_ == 3
    assert (model.predict(X) == prediction).all()


def test_two_columns_of_one_name():
    frame = pd.DataFrame(np.zeros((4, 2)), columns=["a", "a"])
    with pytest.raises(ValueError, match=r"Classifier: X must .* distinct column names"):
        BoostedTreesClassifier().fit(frame, [0, 1, 0, 1])


def test_a_query_that_has_not_been_run():
    query = pl.LazyFrame({"a": [0.0, 1.0]})
    with pytest.raises(TypeError, match="BoostedTreesClassifier: X must be in memory"):
        BoostedTreesClassifier().fit(query, [0, 1])


@both
def test_integers_that_are_too_large_for_a_float(kind):
    large = [[10.0, 10**400]] * 30
    frame = pd.DataFrame({"a": pd.Series([10**400] * 30, dtype=object)})
    model = kind(n_estimators=2, min_samples_leaf=1)
    model.fit(np.arange(60.0).reshape(30, 2), np.sort(Y))
    for table, name in ((large, "1"), (np.array(large, dtype=object), "1"), (frame, "'a'")):
        with pytest.raises(ValueError, match=f"^{kind.__name__}: column {name} of X must hold nu"):
            kind().fit(table, Y)
    with pytest.raises(ValueError, match=f"^{kind.__name__}: column 0 of X must hold numbers up"):
        model.predict([[10**400, 10**400]])


@both
def test_a_dict_is_no_table(kind):
    table = {"a": list(range(30))}
    text = f"{kind.__name__}: X must be an array, a sparse matrix or a data frame; got a dict"
    with pytest.raises(TypeError, match=text):
        kind().fit(table, Y)
    with pytest.raises(TypeError, match=text):
        kind(n_estimators=2).fit(X[:, :1], Y).predict(table)
