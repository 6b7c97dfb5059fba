"""What a run is told: the parameters of `FilterBoostClassifier` as a plan, and the rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
import numpy as np
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.rules.base import Link
from frugalboost.rules.weights import logistic, truncated
from pathlib import Path
from typing import Any
from frugalboost._checks import check_bool, check_choice, check_int, check_real
from frugalboost._threads import count_threads
from frugalboost._typing import AnyArray
from frugalboost.data.labels import encode_labels
from frugalboost.base.params import check_seed, optional_int
from frugalboost.filtering import FilterPlan, FilterRule
from frugalboost.native import MAX_BINS
from frugalboost.tree import CRITERIA, TreePlan


ACCEPT: dict[str, Callable[[Floats], Floats]] = {"log": logistic, "mada": truncated}
"""Weight functions of the margin that are probabilities, by the name of the rule."""


@dataclass(frozen=True)
class FilterRule:
    """How an example's margin turns into its chance to be accepted, and scores into probabilities.

    >>> rule = FilterRule("log", n_classes=2)
    >>> rule.accept(np.array([[0.0], [2.0]]), np.array([1, 1])).round(3)
    array([0.5  , 0.119])
    """

    name: str
    n_classes: int

    @property
    def n_outputs(self) -> int:
        """Numbers that a tree says about an example."""
        return 1 if self.n_classes == 2 else self.n_classes

    def accept(self, scores: Floats, labels: AnyArray) -> Floats:
        """Probability that the filter accepts each example: the paper's ``q_t(x, y)``."""
        return ACCEPT[self.name](margins(scores, labels))

    @property
    def link(self) -> Link:
        """How a decision turns into probabilities."""
        return Link("symmetric", 0.5 if self.n_classes == 2 else 1.0)

    def probabilities(self, decision: Floats) -> Floats:
        """Class probabilities of a decision, (n,) for two classes, else (n, K)."""
        return self.link(decision)


def margins(scores: Floats, labels: AnyArray) -> Floats:
    """Log odds of the label.

    >>> margins(np.array([[1.0], [1.0]]), np.array([0, 1]))
    array([-1.,  1.])
    >>> margins(np.log([[1.0, 2.0, 5.0]]), np.array([2])).round(3)  # ln(5 / 3)
    array([0.511])
    """
    if scores.shape[1] == 1:
        return np.where(labels == 1, scores[:, 0], -scores[:, 0])
    others, top = without_label(scores, labels)
    rest = top + np.log(np.exp(others - top[:, np.newaxis]).sum(axis=1))
    return np.asarray(scores[np.arange(len(scores)), labels] - rest)


def without_label(scores: Floats, labels: AnyArray) -> tuple[Floats, Floats]:
    """Scores with minus infinity for the label's class, and the largest of the others."""
    others = scores.copy()
    others[np.arange(len(scores)), labels] = -np.inf
    return others, others.max(axis=1)


def rival_shares(scores: Floats, labels: AnyArray) -> Floats:
    """How the probability that is not the label's divides among the other classes, (n, K).

    >>> rival_shares(np.log([[1.0, 2.0, 5.0]]), np.array([2]))
    array([[0.33333333, 0.66666667, 0.        ]])
    """
    if scores.shape[1] == 1:
        return np.asarray(np.eye(2)[1 - labels])
    others, top = without_label(scores, labels)
    shares = np.exp(others - top[:, np.newaxis])
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def draw_rivals(scores: Floats, labels: AnyArray, coins: Floats) -> Ints:
    """For each example one of the other classes, drawn by `rival_shares` with a number in [0, 1).

    >>> draw_rivals(np.log([[1.0, 2.0, 5.0]] * 2), np.array([2, 2]), np.array([0.3, 0.4]))
    array([0, 1])
    """
    if scores.shape[1] == 1:
        return np.asarray(1 - labels, dtype=np.int64)
    shares = rival_shares(scores, labels)
    drawn = (np.cumsum(shares, axis=1) <= coins[:, np.newaxis]).sum(axis=1)
    # A sum may round to just below one, and a coin may lie between: then the likeliest rival.
    is_rival = (drawn < shares.shape[1]) & (drawn != labels)
    return np.asarray(np.where(is_rival, drawn, shares.argmax(axis=1)), dtype=np.int64)


DECIDING = (
    "rule",
    "mode",
    "target_error",
    "failure_probability",
    "edge_tolerance",
    "sample_constant",
    "confidence_rated",
    "max_depth",
    "max_leaf_nodes",
    "min_samples_leaf",
    "criterion",
    "pruning_fraction",
    "max_bins",
    "recycle",
)
"""Parameters that must be as they were for a run to go on from a checkpoint."""


@dataclass(frozen=True)
class Keeping:
    """Where and when to write checkpoints."""

    path: Path
    every_rounds: int | None
    every_seconds: float | None


def make_plan(estimator: Any, n_classes: int, owner: str) -> FilterPlan:
    """Check what decides the model; errors name `owner`."""
    check_seed(estimator.random_state, owner)

    def share(name: str) -> float:
        value = getattr(estimator, name)
        return check_real(value, name=name, owner=owner, low=0.0, high=1.0, closed="neither")

    rule = check_choice(estimator.rule, ACCEPT, name="rule", owner=owner)
    mode = check_choice(estimator.mode, ("practical", "certified"), name="mode", owner=owner)
    constant = estimator.sample_constant
    return FilterPlan(
        rule=FilterRule(rule, n_classes),
        mode="certified" if mode == "certified" else "practical",
        target_error=share("target_error"),
        failure_probability=share("failure_probability"),
        edge_tolerance=share("edge_tolerance"),
        sample_constant=check_real(
            constant, name="sample_constant", owner=owner, low=0.0, closed="neither"
        ),
        confidence_rated=check_bool(
            estimator.confidence_rated, name="confidence_rated", owner=owner
        ),
        max_rounds=check_int(estimator.max_rounds, name="max_rounds", owner=owner, low=1),
        tree=make_tree_plan(estimator, owner),
        pruning_fraction=None if estimator.pruning_fraction is None else share("pruning_fraction"),
        max_bins=check_int(estimator.max_bins, name="max_bins", owner=owner, low=2, high=MAX_BINS),
    )


def make_tree_plan(estimator: Any, owner: str) -> TreePlan:
    criterion = check_choice(
        estimator.criterion, ("auto", *CRITERIA), name="criterion", owner=owner
    )
    if criterion == "auto":
        criterion = "z" if estimator.confidence_rated else "error"
    return TreePlan(
        criterion=criterion,
        search="exhaustive",  # samples are small
        max_depth=optional_int(estimator.max_depth, "max_depth", owner, low=1),
        max_leaf_nodes=optional_int(estimator.max_leaf_nodes, "max_leaf_nodes", owner, low=2),
        min_samples_leaf=check_int(
            estimator.min_samples_leaf, name="min_samples_leaf", owner=owner, low=1
        ),
        n_threads=count_threads(estimator.n_jobs, owner=owner),
    )


def make_keeping(estimator: Any, owner: str) -> Keeping | None:
    """Where and when checkpoints are written, None for none."""
    rounds, seconds = estimator.checkpoint_rounds, estimator.checkpoint_seconds
    rounds = optional_int(rounds, "checkpoint_rounds", owner, low=1)
    if seconds is not None:
        seconds = check_real(seconds, name="checkpoint_seconds", owner=owner, low=0.0)
    if estimator.checkpoint is None:
        return None
    try:
        path = Path(estimator.checkpoint)
    except TypeError:
        raise TypeError(
            f"{owner}: checkpoint must be None or a path; got {estimator.checkpoint!r}."
        ) from None
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise ValueError(
            f"{owner}: checkpoint must be a file in a folder that exists; got {str(path)!r}."
        )
    return Keeping(path, rounds, seconds)


def optional_count(value: Any, name: str, owner: str) -> int | None:
    """A number of any size, at least 1, or None for no limit."""
    return None if value is None else check_int(value, name=name, owner=owner, low=1)


def deciding_params(estimator: Any) -> dict[str, Any]:
    """What a checkpoint remembers of the parameters, as JSON."""
    found = {name: getattr(estimator, name) for name in DECIDING}
    return {k: v.item() if isinstance(v, np.generic) else v for k, v in found.items()}


def check_same_classes(given: AnyArray, known: AnyArray, owner: str) -> None:
    """Trees that are there already know no others."""
    classes = encode_labels(given, owner)[0]
    if classes.tolist() != known.tolist():
        raise ValueError(
            f"{owner}: classes must be those of the trees so far, {known.tolist()!r}; "
            f"got {classes.tolist()!r}."
        )
