"""What fits of several papers share: AdaBoost with its heuristics, and looks at some rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import frugalboost as fb
from frugalboost._typing import AnyArray

HEURISTICS: dict[str, dict[str, float]] = {
    "none": {},
    "lazy 0.9": {"feature_fraction": 0.9},
    "lazy 0.5": {"feature_fraction": 0.5},
    "stochastic 0.5": {"sample_fraction": 0.5},
    "trim 0.99": {"weight_trim": 0.99},
    "trim 0.9": {"weight_trim": 0.9},
}
"""The papers' heuristics as parameters."""


def make_model(depth: int, rounds: int, heuristic: str = "none", **options: Any) -> Any:
    """The papers' AdaBoost: trees by weighted error; SAMME for more than two classes."""
    return fb.BoostedTreesClassifier(
        "adaboost",
        criterion="error",
        max_depth=depth,
        n_estimators=rounds,
        **{"random_state": 0, **HEURISTICS[heuristic], **options},
    )


def stages(all_stages: Iterator[AnyArray], at: Sequence[int]) -> Iterator[tuple[int, AnyArray]]:
    """The stages of a staged prediction that are numbered in `at`, from 0."""
    wanted = set(at)
    for index, stage in enumerate(all_stages):
        if index in wanted:
            yield index, stage
