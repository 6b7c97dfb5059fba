"""Reduced-error pruning of a whole tree from its rows, to compare with what fits do."""

from __future__ import annotations

from frugalboost.rules.held_out import errors_as_leaf, exponential_of_pairs
from frugalboost.tree.fixed_point import class_sums
from frugalboost.tree.reduced_error import collapse, cut_nodes, kept_nodes, sums_by_node


def exponential_as_leaf(values, held):
    """Held-out weight times ``exp(-margin)``; two classes have one value a leaf."""
    if values.shape[1] == 1:
        minus, plus = held[:, :1], held[:, 1:]
    else:
        plus, minus = held, held.sum(axis=1, keepdims=True) - held
    return exponential_of_pairs(values, minus, plus)


def prune_with(tree, X, labels, weights, growing, leaf_values, *, loss="error"):
    """Prune a tree with rows that it did not grow on.

    Parameters
    ----------
    tree : FlatTree
    X : encoded matrix of the held-out rows
    labels, weights : (n,) class codes and weights (or counts) of the held-out rows
    growing : (n_leaves, K) weights of the classes in each leaf, of the rows that the tree grew on
    leaf_values : function
        What leaves say, (m, n_outputs), where the rows they grew on weigh (m, K).
    loss : {"error", "exponential"}
        What pruning minimises: the weight that the heaviest class misses, or ``exp(-margin)`` of
        what leaves say (`exponential_as_leaf`).
    """
    growing = sums_by_node(tree.left, tree.right, growing)
    held = class_sums(tree.apply(X), labels, weights, growing.shape)
    held = sums_by_node(tree.left, tree.right, held[tree.is_leaf])
    if loss == "error":
        losses = errors_as_leaf(growing, held)
    else:
        losses = exponential_as_leaf(leaf_values(growing), held)
    cut = cut_nodes(tree.left, tree.right, losses)
    is_new_leaf = kept_nodes(tree.left, tree.right, cut) & (tree.is_leaf | cut)
    return collapse(tree, cut, leaf_values(growing[is_new_leaf]))
