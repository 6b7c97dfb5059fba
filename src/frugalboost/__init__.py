"""Boosting that spends work only where it can change the answer."""

from frugalboost import analysis, datasets, export, plots, pruning, reference, streams
from frugalboost._version import __version__ as __version__
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
    prune_ensemble,
    save,
)

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
