"""How large the experiments of the GAMBLE paper are."""

from __future__ import annotations

from dataclasses import dataclass

from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.fits import N_TEST

FURTHER = {"iris": 100, "waveform": 300, "letter": 16_000, "mnist": 5_000}
"""Data sets beside the paper's, and their training rows."""
START = 20
"""Random rows that a label curve begins with."""

UTILITIES = {"active": "margin", "random": "random"}
WAYS = tuple(UTILITIES)
CLASSES = (2, 5)
"""Of the spheres."""
SECONDS = {"glass": 0.5, "vehicle": 0.6, "splice": 0.8, "letter": 6.0, "mnist": 30.0}
"""Of a fit, about; of the others 1.5."""
FIGURE_5 = ("pendigits", "satimage")
LABEL_SECONDS = {
    "glass": (1.0, 0.6),
    "pendigits": (28.0, 18.0),
    "satimage": (24.0, 14.0),
    "segment": (5.0, 2.0),
    "soybean": (20.0, 6.0),
    "splice": (15.0, 8.0),
    "vehicle": (8.0, 3.0),
    "vowel": (24.0, 5.5),
}
"""Of Active and Random."""


@dataclass(frozen=True)
class Plan:
    """How large the experiments are.

    Attributes
    ----------
    rounds : int
    runs : int
        Splits of a table without an official one.
    variant_runs : int
        Of these, with SAMME's trees grown otherwise.
    label_runs : int
        Label curves.
    sphere_runs : int
    n_test : int
        Spheres for testing.
    sizes : tuple of int
        Numbers of leaves of figure 2.
    draws : int
        Random parts of the training rows that the three largest sizes are tried on.
    committee : int
        Rounds of a committee that asks.
    budget : int
        Labels at which Active ends; Random goes on to the last row.
    committee_runs : int
        With other committees.
    committee_budget : int
    large : int
        Tables of more rows are asked about in batches of 10, others in batches of 5.
    most_rows : int or None
        Of a table that take part.
    further : tuple of str
    """

    rounds: int
    runs: int
    variant_runs: int
    label_runs: int
    sphere_runs: int
    n_test: int
    sizes: tuple[int, ...]
    draws: int
    committee: int
    budget: int
    committee_runs: int
    committee_budget: int
    large: int = 1_000
    most_rows: int | None = None
    further: tuple[str, ...] = tuple(FURTHER)

    @property
    def alike(self) -> tuple[int, ...]:
        """Sizes that the paper finds almost the same."""
        return tuple(n for n in self.sizes if n in published.ALIKE)


FULL = Plan(
    rounds=published.ROUNDS,
    runs=10,
    variant_runs=3,
    label_runs=10,
    sphere_runs=5,
    n_test=N_TEST,
    sizes=published.TREE_SIZES,
    draws=5,
    committee=300,
    budget=1_000,
    committee_runs=3,
    committee_budget=600,
)
QUICK = Plan(
    rounds=100,
    runs=2,
    variant_runs=1,
    label_runs=2,
    sphere_runs=1,
    n_test=2_000,
    sizes=(2, 6, 14),
    draws=1,
    committee=20,
    budget=100,
    committee_runs=1,
    committee_budget=60,
    most_rows=1_000,
    further=("iris", "waveform"),
)
