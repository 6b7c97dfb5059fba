"""Boosting that spends work only where it can change the answer."""

from frugalboost import analysis, datasets, plots, reference, streams
from frugalboost.data import BinnedDataset
from frugalboost.datasets import load_dataset
from frugalboost.estimators import (
    ActiveLearner,
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    FilterBoostClassifier,
    GambleClassifier,
    OneAgainstAllClassifier,
    digest,
)

__version__ = "0.1.0"

__all__ = [
    "ActiveLearner",
    "BinnedDataset",
    "BoostedTreesClassifier",
    "BoostedTreesRegressor",
    "FilterBoostClassifier",
    "GambleClassifier",
    "OneAgainstAllClassifier",
    "analysis",
    "datasets",
    "digest",
    "load_dataset",
    "plots",
    "reference",
    "streams",
]
