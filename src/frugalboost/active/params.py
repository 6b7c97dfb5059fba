"""The parameters of an active learner, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from frugalboost._checks import check_choice, check_int, check_real, optional_int
from frugalboost.active.answers import is_skip, plain_label
from frugalboost.active.stopping import Limits
from frugalboost.active.utilities import UTILITIES


@dataclass(frozen=True)
class ActivePlan:
    """The checked parameters that queries and retraining need."""

    batch_size: int
    utility: str
    diversity: int
    retrain: str
    warm_rounds: int
    pool_size: int | None
    block_size: int
    start_size: int
    classes: tuple[Any, ...] | None
    verbose: int

    @classmethod
    def from_params(cls, learner: Any) -> ActivePlan:
        """Check the parameters of `learner`."""

        def count(name: str, low: int = 1) -> int:
            return check_int(getattr(learner, name), name=name, low=low)

        return cls(
            batch_size=count("batch_size"),
            utility=check_choice(learner.utility, (*UTILITIES, "random"), name="utility"),
            diversity=count("diversity"),
            retrain=check_choice(learner.retrain, ("fresh", "warm"), name="retrain"),
            warm_rounds=count("warm_rounds"),
            pool_size=optional_int(learner.pool_size, "pool_size", low=1),
            block_size=count("block_size"),
            start_size=count("start_size"),
            classes=read_classes(learner.classes),
            verbose=count("verbose", low=0),
        )

    def check_label(self, label: Any) -> None:
        """Raise an error if a label is not among the classes, if these are given."""
        if self.classes is not None and label not in self.classes:
            listed = ", ".join(map(repr, self.classes))
            raise ValueError(f"labels must be among classes, {listed}; got {label!r}.")


def read_classes(classes: Any) -> tuple[Any, ...] | None:
    """Return all labels that may be given, or None."""
    if classes is None:
        return None
    rule = f"classes must be None or at least two distinct labels; got {classes!r}."
    if isinstance(classes, (str, bytes)) or not hasattr(classes, "__iter__"):
        raise TypeError(rule)
    labels = tuple(map(plain_label, classes))
    if len(labels) < 2 or len(set(labels)) < len(labels) or any(map(is_skip, labels)):
        raise ValueError(rule)
    return labels


def make_limits(
    budget: Any, target_error: Any, patience: Any, min_utility: Any, has_held_out: bool
) -> Limits:
    """Check the limits of a run."""
    for name, value in (("target_error", target_error), ("patience", patience)):
        if value is not None and not has_held_out:
            raise ValueError(
                f"{name} must be None without validation, as there is no held-out "
                f"error; got {value!r}."
            )
    return Limits(
        budget=optional_int(budget, "budget", low=1),
        target_error=optional_real(target_error, "target_error", high=1.0),
        patience=optional_int(patience, "patience", low=1),
        min_utility=optional_real(min_utility, "min_utility"),
    )


def optional_real(value: Any, name: str, high: float = float("inf")) -> float | None:
    if value is None:
        return None
    return check_real(value, name=name, low=0.0, high=high)
