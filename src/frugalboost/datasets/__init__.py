"""Real data sets, read from a folder or fetched from OpenML, and synthetic ones."""

from __future__ import annotations

from frugalboost.datasets.dataset import Dataset
from frugalboost.datasets.expf import make_expf
from frugalboost.datasets.loader import data_folder, load_dataset
from frugalboost.datasets.majority import majority_batches, make_majority
from frugalboost.datasets.spheres import concentric_spheres_batches, make_concentric_spheres
from frugalboost.datasets.twonorm import make_twonorm, twonorm_batches
from frugalboost.datasets.waveform import make_waveform
from frugalboost.datasets.xd6 import make_xd6

__all__ = [
    "Dataset",
    "concentric_spheres_batches",
    "data_folder",
    "load_dataset",
    "majority_batches",
    "make_concentric_spheres",
    "make_expf",
    "make_majority",
    "make_twonorm",
    "make_waveform",
    "make_xd6",
    "twonorm_batches",
]
