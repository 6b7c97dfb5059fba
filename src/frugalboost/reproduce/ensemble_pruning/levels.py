"""Relative performance at one level of pruning, by method or by domain."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from frugalboost.reproduce.ensemble_pruning.findings import (
    METHODS,
    NAMES,
    Outcome,
    Outcomes,
    mean_relative,
)
from frugalboost.reproduce.ensemble_pruning.published import PRUNED

BEST = ("reduce_error", "kappa")
POOR = ("kl", "early_stopping")
"""The methods that the paper found best, and those that it found poor."""
NEAR = 0.05
"""Relative performance that counts as equal."""
SMOOTH = 0.10
"""Of relative performance, by which more pruning may be better without being a jump."""


def mean_at(domains: Outcomes, method: str, share: float) -> float | None:
    line = mean_relative(domains, method)
    return None if line is None else float(line[PRUNED.index(share)])


def at_level(domains: Outcomes, share: float) -> dict[str, float] | None:
    """Mean relative performance of the paper's methods, the best first."""
    means = {key: mean_at(domains, key, share) for key in METHODS}
    values = {key: value for key, value in means.items() if value is not None}
    return dict(sorted(values.items(), key=lambda item: -item[1])) or None


def level(domain: Outcome, method: str, share: float) -> float:
    """Relative performance of a domain with a gain."""
    line = domain.relative(method)
    assert line is not None
    return float(line[PRUNED.index(share)])


def jump(domain: Outcome, method: str) -> float:
    """The most that a level of pruning is above the next one, at which more members stay."""
    return float(-np.diff([level(domain, method, share) for share in PRUNED]).min())


def are_best(values: Mapping[str, float]) -> bool:
    return min(values[key] for key in BEST) > max(values[key] for key in POOR)


def say(values: Mapping[str, float], digits: int = 2) -> str:
    """Values by method or by domain."""
    return ", ".join(f"{NAMES.get(key, key)} {value:.{digits}f}" for key, value in values.items())
