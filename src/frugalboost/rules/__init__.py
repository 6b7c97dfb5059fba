"""Boosting rules: one small file each, pure functions of arrays.

To add a rule:

1. Write ``rules/<name>.py`` with one frozen dataclass derived from `Rule` (or from `ClassRule` or
   `NamingRule` if a row has one weight for all classes, from `VoteRule` or `OddsRule` if it asks
   "this class or not?"). Set `name`, `criteria` (its own first) and `default_learning_rate`; write
   those of `problem`, `judge`, `advance`, `loss` and `link` that it does not inherit.
   Exponential weights go through `weights.tree_weights`, which keeps them finite. If a tree
   multiplies weights by a factor for each leaf and label, write `rise` and `tells_rise` too: the
   core then keeps the weights, and searches can use what changed. If a tree minimises something
   other than the weight of wrong answers, write `held_out_loss`, which pruning needs.
2. Add the class to ``CLASSIFIER_RULES`` (or ``REGRESSOR_RULES``) below.
3. The tests in ``tests/rules`` run over all registered rules: ten thousand rounds, stops,
   probabilities. Add the rule's loss to the table of finite differences, and test what is special
   to it (the step that minimises something, a bound) separately.
4. Add a line to the table in ``docs/rules.md`` and to the change log.
"""

from __future__ import annotations

from frugalboost.rules.adaboost import AdaBoost
from frugalboost.rules.adaboost_m1 import AdaBoostM1
from frugalboost.rules.bagging import Bagging
from frugalboost.rules.base import Rule
from frugalboost.rules.gentle import GentleBoost
from frugalboost.rules.l2 import L2Boost
from frugalboost.rules.log import AdaBoostLog
from frugalboost.rules.logit import LogitBoost
from frugalboost.rules.mada import MadaBoost
from frugalboost.rules.mh import AdaBoostMH
from frugalboost.rules.problem import Action, Layout, LeafSums, TreeProblem, Verdict
from frugalboost.rules.real import RealAdaBoost
from frugalboost.rules.real_log import RealAdaBoostLog

CLASSIFIER_RULES: dict[str, type[Rule]] = {
    rule.name: rule
    for rule in (
        AdaBoost,
        AdaBoostM1,
        AdaBoostMH,
        RealAdaBoost,
        AdaBoostLog,
        RealAdaBoostLog,
        MadaBoost,
        LogitBoost,
        GentleBoost,
    )
}
REGRESSOR_RULES: dict[str, type[Rule]] = {L2Boost.name: L2Boost}
VOTING_RULES: dict[str, type[Rule]] = {Bagging.name: Bagging}
"""Rules that do not boost; each has its own estimator."""

RULES_BY_NAME = CLASSIFIER_RULES | REGRESSOR_RULES | VOTING_RULES

RULES = tuple(CLASSIFIER_RULES)
"""Names of the rules for classifiers."""


def rule_class(name: str) -> type[Rule]:
    """Look up a rule by name, for its criteria and default learning rate.

    >>> rule_class("real").criteria[0]
    'z'
    """
    if name not in RULES_BY_NAME:
        options = ", ".join(repr(option) for option in sorted(RULES_BY_NAME))
        raise ValueError(f"rule must be one of {options}; got {name!r}.")
    return RULES_BY_NAME[name]


def make_rule(name: str, n_classes: int, learning_rate: float | None = None) -> Rule:
    """Make a rule by name; without `learning_rate`, it has its default.

    >>> make_rule("gentle", n_classes=3)
    GentleBoost(n_classes=3, learning_rate=0.1)
    """
    rule = rule_class(name)
    if learning_rate is None:
        learning_rate = rule.auto_learning_rate(n_classes)
    return rule(n_classes, learning_rate)


__all__ = [
    "CLASSIFIER_RULES",
    "REGRESSOR_RULES",
    "RULES",
    "RULES_BY_NAME",
    "VOTING_RULES",
    "Action",
    "AdaBoost",
    "AdaBoostLog",
    "AdaBoostM1",
    "AdaBoostMH",
    "Bagging",
    "GentleBoost",
    "L2Boost",
    "Layout",
    "LeafSums",
    "LogitBoost",
    "MadaBoost",
    "RealAdaBoost",
    "RealAdaBoostLog",
    "Rule",
    "TreeProblem",
    "Verdict",
    "make_rule",
    "rule_class",
]
