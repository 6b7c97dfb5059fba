"""Real data sets, read from a folder or fetched from OpenML."""

from __future__ import annotations

from frugalboost.datasets.dataset import Dataset
from frugalboost.datasets.loader import load_dataset

__all__ = ["Dataset", "load_dataset"]
