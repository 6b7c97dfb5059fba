"""The trees of C4.5 in a file, and the checks of those from strangers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Ints
from frugalboost.c45.committee import C45Committee, values_of_classes
from frugalboost.c45.params import ENSEMBLES
from frugalboost.c45.tree import C45Tree
from frugalboost.rules import RULES_BY_NAME, Rule
from frugalboost.rules.base import LARGEST_STEP
from frugalboost.saving.container import Section, require

BY_NODE = {
    "feature": np.int32,
    "threshold": np.float64,
    "label": np.int32,
    "n_children": np.int32,
}

MOST_CASES = 2.0**133
"""A table has less than 2^32 rows, and none counts as more than 2^100; the rest is rounding."""

ROUNDING = 2.0**-18
"""How far a node may be from the sum of its branches, relative to it.

Both are sums of at most 2^32 cases. Each term is rounded by 2^-53 of the whole, and shares are two
such sums and their quotient: less than six times 2^32 roundings. Underflow adds nothing, as a share
of a case is above 2^-400.
"""


def c45_rule(name: str, n_classes: int, learning_rate: float) -> Rule:
    if name not in ENSEMBLES or n_classes < 2:
        raise ValueError(f"rule must be one of {ENSEMBLES}; got {name[:40]!r}")
    return RULES_BY_NAME[name](n_classes, learning_rate)


@dataclass(frozen=True)
class C45Trees:
    """The trees of a `C45Classifier`, one after the other; after its rule."""

    name: str = "_ensemble"

    def put(self, model: Any, section: Section) -> None:
        members: C45Committee = model._ensemble
        inner = section.inside("c45")
        inner.note("is_single", members.is_single)
        inner.put("steps", np.array(members.steps))
        inner.put("restarts", np.array(members.restarts, dtype=bool))
        inner.put("n_nodes", np.array([tree.n_nodes for tree in members.trees]))
        for name in ("feature", "threshold", "label", "by_class", "children"):
            inner.put(name, np.concatenate([getattr(tree, name) for tree in members.trees]))
        n_children = [np.diff(tree.child_offset) for tree in members.trees]
        inner.put("n_children", np.concatenate(n_children).astype(np.int32))

    def get(self, model: Any, section: Section) -> None:
        inner = section.inside("c45")
        steps, restarts = inner.get("steps", np.float64), inner.get("restarts", np.bool_)
        n_nodes = inner.get("n_nodes", np.int64)
        require(len(steps) == len(restarts) == len(n_nodes) > 0, "its number of trees is wrong")
        require(bool(np.isfinite(steps).all()), "a step is not finite")
        is_small = bool((np.abs(steps) <= LARGEST_STEP).all())
        require(is_small, f"a number in its c45.steps is above {LARGEST_STEP:g}")
        trees = get_trees(inner, n_nodes)
        # Before there are values for so many classes: a file could name any number of them.
        require(
            trees[0].by_class.shape[1] == model._rule.n_classes,
            "its number of classes is not that of its rule",
        )
        is_single = inner.read_note("is_single", bool)
        require(not is_single or len(trees) == 1, "its number of trees is wrong")
        values = values_of_classes(model._rule)
        model._ensemble = C45Committee(values, is_single, trees, steps.tolist(), restarts.tolist())


def get_trees(section: Section, n_nodes: Ints) -> list[C45Tree]:
    """Trees that the core can walk; `check_tests` compares them with the table."""
    arrays = {name: section.get(name, dtype) for name, dtype in BY_NODE.items()}
    arrays["by_class"] = section.get("by_class", np.float64, ndim=2)
    children = section.get("children", np.int32)
    total = len(arrays["feature"])
    is_split = bool((n_nodes >= 1).all() and (n_nodes <= total).all()) and n_nodes.sum() == total
    require(
        is_split and all(len(each) == total for each in arrays.values()), "its nodes do not add up"
    )
    check_nodes(arrays, len(children))
    ends = np.cumsum(arrays["n_children"], dtype=np.int64)
    trees = []
    for first, last in pairwise([0, *np.cumsum(n_nodes).tolist()]):
        begin = int(ends[first - 1]) if first else 0
        offsets = np.concatenate([[begin], ends[first:last]]) - begin
        own = children[begin : int(ends[last - 1])]
        check_children(offsets, own, last - first)
        check_sums(offsets, own, arrays["by_class"][first:last])
        parts = {name: arrays[name][first:last].copy() for name in arrays if name != "n_children"}
        trees.append(C45Tree(**parts, child_offset=offsets, children=own.copy()))
    return trees


def check_nodes(arrays: dict[str, AnyArray], n_children_of_all: int) -> None:
    by_class, n_children, label = arrays["by_class"], arrays["n_children"], arrays["label"]
    is_sound = np.isfinite(by_class).all() and (by_class >= 0).all()
    require(bool(is_sound), "a leaf value is not finite")
    is_small = bool((by_class <= MOST_CASES).all())
    require(is_small, f"a number in its c45.by_class is above {MOST_CASES:g}")
    require(bool((label >= 0).all() and (label < by_class.shape[1]).all()), "a class is unknown")
    is_count = bool((n_children >= 0).all())
    require(
        is_count and int(n_children.sum(dtype=np.int64)) == n_children_of_all,
        "its branches do not add up",
    )
    is_inner = arrays["feature"] >= 0
    require(bool((arrays["feature"] >= -1).all()), "a feature does not exist")
    require(bool(((n_children > 0) == is_inner).all()), "its branches do not add up")
    has_cases = (by_class[is_inner] > 0).any(axis=1)
    require(bool(has_cases.all()), "a node that is split has no cases")


def check_children(offsets: Ints, children: AnyArray, n_nodes: int) -> None:
    """Each node but the root is the child of one before it: no walk goes on for ever."""
    parents = np.repeat(np.arange(n_nodes), np.diff(offsets))
    comes_after = (children > parents).all() and (children < n_nodes).all()
    require(bool(comes_after), "a node's child does not come after it in its tree")
    n_parents = np.bincount(children, minlength=n_nodes)
    n_parents[0] += 1
    require(bool((n_parents == 1).all()), "a node has no parent, or two")


def check_sums(offsets: Ints, children: AnyArray, by_class: AnyArray) -> None:
    """A row with a missing value goes to the branches in shares, which must add up to one."""
    inner = np.flatnonzero(np.diff(offsets))
    if len(inner) == 0:
        return
    sums = np.add.reduceat(by_class[children], offsets[inner], axis=0)
    gap = np.abs(sums - by_class[inner])
    require(
        bool((gap <= ROUNDING * by_class[inner]).all()),
        "its c45.by_class does not add up: a node has other cases than its branches",
    )


def check_c45(model: Any) -> None:
    """Check that trees, classes and table belong together."""
    n_classes, schema = len(model.classes_), model._schema
    require(
        schema.n_features == model.n_features_in_, "its trees and its table have different features"
    )
    require(model.n_estimators_ == len(model._ensemble), "its number of trees is wrong")
    require(model._rule.n_classes == n_classes, "its number of classes is not that of its rule")
    n_branches = np.array([2 if each is None else len(each) for each in schema.categories])
    for tree in model._ensemble.trees:
        check_tests(tree, np.asarray(schema.is_categorical), n_branches)


def check_tests(tree: C45Tree, is_categorical: AnyArray, n_branches: AnyArray) -> None:
    inner = np.flatnonzero(~tree.is_leaf)
    feature = tree.feature[inner]
    require(bool((feature < len(is_categorical)).all()), "a feature does not exist")
    has_none = np.isnan(tree.threshold[inner])
    require(bool((has_none == is_categorical[feature]).all()), "a split has no threshold")
    n_children = np.diff(tree.child_offset)[inner]
    require(bool((n_children == n_branches[feature]).all()), "its branches do not add up")
