"""Boosting that spends work only where it can change the answer."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from frugalboost import analysis, pruning, streams
from frugalboost._version import __version__ as __version__
from frugalboost.data import BinnedDataset
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
    prune_ensemble,
    save,
)

if TYPE_CHECKING:
    from frugalboost import datasets, export, plots, reference
    from frugalboost.datasets import load_dataset

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

LATER = ("datasets", "export", "load_dataset", "plots", "reference")
"""What most programs do without: it is imported when it is asked for."""


def __getattr__(name: str) -> Any:
    if name == "load_dataset":
        return import_module("frugalboost.datasets").load_dataset
    if name in LATER:
        return import_module(f"frugalboost.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
