"""Oracles that end, lie or change: one clear error, and the model is as it was."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from filterboost_helpers import Rows, small_model, sums_of_digits
from scipy import sparse

from frugalboost import digest
from frugalboost.filtering import reading
from frugalboost.streams import ArrayOracle, IterableOracle

pytestmark = pytest.mark.thorough

X, Y = sums_of_digits(400)


class Changing(Rows):
    """Gives other batches from some example on, ten at a time."""

    def __init__(self, X, y, at, change):
        super().__init__(X, y)
        self.when, self.change = at, change

    def draw(self, n):
        n = min(n, 10)
        if self.at >= self.when:
            return self.change(*super().draw(n))
        return super().draw(min(n, self.when - self.at))


def refuses(oracle, message, error=ValueError, **options):
    model = small_model(max_rounds=2, **options).fit(X, Y)
    before = digest(model)
    model.set_params(max_rounds=200)
    with pytest.raises(error, match=rf"(?s)(?=.*FilterBoostClassifier).*(?:{message})"):
        model.fit_stream(oracle)
    assert digest(model) == before


# In the first examples, from which columns and classes are found, and after them.
WHEN = pytest.mark.parametrize("when", [200, 20_000])


@WHEN
def test_another_number_of_columns(when):
    oracle = Changing(X, Y, when, lambda X, y: (X[:, :5], y))
    refuses(oracle, "batches must all have the same number|X must have 6 features")


@WHEN
@pytest.mark.parametrize("gap", [np.nan, None])
def test_labels_that_are_missing(when, gap):
    def spoil(X, y):
        y = y.astype(object if gap is None else float)
        y[0] = gap
        return X, y

    labels = Y.astype(object if gap is None else float)
    oracle = Changing(X, labels, when, spoil)
    refuses(oracle, rf"y must not contain missing labels.*\(At example {when}, counted from 0")


def test_a_new_class_midway():
    oracle = Changing(X, Y, 20_000, lambda X, y: (X, y + 5))
    refuses(oracle, r"labels must be among the classes \[0, 1\]; got [56] at example 20000\. Name")


def test_a_new_class_that_was_named():
    oracle = Changing(X, Y, 2_000, lambda X, y: (X, y + 2))
    model = small_model().fit_stream(oracle, classes=[3, 2, 1, 0])
    assert model.classes_.tolist() == [0, 1, 2, 3]


def test_labels_of_another_type():
    oracle = Changing(X, Y, 20_000, lambda X, y: (X, y.astype(str)))
    refuses(oracle, "labels must be among the classes .*; got '[01]' at example 20000")


def test_words_where_numbers_were():
    oracle = Changing(X, Y, 20_000, lambda X, y: (X.astype(str).astype(object) + "x", y))
    refuses(oracle, r"example 20000")


class Bad(Rows):
    def __init__(self, give):
        super().__init__(X, Y)
        self.give = give

    def draw(self, n):
        return self.give(*super().draw(n))


BROKEN = {
    "no pair": (lambda X, y: X, TypeError, r"must return a pair \(X, y\); got ndarray"),
    "nothing": (lambda X, y: None, TypeError, r"must return a pair \(X, y\); got NoneType"),
    "four things": (lambda X, y: (X, y, None, 1), TypeError, r"a pair \(X, y\); got tuple"),
    "too few labels": (lambda X, y: (X, y[1:]), ValueError, "one label for each of the 10000 rows"),
    "too few rows": (lambda X, y: (X[1:], y), ValueError, "one label for each of the 9999 rows"),
    "more than asked": (
        lambda X, y: (np.repeat(X, 2, axis=0), np.repeat(y, 2)),
        ValueError,
        "at most the 10000 examples requested; got 20000",
    ),
}


@pytest.mark.parametrize(("give", "error", "message"), BROKEN.values(), ids=BROKEN)
def test_oracles_that_break_the_protocol(give, error, message):
    refuses(Bad(give), f"draw of the oracle must return .*{message}|.*{message}", error)


@pytest.mark.parametrize("thing", [None, 3, X, (X, Y), "file.csv"])
def test_things_that_are_no_oracle(thing):
    message = f"oracle must have the methods draw, state and restore; got {type(thing).__name__}"
    refuses(thing, message, TypeError)


def test_an_oracle_that_ends_at_once():
    refuses(Rows(X[:0], Y[:0], recycle=False), "oracle must return at least one example")


def test_an_oracle_that_ends_before_the_first_round():
    refuses(
        Rows(X[:30], Y[:30], recycle=False),
        r"the first round needs 35 accepted examples .*; got 30 examples before the end \(stream\)",
    )


def test_an_oracle_that_ends_later():
    model = small_model(max_rounds=200).fit_stream(Rows(X, Y, recycle=False))
    assert model.stop_reason_ == "stream"
    assert model.n_examples_ == 400
    assert 0 < len(model.estimators_) < 10
    assert not model.certificate_.holds


@pytest.mark.parametrize("hold", [np.array, lambda y: y.tolist(), pd.Series])
def test_one_class_in_all_examples(hold):
    zeros = hold(np.zeros(400, dtype=int))
    message = "y must hold at least two classes; got 1 class, 0"
    refuses(ArrayOracle(X, zeros), message)
    refuses(IterableOracle([(X, zeros)]), message)


def test_one_class_for_very_long(monkeypatch):
    monkeypatch.setattr(reading, "MOST_OF_ONE_CLASS", 50_000)
    oracle = Rows(X, np.zeros(400, dtype=int))
    refuses(oracle, "the stream must hold at least two classes; got only .*0.* in the first 50000")
    assert oracle.at == 50_000


def test_one_class_at_first_is_passed_over():
    oracle = Changing(X, np.zeros(400, dtype=int), 30_000, lambda X, y: (X, (X[:, 0] > 2) + 0))
    model = small_model().fit_stream(oracle)
    assert model.classes_.tolist() == [0, 1]
    assert model.score(X, X[:, 0] > 2) > 0.95


def test_classes_that_an_oracle_knows_may_be_in_any_order():
    oracle = Rows(X, np.array(["b", "a"])[Y])
    oracle.classes = ["b", "a"]
    plain = small_model().fit_stream(Rows(X, np.array(["b", "a"])[Y]))
    assert digest(small_model().fit_stream(oracle)) == digest(plain)


@WHEN
def test_a_sparse_batch_with_wrong_indices(when):
    def damaged(X, y):
        matrix = sparse.csr_array(X.astype(float))
        matrix.indices[0] = 10**7
        return matrix, y

    oracle = Changing(X, Y, when, damaged)
    refuses(oracle, "X must be a sparse matrix with valid indices")


def test_first_batches_of_frames():
    """Several small ones are read as one: categories are those of all."""
    frame = pd.DataFrame({"word": np.array(list("abcde"))[X[:, 0].astype(int)], "n": X[:, 1]})
    frame["word"] = frame["word"].astype("category")
    parts = [(frame[i : i + 50], Y[i : i + 50]) for i in range(0, 400, 50)]
    many = small_model().fit_stream(IterableOracle(parts, recycle=True))
    whole = small_model().fit_stream(IterableOracle([(frame, Y)], recycle=True))
    assert digest(many) == digest(whole)
    assert many.feature_names_in_.tolist() == ["word", "n"]


@pytest.mark.parametrize("names", [list("abcde"), [10, 20, 30, 40, 50]], ids=["words", "numbers"])
def test_batches_with_categories_of_their_own(names):
    """As pandas reads a file in parts: each knows the categories that occur in it."""
    order = np.argsort(X[:, 0], kind="stable")
    words, labels = np.array(names)[X[order, 0].astype(int)], Y[order]

    def frame(rows):
        return pd.DataFrame({"word": pd.Categorical(words[rows]), "n": X[order[rows], 1]})

    parts = [(frame(slice(i, i + 50)), labels[i : i + 50]) for i in range(0, 400, 50)]
    assert all(len(part["word"].cat.categories) < 5 for part, _ in parts)
    many = small_model().fit_stream(IterableOracle(parts, recycle=True))
    whole = small_model().fit_stream(IterableOracle([(frame(slice(None)), labels)], recycle=True))
    assert digest(many) == digest(whole)


def test_frames_of_other_columns_or_kinds():
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    other = frame.rename(columns={"b": "c"})
    message = r"batches must all have the columns \['a', 'b'\]; got \['a', 'c'\]"
    refuses(IterableOracle([(frame, Y), (other, Y)]), message)
    message = "batches must be of one kind; got DataFrame and ndarray"
    refuses(IterableOracle([(frame, Y), (frame.to_numpy(), Y)]), message, TypeError)
