"""Early stopping watches held-out rows and cuts the model back to its best."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from estimator_helpers import (
    CATEGORICAL,
    classifier,
    mixed_table,
    noisy_labels,
    noisy_targets,
    regressor,
    stored_in_every_way,
)
from frugalboost import BinnedDataset, digest
from frugalboost.rules import RULES

EARLY = {
    "early_stopping": True,
    "validation_fraction": 0.3,
    "n_iter_no_change": 5,
    "n_estimators": 300,
    "random_state": 0,
}


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table(200)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_classifier_stops_and_is_cut_back_to_the_best_round(rule, n_classes, X):
    model = classifier(rule, max_depth=5, **EARLY).fit(X, noisy_labels(X, n_classes))
    losses = model.validation_losses_
    assert len(model.ledger_) == len(losses) - 1 < 300
    assert len(model.estimators_) == model.n_estimators_ == max(1, int(np.argmin(losses)))
    assert len(model.estimator_errors_) == len(model.estimators_)
    assert np.isfinite(losses).all()


def test_a_regressor_stops_after_rounds_without_a_fall(X):
    model = regressor(learning_rate=0.5, **EARLY).fit(X, noisy_targets(X))
    losses = np.array(model.validation_losses_)
    assert len(losses) - 1 < 300
    assert losses[-5:].min() >= losses[:-5].min() - model.tol


def test_the_model_is_a_head_of_the_one_trained_without_stopping(X):
    """On the rows that were kept; which these are shows in the number of samples at the root."""
    y = noisy_targets(X)
    stopped = regressor(**EARLY).fit(X, y)
    longer = regressor(**{**EARLY, "n_iter_no_change": 300, "tol": 0.0}).fit(X, y)
    assert stopped.estimators_[0].n_samples[0] == 140
    n = len(stopped.validation_losses_)
    assert stopped.validation_losses_ == longer.validation_losses_[:n]
    assert len(longer.ledger_) == 300


def test_the_first_loss_is_that_of_no_tree(X):
    model = classifier("real", **EARLY).fit(X, noisy_labels(X, 2))
    assert model.validation_losses_[0] == 1.0  # exp(0)


def test_the_same_seed_holds_out_the_same_rows(X):
    y = noisy_labels(X, 3)
    first, again, other = (
        digest(classifier(**{**EARLY, "random_state": seed}).fit(X, y)) for seed in (0, 0, 1)
    )
    assert first == again != other


@pytest.mark.parametrize("hold", [stored_in_every_way, pd.DataFrame, np.ndarray.tolist])
def test_tables_of_every_kind(hold, X):
    y = noisy_labels(X, 3)
    expected = classifier(**EARLY).fit(X, y)
    model = classifier(**EARLY).fit(hold(X), y)
    assert digest(model) == digest(expected)
    assert model.validation_losses_ == expected.validation_losses_


def test_held_out_categories_may_be_new():
    frame = pd.DataFrame({"name": pd.Categorical([str(i) for i in range(40)]), "x": range(40)})
    model = classifier(categorical_features="from_dtype", **EARLY).fit(frame, np.arange(40) % 2)
    assert np.isfinite(model.validation_losses_).all()


def test_a_class_of_one_row_is_no_obstacle(X):
    y = noisy_labels(X, 2)
    y[0] = 2
    model = classifier(**EARLY).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict_proba(X).shape == (200, 3)


def test_weights_count_in_the_loss(X):
    y, weights = noisy_labels(X, 2), np.linspace(0.1, 3, 200)
    weighted = classifier(**EARLY).fit(X, y, weights).validation_losses_
    assert weighted != classifier(**EARLY).fit(X, y).validation_losses_


def test_early_stopping_goes_on_with_warm_start(X):
    y = noisy_targets(X)
    model = regressor(**{**EARLY, "n_estimators": 5}, warm_start=True).fit(X, y)
    first = list(model.estimators_)
    model.set_params(n_estimators=40).fit(X, y)
    assert model.estimators_[: len(first)] == first
    assert len(model.estimators_) > len(first)


def test_without_early_stopping_there_are_no_losses(X):
    assert classifier().fit(X, noisy_labels(X, 2)).validation_losses_ is None


def test_binned_rows_cannot_be_held_out(X):
    binned = BinnedDataset.from_data(X, categorical_features=CATEGORICAL)
    with pytest.raises(ValueError, match="early_stopping must be False when X is a BinnedDataset"):
        classifier(**EARLY).fit(binned, noisy_labels(X, 2))


def test_one_row_cannot_be_divided():
    with pytest.raises(ValueError, match="early_stopping must be False with one row; got True"):
        regressor(categorical_features=None, **EARLY).fit([[1.0]], [2.0])


@pytest.mark.parametrize("fraction", [1e-9, 1 - 1e-9])
def test_both_parts_have_a_row_at_least(fraction, X):
    model = classifier(**{**EARLY, "validation_fraction": fraction}).fit(X, noisy_labels(X, 3))
    assert model.estimators_[0].n_samples[0] == (199 if fraction < 0.5 else 1)
