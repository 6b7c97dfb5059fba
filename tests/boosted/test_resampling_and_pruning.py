"""`resample` and `pruning_fraction`: with every rule and search that they go with."""

from __future__ import annotations

import numpy as np
import pytest

from estimator_helpers import (
    binned_in_every_way,
    classifier,
    digests,
    mixed_table,
    noisy_labels,
)
from frugalboost import digest
from frugalboost.rules import RULES

pytestmark = pytest.mark.thorough

OPTIONS = {
    "pruned": {"pruning_fraction": 1 / 3},
    "resampled": {"resample": True},
    "few": {"resample": 30},
    "both": {"resample": 60, "pruning_fraction": 1 / 3},
    "all": {
        "pruning_fraction": 0.2,
        "feature_fraction": 0.6,
        "sample_fraction": 0.7,
        "weight_trim": 0.95,
    },
}
PAIRS = [
    (rule, name)
    for rule in RULES
    for name in OPTIONS
    if rule != "logit" or name in ("pruned", "all")
]
every_rule_and_option = pytest.mark.parametrize(("rule", "name"), PAIRS)


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table(180)


@pytest.fixture(scope="module")
def binned(X):
    return binned_in_every_way(X)


@every_rule_and_option
@pytest.mark.parametrize("n_classes", [2, 3])
def test_quick_and_slow_give_the_same_model(rule, name, n_classes, X, binned):
    model = classifier(rule, random_state=3, max_depth=5, **OPTIONS[name])
    assert len(digests(model, binned, noisy_labels(X, n_classes))) == 1


@pytest.mark.parametrize("name", OPTIONS)
def test_threads_that_really_share_the_work(name):
    """Below some tens of thousands of cells one thread does it all."""
    X = np.tile(mixed_table(4000, seed=1), 2)
    model = classifier("adaboost", random_state=3, n_estimators=3, **OPTIONS[name])
    assert len(digests(model, X, noisy_labels(X, 3), n_jobs=(1, 2))) == 1


@every_rule_and_option
def test_the_options_change_the_model(rule, name, X):
    y = noisy_labels(X, 2)
    plain, changed = classifier(rule), classifier(rule, random_state=0, **OPTIONS[name])
    assert digest(plain.fit(X, y)) != digest(changed.fit(X, y))


@pytest.mark.parametrize("name", OPTIONS)
def test_a_seed_decides(name, X):
    y = noisy_labels(X, 2)
    fits = [digest(classifier(random_state=seed, **OPTIONS[name]).fit(X, y)) for seed in (1, 1, 2)]
    assert fits[0] == fits[1] != fits[2]


@every_rule_and_option
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_fit_that_goes_on_is_an_unbroken_one(rule, name, n_classes, X):
    y = noisy_labels(X, n_classes)
    options = {"random_state": 5, "max_depth": 4, **OPTIONS[name]}
    broken = classifier(rule, n_estimators=3, warm_start=True, **options).fit(X, y)
    broken.set_params(n_estimators=8).fit(X, y)
    assert digest(broken) == digest(classifier(rule, **options).fit(X, y))


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("rule", ["adaboost", "log"])
def test_error_and_step_of_a_round_are_those_of_all_rows(rule, name, X):
    y = noisy_labels(X, 2)
    model = classifier(rule, random_state=0, **OPTIONS[name]).fit(X, y)
    assert len(model.estimators_) > 2
    margin = np.zeros(len(y))
    encoded = model._schema.encode(X)
    for tree, step, error in zip(
        model.estimators_, model.estimator_weights_, model.estimator_errors_, strict=True
    ):
        weight = np.exp(-margin) if rule == "adaboost" else 1 / (1 + np.exp(margin))
        agreement = (2 * y - 1) * tree.predict(encoded)[:, 0]
        expected = weight[agreement < 0].sum() / weight.sum()
        assert error == pytest.approx(expected, rel=1e-9)
        assert step == pytest.approx(np.log((1 - error) / error) / 2, rel=1e-9)
        margin += step * agreement


@pytest.mark.parametrize("rule", ["adaboost", "real", "log", "real_log", "mada", "gentle", "mh"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_resampled_trees_learn(rule, n_classes, X):
    y = noisy_labels(X, n_classes)
    options = {"random_state": 0, "n_estimators": 40, "learning_rate": 0.5}
    model = classifier(rule, resample=True, **options).fit(X, y)
    assert model.score(X, y) > 0.85
    assert len(model.estimators_) == 40


def test_the_copies_of_later_rounds_are_more(X):
    y = noisy_labels(X, 2)
    model = classifier(resample=20, random_state=0, n_estimators=12).fit(X, y)
    n_rows = [int(tree.n_samples[0]) for tree in model.estimators_]  # copies count once
    assert n_rows[0] <= np.ceil(20 * np.log(2)) < np.mean(n_rows[-3:])


def test_weights_are_what_is_drawn_by(X):
    """Rows of almost no weight are not drawn, so trees cannot grow on them."""
    y = noisy_labels(X, 2)
    weights = np.where(np.arange(len(y)) < 40, 1.0, 1e-12)
    model = classifier(resample=True, random_state=0, n_estimators=1).fit(X, y, weights)
    assert model.estimators_[0].n_samples[0] <= 40
