"""Boosting that spends work only where it can change the answer."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from frugalboost._version import __version__ as __version__

if TYPE_CHECKING:
    from frugalboost import analysis, datasets, export, plots, pruning, reference, streams
    from frugalboost.active.learner import ActiveLearner
    from frugalboost.boosted.bagging import BaggedTreesClassifier
    from frugalboost.boosted.classifier import BoostedTreesClassifier
    from frugalboost.boosted.regressor import BoostedTreesRegressor
    from frugalboost.c45.classifier import C45Classifier
    from frugalboost.data import BinnedDataset
    from frugalboost.datasets import load_dataset
    from frugalboost.filtering.classifier import FilterBoostClassifier
    from frugalboost.filtering.tandem_classifier import TandemBoostClassifier
    from frugalboost.gamble.classifier import GambleClassifier
    from frugalboost.gamble.one_against_all import OneAgainstAllClassifier
    from frugalboost.pruning.classifier import PrunedEnsembleClassifier
    from frugalboost.pruning.prune_ensemble import prune_ensemble
    from frugalboost.saving.model_file import digest, load, save
    from frugalboost.saving.trusted import TRUSTED_TYPES

__all__ = [
    "TRUSTED_TYPES",
    "ActiveLearner",
    "BaggedTreesClassifier",
    "BinnedDataset",
    "BoostedTreesClassifier",
    "BoostedTreesRegressor",
    "C45Classifier",
    "FilterBoostClassifier",
    "GambleClassifier",
    "OneAgainstAllClassifier",
    "PrunedEnsembleClassifier",
    "TandemBoostClassifier",
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

MODULES = {
    "TRUSTED_TYPES": "saving.trusted",
    "ActiveLearner": "active.learner",
    "BaggedTreesClassifier": "boosted.bagging",
    "BinnedDataset": "data",
    "BoostedTreesClassifier": "boosted.classifier",
    "BoostedTreesRegressor": "boosted.regressor",
    "C45Classifier": "c45.classifier",
    "FilterBoostClassifier": "filtering.classifier",
    "GambleClassifier": "gamble.classifier",
    "OneAgainstAllClassifier": "gamble.one_against_all",
    "PrunedEnsembleClassifier": "pruning.classifier",
    "TandemBoostClassifier": "filtering.tandem_classifier",
    "digest": "saving.model_file",
    "load": "saving.model_file",
    "load_dataset": "datasets",
    "prune_ensemble": "pruning.prune_ensemble",
    "save": "saving.model_file",
}
"""Where each name is defined; the other public names are packages."""


def __getattr__(name: str) -> Any:
    """Import names on first use, so that shell completion need not wait for scikit-learn."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in MODULES:
        return import_module(f"frugalboost.{name}")
    value = getattr(import_module(f"frugalboost.{MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
