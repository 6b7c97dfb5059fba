"""The runs of ensemble pruning: figures 1, 3, 4, 5 and 6."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, train_test_split

import frugalboost as fb
from frugalboost._typing import AnyArray, Ints
from frugalboost.analysis import KappaError, member_ballots, round_weights
from frugalboost.datasets import make_expf, make_xd6
from frugalboost.pruning import Material, WeightedVotes, choose_sets, errors_of, make_counter
from frugalboost.pruning.amount import smallest_best
from frugalboost.reproduce.ensemble_pruning import report
from frugalboost.reproduce.ensemble_pruning.claims import CLAIMS
from frugalboost.reproduce.ensemble_pruning.findings import Findings
from frugalboost.reproduce.ensemble_pruning.published import (
    DOMAINS,
    HELD_OUT,
    N_SPLITS,
    PRUNED,
    ROUNDS,
    Domain,
)
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.sources import Source, Sources

GENERATORS = {"expf": make_expf, "xd6": make_xd6}
BY_TRAINING_ROWS = ("early_stopping", "kl", "kappa", "kappa_backfitting")
"""Methods that choose as many as they are told, by the rows of the fit."""
MAX_BINS = 1024
"""More than any feature has values, so that every threshold is tried, as in C4.5."""


@dataclass(frozen=True)
class Variant:
    """The paper's experiment, or one that differs from it in one thing.

    Attributes
    ----------
    pruning : "pessimistic" or None
        Of the trees.
    held_out : float
        Share of the training rows for Reduce-Error pruning.
    """

    pruning: str | None = "pessimistic"
    held_out: float = HELD_OUT


VARIANTS = {
    "c45": Variant(),
    "unpruned": Variant(pruning=None),
    "held30": Variant(held_out=0.30),
}


@dataclass(frozen=True)
class Plan:
    """How often the experiments are done.

    Attributes
    ----------
    repeats : int
        Ten splits each; the paper has one.
    variant_repeats : int
    letter_repeats : int
        Of Letters, the largest.
    most_rows : int or None
        Of a domain that take part.
    """

    repeats: int
    variant_repeats: int
    letter_repeats: int
    most_rows: int | None = None

    def of(self, name: str, variant: str) -> int:
        n = self.repeats if variant == "c45" else self.variant_repeats
        return min(n, self.letter_repeats) if name == "letters" else n


FULL = Plan(repeats=5, variant_repeats=1, letter_repeats=1)
QUICK = Plan(repeats=1, variant_repeats=0, letter_repeats=1, most_rows=5_000)


class EnsemblePruning(Paper):
    """AdaBoost with C4.5's trees, pruned by every method to every level."""

    title = "Pruning Adaptive Boosting (Margineantu, Dietterich 1997)"
    data = tuple(domain.data for domain in DOMAINS.values())
    can_be_cut = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._domains = Domains(self.sources, self.plan.most_rows)

    @property
    def plan(self) -> Plan:
        return QUICK if self.settings.quick else FULL

    @property
    def rounds(self) -> int:
        return min(ROUNDS, self.settings.rounds or ROUNDS)

    @property
    def names(self) -> list[str]:
        """The domains whose data are present."""
        return [name for name, domain in DOMAINS.items() if domain.data in self.present]

    def jobs(self) -> list[Job]:
        """Figure 1, then the paper's experiment and its variants, repeat after repeat."""
        return [
            *self._diagram_jobs(),
            *(
                job
                for repeat in range(self.plan.repeats)
                for variant in VARIANTS
                for job in self._split_jobs(variant, repeat)
            ),
        ]

    def _split_jobs(self, variant: str, repeat: int) -> Iterator[Job]:
        for name in self.names:
            for split in range(N_SPLITS) if repeat < self.plan.of(name, variant) else ():
                place = Place(repeat, split)
                run = partial(self._split, name, variant, place)
                yield Job(self._key(name, variant, place), run)

    def _diagram_jobs(self) -> Iterator[Job]:
        if "expf" in self.names:
            yield Job(self._diagram_key, self._diagrams)

    def _key(self, name: str, variant: str, place: Place) -> str:
        return f"{name}-{variant}-{self.rounds}-repeat{place.repeat}-split{place.split}"

    @property
    def _diagram_key(self) -> str:
        return f"diagram-expf-{self.rounds}"

    def _options(self, variant: str, place: Place) -> Options:
        return Options(self.rounds, place.seed, VARIANTS[variant], self.settings.n_jobs)

    def _split(self, name: str, variant: str, place: Place) -> Result:
        return prune_split(self._domains.split(name, place), self._options(variant, place))

    def _diagrams(self) -> Result:
        place = Place(0, 0)
        return diagrams(self._domains.split("expf", place), self._options("c45", place))

    def findings(self, results: Mapping[str, Result]) -> Findings:
        """The results so far."""
        splits = {}
        for variant in VARIANTS:
            for name in self.names:
                for repeat in range(self.plan.of(name, variant)):
                    keys = (self._key(name, variant, Place(repeat, i)) for i in range(N_SPLITS))
                    done = [results[key] for key in keys if key in results]
                    if done:
                        splits[name, variant, repeat] = done
        return Findings(splits, results.get(self._diagram_key), self.rounds)

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return CLAIMS.judged(self.findings(results))

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self._domains.split(name, Place(0, 0)).shape for name in self.names}
        return report.sections(self.findings(results), shapes, self.absent)


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


@dataclass(frozen=True)
class Options:
    """What the ensembles of a job are made of."""

    rounds: int
    seed: int
    variant: Variant
    n_jobs: int | None = None

    def trees(self, source: Source) -> dict[str, Any]:
        """C4.5's, as options of the tree grower."""
        return {
            "criterion": "gain_ratio",
            "pruning": self.variant.pruning,
            "max_depth": None,
            "max_bins": MAX_BINS,
            "categorical_features": list(source.categorical) or None,
            "n_jobs": self.n_jobs,
        }


def kept(n_members: int) -> list[int]:
    """Members that stay at each level of pruning.

    >>> kept(50), kept(3)
    ([10, 20, 30, 40, 50], [1, 1, 2, 2, 3])
    """
    return [max(round((1 - share) * n_members), 1) for share in PRUNED]


def prune_split(source: Source, options: Options) -> Result:
    """Test errors of C4.5, AdaBoost, bagging, and of AdaBoost pruned by every method."""
    started = time.process_time()
    trees = options.trees(source)
    X, y = source.X_train, source.y_train
    single = fb.BoostedTreesClassifier("adaboost_m1", n_estimators=1, **trees).fit(X, y)
    bagged = fb.BaggedTreesClassifier(options.rounds, random_state=options.seed, **trees).fit(X, y)
    result: Result = {
        "n_test": len(source.y_test),
        "single": error(single, source),
        "bagged": error(bagged, source),
    }
    result |= by_training_rows(source, options)
    held = by_held_out_rows(source, options)
    result["errors"] |= held.pop("errors")
    return result | held | {"seconds": time.process_time() - started}


def by_training_rows(source: Source, options: Options) -> Result:
    """The methods that need no rows of their own, and random members to compare them with."""
    X, y = source.X_train, source.y_train
    model = boosted(source, options, X, y)
    votes = ballots(model, X, source)
    material = Material(votes, y, round_weights(model, X, y))
    n = len(votes)
    sets = {method: choose_sets(method, material, n) for method in BY_TRAINING_ROWS}
    hull = choose_sets("hull", material, n)[0]
    diagram = KappaError.from_votes(votes.votes, y)
    test = ballots(model, source.X_test, source)
    errors = {method: level_errors(test, source, each) for method, each in sets.items()}
    any_order = np.random.default_rng(options.seed).permutation(n)
    errors["random"] = level_errors(test, source, [any_order[: i + 1] for i in range(n)])
    errors["hull"] = errors_on_test(test, source, [hull])
    return {
        "n_members": n,
        "whole": errors["early_stopping"][-1],
        "errors": errors,
        "kept_error": {
            method: [float(diagram.member_errors[each[m - 1]].mean()) for m in kept(n)]
            for method, each in sets.items()
        },
        "hull_size": len(hull),
        "member_error": float(diagram.member_errors.mean()),
        "member_kappa": float(diagram.kappa.mean()),
    }


def by_held_out_rows(source: Source, options: Options) -> Result:
    """Reduce-Error: the ensemble has fewer rows, and the rest choose."""
    X, y = source.X_train, source.y_train
    fit, held = split_off(y, options.variant.held_out, options.seed)
    model = boosted(source, options, X[fit], y[fit])
    votes = ballots(model, X[held], source)
    sets = choose_sets("reduce_error", Material(votes, y[held]), len(votes))
    # The pruning set may choose the amount as well (section 5).
    amount = smallest_best(errors_of(make_counter(votes, y[held]), sets))
    test = ballots(model, source.X_test, source)
    first = [np.arange(i + 1) for i in range(len(votes))]
    return {
        "errors": {
            "reduce_error": level_errors(test, source, sets),
            "held_early_stopping": level_errors(test, source, first),
            "reduce_error_auto": errors_on_test(test, source, [sets[amount]]),
        },
        "auto_size": amount + 1,
        "first_is_best": bool(sets[0][0] == 0),
    }


def boosted(source: Source, options: Options, X: AnyArray, y: AnyArray) -> Any:
    """AdaBoost.M1 as in table 1."""
    model = fb.BoostedTreesClassifier(
        "adaboost_m1",
        resample=True,
        n_estimators=options.rounds,
        random_state=options.seed,
        **options.trees(source),
    )
    return model.fit(X, y)


def error(model: Any, source: Source) -> float:
    return float(np.mean(model.predict(source.X_test) != source.y_test))


def ballots(model: Any, X: AnyArray, source: Source) -> WeightedVotes:
    """Votes in the codes of the domain: a fit may not have seen every class."""
    own = member_ballots(model, X)
    assert isinstance(own, WeightedVotes)
    n_classes = int(max(source.y_train.max(), source.y_test.max())) + 1
    return WeightedVotes.from_arrays(model.classes_[own.votes], own.weights, n_classes)


def level_errors(votes: WeightedVotes, source: Source, sets: Sequence[Ints]) -> list[float]:
    """Test errors at each level of pruning, of sets of every size."""
    return errors_on_test(votes, source, [sets[n - 1] for n in kept(len(votes))])


def errors_on_test(votes: WeightedVotes, source: Source, sets: Sequence[Ints]) -> list[float]:
    errors: list[float] = errors_of(make_counter(votes, source.y_test), sets).tolist()
    return errors


def split_off(codes: AnyArray, share: float, seed: int) -> tuple[Ints, Ints]:
    """Rows to fit and rows to prune by, at random: classes may be in one of them only."""
    fit, held = train_test_split(np.arange(len(codes)), test_size=share, random_state=seed)
    return np.sort(fit), np.sort(held)


def diagrams(source: Source, options: Options) -> Result:
    """Figure 1: kappa and errors of pairs, on the training rows."""
    X, y = source.X_train, source.y_train
    models = {
        "adaboost": boosted(source, options, X, y),
        "bagging": fb.BaggedTreesClassifier(
            options.rounds, random_state=options.seed, **options.trees(source)
        ).fit(X, y),
    }
    by_ensemble: Result = {}
    for name, model in models.items():
        diagram = fb.analysis.kappa_error(model, X, y)
        by_ensemble[name] = {
            "kappa": diagram.kappa.tolist(),
            "error": diagram.error.tolist(),
            "hull": diagram.hull.tolist(),
            "hull_members": len(diagram.hull_members),
            "test_error": error(model, source),
        }
    return by_ensemble
