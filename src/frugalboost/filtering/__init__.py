"""Boosting by filtering (Bradley, Schapire 2007): the second loop, which draws its examples."""

from frugalboost.filtering.certificate import Certificate
from frugalboost.filtering.checkpoint import Checkpoint, Keeper, check_same_params
from frugalboost.filtering.filter import FilterRule
from frugalboost.filtering.loop import FilterBooster, FilterEntry, run
from frugalboost.filtering.plan import FilterPlan
from frugalboost.filtering.reading import Opening, Reader, discover
from frugalboost.filtering.scored_stream import Chain, Tap

__all__ = [
    "Certificate",
    "Chain",
    "Checkpoint",
    "FilterBooster",
    "FilterEntry",
    "FilterPlan",
    "FilterRule",
    "Keeper",
    "Opening",
    "Reader",
    "Tap",
    "check_same_params",
    "discover",
    "run",
]
