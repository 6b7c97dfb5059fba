from __future__ import annotations

import numpy as np
import pytest

from frugalboost.reproduce.adaptive_pruning.fits import fit
from frugalboost.reproduce.adaptive_pruning.label_pairs import label_first, paired
from frugalboost.reproduce.fits import make_model
from frugalboost.reproduce.sources import Sources
from small_data import write_a6a, write_satimage


@pytest.fixture
def rows(tmp_path):
    write_satimage(tmp_path)
    return Sources(tmp_path)["satimage"]


def test_each_row_has_one_pair_for_each_label(rows):
    pairs = paired(rows)
    labels = np.unique(rows.y_train)
    assert pairs.n_labels == len(labels) == 6
    groups = pairs.X_train.reshape(len(rows.y_train), 6, 37)
    for label in range(6):
        assert (groups[:, label, :36] == rows.X_train).all()
        assert (groups[:, label, 36] == label).all()
    own = pairs.y_train.reshape(-1, 6)
    assert (labels[own.argmax(axis=1)] == rows.y_train).all()
    assert (own.sum(axis=1) == 1 - 5).all()


def test_the_label_can_be_the_first_feature(rows):
    pairs = paired(rows)
    other = label_first(pairs)
    assert (other.X_test[:, 0] == pairs.X_test[:, -1]).all()
    assert (other.X_test[:, 1:] == pairs.X_test[:, :-1]).all()
    assert other.n_labels == 6


def test_two_classes_stay_as_they_are(tmp_path):
    write_a6a(tmp_path)
    source = Sources(tmp_path)["a6a"]
    assert paired(source) is source


def test_errors_are_those_of_the_label_with_the_largest_score(rows):
    pairs = paired(rows)
    model = make_model(2, 12)
    fitted = fit(pairs, (5, 12), model)
    for part, X, y in (
        ("train_error", rows.X_train, rows.y_train),
        ("test_error", rows.X_test, rows.y_test),
    ):
        scores = np.column_stack(
            [
                model.decision_function(np.column_stack([X, np.full(len(X), label)]))
                for label in range(6)
            ]
        )
        wrong = np.unique(rows.y_train)[scores.argmax(axis=1)] != y
        assert fitted[part][1] == wrong.mean()
