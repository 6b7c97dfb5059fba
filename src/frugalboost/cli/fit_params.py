"""The estimator that `fit` trains, its parameters checked before a file is read."""

from __future__ import annotations

from typing import Any

import frugalboost as fb
from frugalboost.base.params import FitPlan
from frugalboost.cli.errors import BadUsageError, nearest
from frugalboost.cli.learning import Task
from frugalboost.rules import RULES

ESTIMATORS: dict[Task, Any] = {
    "classes": fb.BoostedTreesClassifier,
    "regression": fb.BoostedTreesRegressor,
}


OPTIONS = {
    "rule": "--rule",
    "n_estimators": "--trees",
    "learning_rate": "--learning-rate",
    "max_depth": "--depth",
    "max_leaf_nodes": "--leaves",
    "early_stopping": "--early-stopping",
    "n_jobs": "--jobs",
}
"""Parameters that have an option of their own."""


def check_params(params: dict[str, Any], task: Task | None) -> None:
    """Refuse names that no estimator of the task has, and values that none takes.

    Without a task the file will decide it: then one estimator that takes them all is enough.
    """
    tasks = list(ESTIMATORS) if task is None else [task]
    for name in params:
        check_name(name, tasks)
    if "rule" in params:
        check_rule(params["rule"], task)
    able = [each for each in tasks if set(params) <= names_of(each)]
    problems = [problem for each in able if (problem := refusal(params, each)) is not None]
    if problems and len(problems) == len(able):
        raise BadUsageError(str(problems[0])) from problems[0]


def check_rule(rule: Any, task: Task | None) -> None:
    """Refuse what is no rule; a regression, which the file may turn out to be, has none."""
    if rule not in RULES:
        rest = ", and be left out for a regression" if task is None else ""
        raise BadUsageError(
            f"--rule must be one of {', '.join(map(repr, sorted(RULES)))}{rest}; got {rule!r}."
        )


def check_name(name: str, tasks: list[Task]) -> None:
    known = sorted(set().union(*map(names_of, tasks)))
    if name not in known:
        if name == "rule":
            raise BadUsageError(
                "--rule must be left out for a regression, which always boosts the squared error."
            )
        if name in OPTIONS:
            raise BadUsageError(f"{OPTIONS[name]} must be left out for {' or '.join(tasks)}.")
        near = nearest(name, known)
        hint = f"one of {', '.join(known)}" if near is None else f"did you mean {near!r}?"
        raise BadUsageError(f"--param must name a parameter of the estimator; got {name!r}: {hint}")


def names_of(task: Task) -> set[str]:
    return set(ESTIMATORS[task]().get_params())


def refusal(params: dict[str, Any], task: Task) -> Exception | None:
    """What the task's estimator says against the values, if anything."""
    model = ESTIMATORS[task](**params)
    rule, n_classes = (model.rule, 2) if task == "classes" else ("l2", 1)
    try:
        FitPlan.from_params(model, rule, n_classes)
    except (TypeError, ValueError) as problem:
        return problem
    return None


def make_estimator(params: dict[str, Any], task: Task) -> Any:
    for name in params:
        check_name(name, [task])
    return ESTIMATORS[task](**params)
