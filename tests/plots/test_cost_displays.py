"""Assessments, gaps, and costs against errors."""

from __future__ import annotations

import numpy as np
import pytest
from plots_helpers import new_axes, points
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError

from frugalboost import BinnedDataset, BoostedTreesClassifier
from frugalboost.plots import AssessmentsDisplay, CostErrorDisplay, GapDisplay


@pytest.fixture(scope="module", name="cancer")
def table():
    X, y = load_breast_cancer(return_X_y=True)
    return BinnedDataset.from_data(X), y


def fitted(cancer, search, **options):
    model = BoostedTreesClassifier("adaboost", n_estimators=6, max_depth=2, search=search)
    return model.set_params(**options).fit(*cancer)


def running(counts):
    return [sum(counts[: end + 1]) for end in range(len(counts))]


def test_assessments_add_up(cancer):
    searches = ["adaptive", "quick", "incremental", "two_stage"]
    models = {search: fitted(cancer, search) for search in searches}
    display = AssessmentsDisplay.from_estimators(models).plot(ax=new_axes())
    assert list(display.lines_) == [*searches, "exhaustive"]
    for name, model in models.items():
        counts = [entry.assessments for entry in model.ledger_.entries]
        assert points(display.lines_[name]) == [[1, 2, 3, 4, 5, 6], running(counts)]
    # A search that leaves nothing out is what the last line stands for.
    whole = fitted(cancer, "exhaustive").ledger_.entries
    counts = [entry.assessments for entry in whole]
    assert points(display.lines_["exhaustive"])[1] == running(counts)


def test_assessments_without_the_exhaustive_search(cancer):
    models = {"quick": fitted(cancer, "quick")}
    assert list(AssessmentsDisplay.from_estimators(models, full=False).assessments) == ["quick"]


def test_an_exhaustive_model_is_not_added_again(cancer):
    models = {"exhaustive": fitted(cancer, "exhaustive"), "quick": fitted(cancer, "quick")}
    assert list(AssessmentsDisplay.from_estimators(models).assessments) == list(models)


def test_full_is_that_of_the_longest_model(cancer):
    models = {"short": fitted(cancer, "quick", n_estimators=2), "long": fitted(cancer, "quick")}
    display = AssessmentsDisplay.from_estimators(models)
    assert display.assessments["exhaustive"].tolist() == models["long"].ledger_.full.tolist()


def test_models_with_other_trees_have_no_full_in_common(cancer):
    models = {"stumps": fitted(cancer, "quick", max_depth=1), "trees": fitted(cancer, "quick")}
    with pytest.raises(ValueError, match="full must be False for models with different trees"):
        AssessmentsDisplay.from_estimators(models)
    assert len(AssessmentsDisplay.from_estimators(models, full=False).assessments) == 2


def test_models_must_be_fitted():
    with pytest.raises(NotFittedError):
        AssessmentsDisplay.from_estimators({"new": BoostedTreesClassifier()})


def test_bounds_are_interpolated_between_known_rounds():
    display = AssessmentsDisplay({"quick": [50] * 9}, ([2, 4, 7], [10, 20, 14]), "exact bound")
    display.plot(ax=new_axes())
    each = [10, 10, 15, 20, 18, 16, 14]
    assert points(display.lines_["exact bound"]) == [[1, 2, 3, 4, 5, 6, 7], running(each)]
    assert display.lines_["exact bound"].get_linestyle() == "--"
    assert points(display.lines_["quick"])[1] == running([50] * 9)


def test_gap_is_a_fraction_of_what_need_not_be_seen():
    display = GapDisplay.from_counts(
        [1, 11, 21], [10, 20, 7], [50, 60, 7], {"quick": [30, 60, 7], "adaptive": [10, 22, 7]}
    ).plot(ax=new_axes())
    x, quick = points(display.lines_["quick"])
    assert x == [1, 11, 21]
    assert quick[:2] == [0.5, 1.0]
    assert points(display.lines_["adaptive"])[1][:2] == [0.0, 0.05]
    assert np.isnan(quick[2])  # nothing to leave out


def test_costs_and_errors_are_drawn_in_pairs():
    curves = {
        "plain": ([10, 20], [0.3, 0.2]),
        "quick plain": ([4, 8], [0.3, 0.2]),
        "lazy": ([5, 10, 15], [0.4, 0.3, 0.2]),
        "quick lazy": ([2, 4, 6], [0.4, 0.3, 0.2]),
    }
    partners = {"quick plain": "plain", "quick lazy": "lazy"}
    display = CostErrorDisplay(curves, partners).plot(ax=new_axes())
    assert display.ax_.get_xscale() == "log"
    lines = display.lines_
    assert {name: tuple(points(line)) for name, line in lines.items()} == curves
    assert [line.get_linestyle() for line in lines.values()] == ["-", "--", "-", "--"]
    for dashed, solid in partners.items():
        assert lines[dashed].get_color() == lines[solid].get_color()
    assert lines["plain"].get_color() != lines["lazy"].get_color()


def test_a_dashed_curve_may_come_before_its_partner():
    curves = {"quick": ([1], [0.1]), "plain": ([2], [0.1])}
    lines = CostErrorDisplay(curves, {"quick": "plain"}).plot(ax=new_axes()).lines_
    assert lines["quick"].get_color() == lines["plain"].get_color()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AssessmentsDisplay({}), "assessments must be a dict"),
        (lambda: AssessmentsDisplay({"a": []}), r"assessments\['a'\] must be a list of finite"),
        (lambda: AssessmentsDisplay({"a": [1]}, [1, 2, 3]), "bounds must be a pair"),
        (
            lambda: AssessmentsDisplay({"a": [1]}, ([2, 1], [1, 1])),
            r"bounds\[0\] must be ascending",
        ),
        (lambda: AssessmentsDisplay({"a": [1]}, ([0], [1])), r"bounds\[0\] must be ascending"),
        (lambda: AssessmentsDisplay({"a": [1]}, ([1.5], [1])), r"bounds\[0\] must be ascending"),
        (lambda: AssessmentsDisplay({"a": [1]}, ([1, 2], [1])), r"bounds\[1\] must be 2 numbers"),
        (lambda: AssessmentsDisplay({"a": [1]}, ([1], [np.nan])), r"bounds\[1\] must be a list"),
        (lambda: AssessmentsDisplay({"a": [1]}, ([1], [1]), "a"), "bounds_name must not be a name"),
        (lambda: AssessmentsDisplay.from_estimators([]), "models must be a dict"),
        (lambda: GapDisplay([1, 1], {"a": [0, 1]}), "rounds must be ascending"),
        (lambda: GapDisplay([1, 2], {"a": [0]}), r"shares\['a'\] must be 2 numbers"),
        (
            lambda: GapDisplay.from_counts([1, 2], [0, 9], [1, 8], {"a": [0, 1]}),
            "full must be at least exact in every round; got 8 and 9 at index 1",
        ),
        (lambda: GapDisplay.from_counts([1], [0, 1], [1], {"a": [0]}), "exact must be 1 numbers"),
        (lambda: GapDisplay.from_counts([1], [0], [1], {"a": []}), r"counts\['a'\] must be 1"),
        (lambda: CostErrorDisplay({"a": [1, 2, 3]}), r"curves\['a'\] must be a pair"),
        (lambda: CostErrorDisplay({"a": ([0], [1])}), r"costs of curves\['a'\] must be above 0"),
        (lambda: CostErrorDisplay({"a": ([1], [1, 2])}), r"errors of curves\['a'\] must be 1 num"),
        (lambda: CostErrorDisplay({"a": ([1], [1])}, {"b": "a"}), "partners must be names .* 'b'"),
        (lambda: CostErrorDisplay({"a": ([1], [1])}, {"a": "a"}), "partners must be names .* 'a'"),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=rf"^\w+Display: {message}"):
        make()
