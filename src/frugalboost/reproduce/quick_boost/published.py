"""Figures named in the text of Quick Boost (Appel, Fuchs, Dollár, Perona 2013).

Its results are plots; these are the numbers that the text and the captions give.
"""

from __future__ import annotations

SHAPES = {
    "faces": (8_500, 4_000, 4_300, 2),
    "pedestrians": (17_000, 11_000, 5_100, 2),
    "mnist": (60_000, 10_000, 780, 10),
}
"""Section 5.1: training rows, test rows, features and classes."""

ROWS_OF_90_PERCENT = {"adaboost": 0.07, "l2": 0.20}
"""Figure 1: share of the rows that hold 90 % of the weight."""

KNEE = (0.75, "10", 0.95)
"""Figure 3: from this share of the weight on, the best feature is among so many, so often."""

BEST_SCHEDULE = (0.9, 20)
"""Figure 4: mass of the first subset and number of the others."""

FEWER_ERRORS = (2.0, 8.0)
"""Figure 6, most heuristics: "two to eight-fold"."""

LESS_WORK = (8.0, 16.0)
"""Figure 7, most heuristics: "eight to sixteen-fold"."""

LESS_WORK_TRIM = (1.0, 2.0)
"""Figure 7, weight trimming: "between one and two-fold"."""

ROWS_ENOUGH = 0.2
"""Section 3.3: the share of the rows that would suffice to find the best feature."""

BINS = 256
"""Section 3.1."""
