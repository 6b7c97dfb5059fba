"""The settings of a run: the parameters of `FilterBoostClassifier` as a plan, and the rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from frugalboost._checks import (
    check_choice,
    check_int,
    check_real,
    check_seed,
    optional_int,
)
from frugalboost._files import kind_of
from frugalboost._threads import count_threads
from frugalboost._typing import AnyArray, Bools
from frugalboost.data.targets import encode_labels
from frugalboost.filtering.filter import ACCEPT, FilterRule
from frugalboost.filtering.weak_learner import WeakLearner
from frugalboost.native import MAX_BINS
from frugalboost.tree import CRITERIA, TreePlan

Mode: TypeAlias = Literal["practical", "certified"]
Training: TypeAlias = Literal["filtered", "weighted"]

UNIT_STEP = "unit_step"
"""A further value of `confidence_rated`."""


@dataclass(frozen=True)
class FilterPlan:
    """Everything that a run needs to know besides the examples; all valid."""

    rule: FilterRule
    mode: Mode
    target_error: float
    failure_probability: float
    edge_tolerance: float
    sample_constant: float
    confidence_rated: bool
    max_rounds: int
    tree: TreePlan
    pruning_fraction: float | None
    max_bins: int
    unit_step: bool = False
    training: Training = "filtered"

    def sample_size(self, t: int) -> int:
        """Number of examples to train on in round t, from 1: ``C ln(t + 1)``, at least 2."""
        return max(2, math.ceil(self.sample_constant * math.log(t + 1)))

    def learner(self, is_categorical: Bools) -> WeakLearner:
        return WeakLearner(
            self.tree,
            self.rule.n_classes,
            self.confidence_rated,
            self.pruning_fraction,
            self.max_bins,
            is_categorical,
        )


DECIDING = (
    "rule",
    "mode",
    "target_error",
    "failure_probability",
    "edge_tolerance",
    "sample_constant",
    "confidence_rated",
    "training",
    "max_depth",
    "max_leaf_nodes",
    "min_samples_leaf",
    "criterion",
    "pruning_fraction",
    "max_bins",
    "recycle",
)
"""Parameters that must be unchanged for a run to resume from a checkpoint."""

SEED = "random_state"
"""Must be unchanged too if it is a number; older checkpoints lack it."""

NEWER = {"training": "filtered"}
"""Parameters that older checkpoints lack, with the values that they had."""


@dataclass(frozen=True)
class Keeping:
    """Where and when to write checkpoints."""

    path: Path
    every_rounds: int | None
    every_seconds: float | None


def make_filter_plan(estimator: Any, n_classes: int) -> FilterPlan:
    """Check the parameters that determine the model."""
    check_seed(estimator.random_state)

    def share(name: str) -> float:
        value = getattr(estimator, name)
        return check_real(value, name=name, low=0.0, high=1.0, closed="neither")

    rule = check_choice(estimator.rule, ACCEPT, name="rule")
    mode = check_choice(estimator.mode, ("practical", "certified"), name="mode")
    training = check_choice(estimator.training, ("filtered", "weighted"), name="training")
    is_rated, unit_step = read_confidence(estimator.confidence_rated, mode)
    constant = estimator.sample_constant
    return FilterPlan(
        rule=FilterRule(rule, n_classes),
        mode="certified" if mode == "certified" else "practical",
        target_error=share("target_error"),
        failure_probability=share("failure_probability"),
        edge_tolerance=share("edge_tolerance"),
        sample_constant=check_real(constant, name="sample_constant", low=0.0, closed="neither"),
        confidence_rated=is_rated,
        max_rounds=check_int(estimator.max_rounds, name="max_rounds", low=1),
        tree=make_tree_plan(estimator),
        pruning_fraction=None if estimator.pruning_fraction is None else share("pruning_fraction"),
        max_bins=check_int(estimator.max_bins, name="max_bins", low=2, high=MAX_BINS),
        unit_step=unit_step,
        training="weighted" if training == "weighted" else "filtered",
    )


def read_confidence(value: Any, mode: str) -> tuple[bool, bool]:
    """Return whether leaves give confidences, and whether these are never rescaled."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value), False
    rule = f"confidence_rated must be True, False or {UNIT_STEP!r}; got {value!r}."
    if not isinstance(value, str):
        raise TypeError(rule)
    if value != UNIT_STEP:
        raise ValueError(rule)
    if mode == "certified":  # the bound on rounds needs the step that follows from the edge
        raise ValueError(
            f"confidence_rated must be True or False in certified mode; got {value!r}."
        )
    return True, True


def make_tree_plan(estimator: Any) -> TreePlan:
    criterion = check_choice(estimator.criterion, ("auto", *CRITERIA), name="criterion")
    if criterion == "auto":
        criterion = "z" if estimator.confidence_rated else "error"
    return TreePlan(
        criterion=criterion,
        search="exhaustive",  # samples are small
        max_depth=optional_int(estimator.max_depth, "max_depth", low=1),
        max_leaf_nodes=optional_int(estimator.max_leaf_nodes, "max_leaf_nodes", low=2),
        min_samples_leaf=check_int(estimator.min_samples_leaf, name="min_samples_leaf", low=1),
        n_threads=count_threads(estimator.n_jobs),
    )


def make_keeping(estimator: Any) -> Keeping | None:
    """Return where and when checkpoints are written, None if never."""
    rounds, seconds = estimator.checkpoint_rounds, estimator.checkpoint_seconds
    rounds = optional_int(rounds, "checkpoint_rounds", low=1)
    if seconds is not None:
        seconds = check_real(seconds, name="checkpoint_seconds", low=0.0)
    if estimator.checkpoint is None:
        return None
    try:
        path = Path(estimator.checkpoint)
    except TypeError:
        raise TypeError(
            f"checkpoint must be None or a path; got {estimator.checkpoint!r}."
        ) from None
    if path.exists() and not path.is_file():  # to be found before the run, not after it
        raise ValueError(f"checkpoint must be a file; {str(path)!r} is {kind_of(path.stat())}.")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"checkpoint must be a file in a folder that exists; got {str(path)!r}.")
    return Keeping(path, rounds, seconds)


def optional_count(value: Any, name: str) -> int | None:
    """A number of any size, at least 1, or None for no limit."""
    return None if value is None else check_int(value, name=name, low=1)


def check_memory(memory_limit: Any, plan: FilterPlan) -> int | None:
    """Bytes, or None; weighted samples grow as fewer examples are accepted, without a limit."""
    limit = optional_count(memory_limit, "memory_limit")
    if limit is not None and plan.training == "weighted":
        raise ValueError(f"memory_limit must be None with training='weighted'; got {limit!r}.")
    return limit


def deciding_params(estimator: Any) -> dict[str, Any]:
    """Return the parameters that a checkpoint stores, as JSON values."""
    params = {name: getattr(estimator, name) for name in DECIDING}
    params[SEED] = recorded_seed(estimator.random_state)
    return {k: v.item() if isinstance(v, np.generic) else v for k, v in params.items()}


def recorded_seed(random_state: Any) -> int | None:
    """The number that a run can be asked for again; None for a seed that was drawn."""
    return int(random_state) if isinstance(random_state, Integral) else None


def check_same_classes(given: AnyArray, known: AnyArray) -> None:
    """Refuse classes other than those that the existing trees predict."""
    classes = encode_labels(given)[0]
    if classes.tolist() != known.tolist():
        raise ValueError(
            f"classes must be those of the trees so far, {known.tolist()!r}; "
            f"got {classes.tolist()!r}."
        )
