"""Boosting by filtering (Bradley, Schapire 2007): the second loop, which draws its examples."""

from frugalboost.filtering.checkpoint import Checkpoint, CheckpointWriter, check_same_params
from frugalboost.filtering.filter import FilterRule
from frugalboost.filtering.loop import FilterBooster, FilterEntry, run
from frugalboost.filtering.plan import FilterPlan
from frugalboost.filtering.reading import BatchReader, Opening, discover
from frugalboost.filtering.scored_stream import IncrementalForest, ScoredStream
from frugalboost.filtering.stopping import Certificate

__all__ = [
    "BatchReader",
    "Certificate",
    "Checkpoint",
    "CheckpointWriter",
    "FilterBooster",
    "FilterEntry",
    "FilterPlan",
    "FilterRule",
    "IncrementalForest",
    "Opening",
    "ScoredStream",
    "check_same_params",
    "discover",
    "run",
]
