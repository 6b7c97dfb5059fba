"""Quinlan's examples: days to play golf (C4.5: Programs for Machine Learning, 1993)."""

from __future__ import annotations

import math

from frugalboost.reference.c45 import C45Grower
from frugalboost.reference.c45_pruning import C45Pruner
from frugalboost.reference.c45_splits import Attribute, SplitFinder

SUNNY, OVERCAST, RAIN = 0, 1, 2
PLAY, STAY = 0, 1

DAYS = (
    (SUNNY, 75, 70, 1, PLAY),
    (SUNNY, 80, 90, 1, STAY),
    (SUNNY, 85, 85, 0, STAY),
    (SUNNY, 72, 95, 0, STAY),
    (SUNNY, 69, 70, 0, PLAY),
    (OVERCAST, 72, 90, 1, PLAY),
    (OVERCAST, 83, 78, 0, PLAY),
    (OVERCAST, 64, 65, 1, PLAY),
    (OVERCAST, 81, 75, 0, PLAY),
    (RAIN, 71, 80, 1, STAY),
    (RAIN, 65, 70, 1, STAY),
    (RAIN, 75, 80, 0, PLAY),
    (RAIN, 68, 80, 0, PLAY),
    (RAIN, 70, 96, 0, PLAY),
)
"""Outlook, temperature, humidity, windy, class: table 2.1."""

OUTLOOK, TEMPERATURE, HUMIDITY, WINDY = range(4)
CATEGORIES = (3, 0, 0, 2)
FIRST_OVERCAST = 5
"""The case whose outlook chapter 3 takes to be unknown."""


def golf(*, unknown: bool = False) -> SplitFinder:
    """The days; `unknown`: as in the example of missing values."""
    columns = [list(map(float, column)) for column in zip(*DAYS, strict=True)]
    if unknown:
        columns[OUTLOOK][FIRST_OVERCAST] = math.nan
    attributes = [Attribute(*pair) for pair in zip(columns[:4], CATEGORIES, strict=True)]
    return SplitFinder(attributes, [day[4] for day in DAYS], 2, float(len(DAYS)))


def every_day() -> list[tuple[int, float]]:
    return [(row, 1.0) for row in range(len(DAYS))]


def grown(finder: SplitFinder):
    return C45Grower(finder).grow(every_day())


def pruner(finder: SplitFinder, confidence: float = 0.25) -> C45Pruner:
    return C45Pruner(finder.attributes, finder.labels, finder.n_classes, confidence)
