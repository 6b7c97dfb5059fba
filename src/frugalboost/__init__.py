"""Boosting that spends work only where it can change the answer."""

from frugalboost import analysis, datasets, plots, reference, streams
from frugalboost.data import BinnedDataset
from frugalboost.datasets import load_dataset
from frugalboost.estimators import (
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    FilterBoostClassifier,
    digest,
)

__version__ = "0.1.0"

__all__ = [
    "BinnedDataset",
    "BoostedTreesClassifier",
    "BoostedTreesRegressor",
    "FilterBoostClassifier",
    "analysis",
    "datasets",
    "digest",
    "load_dataset",
    "plots",
    "reference",
    "streams",
]
