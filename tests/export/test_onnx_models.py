"""What ONNX models hold besides trees: labels, metadata; and trees of unusual shape."""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd
import pytest
from export_cases import boosted, case, codes_of, labels, table
from onnx_helpers import run, session_of

import frugalboost as fb
from frugalboost.export import to_onnx
from frugalboost.export.describe import describe
from frugalboost.export.onnx_trees import BRANCH_LT, BRANCH_MEMBER, nodes_of, tree_columns

LABELS = {
    "texts": np.array(["no", "straße", "yes", "zig\nzag"]),
    "objects": np.array(["no", "maybe", "yes", "?"], dtype=object),
    "integers": np.array([-3, 0, 5, 2**40]),
    "floats": np.array([0.0, 1.0, 2.0, 3.0]),
    "booleans": np.array([False, True]),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_are_of_the_kind_of_the_classes(kind):
    X, names = table("numbers"), LABELS[kind]
    model = boosted("real").fit(X, names[labels(X, len(names))])
    said = run(session_of(model), X)["label"]
    assert said.tolist() == model.predict(X).tolist()


def test_classes_of_several_kinds_have_no_onnx_form():
    pytest.importorskip("onnx")
    X = table("numbers")
    names = np.array(["no", 1], dtype=object)
    model = boosted("real").fit(X, names[labels(X, 2)])
    with pytest.raises(TypeError, match="to_onnx: classes of an ONNX model must be all strings"):
        to_onnx(model)


def test_the_metadata_tell_how_to_make_x():
    pytest.importorskip("onnx")
    random = np.random.default_rng(0)
    colours = pd.Categorical(random.choice(["red", "green", "blue"], 100))
    frame = pd.DataFrame({"size": random.normal(size=100), "colour": colours})
    model = boosted("real").fit(frame, np.where(frame["colour"] == "red", "yes", "no"))
    made = to_onnx(model)
    told = {entry.key: entry.value for entry in made.metadata_props}
    assert (made.producer_name, made.producer_version) == ("frugalboost", fb.__version__)
    assert told["digest"] == fb.digest(model)
    assert json.loads(told["feature_names"]) == ["size", "colour"]
    assert json.loads(told["categories"]) == {"colour": ["blue", "green", "red"]}
    assert json.loads(told["classes"]) == ["no", "yes"]
    coded = frame.assign(colour=frame["colour"].map(["blue", "green", "red"].index))
    said = run(session_of(model), coded.to_numpy(dtype=np.float64))
    assert (said["label"] == model.predict(frame)).all()


def test_the_same_model_gives_the_same_bytes(tmp_path):
    pytest.importorskip("onnx")
    model = case("real-4-categories").model
    to_onnx(model, tmp_path / "a.onnx")
    to_onnx(model, tmp_path / "b.onnx")
    content = (tmp_path / "a.onnx").read_bytes()
    assert content == (tmp_path / "b.onnx").read_bytes()
    assert content == to_onnx(model).SerializeToString(deterministic=True)


def test_trees_without_a_split():
    X = np.zeros((20, 1))
    y = np.arange(20) % 3 == 0
    model = fb.BoostedTreesClassifier("real", n_estimators=3).fit(X, y)
    assert [tree.n_nodes for tree in model.estimators_] == [1] * len(model.estimators_)
    said = run(session_of(model), X)
    assert (said["decision"] == model.decision_function(X)).all()


@pytest.mark.parametrize("n", [2, 31, 32, 64, 65, 500])
def test_any_number_of_categories(n):
    random = np.random.default_rng(n)
    X = random.integers(0, n, (40 * min(n, 20), 1)).astype(float)
    y = (X[:, 0] * 7 % 5 > 2) ^ (random.random(len(X)) < 0.05)
    model = boosted("logit", categorical_features=[0]).fit(X, y)
    rows = np.append(np.arange(n), [-1, n, np.nan])[:, np.newaxis]
    said = run(session_of(model), codes_of(model, rows))
    assert (said["decision"] == model.decision_function(rows)).all()


def test_a_set_without_members_is_an_order_that_never_holds():
    """Where missing values alone go left, no known category goes right: that set is empty."""
    random = np.random.default_rng(0)
    X = random.integers(0, 4, (200, 1)).astype(float)
    X[random.random(200) < 0.5] = np.nan
    model = fb.BoostedTreesClassifier("real", n_estimators=1, max_depth=1, categorical_features=[0])
    model.fit(X, np.isnan(X[:, 0]))
    (tree,) = model.estimators_
    flipped = {
        "left": tree.right,
        "right": tree.left,
        "missing_left": 1 - tree.missing_left,
        "category_words": tree.category_words ^ np.uint64(15),
    }
    for mirrored in (tree, type(tree)(**{**tree.__dict__, **flipped})):
        nodes = nodes_of(mirrored)
        assert nodes.mode[0] in (BRANCH_MEMBER, BRANCH_LT)
        assert len(nodes.members) == (nodes.mode[0] == BRANCH_MEMBER)
        model._ensemble.trees[0], model._ensemble._forest = mirrored, None
        model._ensemble._narrow = model._ensemble._used = None
        said = run(session_of(model), codes_of(model, X))
        assert (said["decision"] == model.decision_function(X)).all()


@pytest.mark.parametrize("n_classes", [2, 4])
def test_no_root_has_a_node_and_a_leaf_of_one_number(n_classes):
    """Some versions of onnxruntime take such a tree for a leaf; so these have a leaf to spare."""
    X = table("numbers")
    model = fb.BoostedTreesClassifier("real", n_estimators=9, max_leaf_nodes=3)
    columns = tree_columns(describe(model.fit(X, labels(X, n_classes))))
    assert len(columns["leaf_weights"]) > 3 * len(columns["tree_roots"])
    roots = columns["tree_roots"]
    on_true, on_false = (columns[f"nodes_{side}nodeids"][roots] for side in ("true", "false"))
    of_true, of_false = (columns[f"nodes_{side}leafs"][roots] for side in ("true", "false"))
    mixed = of_true != of_false
    assert mixed.all()
    assert (on_true[mixed] != on_false[mixed]).all()


def test_without_onnx_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r'to_onnx: onnx is needed; .* "frugalboost\[export\]"'):
        to_onnx(case("real-2-numbers").model)
