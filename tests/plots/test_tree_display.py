"""A drawn tree: boxes say what nodes hold, edges lead to their children, nothing overlaps."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from plots_helpers import new_axes, stump
from sklearn.datasets import load_digits, load_iris

from frugalboost import BoostedTreesClassifier
from frugalboost.plots import TreeDisplay


def test_boxes_say_what_nodes_hold():
    display = TreeDisplay(stump(), feature_names=["a", "b"]).plot(ax=new_axes())
    texts = {number: box.get_text() for number, box in display.boxes_.items()}
    assert texts == {0: "b\n≤ 2.5\n100 rows", 1: "-1\n30 rows", 2: "+0.5\n70 rows"}
    assert set(display.edges_) == {(0, 1), (0, 2)}
    line = display.edges_[0, 2]
    assert (list(line.get_xdata()), list(line.get_ydata())) == ([0.5, 1.0], [0.0, -1.0])


@pytest.fixture(scope="module", name="model")
def deep_model():
    X, y = load_digits(return_X_y=True)
    return BoostedTreesClassifier("real", n_estimators=3, max_depth=6).fit(X, y)


def test_every_node_down_to_the_depth_is_there(model):
    tree = model.estimators_[2]
    display = TreeDisplay.from_estimator(model, 2, max_depth=6)
    assert set(display.nodes) == set(range(tree.n_nodes))
    for number, node in display.nodes.items():
        is_leaf = tree.feature[number] < 0
        assert node.children == (() if is_leaf else (tree.left[number], tree.right[number]))
        assert node.text.endswith(f"{tree.n_samples[number]:,} rows")


def test_leaves_stand_side_by_side_and_parents_between_their_children(model):
    nodes = TreeDisplay.from_estimator(model, max_depth=4).nodes
    ends = sorted(node.x for node in nodes.values() if not node.children)
    assert ends == list(range(len(ends)))
    for node in nodes.values():
        if node.children:
            left, right = (nodes[child] for child in node.children)
            assert left.x < node.x < right.x
            assert left.y == right.y == node.y - 1


def test_what_is_too_deep_is_left_out_and_said(model):
    display = TreeDisplay.from_estimator(model, max_depth=2)
    assert min(node.y for node in display.nodes.values()) == -2
    cut = [number for number, node in display.nodes.items() if node.text.startswith("…")]
    tree = model.estimators_[0]
    assert cut
    assert all(tree.feature[number] >= 0 for number in cut)


def test_boxes_of_a_tree_of_depth_four_do_not_overlap(model):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    display = TreeDisplay.from_estimator(model, max_depth=4).plot()
    display.figure_.canvas.draw()
    level: dict[float, list] = {}
    for number, box in display.boxes_.items():
        level.setdefault(display.nodes[number].y, []).append(box.get_window_extent())
    for boxes in level.values():
        ordered = sorted(boxes, key=lambda box: box.x0)
        assert all(a.x1 <= b.x0 for a, b in pairwise(ordered))
    pyplot.close(display.figure_)


def test_leaves_of_several_classes_name_the_class_they_speak_for():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versi$color", "virginica"])
    model = BoostedTreesClassifier("real", n_estimators=1, max_depth=1).fit(X, names[y])
    tree = model.estimators_[0]
    said = {node.text.split("\n")[0] for node in TreeDisplay.from_estimator(model).nodes.values()}
    best = {names[tree.value[leaf].argmax()].replace("$", r"\$") for leaf in (1, 2)}
    assert best <= said


def test_categories_are_named_and_counted():
    colours = ["red", "green", "blue", "black", "white"]
    table = pd.DataFrame({"colour": pd.Categorical(colours * 20)})
    is_warm = table["colour"].isin(["red", "green", "blue", "black"])
    model = BoostedTreesClassifier(n_estimators=1, max_depth=1).fit(table, is_warm)
    lines = TreeDisplay.from_estimator(model).nodes[0].text.split("\n")
    tree = model.estimators_[0]
    known = model._schema.categories[0]
    left = [str(c) for i, c in enumerate(known) if int(tree.category_words[0]) >> i & 1]
    shown = left if len(left) <= 3 else [*left[:3], f"{len(left) - 3} more"]
    missing = " or missing" if tree.missing_left[0] else ""
    assert lines == ["colour", f"in {{{', '.join(shown)}}}{missing}", "100 rows"]


@pytest.mark.parametrize(("option", "value"), [("number", 3), ("number", -1), ("max_depth", -1)])
def test_bad_input_is_named(model, option, value):
    with pytest.raises(ValueError, match=f"^TreeDisplay: {option} must be"):
        TreeDisplay.from_estimator(model, **{option: value})
