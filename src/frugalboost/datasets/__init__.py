"""Real data sets, read from a folder or fetched from OpenML."""

from __future__ import annotations

from frugalboost.datasets.dataset import Dataset
from frugalboost.datasets.loader import data_folder, load_dataset

__all__ = ["Dataset", "data_folder", "load_dataset"]
