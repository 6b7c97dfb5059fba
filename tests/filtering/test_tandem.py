"""TandemBoostClassifier: members, votes, and runs that are broken off."""

from __future__ import annotations

import numpy as np
import pytest
from filterboost_helpers import Rows, sums_of_digits
from filtering_helpers import OneByOne, make_problem
from sklearn.exceptions import NotFittedError

from frugalboost import FilterBoostClassifier, TandemBoostClassifier, digest, load, save
from frugalboost.filtering.filter import Sample
from frugalboost.filtering.plan import make_filter_plan
from frugalboost.filtering.reading import LOOK_AHEAD
from frugalboost.filtering.tandem import probabilities_of
from frugalboost.filtering.votes import COUNTED
from frugalboost.reference.boost_by_majority import BoostByMajority
from frugalboost.reference.filterboost import FilterBoost
from frugalboost.streams import ArrayOracle, IterableOracle

X, Y = sums_of_digits(400)


def small(target_error=0.3, random_state=0, **options):
    member = {"target_error": 0.25, "max_rounds": 4, "sample_constant": 40, **options}
    return TandemBoostClassifier(
        FilterBoostClassifier(**member), target_error=target_error, random_state=random_state
    )


def test_each_member_has_one_vote():
    model = small().fit(X, Y)
    assert len(model.estimators_) == 5
    votes = [np.where(member.decision_function(X) > 0, 1, -1) for member in model.estimators_]
    assert (model.decision_function(X) == np.sum(votes, axis=0)).all()
    assert (model.predict(X) == (np.sum(votes, axis=0) > 0)).all()
    stages = list(model.staged_decision_function(X))
    assert (stages[2] == np.sum(votes[:3], axis=0)).all()
    assert [len(each) for each in model.vote_counts_] == [2, 3, 4, 5, 6]
    assert (np.diff(model.member_examples_) > COUNTED).all()
    assert model.member_examples_[-1] == model.n_examples_
    assert all(each.sum() == COUNTED for each in model.vote_counts_)
    assert model.score(X, Y) > 0.8


def test_probabilities_are_counted_and_agree_with_the_vote():
    model = small().fit(X, Y)
    (first, second), counts = model.predict_proba(X).T, model.vote_counts_[-1]
    assert ((second > first) == (model.predict(X) == 1)).all()
    np.testing.assert_allclose(first + second, 1.0, rtol=1e-15)
    votes = ((model.decision_function(X) + 5) / 2).astype(int)
    for n in np.unique(votes):
        right = counts[n, int(n > 2)]
        expected = max(right + 1, counts[n].sum() / 2 + 1.5) / (counts[n].sum() + 2)
        own = second if n > 2 else first
        np.testing.assert_allclose(own[votes == n], expected, rtol=1e-14)
    assert np.exp(model.predict_log_proba(X)) == pytest.approx(model.predict_proba(X))


def test_nothing_counted_is_three_to_one():
    assert probabilities_of(np.zeros((4, 2), dtype=int)).tolist() == [0.25, 0.25, 0.75, 0.75]


def hypothesis_of(learner, examples, trees):
    rows = np.array([x for x, _ in examples])
    labels = np.array([(label + 1) // 2 for _, label in examples])
    tree, _ = learner.fit(Sample(rows, labels, 1 - labels))
    trees.append(tree)
    said = {}

    def h(x):
        if x not in said:
            said[x] = float(tree.predict(np.array([x]))[0, 0])
        return said[x]

    return h


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
def test_a_tandem_equals_the_reference(seed):
    """Example by example: what members see, and what is counted between them."""
    table, y = make_problem(150, seed=seed)
    member = FilterBoostClassifier(
        mode="certified", target_error=0.3, max_rounds=2, sample_constant=40, max_depth=4
    )
    model = TandemBoostClassifier(member, target_error=0.5, random_state=seed)
    oracle = ArrayOracle(table, y, random_state=3, replace=True)
    model.fit_stream(oracle, classes=[0, 1])
    k, start = len(model.estimators_), model.estimators_[0]._seed - 2
    plan = make_filter_plan(member, 2)
    source, trees = OneByOne(table, y, start), []

    def boosted(filtered):
        number = len(twin.votes)
        random = np.random.default_rng(start + 2 + number)
        learner = plan.learner(np.zeros(table.shape[1], dtype=bool))
        inner = FilterBoost(
            filtered,
            random.random,
            lambda examples, _: hypothesis_of(learner, examples, trees),
            plan.sample_size,
            plan.target_error,
            model.failure_probability / (2 * k),
            plan.edge_tolerance,
        )
        inner.run(plan.max_rounds)
        for _ in range(COUNTED):
            source.draw(), source.toss()
        return lambda x: 1 if inner.score(x) > 0 else -1

    twin = BoostByMajority(source.draw, source.toss, boosted, k, 0.5 - plan.target_error)
    twin.run()
    ours = [tree for each in model.estimators_ for tree in each.estimators_]
    assert len(ours) == len(trees) > k > 1
    for tree, other in zip(ours, trees, strict=True):
        np.testing.assert_array_equal(tree.threshold, other.threshold)
        np.testing.assert_array_equal(np.abs(tree.value), np.abs(other.value))
    rows = [tuple(row) for row in table[:40].tolist()]
    expected = [sum(h(row) for h in twin.votes) for row in rows]
    assert model.decision_function(table[:40]).tolist() == expected


@pytest.mark.thorough
def test_a_certificate_for_all_members():
    table = np.tile([[float(i >> k & 1) for k in range(6)] for i in range(64)], (20, 1))
    labels = table[:, :3].sum(axis=1) > 1.5
    model = small(mode="certified", max_rounds=100, max_depth=1, sample_constant=100)
    found = model.fit(table, labels).certificate_
    assert found.holds
    assert model.score(table, labels) >= 1 - found.target_error
    own = {digest(each): len(each.estimators_) for each in model.estimators_}
    assert len(own) < len(model.estimators_)  # some repeat a vote
    assert found.rounds == sum(own.values())
    assert found.rounds <= found.rounds_bound
    assert {each.stop_reason_ for each in model.estimators_} == {"target", "stream"}


@pytest.mark.parametrize("most", [300, 2_500, 5_000, 9_000])
def test_examples_are_limited_for_all_together(most):
    """A member that was cut short has no vote, unless there is no other."""
    model = small(max_examples=most).fit(X, Y)
    assert model.n_examples_ == most
    assert model.stop_reason_ == "examples"
    assert len(model.vote_counts_) == len(model.estimators_) >= 1
    whole = small().fit(X, Y)
    if most >= 5_000:
        same = zip(model.estimators_, whole.estimators_, strict=False)
        assert all(digest(a) == digest(b) for a, b in same)
    assert model.predict_proba(X).shape == (400, 2)


def almost_one_stump(n_odd):
    labels = X[:, 0] > 2
    return np.concatenate([~labels[:n_odd], labels[n_odd:]])


def ends_of(model):
    members = model.estimators_
    return [(each.stop_reason_, len(each.estimators_)) for each in members]


def test_members_that_repeat_a_vote_are_counted_once():
    """Three perfect votes of five have decided all examples."""
    model = small(max_depth=1).fit(X, almost_one_stump(0))
    assert ends_of(model) == [("target", 2)] * 3 + [("stream", 2)] * 2
    assert digest(model.estimators_[3]) == digest(model.estimators_[2])
    assert model.stop_reason_ == model.certificate_.stop_reason == "target"
    assert model.certificate_.rounds == 6


def test_a_member_cut_short_as_hardly_any_examples_are_left_has_not_reached_its_target():
    options = {"max_depth": 1, "max_rounds": 20, "sample_constant": 5}
    model = small(random_state=1, **options).fit(X, almost_one_stump(8))
    assert ends_of(model) == [("rounds", 20)] * 3 + [("stream", 1)] * 2
    assert [each.certificate_.stop_reason for each in model.estimators_[3:]] == ["stream"] * 2
    assert model.stop_reason_ == "rounds"
    assert model.certificate_.rounds == 61


def test_only_members_that_reached_their_target_are_certified():
    model = small(mode="certified", max_depth=1, max_rounds=100).fit(X, almost_one_stump(0))
    assert [each.certificate_.holds for each in model.estimators_] == [True] * 3 + [False] * 2
    assert model.certificate_.holds
    assert model.certificate_.rounds == sum(n for _, n in ends_of(model)[:3])


@pytest.mark.parametrize(
    ("n_rows", "most", "member", "whole"),
    [
        (250, None, "stream", "stream"),
        (9_000, 250, "examples", "examples"),
        (9_000, 2_500, "rounds", "examples"),  # not enough are left to count its votes
        (2_500, None, "rounds", "stream"),
    ],
)
def test_a_single_member_tells_why_it_ended(n_rows, most, member, whole):
    rows = np.arange(n_rows) % 400
    model = small(max_examples=most).fit_stream(Rows(X[rows], Y[rows], recycle=False))
    (only,) = model.estimators_
    assert (only.stop_reason_, model.stop_reason_) == (member, whole)
    assert only.certificate_.stop_reason == member
    assert (model.vote_counts_[0] == 0).all()


def test_without_a_round_it_is_told_which_end_came_first():
    rows = Rows(X[:40], Y[:40], recycle=False)
    with pytest.raises(ValueError, match=r"got 40 examples before the end \(stream\)"):
        small().fit_stream(rows)
    with pytest.raises(ValueError, match=r"got 30 examples before the end \(examples\)"):
        small(max_examples=30).fit(X, Y)


class Break(Exception):  # noqa: N818 - as a crash would be
    pass


class Breaking(Rows):
    """An oracle that breaks after so many draws."""

    def __init__(self, X, y, most):
        super().__init__(X, y)
        self.most = most

    def draw(self, n):
        self.most -= 1
        if self.most < 0:
            raise Break
        return super().draw(n)


@pytest.mark.thorough
@pytest.mark.parametrize("most", [1, 2, 3, 5, 8, 12])
def test_a_broken_run_goes_on_bit_for_bit(tmp_path, most):
    whole = small().fit_stream(Rows(X, Y))
    path = tmp_path / "run.npz"
    options = {"checkpoint": path, "checkpoint_rounds": 1}
    with pytest.raises(Break):
        small(**options).fit_stream(Breaking(X, Y, most))
    # No seed is needed once there is a checkpoint, and no other is accepted.
    seed = None if path.exists() else 0
    if seed is None:
        with pytest.raises(ValueError, match="Classifier: random_state must be 0, as in the ch"):
            small(**options, random_state=9).fit_stream(Rows(X, Y), resume=True)
    again = small(**options, random_state=seed).fit_stream(Rows(X, Y), resume=True)
    assert digest(again) == digest(whole)
    assert again.n_examples_ == whole.n_examples_


def all_certificates(model):
    return [each.certificate_ for each in (model, *model.estimators_)]


@pytest.mark.thorough
@pytest.mark.parametrize("most", [10_000, 14_000, 18_000, 60_000, 65_000])
def test_a_run_with_members_that_repeat_a_vote_goes_on(tmp_path, most):
    options = {"max_depth": 1, "max_rounds": 20, "sample_constant": 5, "random_state": 1}
    labels = almost_one_stump(8)
    whole = small(**options).fit(X, labels)
    options |= {"checkpoint": tmp_path / "run.npz", "checkpoint_rounds": 1}
    small(max_examples=most, **options).fit(X, labels)
    for _ in range(2):  # the last checkpoint is of the end
        again = small(**options).fit(X, labels, resume=True)
        assert digest(again) == digest(whole)
        assert ends_of(again) == ends_of(whole)
        assert all_certificates(again) == all_certificates(whole)


@pytest.mark.thorough
def test_more_examples_continue_a_run(tmp_path):
    options = {"checkpoint": tmp_path / "run.npz", "checkpoint_rounds": 1}
    whole = small().fit(X, Y)
    small(max_examples=6_000, **options).fit(X, Y)
    again = small(**options).fit(X, Y, resume=True)
    assert digest(again) == digest(whole)
    assert again.n_examples_ == whole.n_examples_
    assert digest(small(**options).fit(X, Y, resume=True)) == digest(whole)
    with pytest.raises(ValueError, match=r"Classifier: target_error must be 0\.3, as in the ch"):
        small(target_error=0.2, **options).fit(X, Y, resume=True)


def test_chunks_do_not_matter(monkeypatch):
    models = []
    for smallest in (1, 256):
        monkeypatch.setattr("frugalboost.filtering.scored_stream.SMALLEST_CHUNK", smallest)
        models.append(small().fit(X, Y))
    assert digest(models[0]) == digest(models[1])


def test_saved_and_loaded(tmp_path):
    model = small().fit(X, np.array(["no", "yes"])[Y])
    save(model, tmp_path / "tandem.fboost")
    again = load(tmp_path / "tandem.fboost")
    assert digest(again) == digest(model)
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert again.certificate_ == model.certificate_


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"estimator": "log"}, "estimator must be None or a FilterBoostClassifier; got 'log'"),
        ({"target_error": 0.0}, r"target_error must be a finite number in \(0.0, 1.0\); got 0.0"),
        ({"failure_probability": 1}, "failure_probability must be a finite number in"),
        ({"estimator": FilterBoostClassifier(target_error=0.5)}, "must be less than 0.5; got 0.5"),
        ({"estimator": FilterBoostClassifier(memory_limit=10**9)}, "must be None; got 1000000000"),
        ({"estimator": FilterBoostClassifier(max_rounds=0)}, "max_rounds must be an integer"),
    ],
)
def test_bad_parameters(options, error):
    with pytest.raises((TypeError, ValueError), match=f"TandemBoostClassifier: .*{error}"):
        TandemBoostClassifier(**options).fit(X, Y)


def pairs():
    return ((X[i % 400], Y[i % 400]) for i in range(100_000))


def test_a_generator_is_refused_before_it_is_drawn_from():
    source = pairs()
    with pytest.raises(ValueError, match="TandemBoostClassifier: oracle must be restartable") as e:
        small().fit_stream(IterableOracle(source), classes=[0, 1])
    assert str(e.value).endswith(
        "got IterableOracle of a source that can be iterated only once. Use a function that "
        "returns a new one."
    )
    assert len(list(source)) == 100_000
    assert len(small().fit_stream(IterableOracle(pairs)).estimators_) == 5


class Forward(Rows):
    """An oracle that counts what it gives, and cannot go back."""

    n_given = 0

    def draw(self, n):
        self.n_given += n
        return super().draw(n)

    def restore(self, state):
        raise NotImplementedError("rows come from a pipe")


def test_an_oracle_that_cannot_restore_is_refused_before_the_first_member():
    oracle = Forward(X, Y)
    with pytest.raises(ValueError, match=r"whose restore fails: NotImplementedError: rows com"):
        small().fit_stream(oracle)
    assert oracle.n_given == LOOK_AHEAD  # what columns and classes are found from


def test_so_is_a_function_that_returns_the_same_generator_again():
    source = pairs()
    with pytest.raises(ValueError, match=r"oracle must be restartable.* has yielded 10000 items"):
        small().fit_stream(IterableOracle(lambda: source))


@pytest.mark.thorough
def test_a_resumed_run_refuses_an_oracle_that_can_be_restored_only_once(tmp_path):
    options = {"checkpoint": tmp_path / "run.npz", "checkpoint_rounds": 1}
    small(max_examples=14_000, **options).fit_stream(IterableOracle(pairs))
    source = pairs()
    with pytest.raises(ValueError, match="oracle must be restartable: a tandem goes back"):
        small(**options).fit_stream(IterableOracle(lambda: source), resume=True)


def test_bad_input():
    with pytest.raises(ValueError, match="y must hold two classes for a tandem; got 3"):
        small().fit(X, np.arange(400) % 3)
    with pytest.raises(TypeError, match="oracle must have the methods draw, state and restore"):
        small().fit_stream(X)
    with pytest.raises(NotFittedError):
        small().predict(X)
