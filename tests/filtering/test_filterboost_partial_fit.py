"""Examples that come a few at a time: each used once, in order, however they are divided."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from filterboost_helpers import KINDS, small_model, sums_of_digits

from frugalboost import digest

X, Y = sums_of_digits(6_000)
ALL_KINDS = {
    **KINDS,
    "certified": {"mode": "certified", "max_depth": 4, "edge_tolerance": 0.95},
}


def fed(model, ends, X=X, y=Y):
    """Fed with rows up to each end, one call after another."""
    for start, stop in zip([0, *ends], ends, strict=False):
        model.partial_fit(X[start:stop], y[start:stop])
    return model


def n_waiting(model):
    return 0 if model._waiting[1] is None else len(model._waiting[1])


@pytest.mark.parametrize("kind", ALL_KINDS.values(), ids=ALL_KINDS)
def test_how_examples_are_divided_does_not_matter(kind):
    """As long as the first call has enough for a round."""
    random = np.random.default_rng(0)
    whole = fed(small_model(**kind), [6_000])
    assert len(whole.estimators_) > 1
    assert whole.n_examples_ + n_waiting(whole) == 6_000
    for n_calls in (1, 4, 30):
        cuts = np.sort(random.integers(3_000, 6_000, n_calls)).tolist()
        other = fed(small_model(**kind), [*dict.fromkeys([*cuts, 6_000])])
        assert digest(other) == digest(whole)
        assert other.n_examples_ == whole.n_examples_
        assert n_waiting(other) == n_waiting(whole)


def test_trees_are_those_of_a_stream_of_the_same_examples():
    """fit_stream on the rows in order, until they end, with the same coins."""
    from filterboost_helpers import Rows

    for kind in KINDS.values():
        model = small_model(max_rounds=10**6, **kind)
        streamed = copy.copy(model).fit_stream(Rows(X, Y, recycle=False))
        assert streamed.stop_reason_ == "stream"
        assert digest(fed(model, [2_000, 6_000])) == digest(streamed)


def test_examples_wait_until_there_are_enough():
    model = fed(small_model(), [400])
    n_trees, n_used = len(model.estimators_), model.n_examples_
    assert n_used + n_waiting(model) == 400
    model.partial_fit(X[400:401], Y[400:401])
    assert (len(model.estimators_), model.n_examples_) == (n_trees, n_used)
    assert n_waiting(model) == 401 - n_used
    model.partial_fit(X[401:1_000], Y[401:1_000])
    assert len(model.estimators_) > n_trees
    assert model.ledger_.column("examples").sum() == model.n_examples_ > n_used
    assert len(model.ledger_.entries) == len(model.estimators_) == model.n_estimators_


def test_a_first_call_with_too_few_draws_them_repeatedly():
    model = small_model().partial_fit(X[:5], [0, 1, 0, 1, 1])
    assert len(model.estimators_) == 1
    assert model.n_examples_ > 35
    assert n_waiting(model) == 0
    before = model.n_examples_
    assert model.partial_fit(X[:3_000], Y[:3_000]).n_examples_ > before
    assert model.score(X, Y) > 0.7


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_go_on_as_the_model_would(copied):
    model = fed(small_model(max_depth=2, random_state=None), [1_000])
    other = copied(model)
    assert digest(other.partial_fit(X[1_000:], Y[1_000:])) == digest(
        model.partial_fit(X[1_000:], Y[1_000:])
    )
    assert n_waiting(other) == n_waiting(model)


def test_it_goes_on_from_a_fit():
    model = small_model(max_rounds=5).fit(X[:500], Y[:500])
    first = [digest(model), model.n_examples_, *model.estimators_]
    model.partial_fit(X[500:3_000], Y[500:3_000])
    assert len(model.estimators_) > 5
    assert model.n_examples_ > first[1]
    assert all(a is b for a, b in zip(model.estimators_, first[2:], strict=False))


def test_a_new_fit_forgets_what_waited():
    model = fed(small_model(), [400])
    model.fit(X[:300, :2], Y[:300])
    assert n_waiting(model) == 0
    fresh = small_model().fit(X[:300, :2], Y[:300])
    for other in (model, fresh):
        other.partial_fit(X[:500, :2], Y[:500])
    assert digest(model) == digest(fresh)


def test_classes_may_be_named_beforehand():
    model = small_model().partial_fit(X[:500], Y[:500], classes=[2, 0, 1])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict_proba(X[:5]).shape == (5, 3)
    model.partial_fit(X[500:900], np.full(400, 2), classes=[0, 1, 2])
    with pytest.raises(ValueError, match=r"classes must be those .*\[0, 1, 2\]; got \[0, 1\]"):
        model.partial_fit(X[:9], Y[:9], classes=[0, 1])


BAD = {
    "columns": (X[:9, :5], Y[:9], "X has 5 features, but FilterBoostClassifier is expecting 6"),
    "new class": (X[:2], [1, 7], r"labels must be among the classes \[0, 1\]; got 7 at example 1"),
    "missing label": (X[:2], [1, np.nan], "y must not contain missing labels"),
    "lengths": (X[:3], [0, 1], "inconsistent numbers of samples"),
    "no rows": (X[:0], [], "0 sample"),
}


@pytest.mark.parametrize(("table", "y", "message"), BAD.values(), ids=BAD)
def test_bad_examples_change_nothing(table, y, message):
    model = fed(small_model(), [400])
    before = digest(model), n_waiting(model), model.n_examples_
    with pytest.raises(ValueError, match=message):
        model.partial_fit(table, y)
    assert (digest(model), n_waiting(model), model.n_examples_) == before
    unfitted = small_model()
    with pytest.raises(ValueError, match="at least two classes; got 1 class, 1"):
        unfitted.partial_fit(X[:2], [1, 1])
    assert not hasattr(unfitted, "classes_")


def test_max_examples_counts_all_calls():
    model = small_model(max_examples=700)
    fed(model, [300, 600, 900, 3_000])
    assert model.stop_reason_ == "examples"
    assert model.n_examples_ == 700
    assert n_waiting(model) == 0  # they would wait for ever
    assert digest(model) == digest(fed(small_model(max_examples=700), [3_000]))
    with pytest.raises(ValueError, match=r"first round needs 35 accepted .*; got 20 examples"):
        small_model(max_examples=20).partial_fit(X, Y)


def test_a_reached_target_keeps_no_examples_waiting():
    """They have shown that the error is small, and later ones may show that it no longer is."""
    n = 20_000
    easy = np.arange(n)[:, None] % 40.0
    labels = (easy[:, 0] >= 20).astype(int)
    model = small_model(target_error=0.3).partial_fit(easy, labels)
    assert model.stop_reason_ == "target"
    assert not model.certificate_.holds  # which practical mode never says
    assert model.certificate_.examples == model.n_examples_ > n - 1_000
    n_trees = len(model.estimators_)
    model.partial_fit(easy[:4_000], 1 - labels[:4_000])
    assert len(model.estimators_) > n_trees
