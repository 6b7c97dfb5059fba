"""What C files hold besides trees: names, the code of a category, the example program."""

from __future__ import annotations

import ctypes
import math
import subprocess

import numpy as np
import pandas as pd
import pytest
from c_helpers import CModel, compile_c, library_of, pointer
from export_cases import boosted, case, labels, table

import frugalboost as fb
from frugalboost.export import to_c

ODD_TEXTS = [
    'say "hi"',
    "back\\slash",
    "two\nlines",
    "straße 日本",
    "??/??=",
    "*/ x /*",
    "PREFIX UPPER",
]


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            ODD_TEXTS[0]: random.normal(size=300).round(2),
            "*/??/": pd.Categorical(random.choice(ODD_TEXTS, 300)),
            "int": pd.Categorical(random.choice([3, 5, 8], 300)),
        }
    )


@pytest.fixture(scope="module")
def model(frame):
    score = frame[ODD_TEXTS[0]] + frame["*/??/"].cat.codes % 3 - (frame["int"] == 5)
    return boosted("real").fit(frame, np.array(["no", 'y"es\\', "ß"])[score.astype(int) % 3])


@pytest.fixture(scope="module")
def library(model, tmp_path_factory):
    return library_of(to_c(model, prefix="odd"), tmp_path_factory.mktemp("c"))


def texts(library, name, n):
    return [text.decode() for text in (ctypes.c_char_p * n).in_dll(library, name)]


def test_names_survive(model, library, frame):
    assert texts(library, "odd_feature_names", 3) == frame.columns.tolist()
    assert texts(library, "odd_classes", 3) == model.classes_.tolist()


def test_category_finds_codes_by_name(library):
    code = library.odd_category
    code.restype, code.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.c_char_p]
    assert [code(1, text.encode()) for text in sorted(ODD_TEXTS)] == list(range(len(ODD_TEXTS)))
    assert [code(2, b"3"), code(2, b"5"), code(2, b"8")] == [0.0, 1.0, 2.0]
    unknown = [(1, b"new"), (1, b""), (2, b"4"), (0, b"0"), (-1, b"3"), (3, b"3")]
    assert all(math.isnan(code(feature, name)) for feature, name in unknown)


def test_rows_by_names_are_predicted(model, library, frame):
    code = library.odd_category
    code.restype, code.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.c_char_p]
    rows = np.array(
        [
            [size, code(1, colour.encode()), code(2, str(number).encode())]
            for size, colour, number in frame.itertuples(index=False)
        ]
    )
    made = CModel(library, "odd", 3, 3)
    assert (made.decision(rows) == model.decision_function(frame)).all()


def program_of(model, folder):
    source = folder / "model.c"
    to_c(model, source)
    return compile_c(source, folder / "model", "-DMODEL_MAIN")


def answers(program, text):
    return subprocess.run([str(program)], input=text, capture_output=True, text=True)


def test_the_program_predicts_rows_of_text(tmp_path):
    random = np.random.default_rng(1)
    colours = random.choice(["red", "dark green", "blue"], 200)
    frame = pd.DataFrame({"size": random.normal(size=200), "colour": pd.Categorical(colours)})
    y = np.where((frame["size"] > 0) & (colours == "red"), "yes", "no")
    model = boosted("logit").fit(frame, y)
    frame.loc[::10, "size"] = np.nan
    frame.loc[::15, "colour"] = np.nan
    done = answers(program_of(model, tmp_path), frame.to_csv(index=False, header=False))
    assert (done.returncode, done.stderr) == (0, "")
    said = [line.split(",") for line in done.stdout.splitlines()]
    assert [line[0] for line in said] == model.predict(frame).tolist()
    shares = np.array([line[1:] for line in said], dtype=float)
    assert np.abs(shares - model.predict_proba(frame)).max() < 1e-12


@pytest.mark.parametrize("row", ["1,2,3,4", "1,2,3,4,5,6", "1,2,x,4,5", "", "1,2,3,4,5e"])
def test_the_program_refuses_rows_that_it_cannot_read(row, five_numbers):
    done = answers(five_numbers, f"1,2,3,4,5\n{row}\n")
    assert done.returncode == 1
    assert done.stderr == "row 2: expected 5 comma-separated values\n"


@pytest.fixture(scope="module")
def five_numbers(tmp_path_factory):
    return program_of(case("regressor-1-numbers").model, tmp_path_factory.mktemp("c"))


def test_the_program_prints_numbers_that_read_back(five_numbers):
    tried = case("regressor-1-numbers")
    text = "\n".join(",".join(map(repr, row)) for row in tried.X.tolist())
    done = answers(five_numbers, text)
    said = [float(line) for line in done.stdout.splitlines()]
    assert said == tried.model.predict(tried.X).tolist()


def test_trees_without_a_split(tmp_path):
    X = np.zeros((20, 1))
    model = fb.BoostedTreesClassifier("real", n_estimators=3).fit(X, np.arange(20) % 3 == 0)
    library = library_of(to_c(model), tmp_path)
    assert (CModel(library, "model", 1, 2).decision(X)[:, 0] == model.decision_function(X)).all()


@pytest.mark.thorough
def test_large_tables_need_wider_integers(tmp_path):
    """More than 127 nodes in a tree, more than 64 features, more than 32,767 nodes in all."""
    random = np.random.default_rng(0)
    X = np.zeros((1000, 70))
    X[:, -3:] = random.normal(size=(1000, 3))
    y = random.integers(0, 2, 1000)
    model = fb.BoostedTreesClassifier(
        "real", criterion="gini", n_estimators=160, max_leaf_nodes=250, min_samples_leaf=1
    ).fit(X, y)
    assert max(tree.n_nodes for tree in model.estimators_) > 2 * 128
    assert sum(tree.n_leaves - 1 for tree in model.estimators_) >= 2**15
    library = library_of(to_c(model), tmp_path)
    said = CModel(library, "model", 1, 2).decision(X[:200])[:, 0]
    assert (said == model.decision_function(X[:200])).all()


def test_the_header_has_only_declarations(tmp_path):
    tried = case("real-4-holes")
    to_c(tried.model, tmp_path / "model.c")
    (tmp_path / "other.c").write_text(
        '#define MODEL_HEADER\n#include "model.c"\n'
        "int answer(const double *x);\n"
        "int answer(const double *x) { return model_predict(x) + model_n_features; }\n"
    )
    target = compile_c(
        tmp_path / "model.c", tmp_path / "two.so", str(tmp_path / "other.c"), "-shared", "-fPIC"
    )
    answer = ctypes.CDLL(str(target)).answer
    said = [answer(pointer(row)) - 5 for row in tried.codes]
    assert tried.model.classes_[said].tolist() == tried.model.predict(tried.X).tolist()


@pytest.mark.parametrize("prefix", ["", "1st", "my model", "a-b", "é", None, 3])
def test_a_prefix_must_be_a_name(prefix):
    with pytest.raises(ValueError, match="to_c: prefix must be letters, digits and underscores"):
        to_c(case("real-2-numbers").model, prefix=prefix)


def test_classes_of_any_kind_have_a_c_form(tmp_path):
    X = table("numbers")
    names = np.array(["no", 1], dtype=object)
    model = boosted("real").fit(X, names[labels(X, 2)])
    library = library_of(to_c(model), tmp_path)
    assert texts(library, "model_classes", 2) == [str(name) for name in model.classes_]
