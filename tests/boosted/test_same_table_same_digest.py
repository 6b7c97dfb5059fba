"""The digest of a model does not tell in which form its table came."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from frugalboost import BoostedTreesClassifier, digest

VALUES = [1, 2, 1, 3, 1, 2, 1, 3]
LABELS = [0, 1, 0, 1, 0, 0, 0, 1]


def digest_of(X):
    model = BoostedTreesClassifier(n_estimators=3, max_depth=2, categorical_features=[0])
    return digest(model.fit(X, LABELS))


def column(values, dtype):
    return np.array(values, dtype=dtype)[:, np.newaxis]


def forms():
    for dtype in ("i1", "u2", "i4", "u8", "f2", "f4", "f8", "longdouble", ">i4", object):
        yield pytest.param(column(VALUES, dtype), id=str(dtype))
    yield pytest.param(column([float(x) for x in VALUES], object), id="objects, floats")
    yield pytest.param(pd.DataFrame({"a": pd.Categorical(VALUES)}), id="pandas, category")
    yield pytest.param(pd.DataFrame({"a": pd.array(VALUES, dtype="Int16")}), id="pandas, Int16")
    yield pytest.param(pl.DataFrame({"a": pl.Series(VALUES, dtype=pl.UInt8)}), id="polars")
    yield pytest.param(pl.DataFrame({"a": pl.Series(VALUES, dtype=pl.Float32)}), id="polars, f4")
    yield pytest.param(pa.table({"a": pa.array(VALUES).dictionary_encode()}), id="pyarrow")


@pytest.mark.parametrize("X", list(forms()))
def test_numbers_of_every_type_as_categories(X):
    assert digest_of(X) == digest_of(column(VALUES, float))


def test_booleans_with_and_without_nulls_around_them():
    flags = [True, False, True, True, False, True, False, True]
    frame = pd.DataFrame({"a": pd.array(flags, dtype="boolean")})
    assert digest_of(column(flags, bool)) == digest_of(frame) == digest_of(column(flags, float))


def test_the_sign_of_zero():
    assert digest_of(column([-0.0, 1.0] * 4, float)) == digest_of(column([0, 1] * 4, int))


def test_nothing_but_missing_values():
    texts = pd.DataFrame({"a": pd.Categorical([None] * 8, categories=["x"])})
    assert digest_of(texts) == digest_of(column([np.nan] * 8, float))


def test_integers_that_no_float_holds_stay_apart():
    large = [2**60 + x for x in VALUES]
    as_integers = digest_of(column(large, np.int64))
    assert as_integers == digest_of(column(large, np.uint64)) == digest_of(column(large, object))
    assert as_integers != digest_of(column([x + 4 for x in large], np.int64))


def test_large_integers_among_fractions_stay_apart():
    one, other = 2**60 + 1, 2**60 + 3
    values = [one, other, 0.5, one, 0.5, other, one, 0.5]
    model = BoostedTreesClassifier(n_estimators=1, max_depth=2, categorical_features=[0])
    model.fit(column(values, object), [value == other for value in values])
    assert model.predict(column([one, other], object)).tolist() == [False, True]


def test_texts_and_numbers_in_one_column():
    whole = column(["x", 1, 10, 9, "x", 1, 10, 9], object)
    floats = column(["x", 1.0, 10.0, 9.0, "x", 1, 10, 9], object)
    assert digest_of(whole) == digest_of(floats)
