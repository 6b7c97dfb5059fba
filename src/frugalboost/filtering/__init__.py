"""Boosting by filtering (Bradley, Schapire 2007): the second loop, which draws its examples."""

from frugalboost.filtering.certificate import Certificate
from frugalboost.filtering.chain import Chain
from frugalboost.filtering.checkpoint import Checkpoint, Keeper, check_same_params
from frugalboost.filtering.discover import Opening, discover
from frugalboost.filtering.loop import FilterBooster, FilterEntry, FilterPlan, run
from frugalboost.filtering.margins import FilterRule
from frugalboost.filtering.reader import Reader
from frugalboost.filtering.tap import Tap

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
