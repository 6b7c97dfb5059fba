"""Boosting by filtering (Bradley, Schapire 2007): the second loop, which draws its examples."""

from frugalboost.filtering.certificate import Certificate
from frugalboost.filtering.scored_stream import Chain
from frugalboost.filtering.checkpoint import Checkpoint, Keeper, check_same_params
from frugalboost.filtering.opening import Opening, discover
from frugalboost.filtering.loop import FilterBooster, FilterEntry, FilterPlan, run
from frugalboost.filtering.plan import FilterRule
from frugalboost.filtering.opening import Reader
from frugalboost.filtering.scored_stream import Tap

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
