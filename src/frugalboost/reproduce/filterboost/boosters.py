"""The boosters of the FilterBoost paper, as estimators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import frugalboost as fb

CONSTANT = 300
"""C of the C ln(t + 1) examples on which filtering and resampling boosters train in round t."""
NEVER = 1e-6
"""A target error too small to be reached, so that all rounds are played."""
EXACT = 65535
"""Bins, more than any column here has values in a table of the size where it is used."""


@dataclass(frozen=True)
class Booster:
    """What tells a booster from the others.

    Attributes
    ----------
    label : str
        As in the paper's figures.
    rule : str
        Of the estimator.
    filters : bool
        Whether it draws examples and filters them, or has all of them.
    is_rated : bool
        Whether weak hypotheses say how sure they are: "C-R".
    constant : int or None
        C of the C ln(t + 1) training examples of a round; None: all rows.
    is_scaled : bool
        Whether a confidence-rated tree is scaled to suit the examples that it is weighed on. In the
        paper its step is one, as in Schapire and Singer.
    is_weighted : bool
        Whether a filtering booster trains on all examples that it draws, weighted.
    recycles : bool
        Whether a filtering booster starts again with the first row after the last one.
    """

    label: str
    rule: str
    filters: bool = False
    is_rated: bool = False
    constant: int | None = None
    is_scaled: bool = False
    is_weighted: bool = False
    recycles: bool = True

    @property
    def confidence_rated(self) -> bool | str:
        """Of a filtering booster."""
        return "unit_step" if self.is_rated and not self.is_scaled else self.is_rated

    @property
    def scale(self) -> float:
        """Of the score in ``1 / (1 + exp(-scale * F))``, the probability of class 1."""
        return 2.0 if self.rule in ("adaboost", "real") else 1.0

    @property
    def tells_probability(self) -> bool:
        """The paper: not clear how to estimate probabilities with MadaBoost."""
        return self.rule != "mada"


def batch_boosters(key: str, label: str, rule: str, rated: str) -> Iterator[tuple[str, Booster]]:
    """One rule with and without confidence-rated predictions, with and without resampling."""
    for resamples, is_rated in product((False, True), repeat=2):
        words = ["C-R"] * is_rated + ["resamp"] * resamples
        name = "-".join([key, *(word.replace("-", "").lower() for word in words)])
        yield (
            name,
            Booster(
                f"{label} ({', '.join(words)})" if words else label,
                rated if is_rated else rule,
                is_rated=is_rated,
                constant=CONSTANT if resamples else None,
            ),
        )


BOOSTERS: dict[str, Booster] = {
    "filterboost": Booster("FilterBoost", "log", filters=True, constant=CONSTANT),
    "filterboost-cr": Booster(
        "FilterBoost (C-R)", "log", filters=True, is_rated=True, constant=CONSTANT
    ),
    "madaboost": Booster("MadaBoost", "mada", filters=True, constant=CONSTANT),
    **dict(batch_boosters("adaboost", "AdaBoost", "adaboost", "real")),
    **dict(batch_boosters("log", "AdaBoost-LOG", "log", "real_log")),
}
VARIANTS: dict[str, Booster] = {
    "filterboost-scaled": Booster(
        "FilterBoost (C-R, scaled)",
        "log",
        filters=True,
        is_rated=True,
        constant=CONSTANT,
        is_scaled=True,
    ),
    "filterboost-weighted": Booster(
        "FilterBoost (weighted)", "log", filters=True, constant=CONSTANT, is_weighted=True
    ),
    "filterboost-once": Booster(
        "FilterBoost (no recycling)", "log", filters=True, constant=CONSTANT, recycles=False
    ),
    "filterboost-900": Booster("FilterBoost, C = 900", "log", filters=True, constant=900),
    "madaboost-900": Booster("MadaBoost, C = 900", "mada", filters=True, constant=900),
}
"""What the paper says of FilterBoost in passing, and causes of what came out otherwise, to be tried
on small data."""
FAMILIES = {
    family: [key for key in BOOSTERS if key.split("-")[0] == family]
    for family in ("adaboost", "log")
}
"""The batch boosters, by rule."""
BATCH = [key for keys in FAMILIES.values() for key in keys]
LEARNERS = ("stumps", "trees")


def make_booster(
    booster: Booster,
    learner: str,
    rounds: int,
    *,
    seed: int,
    categorical: tuple[int, ...] = (),
    most_examples: int | None = None,
    n_jobs: int | None = None,
) -> Any:
    """An estimator with the paper's weak learner, to be fitted.

    A filtering booster ends when it has drawn `most_examples`: once it knows its rows by heart, it
    would look through millions of them for a few that it still accepts.
    """
    shared = {
        **weak_learner(learner, booster),
        "categorical_features": list(categorical) or None,
        "n_jobs": n_jobs,
        "random_state": seed,
    }
    if booster.filters:
        return fb.FilterBoostClassifier(
            booster.rule,
            sample_constant=booster.constant or CONSTANT,
            confidence_rated=booster.confidence_rated,
            training="weighted" if booster.is_weighted else "filtered",
            recycle=booster.recycles,
            target_error=NEVER,
            max_rounds=rounds,
            max_examples=most_examples,
            **shared,
        )
    return fb.BoostedTreesClassifier(
        booster.rule,
        n_estimators=rounds,
        learning_rate=1.0,
        resample=False if booster.constant is None else booster.constant,
        **shared,
    )


SECONDS = {
    ("majority", "stumps"): (3.0, 0.5),
    ("majority", "trees"): (6.0, 8.0),
    ("majority-large", "stumps"): (3.0, 9.0),
    ("majority-large", "trees"): (8.0, 50.0),
    ("twonorm", "stumps"): (7.0, 1.0),
    ("twonorm", "trees"): (20.0, 12.0),
    ("adult", "stumps"): (3.0, 1.0),
    ("adult", "trees"): (8.0, 25.0),
    ("covtype", "stumps"): (5.0, 12.0),
    ("covtype", "trees"): (35.0, 60.0),
}
"""A fit by a filtering and by a batch booster, about, on one core."""


def expected_seconds(task: str, learner: str, booster: Booster) -> float:
    return SECONDS[task, learner][0 if booster.filters else 1]


def weak_learner(learner: str, booster: Booster) -> dict[str, Any]:
    """Stumps by training error; trees by information gain, pruned with a third of the examples.

    Both minimise the exponential loss when they are confidence-rated.
    """
    usual = "error" if learner == "stumps" else "entropy"
    shared = {
        "criterion": "z" if booster.is_rated else usual,
        "max_leaf_nodes": None,
        "min_samples_leaf": 1,
        "max_bins": EXACT if is_exact(learner, booster) else 256,
    }
    if learner == "stumps":
        return {**shared, "max_depth": 1}
    return {**shared, "max_depth": None, "pruning_fraction": 1 / 3}


def is_exact(learner: str, booster: Booster) -> bool:
    """Whether every value is a threshold to try.

    Trees on whole tables have a histogram for each of hundreds of nodes, so they make do with 256
    bins. Filtering boosters bin the few examples of a round.
    """
    return learner == "stumps" or (booster.filters and booster.constant == CONSTANT)
