"""Which estimators a file can hold, and the parts of each.

To add one: a line in `KINDS` with its class and its parts. A new fitted attribute is a part of its
own (`_saved_parts`); files that lack it stay readable. The tests of every kind run over `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from frugalboost.boosting import Entry
from frugalboost.estimators._saved_checks import (
    check_committees,
    check_names,
    check_pruned,
    check_trees,
)
from frugalboost.estimators._saved_parts import (
    Curve,
    Features,
    Labels,
    Losses,
    Number,
    Part,
    Places,
    Proof,
    Rounds,
    Text,
    Trees,
    UsedRule,
    Waiting,
    filter_rule,
    table_rule,
)
from frugalboost.estimators.bagging import BaggedTreesClassifier
from frugalboost.estimators.classifier import BoostedTreesClassifier
from frugalboost.estimators.filterboost import FilterBoostClassifier
from frugalboost.estimators.gamble import GambleClassifier
from frugalboost.estimators.one_against_all import OneAgainstAllClassifier
from frugalboost.estimators.pruned import PrunedEnsembleClassifier
from frugalboost.estimators.regressor import BoostedTreesRegressor
from frugalboost.filtering import FilterEntry
from frugalboost.persist import BrokenFileError

NAMES: tuple[Part, ...] = (Number("n_features_in_"), Labels("feature_names_in_"))
TREES: tuple[Part, ...] = (*NAMES, Trees(), Features(), Number("n_estimators_"), Places("members_"))
TABLE: tuple[Part, ...] = (
    *TREES,
    UsedRule(table_rule),
    Rounds(Entry),
    Losses("validation_losses_"),
)
STREAM: tuple[Part, ...] = (
    *TREES,
    UsedRule(filter_rule),
    Rounds(FilterEntry),
    Number("_seed"),
    Waiting(),
    Number("n_examples_"),
    Text("stop_reason_"),
    Proof(),
)
CLASSES: tuple[Part, ...] = (Labels("classes_"),)

OPTIONAL = ("feature_names_in_", "certificate_", "members_")
"""Parts that not all models have, or that older files lack."""


@dataclass(frozen=True)
class Kind:
    """A class of estimators with its parts.

    Attributes
    ----------
    fits : callable
        Refuses a model whose parts do not belong together.
    members : str or None
        Name of a list of fitted estimators, each of a kind of its own.
    inner : str or None
        Name of one fitted estimator.
    """

    made: type[Any]
    parts: tuple[Part, ...]
    fits: Callable[[Any], None] = check_trees
    members: str | None = None
    inner: str | None = None

    @property
    def name(self) -> str:
        return self.made.__name__

    def check(self, model: Any) -> None:
        """Refuse a model that could not have come out of a fit."""
        for part in self.parts:
            if part.name not in OPTIONAL and not hasattr(model, part.name):
                raise BrokenFileError(f"its {self.name} has no {part.name}")
        check_names(model)
        self.fits(model)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(BoostedTreesClassifier, TABLE + CLASSES),
        Kind(BoostedTreesRegressor, TABLE),
        Kind(BaggedTreesClassifier, TABLE + CLASSES),
        Kind(FilterBoostClassifier, STREAM + CLASSES),
        Kind(GambleClassifier, TABLE + CLASSES),
        Kind(OneAgainstAllClassifier, NAMES + CLASSES, check_committees, members="estimators_"),
        Kind(PrunedEnsembleClassifier, (*NAMES, Curve("curve_")), check_pruned, inner="ensemble_"),
    )
}
