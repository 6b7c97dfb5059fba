"""Boosting that spends work only where it can change the answer."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from frugalboost._version import __version__ as __version__

if TYPE_CHECKING:
    from frugalboost import analysis, datasets, export, plots, pruning, reference, streams
    from frugalboost.data import BinnedDataset
    from frugalboost.datasets import load_dataset
    from frugalboost.estimators import (
        TRUSTED_TYPES,
        ActiveLearner,
        BaggedTreesClassifier,
        BoostedTreesClassifier,
        BoostedTreesRegressor,
        FilterBoostClassifier,
        GambleClassifier,
        OneAgainstAllClassifier,
        PrunedEnsembleClassifier,
        digest,
        load,
        save,
    )
    from frugalboost.pruning.prune_ensemble import prune_ensemble

__all__ = [
    "TRUSTED_TYPES",
    "ActiveLearner",
    "BaggedTreesClassifier",
    "BinnedDataset",
    "BoostedTreesClassifier",
    "BoostedTreesRegressor",
    "FilterBoostClassifier",
    "GambleClassifier",
    "OneAgainstAllClassifier",
    "PrunedEnsembleClassifier",
    "analysis",
    "datasets",
    "digest",
    "export",
    "load",
    "load_dataset",
    "plots",
    "prune_ensemble",
    "pruning",
    "reference",
    "save",
    "streams",
]

PACKAGES = ("analysis", "datasets", "export", "plots", "pruning", "reference", "streams")
ELSEWHERE = {"BinnedDataset": "data", "load_dataset": "datasets"}
"""Packages of names that are not in `estimators`."""


def __getattr__(name: str) -> Any:
    """Import what is asked for: a shell that completes a command need not wait for scikit-learn."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in PACKAGES:
        return import_module(f"frugalboost.{name}")
    found = getattr(import_module(f"frugalboost.{ELSEWHERE.get(name, 'estimators')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
