"""Numbers of GAMBLE (Huang, Ertekin, Song, Zha, Giles 2007).

Figures 2 to 6 are plots; of these, the text gives what stands here.
"""

from __future__ import annotations

from dataclasses import dataclass

MARKS = (10, 100, 1000)
"""Figure 3: rounds after which test errors are compared."""

ROUNDS = 1000

SHAPES = {
    "glass": (113, 101, 9, 6),
    "pendigits": (7_494, 3_498, 16, 10),
    "satimage": (4_435, 2_000, 36, 6),
    "segment": (210, 2_100, 19, 7),
    "soybean": (307, 376, 35, 19),
    "splice": (2_860, 316, 60, 3),
    "vehicle": (422, 422, 18, 4),
    "vowel": (528, 462, 10, 11),
}
"""Table 1: training rows, test rows, features and classes."""


@dataclass(frozen=True)
class Efficiency:
    """A row of table 2; errors are shares, times seconds."""

    target: float
    lowest: float
    active: int
    random: int
    active_seconds: int
    batch_seconds: int


def implied_rounds(theirs: Efficiency, n_rows: int, start: int, step: int) -> float:
    """Rounds of Active's committees, if a tree takes as much time as it has rows.

    Batch has 1000 rounds on all rows; Active a committee at each number of labels.

    >>> row = Efficiency(0.1, 0.1, active=30, random=90, active_seconds=5, batch_seconds=100)
    >>> implied_rounds(row, n_rows=100, start=20, step=10)  # 20 and 30 rows
    100.0
    """
    rows = sum(range(start, theirs.active + 1, step))
    return ROUNDS * theirs.active_seconds / theirs.batch_seconds * n_rows / rows


EFFICIENCY = {
    "glass": Efficiency(0.275, 0.275, 91, 102, 67, 28),
    "pendigits": Efficiency(0.0471, 0.0392, 340, 2_510, 1_698, 10_043),
    "satimage": Efficiency(0.126, 0.113, 220, 1_450, 362, 6_066),
    "segment": Efficiency(0.0462, 0.0443, 135, 190, 158, 72),
    "soybean": Efficiency(0.0565, 0.0525, 245, 300, 266, 87),
    "splice": Efficiency(0.0448, 0.0342, 430, 970, 320, 470),
    "vehicle": Efficiency(0.273, 0.251, 115, 225, 127, 310),
    "vowel": Efficiency(0.470, 0.418, 155, 205, 136, 367),
}
"""Table 2."""

RANDOM_ROWS = 1_000
"""Section 5.2: with which Random is as good as the target, on Pendigits."""

SIGN_TEST = 0.0066
"""Section 5.1. Of 24 comparisons without ties, 19 won give this probability, two-sided."""

SIGN_WINS = 19

TREE_SIZES = (2, 4, 6, 8, 10, 12, 14)
"""Figure 2; the text names stumps, 10, 12 and 14."""

ALIKE = (10, 12, 14)
ALIKE_FROM = 600
"""Section 5.1: from this round on, trees of so many leaves are almost the same."""

ZERO_TRAINING_ERROR = 20
"""Section 5.3: the round, about, of the spheres with two classes."""

SPHERES_GAIN = 0.10
"""Section 5.3: by which GAMBLE's test error is lower than SAMME's, five classes."""

SPHERES_CROSSING = 120
"""Section 5.3: after this round, SAMME's training error is the lower one."""
