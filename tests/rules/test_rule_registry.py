"""Names, defaults and complaints."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from rule_helpers import every_classifier_rule

from frugalboost.rules import CLASSIFIER_RULES, RULES, make_rule, rule_class


def test_the_names_of_the_rules():
    assert set(RULES) == {
        "adaboost", "adaboost_m1", "mh", "real", "log", "real_log", "mada", "logit", "gentle",
    }  # fmt: skip


@pytest.mark.parametrize("name", [*RULES, "l2"])
def test_default_learning_rates(name):
    expected = 0.1 if name in ("real", "real_log", "logit", "gentle", "l2") else 1.0
    assert make_rule(name, 2).learning_rate == expected
    assert make_rule(name, 2, 0.7).learning_rate == 0.7


def test_the_own_criterion_comes_first():
    own = {name: rule.criteria[0] for name, rule in CLASSIFIER_RULES.items()}
    assert own == {
        "adaboost": "error", "adaboost_m1": "error", "mh": "error", "log": "error",
        "mada": "error", "real": "z", "real_log": "z", "gentle": "gini", "logit": "variance",
    }  # fmt: skip
    for name, rule in CLASSIFIER_RULES.items():
        expected = {"variance"} if name == "logit" else {
            "error", "gini", "entropy", "z", "variance", "gain_ratio",
        }  # fmt: skip
        assert set(rule.criteria) == expected
        assert len(rule.criteria) == len(expected)


@every_classifier_rule
def test_shapes_of_state_weights_and_outputs(name, n_classes):
    rule = make_rule(name, n_classes)
    n_outputs = 1 if n_classes == 2 else n_classes
    assert rule.n_outputs == n_outputs
    state = rule.start(7)
    assert len(state) == 7
    assert not state.any()
    problem = rule.problem(state, np.arange(7) % n_classes, np.ones(7))
    assert problem.layout == rule.layout
    assert problem.weights.shape == ((7,) if rule.layout == "classes" else (7, n_outputs))
    if rule.layout == "real":
        assert problem.numerators.shape == (7, n_outputs)
    else:
        assert problem.numerators is None


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf")])
def test_a_bad_learning_rate_is_named(name, rate):
    complaint = f"{rule_class(name).__name__}: learning_rate must be a finite number above 0; "
    with pytest.raises(ValueError, match=f"^{complaint}got {rate}\\.$"):
        make_rule(name, 2, rate)


@pytest.mark.parametrize("name", RULES)
def test_one_class_is_too_few(name):
    with pytest.raises(ValueError, match=r": n_classes must be at least 2; got 1\.$"):
        make_rule(name, 1)


def test_an_unknown_rule_is_answered_with_the_known_ones():
    known = (
        "'adaboost', 'adaboost_m1', 'bagging', 'gentle', 'l2', 'log', 'logit', 'mada', 'mh', "
        "'real', 'real_log'"
    )
    complaint = f"rule must be one of {known}; got 'samme'."
    with pytest.raises(ValueError, match=f"^{re.escape(complaint)}$"):
        make_rule("samme", 3)
    with pytest.raises(ValueError, match=r"^rule must"):
        rule_class("samme")


def test_rules_are_values():
    rule = make_rule("real", 2)
    assert rule == make_rule("real", 2, 0.1)
    with pytest.raises(FrozenInstanceError):
        rule.learning_rate = 1.0
