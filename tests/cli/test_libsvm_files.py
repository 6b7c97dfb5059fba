"""Whether the features of a LIBSVM file are numbered from 0 or 1: a model knows from its fit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

pytest.importorskip("typer")

from table_helpers import FAST, matrix, ok, refused

import frugalboost as fb

X, Y = matrix()
IS_ABSENT = X[:, 0] == 0
"""Rows that do not mention the first feature, so that they do not show where numbers begin."""

BASES = pytest.mark.parametrize("base", [0, 1])


def write_numbered(path, rows, base):
    dump_svmlight_file(sparse.csr_matrix(X[rows]), Y[rows], str(path), zero_based=base == 0)
    return path


@pytest.fixture
def model(tmp_path, base):
    path = tmp_path / "m.fboost"
    ok("fit", write_numbered(tmp_path / "train.svm", slice(None), base), "-o", path, *FAST)
    return path


def error_of(model, rows):
    return 1.0 - fb.load(model).score(X[rows], Y[rows])


@BASES
def test_rows_without_the_first_feature(tmp_path, model, base):
    path = write_numbered(tmp_path / "test.svm", IS_ABSENT, base)
    expected = error_of(model, IS_ABSENT)
    assert json.loads(ok("evaluate", model, path, "--json").stdout)["error"] == expected
    lines = ok("predict", model, path).stdout.split()[1:]
    assert list(map(int, lines)) == fb.load(model).predict(X[IS_ABSENT]).tolist()


@BASES
def test_a_file_to_test_on(tmp_path, base):
    train = write_numbered(tmp_path / "train.svm", slice(None), base)
    test = write_numbered(tmp_path / "test.svm", IS_ABSENT, base)
    found = ok("fit", train, "--test", test, "-o", tmp_path / "m.fboost", "--json", *FAST).stdout
    assert json.loads(found)["scores"]["error"] == error_of(tmp_path / "m.fboost", IS_ABSENT)


@BASES
def test_a_pruned_model_still_knows(tmp_path, model, base):
    path = write_numbered(tmp_path / "test.svm", IS_ABSENT, base)
    small = tmp_path / "small.fboost"
    options = ("--keep", "3", "--test", path, "--json")
    found = json.loads(ok("prune", model, path, "-o", small, *options).stdout)
    assert found["before"]["test_error"] == error_of(model, IS_ABSENT)
    found = json.loads(ok("evaluate", small, path, "--json").stdout)
    assert found["error"] == error_of(small, IS_ABSENT)


@pytest.mark.parametrize("base", [1])
def test_a_number_0_is_refused_where_the_fit_had_none(tmp_path, model):
    path = tmp_path / "test.svm"
    path.write_text("3 1:1\n4 2:1\n3 0:1 1:1\n")
    said = refused(1, "evaluate", model, path)
    assert said.endswith(
        f"{path}: features must have numbers from 1, as the model's have; got 0 in row 3.\n"
    )


@BASES
def test_rows_without_any_feature(tmp_path, model):
    path = tmp_path / "test.svm"
    path.write_text("3\n4\n")
    found = ok("predict", model, path).stdout.split()[1:]
    assert list(map(int, found)) == fb.load(model).predict(np.zeros((2, 4))).tolist()


@BASES
def test_a_model_without_a_record_goes_by_the_file(tmp_path, base):
    model = tmp_path / "m.fboost"
    fb.save(fb.BoostedTreesClassifier(n_estimators=8).fit(sparse.csr_matrix(X), Y), model)
    path = write_numbered(tmp_path / "test.svm", slice(None), base)
    found = json.loads(ok("evaluate", model, path, "--target", "label", "--json").stdout)
    assert found["error"] == error_of(model, slice(None))
