"""The ten domains, and the rows of each split."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold, train_test_split

from frugalboost._typing import AnyArray, Ints
from frugalboost.datasets import make_expf, make_xd6
from frugalboost.reproduce.ensemble_pruning.published import DOMAINS, N_SPLITS, Domain
from frugalboost.reproduce.sources import Source, Sources

GENERATORS = {"expf": make_expf, "xd6": make_xd6}


@dataclass(frozen=True)
class Place:
    """One split: number `split` of the ten of an experiment that is done several times."""

    repeat: int
    split: int

    @property
    def seed(self) -> int:
        return N_SPLITS * self.repeat + self.split


class Domains:
    """The domains' rows.

    Parameters
    ----------
    sources : Sources
    most_rows : int or None
        Of a domain that take part.
    """

    def __init__(self, sources: Sources, most_rows: int | None = None) -> None:
        self._sources, self._most = sources, most_rows

    def split(self, name: str, place: Place) -> Source:
        """Rows of one split; labels are codes from 0."""
        domain = DOMAINS[name]
        # Each time, folds are others, and so are examples that are drawn or chosen.
        whole = self._rows(domain, place.repeat if domain.is_folded else place.seed)
        train, test = folds(whole.y_train, place) if domain.is_folded else self._cut(domain, whole)
        X, y = np.asarray(whole.X_train), whole.y_train
        return Source(name, X[train], y[train], X[test], y[test], categorical=whole.categorical)

    def _rows(self, domain: Domain, seed: int) -> Source:
        """As many shuffled rows as table 2 has, if the table is that large."""
        n = min(domain.n_train + domain.n_test, self._most or np.iinfo(np.int64).max)
        if domain.data in GENERATORS:
            return Source.from_rows(domain.data, *GENERATORS[domain.data](n, random_state=seed))
        table = self._sources[domain.data]
        rows = np.random.default_rng(seed).permutation(len(table.y_train))[:n]
        X, codes = table.X_train[rows], table.codes[rows]
        return Source.from_rows(domain.data, X, codes, categorical=table.categorical)

    def _cut(self, domain: Domain, whole: Source) -> tuple[Ints, Ints]:
        """The first rows train, as large a share as in table 2."""
        n = len(whole.y_train)
        n_train = n * domain.n_train // (domain.n_train + domain.n_test)
        return np.arange(n_train), np.arange(n_train, n)


def folds(codes: AnyArray, place: Place) -> tuple[Ints, Ints]:
    """Rows to train and to test, with classes spread evenly as C4.5's own scripts do."""
    made = StratifiedKFold(N_SPLITS, shuffle=True, random_state=place.repeat)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class of glass has nine rows
        train, test = list(made.split(np.zeros(len(codes)), codes))[place.split]
    return train, test


def split_off(codes: AnyArray, share: float, seed: int) -> tuple[Ints, Ints]:
    """Rows to fit and rows to prune by, at random: classes may be in one of them only."""
    fit, held = train_test_split(np.arange(len(codes)), test_size=share, random_state=seed)
    return np.sort(fit), np.sort(held)
