"""A fitted model in plain terms, from which every exported form is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.tree import FlatTree

LinkForm: TypeAlias = Literal[
    "none", "sigmoid", "share", "softmax", "one_against_rest", "shares", "sigmoids", "halves"
]
"""How probabilities follow from a decision d, or from one for each class, times the scale:

========================  =========================================================================
"none"                    no probabilities: regression
"sigmoid"                 two classes: ``1 / (1 + exp(-+ d))``
"share"                   two classes: ``(1 -+ d) / 2``
"softmax"                 ``exp(d)``, normalised
"one_against_rest"        ``1 / (1 + exp(-d))``, normalised, however small
"shares"                  ``d`` itself
"sigmoids"                ``1 / (1 + exp(-d))``, normalised; where all are 0 the largest d gets 1
"halves"                  ``(1 + d) / 2``, normalised; where all are 0 the largest d gets 1
========================  =========================================================================
"""


@dataclass(frozen=True)
class Tree:
    """A tree and what its leaves add to the decision.

    Attributes
    ----------
    splits : FlatTree
    values : (n_nodes, width)
        Added at each leaf, step included, to the outputs from `first_output` on.
    first_output : int
    """

    splits: FlatTree
    values: Floats
    first_output: int = 0

    @property
    def width(self) -> int:
        return int(self.values.shape[1])


@dataclass(frozen=True)
class Description:
    """A model as a sum of trees, in the order in which `predict` adds them.

    Attributes
    ----------
    trees : list of Tree
    n_features, n_outputs : int
        For two classes and for regression there is one output, else one for each class.
    baseline : float
        What every sum starts from.
    divisors : (n_outputs,)
        The decision is the sums divided by these.
    link : LinkForm
    scale : float
        Decisions are multiplied by this before the link.
    classes : array or None
        None: regression.
    feature_names : list of str
        "x0", "x1" ... where the training table had none.
    categories : tuple of (array or None)
        For each feature its categories in the order of their codes; None: a number.
    estimator, rule, digest : str
    """

    trees: list[Tree]
    n_features: int
    n_outputs: int
    baseline: float
    divisors: Floats
    link: LinkForm
    scale: float
    classes: AnyArray | None
    feature_names: list[str]
    categories: tuple[AnyArray | None, ...]
    estimator: str
    rule: str
    digest: str

    @property
    def is_divided(self) -> bool:
        return bool((self.divisors != 1).any())

    def category_texts(self, feature: int) -> list[str]:
        """The categories of a feature as strings, in the order of their codes."""
        known = self.categories[feature]
        return [] if known is None else [as_text(value) for value in known.tolist()]

    def class_texts(self) -> list[str]:
        """The classes as strings."""
        return [] if self.classes is None else [as_text(label) for label in self.classes.tolist()]


def as_text(value: object) -> str:
    """A label or category as people write it; whole numbers without a decimal point.

    >>> as_text("red"), as_text(3.0), as_text(2.5), as_text(True)
    ('red', '3', '2.5', 'True')
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def left_codes(tree: FlatTree, node: int) -> AnyArray:
    """Whether each code known to a categorical node goes left."""
    start, n = int(tree.category_start[node]), int(tree.n_categories[node])
    words = tree.category_words[start : start + (n + 63) // 64]
    bits = (words[:, np.newaxis] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    return bits.reshape(-1)[:n].astype(bool)
