"""An exported C file, compiled, says what the model says; decisions are equal to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from c_helpers import PLUS, CModel, compile_c, library_of
from export_cases import case, loud_case, names

from frugalboost.export import to_c


def prefix_of(name):
    return "m_" + name.replace("-", "_")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """All models in one file: compiled once."""
    text = "\n".join(to_c(case(name).model, prefix=prefix_of(name)) for name in names())
    return library_of(text, tmp_path_factory.mktemp("c"))


@pytest.mark.thorough
@pytest.mark.parametrize("name", names())
def test_labels_and_probabilities_are_those_of_the_model(name, library):
    tried = case(name)
    expected = tried.decision
    n_classes = len(tried.model.classes_) if tried.is_classifier else 0
    made = CModel(library, prefix_of(name), expected.shape[1], n_classes)
    assert (made.decision(tried.codes) == expected).all()
    said = made.predict(tried.codes)
    if not tried.is_classifier:
        assert (said == expected[:, 0]).all()
        return
    assert (tried.model.classes_[said] == tried.model.predict(tried.X)).all()
    difference = made.predict_proba(tried.codes) - tried.model.predict_proba(tried.X)
    assert np.abs(difference).max() < 1e-12


@pytest.mark.parametrize("name", ["real-2-categories", "gentle-4-categories"])
def test_codes_that_are_not_listed_are_missing(name, library):
    tried = case(name)
    made = CModel(library, prefix_of(name), tried.decision.shape[1], len(tried.model.classes_))
    for feature in (3, 4):
        missing = tried.codes.copy()
        missing[:, feature] = np.nan
        expected = made.decision(missing)
        for code in (-1.0, 1000.0, np.inf, -np.inf):
            missing[:, feature] = code
            assert (made.decision(missing) == expected).all()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        "real-2-categories",
        "mh-4-holes",
        "gentle-4-numbers",
        "one_against_all-4-categories",
        "bagged-4-holes",
        "one_against_all_bagged-4-holes",
        "regressor-1-categories",
    ],
)
def test_it_is_c_plus_plus_as_well(name, tmp_path):
    source = tmp_path / "model.c"
    to_c(case(name).model, source)
    compile_c(source, tmp_path / "model.o", "-c", "-DMODEL_MAIN", words=PLUS)
    compile_c(source, tmp_path / "model.o", "-c", "-DMODEL_HEADER", words=PLUS)


@pytest.mark.parametrize(("learning_rate", "below"), [(100.0, -40), (1000.0, -800)])
def test_committees_that_all_say_no(learning_rate, below, tmp_path):
    """Probabilities are shares of numbers that are tiny, or even 0 all of them."""
    tried = loud_case(learning_rate)
    largest = (tried.decision * 2).max(axis=1)
    assert (largest < below).any()
    made = CModel(library_of(to_c(tried.model), tmp_path), "model", 4, 4)
    said = made.predict_proba(tried.codes)
    assert np.abs(said - tried.model.predict_proba(tried.X)).max() < 1e-12
