"""From an estimator's parameters to plain numbers, checked once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from frugalboost._checks import (
    check_bool,
    check_choice,
    check_int,
    check_real,
    check_seed,
    optional_choice,
    optional_int,
)
from frugalboost._threads import count_threads
from frugalboost.boosting import SubsetPlan
from frugalboost.data import check_max_bins
from frugalboost.rules import RULES, RULES_BY_NAME, Rule
from frugalboost.tree import SEARCHES, TreePlan

AUTO_LEAVES, AUTO_ROWS = 31, 20
"""Most leaves of a tree, and fewest rows of a leaf, if no depth is given: docs/defaults.md."""

C45_CASES = 2
"""Fewest rows of a leaf if splits are by gain ratio, with any number of leaves: docs/c45.md."""


@dataclass(frozen=True)
class FitPlan:
    """Everything that a fit needs besides the data; its title is for progress bars."""

    rule: Rule
    tree: TreePlan
    subset: SubsetPlan
    n_estimators: int
    validation_fraction: float | None
    n_iter_no_change: int
    tol: float
    verbose: int
    warm_start: bool
    title: str

    @classmethod
    def from_params(cls, estimator: Any, rule_name: str, n_classes: int) -> FitPlan:
        """Check the parameters of `estimator`."""
        rule_name = check_choice(rule_name, RULES_BY_NAME, name="rule")
        check_seed(estimator.random_state)
        check_max_bins(estimator.max_bins)
        early = check_bool(estimator.early_stopping, name="early_stopping")
        fraction = check_real(
            estimator.validation_fraction,
            name="validation_fraction",
            low=0.0,
            high=1.0,
            closed="neither",
        )
        rule = make_rule(estimator, rule_name, n_classes)
        return cls(
            rule=rule,
            tree=make_tree_plan(estimator, rule_name),
            subset=make_subset_plan(estimator, rule),
            n_estimators=check_int(estimator.n_estimators, name="n_estimators", low=1),
            validation_fraction=fraction if early else None,
            n_iter_no_change=check_int(estimator.n_iter_no_change, name="n_iter_no_change", low=1),
            tol=check_real(estimator.tol, name="tol", low=0.0),
            verbose=check_int(estimator.verbose, name="verbose", low=0),
            warm_start=check_bool(estimator.warm_start, name="warm_start"),
            title=type(estimator).__name__,
        )


def make_rule(estimator: Any, name: str, n_classes: int) -> Rule:
    """The rule with its learning rate, ``"auto"`` standing for the rule's default."""
    kind = RULES_BY_NAME[name]
    rate = estimator.learning_rate
    if is_auto(rate, "learning_rate", "'auto' or a finite number in (0.0, inf)"):
        return kind(n_classes, kind.auto_learning_rate(n_classes))
    return kind(
        n_classes,
        check_real(rate, name="learning_rate", low=0.0, closed="neither"),
    )


def make_tree_plan(estimator: Any, rule_name: str) -> TreePlan:
    """The tree parameters; ``criterion="auto"`` stands for the rule's own."""
    criteria = RULES_BY_NAME[rule_name].criteria
    criterion = check_choice(
        getattr(estimator, "criterion", "auto"), ("auto", *criteria), name="criterion"
    )
    if criterion == "auto":
        criterion = criteria[0]
    search = check_choice(estimator.search, ("auto", *SEARCHES), name="search")
    max_leaf_nodes, min_samples_leaf = leaf_limits(estimator, criterion)
    return TreePlan(
        criterion=criterion,
        search=served_search(criterion, search),
        max_depth=optional_int(estimator.max_depth, "max_depth", low=1),
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=min_samples_leaf,
        quick_mass=check_real(
            estimator.quick_mass, name="quick_mass", low=0.0, high=1.0, closed="right"
        ),
        quick_steps=check_int(estimator.quick_steps, name="quick_steps", low=1, high=10_000),
        n_threads=count_threads(estimator.n_jobs),
        confidence=read_confidence(estimator, rule_name),
    )


def pessimistic_confidence(estimator: Any) -> float | None:
    """Confidence for pruning trees by the rows they grew on; None: no such pruning."""
    confidence = check_real(
        getattr(estimator, "confidence", 0.25), name="confidence", low=0.0, high=0.5, closed="right"
    )
    pruning = optional_choice(getattr(estimator, "pruning", None), ["pessimistic"], name="pruning")
    return None if pruning is None else confidence


def read_confidence(estimator: Any, rule_name: str) -> float | None:
    """`pessimistic_confidence`, if the rule and the other parameters allow such pruning."""
    confidence = pessimistic_confidence(estimator)
    if confidence is None:
        return None
    pruning = estimator.pruning
    if not RULES_BY_NAME[rule_name].names_classes:
        able = ", ".join(repr(name) for name in RULES if RULES_BY_NAME[name].names_classes)
        raise ValueError(
            f"rule must be one of {able} with pruning={pruning!r}, which counts wrong "
            f"answers; got {rule_name!r}."
        )
    if getattr(estimator, "pruning_fraction", None) is not None:
        raise ValueError(
            f"pruning_fraction must be None with pruning={pruning!r}, as a tree is pruned "
            f"in only one way; got {estimator.pruning_fraction!r}."
        )
    return confidence


def make_subset_plan(estimator: Any, rule: Rule) -> SubsetPlan:
    """How much of the table each round looks at, and the seed for drawing it."""

    def share(name: str) -> float:
        value = getattr(estimator, name)
        return check_real(value, name=name, low=0.0, high=1.0, closed="right")

    plan = SubsetPlan(
        feature_fraction=share("feature_fraction"),
        sample_fraction=share("sample_fraction"),
        weight_trim=None if estimator.weight_trim is None else share("weight_trim"),
        resample=read_resample(getattr(estimator, "resample", False)),
        pruning_fraction=read_pruning(getattr(estimator, "pruning_fraction", None)),
    )
    if plan.resample is not False:
        check_resample(plan, rule)
    if not plan.is_random:  # a RandomState is left as it is
        return plan
    random = check_random_state(estimator.random_state)
    return replace(plan, seed=tuple(random.randint(2**31, size=4).tolist()))


def read_resample(value: Any) -> bool | int:
    """True, False, or the integer that scales the number of copies drawn in each round."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if not isinstance(value, int | np.integer) or not 1 <= value <= 2**30:
        raise ValueError(
            f"resample must be True, False or an integer from 1 to 2**30; got {value!r}."
        )
    return int(value)


def read_pruning(value: Any) -> float | None:
    """None, or a share of the rows that is neither none nor all of them."""
    if value is None:
        return None
    return check_real(value, name="pruning_fraction", low=0.0, high=1.0, closed="neither")


def check_resample(plan: SubsetPlan, rule: Rule) -> None:
    """Reject what cannot be combined with resampling."""
    if rule.layout == "real":
        able = ", ".join(repr(name) for name in RULES if name != rule.name)
        raise ValueError(
            f"rule must be one of {able} with resample={plan.resample!r}, as rows are "
            f"drawn by weight; got {rule.name!r}."
        )
    if plan.sample_fraction < 1:
        raise ValueError(
            f"sample_fraction must be 1.0 with resample={plan.resample!r}, which draws "
            f"the rows itself; got {plan.sample_fraction!r}."
        )
    if plan.weight_trim is not None:
        raise ValueError(
            f"weight_trim must be None with resample={plan.resample!r}, which draws "
            f"the rows itself; got {plan.weight_trim!r}."
        )


def leaf_limits(estimator: Any, criterion: str) -> tuple[int | None, int]:
    """Most leaves and fewest rows of one; each ``"auto"`` limits only trees without `max_depth`.

    Given a depth, trees have that depth, as in the papers; with gain ratios, they are C4.5's.
    """
    by_depth, by_ratio = estimator.max_depth is not None, criterion == "gain_ratio"
    leaves, rows = estimator.max_leaf_nodes, estimator.min_samples_leaf
    if is_auto(leaves, "max_leaf_nodes", "'auto', None or an integer from 2 to 1073741824"):
        leaves = None if by_depth or by_ratio else AUTO_LEAVES
    if is_auto(rows, "min_samples_leaf", "'auto' or an integer >= 1"):
        rows = 1 if by_depth else c45_rows(estimator) if by_ratio else AUTO_ROWS
    return (
        optional_int(leaves, "max_leaf_nodes", low=2),
        check_int(rows, name="min_samples_leaf", low=1),
    )


def c45_rows(estimator: Any) -> int:
    """Fewest rows of a leaf of C4.5: two cases, which with `resample` may be copies of one row."""
    return 1 if getattr(estimator, "resample", False) else C45_CASES


def is_auto(value: Any, name: str, rule: str) -> bool:
    """Whether a value is "auto"; other strings are rejected; `rule` says what is allowed."""
    if isinstance(value, str) and value != "auto":
        raise ValueError(f"{name} must be {rule}; got {value!r}.")
    return isinstance(value, str)


def served_search(criterion: str, search: str) -> str:
    """The search that is used: no bound holds for gain ratios, so nothing can be pruned.

    >>> served_search("gini", "quick"), served_search("gain_ratio", "quick")
    ('quick', 'exhaustive')
    """
    if criterion != "gain_ratio" or search == "incremental":
        return search
    return "incremental" if search == "auto" else "exhaustive"
