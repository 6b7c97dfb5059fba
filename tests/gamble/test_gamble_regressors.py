"""GambleClassifier with scikit-learn's regressors: Algorithm 1, and what its users may expect."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor, ExtraTreeRegressor

from frugalboost import BinnedDataset, BoostedTreesRegressor, GambleClassifier, digest
from frugalboost.reference import gamble

TABLES = {2: load_breast_cancer, 3: load_wine}

both_numbers_of_classes = pytest.mark.parametrize("n_classes", [2, 3])


def table(n_classes):
    return TABLES[n_classes](return_X_y=True)


def two_columns(decision):
    """The paper's F: a component for each class."""
    return np.column_stack([-decision, decision]) if decision.ndim == 1 else decision


@pytest.mark.thorough
@both_numbers_of_classes
@pytest.mark.parametrize(
    "regressor", [LinearRegression(), Ridge(10.0), SVR(C=0.1, tol=1e-9)], ids=str
)
def test_the_committee_is_that_of_the_reference(regressor, n_classes):
    X, y = table(n_classes)
    X = StandardScaler().fit_transform(X)

    def regress(responses, weights):
        model = MultiOutputRegressor(regressor)
        return model.fit(X, responses, len(X) * weights).predict(X)

    expected = gamble(regress, y, n_classes, 4)
    model = GambleClassifier(regressor, n_estimators=4).fit(X, y)
    stages = [two_columns(decision) for decision in model.staged_decision_function(X)]
    assert np.array(stages) == pytest.approx(np.cumsum(expected, axis=0), rel=1e-3, abs=1e-3)


@both_numbers_of_classes
def test_another_librarys_trees_give_the_committee_of_ours(n_classes):
    """Where bins are exact and leaves too large for ties, best-first trees of both are the same."""
    X, y = make_classification(
        400, 8, n_informative=5, n_classes=n_classes, flip_y=0.1, random_state=0
    )
    options = {"n_estimators": 5, "learning_rate": 0.4}
    limits = {"max_leaf_nodes": 6, "min_samples_leaf": 20}
    ours = GambleClassifier(max_bins=65535, **limits, **options).fit(X, y)
    tree = DecisionTreeRegressor(**limits)
    theirs = GambleClassifier(tree, random_state=0, **options).fit(X, y)
    assert theirs.estimator_errors_ == pytest.approx(ours.estimator_errors_, rel=1e-6)
    assert theirs.decision_function(X) == pytest.approx(ours.decision_function(X), rel=1e-6)


@pytest.mark.parametrize("tree", [DecisionTreeRegressor, ExtraTreeRegressor])
def test_trees_are_fitted_once_a_round_and_other_regressors_twice(tree):
    X, y = load_wine(return_X_y=True)
    once = GambleClassifier(tree(max_depth=2), n_estimators=3).fit(X, y)
    assert [len(fitted) for fitted in once.estimators_] == [1, 1, 1]
    twice = GambleClassifier(RandomForestRegressor(3, max_depth=2), n_estimators=3).fit(X, y)
    assert [len(fitted) for fitted in twice.estimators_] == [2, 2, 2]


@pytest.mark.parametrize("regressor", [LinearRegression(), KNeighborsRegressor(9)], ids=str)
def test_corollary_3_1_holds_for_whatever_averages_linearly(regressor):
    """Squares of codes are an affine function of them, and so is what is said about them."""
    X, y = load_wine(return_X_y=True)
    model = GambleClassifier(regressor, n_estimators=3, random_state=0).fit(X, y)
    for codes, squares in model.estimators_:
        expected = (codes.predict(X) + 1) / 2  # K = 3
        assert squares.predict(X) == pytest.approx(expected, abs=1e-6)


def test_two_classes_are_fitted_once_to_one_number():
    X, y = load_breast_cancer(return_X_y=True)
    model = GambleClassifier(LinearRegression(), n_estimators=3).fit(X, y)
    assert [len(fitted) for fitted in model.estimators_] == [1, 1, 1]
    assert model.estimators_[0][0].coef_.shape == (30,)


def test_a_regressor_of_one_output_is_fitted_to_each_class():
    X, y = load_wine(return_X_y=True)
    model = GambleClassifier(BoostedTreesRegressor(n_estimators=5), n_estimators=3).fit(X, y)
    assert [len(each.estimators_) for each in model.estimators_[0]] == [3, 3]
    assert model.score(X, y) > 0.95


def test_a_regressor_without_weights_gets_rows_drawn_by_weight():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    first = GambleClassifier(KNeighborsRegressor(7), n_estimators=4, random_state=0).fit(X, y)
    again = GambleClassifier(KNeighborsRegressor(7), n_estimators=4, random_state=0).fit(X, y)
    other = GambleClassifier(KNeighborsRegressor(7), n_estimators=4, random_state=1).fit(X, y)
    assert (first.decision_function(X) == again.decision_function(X)).all()
    assert (first.decision_function(X) != other.decision_function(X)).any()
    seen = [set(map(tuple, fitted[0]._fit_X)) for fitted in first.estimators_]
    assert all(len(rows) < len(X) for rows in seen)
    assert seen[0] != seen[1]


def test_rows_of_no_weight_are_not_drawn():
    X, y = load_wine(return_X_y=True)
    weights = np.ones(len(y))
    weights[::3] = 0
    model = GambleClassifier(KNeighborsRegressor(3), n_estimators=3, random_state=0)
    model.fit(X, y, weights)
    absent = set(map(tuple, X[::3]))
    assert all(absent.isdisjoint(map(tuple, fitted[0]._fit_X)) for fitted in model.estimators_)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "regressor",
    [LinearRegression(), ExtraTreeRegressor(max_depth=3), KNeighborsRegressor(9)],
    ids=str,
)
@both_numbers_of_classes
def test_going_on_gives_the_committee_of_one_fit(regressor, n_classes):
    X, y = table(n_classes)
    options = {"learning_rate": 0.3, "random_state": 3}
    whole = GambleClassifier(regressor, n_estimators=7, **options).fit(X, y)
    model = GambleClassifier(regressor, n_estimators=2, warm_start=True, **options).fit(X, y)
    model.set_params(n_estimators=7).fit(X, y)
    assert (model.decision_function(X) == whole.decision_function(X)).all()
    assert (model.estimator_errors_ == whole.estimator_errors_).all()
    assert model.estimator_weights_.tolist() == whole.estimator_weights_.tolist()
    assert len(model.ledger_) == model.n_estimators_ == len(model.estimators_) == 7


def test_probabilities_and_stages_belong_together():
    X, y = load_wine(return_X_y=True)
    model = GambleClassifier(Ridge(), n_estimators=4, learning_rate=0.2).fit(X, y)
    powers = np.exp(model.decision_function(X) / 2)
    assert model.predict_proba(X) == pytest.approx(powers / powers.sum(axis=1, keepdims=True))
    assert (list(model.staged_predict(X))[-1] == model.predict(X)).all()
    assert (list(model.staged_predict_proba(X))[-1] == model.predict_proba(X)).all()


def test_clones_and_pickles_say_the_same():
    X, y = load_iris(return_X_y=True)
    model = GambleClassifier(ExtraTreeRegressor(max_depth=2), n_estimators=4, random_state=5)
    model.fit(X, y)
    for other in (clone(model).fit(X, y), pickle.loads(pickle.dumps(model))):
        assert (other.decision_function(X) == model.decision_function(X)).all()
    assert model.estimator.random_state is None  # what the user gave is left as it is


def test_early_stopping_keeps_the_rounds_up_to_the_best():
    X, y = load_wine(return_X_y=True)
    model = GambleClassifier(
        LinearRegression(), n_estimators=60, early_stopping=True, n_iter_no_change=5, random_state=0
    ).fit(X, y)
    best = int(np.argmin(model.validation_losses_))
    assert model.n_estimators_ == len(model.estimators_) == max(1, best)
    assert model.n_estimators_ < 60


def test_a_round_without_mistakes_is_the_last_with_whole_steps_only():
    X, y = load_wine(return_X_y=True)
    memory = DecisionTreeRegressor()
    assert GambleClassifier(memory, n_estimators=5).fit(X, y).n_estimators_ == 1
    shrunken = GambleClassifier(memory, n_estimators=5, learning_rate=0.5).fit(X, y)
    assert shrunken.n_estimators_ == 5
    assert shrunken.score(X, y) == 1.0


def test_nothing_to_learn_leaves_one_silent_member():
    X, y = np.zeros((6, 2)), np.array([0, 1, 2, 0, 1, 2])
    model = GambleClassifier(LinearRegression(), n_estimators=5).fit(X, y)
    assert model.estimator_weights_.tolist() == [0.0]
    assert model.predict_proba(X) == pytest.approx(np.full((6, 3), 1 / 3))


def test_tables_go_to_the_regressor_as_they_are():
    X, y = load_wine(return_X_y=True, as_frame=True)
    X["kind"] = np.where(X["alcohol"] > 13, "strong", "light")
    encoder = make_column_transformer((OneHotEncoder(), ["kind"]), remainder=StandardScaler())
    model = GambleClassifier(make_pipeline(encoder, Ridge()), n_estimators=3, random_state=0)
    model.fit(X, y)
    assert model.feature_names_in_.tolist() == X.columns.tolist()
    assert model.score(X, y) > 0.95
    dense = X.drop(columns="kind").to_numpy()
    of_sparse = GambleClassifier(Ridge(), n_estimators=3).fit(sparse.csr_array(dense), y)
    assert of_sparse.score(sparse.csr_array(dense), y) > 0.95
    of_list = GambleClassifier(Ridge(), n_estimators=3).fit(dense.tolist(), y.tolist())
    assert of_list.score(dense.tolist(), y) > 0.95


def test_a_fit_with_trees_forgets_the_regressors_and_back():
    X, y = load_wine(return_X_y=True)
    model = GambleClassifier(LinearRegression(), n_estimators=3).fit(X, y)
    model.set_params(estimator=None).fit(X, y)
    assert digest(model) == digest(GambleClassifier(n_estimators=3).fit(X, y))
    assert model.apply(X).shape[0] == len(X)
    assert model.feature_importances_.sum() == pytest.approx(1)
    model.set_params(estimator=LinearRegression()).fit(X, y)
    expected = GambleClassifier(LinearRegression(), n_estimators=3).fit(X, y)
    assert (model.decision_function(X) == expected.decision_function(X)).all()


def test_what_only_trees_have_is_missing():
    X, y = load_wine(return_X_y=True)
    model = GambleClassifier(LinearRegression(), n_estimators=2).fit(X, y)
    assert not hasattr(model, "apply")
    assert not hasattr(model, "feature_importances_")
    with pytest.raises(TypeError, match="digest: model must be made of the library's trees; got"):
        digest(model)


class Broken(RegressorMixin, BaseEstimator):
    """Predicts whatever it is given."""

    def __init__(self, says=None):
        self.says = says

    def fit(self, X, y):
        self.is_fitted_ = True
        return self

    def predict(self, X):
        return np.full((len(X), len(self.says)), self.says)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


@pytest.mark.parametrize(
    ("says", "problem"),
    [
        ([0.0, np.nan, 0.0], "estimator must predict finite numbers; got NaN or infinity from"),
        ([0.0, 1.0, np.inf], "estimator must predict finite numbers; got NaN or infinity from"),
        ([0.0], "estimator must predict 3 numbers for each row, .*; got 1 from Broken"),
    ],
)
def test_bad_predictions_are_named_and_leave_the_model_as_it_was(says, problem):
    X, y = load_wine(return_X_y=True)
    model = GambleClassifier(LinearRegression(), n_estimators=2).fit(X, y)
    before = model.decision_function(X)
    with pytest.raises(ValueError, match=f"GambleClassifier: {problem}"):
        model.set_params(estimator=Broken(says)).fit(X, y)
    assert (model.decision_function(X) == before).all()


@pytest.mark.parametrize(
    "estimator", ["linear", LinearRegression, LogisticRegression(), StandardScaler(), 3], ids=str
)
def test_an_estimator_that_is_no_regressor_is_refused(estimator):
    X, y = load_iris(return_X_y=True)
    problem = "GambleClassifier: estimator must be None, for trees, or a scikit-learn regressor"
    with pytest.raises(TypeError, match=problem):
        GambleClassifier(estimator).fit(X, y)


def test_bins_are_of_no_use_to_a_regressor():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match="X must hold raw values with an estimator; got a Binned"):
        GambleClassifier(LinearRegression()).fit(BinnedDataset.from_data(X), y)


def test_trees_do_not_go_on_from_regressors_nor_regressors_from_trees():
    X, y = load_iris(return_X_y=True)
    model = GambleClassifier(LinearRegression(), n_estimators=2, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="estimator must be a regressor, as in the first fit"):
        model.set_params(estimator=None).fit(X, y)
    model = GambleClassifier(n_estimators=2, max_leaf_nodes=3, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="estimator must be None, for trees as in the first fit"):
        model.set_params(estimator=LinearRegression()).fit(X, y)


def test_fewer_rounds_or_other_columns_than_before_are_refused_when_going_on():
    X, y = load_iris(return_X_y=True)
    model = GambleClassifier(LinearRegression(), n_estimators=3, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="n_estimators must be at least 3, the number of trees"):
        model.set_params(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="X must have the 4 features of the first fit"):
        model.set_params(n_estimators=5).fit(X[:, :2], y)


def test_progress_is_shown_when_asked_for(capsys):
    X, y = load_iris(return_X_y=True)
    GambleClassifier(LinearRegression(), n_estimators=3, verbose=1).fit(X, y)
    shown = capsys.readouterr().err
    assert "GambleClassifier" in shown
    assert "3/3" in shown
