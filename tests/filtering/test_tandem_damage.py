"""Checkpoints of tandems that are damaged, of another class, or of other parameters."""

from __future__ import annotations

import re

import pytest
from filterboost_helpers import Rows, change, sums_of_digits

import frugalboost as fb

X, Y = sums_of_digits(400)
MEMBER = {"target_error": 0.25, "max_rounds": 4, "sample_constant": 40}


def tandem(path, **options):
    member = fb.FilterBoostClassifier(checkpoint=path, checkpoint_rounds=1, **MEMBER | options)
    return fb.TandemBoostClassifier(member, target_error=0.3, random_state=0)


def filterboost(path):
    return fb.FilterBoostClassifier(checkpoint=path, random_state=0, **MEMBER)


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """A run of three members and a half."""
    path = tmp_path_factory.mktemp("tandem") / "run"
    tandem(path, max_examples=14_000).fit(X, Y)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path, content):
    path = tmp_path / "run"
    path.write_bytes(content)
    return path


COUNTS = r"tap\.tandem\.counts\[0\] must be 2 pairs of numbers whose sum is 2000; got "
ENTRIES = [
    (("tandem",), 5, r"tap\.tandem must be names and values; got 5"),
    (("tandem", "counts"), 5, r"tap\.tandem\.counts must be a list of 3 members; got 5"),
    (("tandem", "counts", 0), [[1, 2]], COUNTS + r"\[\[1, 2\]\]"),
    (("tandem", "counts", 0), [[1000, 1000], 5], COUNTS),
    (("tandem", "counts", 0), [[1000, 1000], [0, 10**30]], COUNTS),
    (("tandem", "counts", 0), [[500, 500], [500, 499]], COUNTS),
    (("tandem", "counts", 0, 0, 0), -1, COUNTS),
    (("tandem", "counts", 2, 1, 1), 0.5, r"tap\.tandem\.counts\[2\] must be 4 pairs"),
    (("tandem", "sizes"), {}, r"tap\.tandem\.sizes must be a list of at most 4 members"),
    (("tandem", "sizes"), [4] * 5, r"tap\.tandem\.sizes must be a list of at most 4 members"),
    (("tandem", "sizes", 0), 0, r"tap\.tandem\.sizes\[0\] must be a number of trees from 1 to 4"),
    (("tandem", "sizes", 1), 5, r"tap\.tandem\.sizes\[1\] must be a number of trees from 0 to 4"),
    (("tandem", "reasons", 1), "x", r"tap\.tandem\.reasons\[1\] must be one of target, rounds"),
    (("tandem", "reasons", 1), [], r"tap\.tandem\.reasons\[1\]"),
    (("tandem", "examples"), [1], r"tap\.tandem\.examples must be a list of 3 members"),
    (("tandem", "examples", 2), True, r"tap\.tandem\.examples\[2\] must be a number of examples"),
    (("tandem", "used", 1), 1, r"tap\.tandem\.used\[1\] must be a number of examples, at least"),
    (("tandem", "used", 2), 10**9, r"tap\.tandem\.used must be at most"),
    (("tandem", "seed"), None, r"tap\.tandem\.seed must be a whole number; got None"),
    (("tandem", "drawn"), 1, r"tap\.tandem\.drawn must be at least \d+; got 1"),
    (("oracle",), 5, r"tap\.oracle must be names and values; got 5"),
    (("oracle", "calls"), -1, r"tap\.oracle\.calls must be a whole number; got -1"),
    (("oracle", "rejected"), None, r"tap\.oracle\.rejected"),
    (("oracle", "rejected"), 10**6, r"tap\.oracle\.rejected must be a number of rejections up to"),
    (("oracle", "stream", "oracle", "position"), 1 << 40, r"position'\] must be at most 400"),
    (("oracle", "ended"), "rounds", r"tap\.oracle\.ended must be None, target, examples or stream"),
    (("oracle", "stream"), [], r"tap\.oracle\.stream must be names and values"),
    (("oracle", "stream", "n_used"), -1, r"tap\.oracle\.stream\.n_used must be a number of ex"),
    (("oracle", "stream", "asked"), 1 << 40, r"tap\.oracle\.stream\.asked must be at most 65536"),
    (("asked",), 1 << 40, r"tap\.asked must be at most 65536 examples; got 1099511627776"),
    (("oracle", "stream", "coins"), {}, r"tap\.oracle\.stream\.coins must be the state of a gen"),
]


@pytest.mark.parametrize(("place", "value", "said"), ENTRIES)
def test_a_wrong_entry_is_named(path, place, value, said):
    def put(meta):
        at = meta["tap"]
        for name in place[:-1]:
            at = at[name]
        at[place[-1]] = value

    change(path, put)
    refuses(path, said)


def test_an_entry_that_is_missing_is_named(path):
    change(path, lambda meta: meta["tap"]["oracle"].pop("ended"))
    refuses(path, r"tap\.oracle\.ended must be an entry of the oracle; got None")


def test_the_most_rejections_that_a_filter_can_have_had(path):
    change(path, lambda meta: meta["tap"]["oracle"].update(rejected=10**6))
    with pytest.raises(ValueError, match="rejections up to") as caught:
        tandem(path).fit(X, Y, resume=True)
    most = int(re.search(r"up to (\d+);", str(caught.value))[1])
    change(path, lambda meta: meta["tap"]["oracle"].update(rejected=most + 1))
    refuses(path, "rejections up to")
    change(path, lambda meta: meta["tap"]["oracle"].update(rejected=most))
    with pytest.raises(ValueError, match=r"oracle must return|calls") as caught:
        tandem(path, max_examples=14_000).fit(X, Y, resume=True)
    assert "rejections up to" not in str(caught.value)


def refuses(path, said):
    with pytest.raises(ValueError, match=said) as caught:
        tandem(path).fit(X, Y, resume=True)
    message = str(caught.value)
    assert message.startswith("TandemBoostClassifier: ")
    assert str(path) in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ledger", [], "ledger must have a round for each of the "),
        ("classes", {"dtype": "<i8", "values": [0, 1, 2]}, "classes must be two labels"),
        ("classes", {"dtype": "<i8", "values": [0, 0]}, r"classes\.values must be two or more"),
        ("classes", {"dtype": "<i8", "values": {"0": 0}}, r"classes\.values must be a list"),
    ],
)
def test_what_does_not_belong_together(path, name, value, said):
    change(path, lambda meta: meta.update({name: value}))
    refuses(path, said)


@pytest.mark.parametrize("state", [5, {}, [], "x"])
def test_a_wrong_state_of_the_oracle(path, state):
    change(path, lambda meta: meta["tap"]["oracle"]["stream"].update(oracle=state))
    refuses(path, r"same kind of oracle, on the same source; got .*run: ArrayOracle: state must")


@pytest.mark.parametrize("most", [3, 9])
def test_another_number_of_rounds_is_refused(path, most):
    said = f"max_rounds of the estimator must be 4, as in the .* it; got {most}"
    with pytest.raises(ValueError, match=said):
        tandem(path, max_rounds=most).fit(X, Y, resume=True)


def test_parameters_are_called_as_the_user_knows_them(path):
    for model, said in (
        (tandem(path).set_params(target_error=0.1), r"target_error must be 0\.3"),
        (tandem(path).set_params(failure_probability=0.1), r"failure_probability must be 0\.05"),
        (tandem(path, target_error=0.2), r"target_error of the estimator must be 0\.25"),
        (tandem(path).set_params(random_state=1), "random_state must be 0"),
    ):
        with pytest.raises(ValueError, match=f"^TandemBoostClassifier: {said}, as in the checkp"):
            model.fit(X, Y, resume=True)
    change(path, lambda meta: meta["params"].pop("random_state"))  # as older versions wrote it
    tandem(path, max_examples=14_000).set_params(random_state=1).fit(X, Y, resume=True)


def test_fewer_examples_than_were_drawn_are_refused(path, content):
    with pytest.raises(ValueError, match=r"max_examples of .* at least 1\d{4}, the .*; got 9000"):
        tandem(path, max_examples=9_000).fit(X, Y, resume=True)
    assert path.read_bytes() == content
    again = tandem(path, max_examples=14_000).fit(X, Y, resume=True)
    assert again.n_examples_ == 14_000


class Shrunk(Rows):
    """The rows up to a place, after which there are none."""

    def draw(self, n):
        return super().draw(min(n, max(0, 3_000 - self.at)))


def test_an_oracle_that_has_shrunk_is_refused(tmp_path):
    path = tmp_path / "run"
    tandem(path, max_examples=14_000).fit_stream(Rows(X, Y))
    with pytest.raises(ValueError, match=r"TandemBoostClassifier: oracle must return again the"):
        tandem(path).fit_stream(Shrunk(X, Y), resume=True)


def test_an_oracle_that_cannot_restore_is_no_damage(path):
    source = ((row, label) for row, label in zip(X, Y, strict=True))
    with pytest.raises(ValueError, match="oracle must be restartable"):
        tandem(path).fit_stream(fb.streams.IterableOracle(source), resume=True)
    assert len(list(source)) == 400


def test_the_checkpoint_of_a_tandem_given_to_filterboost(path, content):
    of_tandem = "it is the checkpoint of a TandemBoostClassifier, and its fit and fit_stream"
    wanted = f"FilterBoostClassifier: checkpoint must be written by .*{path}: {of_tandem}"
    with pytest.raises(ValueError, match=wanted):
        fb.FilterBoostClassifier.from_checkpoint(path)
    with pytest.raises(ValueError, match=wanted):
        filterboost(path).fit(X, Y, resume=True)
    not_a_model = f"{re.escape(str(path))} must be a file written by save; {of_tandem}"
    with pytest.raises(ValueError, match=not_a_model):
        fb.load(path)
    assert path.read_bytes() == content


def test_the_checkpoint_of_filterboost_given_to_a_tandem(tmp_path):
    path = tmp_path / "run"
    filterboost(path).fit(X, Y)
    refuses(
        path,
        "checkpoint must be written by a TandemBoostClassifier; got .*: it is the checkpoint of a "
        "FilterBoostClassifier, and its from_checkpoint returns the model",
    )
