"""Boosting that spends work only where it can change the answer."""

from frugalboost.data import BinnedDataset
from frugalboost.datasets import load_dataset
from frugalboost.estimators import BoostedTreesClassifier, BoostedTreesRegressor, digest

__version__ = "0.1.0"

__all__ = [
    "BinnedDataset",
    "BoostedTreesClassifier",
    "BoostedTreesRegressor",
    "digest",
    "load_dataset",
]
