"""The runs of Quick Boost: figures 1 to 7."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import roc_auc_score

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats
from frugalboost.analysis import (
    fitted_rounds,
    preliminary_errors,
    probability_among_best,
    quick_sweep,
    subset_mass,
)
from frugalboost.reproduce.fits import HEURISTICS, make_model, stages
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.quick_boost import report
from frugalboost.reproduce.sources import Source

DEPTHS = {"faces": 1, "pedestrians": 2, "mnist": 4}
ROUNDS = {"faces": 2000, "pedestrians": 4000, "mnist": 1000}
QUICK_ROUNDS = {"faces": 100, "pedestrians": 50, "mnist": 10}
PAIR_ROUNDS = {"faces": 200, "pedestrians": 50, "mnist": 20}
"""Trees of the fits that are timed: each is fitted eight times."""
RULES = {"faces": "adaboost", "pedestrians": "adaboost", "mnist": "mh"}
"""The paper's ten classes follow Kégl and Busa-Fekete (2009), who use AdaBoost.MH."""
MASSES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99)
STEPS = (1, 2, 5, 10, 20, 50, 100)
FIRST = "faces"
"""The data of figures 1 to 4, which the paper does not name."""
SHARES = np.linspace(0, 1, 101)
VARIANTS = ("adaboost", "real", "log", "gentle")
UNITS = 2.0**40
"""Residuals become integers in these units of the largest."""
POINTS = 40
"""Rounds of a cost curve."""
SEARCHES = ("exhaustive", "quick", "adaptive", "auto")


class QuickBoost(Paper):
    """What pruned stumps cost, with every heuristic."""

    title = "Quickly Boosting Decision Trees (Appel, Fuchs, Dollár, Perona 2013)"
    data = ("faces", "pedestrians", "mnist")
    can_be_cut = True

    def rounds(self, data: str) -> int:
        rounds = (QUICK_ROUNDS if self.settings.quick else ROUNDS)[data]
        return rounds if self.settings.rounds is None else min(rounds, self.settings.rounds)

    @property
    def few_rounds(self) -> int:
        """Of figures 1 to 4, which look at single rounds or at many fits."""
        return 50 if self.settings.quick else 200

    def jobs(self) -> list[Job]:
        if not self.present:
            return []
        return [
            *self._subset_jobs(),
            *self._heuristic_jobs("curve", self._curve),
            *self._heuristic_jobs("pair", self._pair),
        ]

    def _subset_jobs(self) -> list[Job]:
        source, n, threads = self.sources[FIRST], self.few_rounds, self.settings.n_jobs
        runs = [
            partial(heaviest_masses, source, n, threads),
            partial(early_errors, source, n, threads),
            partial(mean_sweep, source, max(10, n // 10), threads),
        ]
        return [Job(key, run) for key, run in zip(self._subset_keys, runs, strict=True)]

    def _heuristic_jobs(self, kind: str, run: Callable[[str, str], Result]) -> list[Job]:
        return [
            Job(self._key(kind, data, heuristic), partial(run, data, heuristic))
            for data in self.present
            for heuristic in HEURISTICS
        ]

    @property
    def _subset_keys(self) -> list[str]:
        kinds = ("subset-mass", "preliminary-errors", "sweep")
        return [f"{kind}-{self.few_rounds}" for kind in kinds]

    def _key(self, kind: str, data: str, heuristic: str) -> str:
        return f"{kind}-{data}-{self.rounds(data)}-{heuristic.replace(' ', '-')}"

    def _curve(self, data: str, heuristic: str) -> Result:
        model = self._model(data, heuristic, self.rounds(data)).set_params(search="quick")
        return cost_curve(self.sources[data], model)

    def _pair(self, data: str, heuristic: str) -> Result:
        model = self._model(data, heuristic, min(PAIR_ROUNDS[data], self.rounds(data)))
        return time_pair(self.sources[data], model, repeats=1 if self.settings.quick else 3)

    def _model(self, data: str, heuristic: str, rounds: int) -> Any:
        model = make_model(DEPTHS[data], rounds, heuristic, n_jobs=self.settings.n_jobs)
        return model.set_params(rule=RULES[data])

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return []

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        names = [(data, heuristic) for data in self.present for heuristic in HEURISTICS]
        curves, pairs = (
            {name: results[key] for name in names if (key := self._key(kind, *name)) in results}
            for kind in ("curve", "pair")
        )
        shapes = {name: self.sources[name].shape for name in self.present}
        keys = self._subset_keys
        subsets = [results[key] for key in keys] if all(key in results for key in keys) else []
        return report.sections(shapes, self.absent, subsets, curves, pairs)


def heaviest_masses(source: Source, rounds: int, n_jobs: int | None) -> Result:
    """Figure 1: by variant, the share of the weight in the heaviest rows, averaged over rounds."""
    masses: dict[str, list[float]] = {}
    for rule in VARIANTS:
        model = make_model(1, rounds, n_jobs=n_jobs).set_params(rule=rule, criterion="auto")
        model.fit(source.binned, source.y_train)
        followed = fitted_rounds(model, source.binned, source.X_train, source.y_train)
        masses[rule] = mean_mass(each.weights for each in followed)
    masses["l2"] = mean_mass(residuals(source, rounds, n_jobs))
    return {"rounds": rounds, "shares": SHARES.tolist(), "masses": masses}


def mean_mass(weights: Iterator[AnyArray]) -> list[float]:
    masses: list[float] = np.mean([subset_mass(w, SHARES) for w in weights], axis=0).tolist()
    return masses


def residuals(source: Source, rounds: int, n_jobs: int | None) -> Iterator[AnyArray]:
    """L2Boost has no weights; the part of a row that is not yet explained takes their place."""
    targets = np.where(source.y_train > 0, 1.0, -1.0)
    model = fb.BoostedTreesRegressor(
        max_depth=1, n_estimators=rounds, learning_rate=1.0, n_jobs=n_jobs
    ).fit(source.binned, targets)
    for predicted in model.staged_predict(source.X_train):
        left = np.abs(targets - predicted)
        yield np.rint(left * (UNITS / left.max())).astype(np.int64)


def early_errors(source: Source, rounds: int, n_jobs: int | None) -> Result:
    """Figures 2 and 3: preliminary errors of stumps in every 10th round."""
    model = make_model(1, rounds, n_jobs=n_jobs).fit(source.binned, source.y_train)
    numbers = range(10, rounds + 1, 10)
    followed = fitted_rounds(model, source.binned, source.X_train, source.y_train, numbers)
    shares = SHARES[5:]
    tables = [
        preliminary_errors(source.binned, source.codes, each.weights, shares) for each in followed
    ]
    n_features = tables[0].shape[0]
    ks = {"1": 1, "10": 10, "1 %": max(1, n_features // 100)}
    return {
        "shares": shares.tolist(),
        "probabilities": {
            name: probability_among_best(tables, k).tolist() for name, k in ks.items()
        },
        "example_round": numbers[len(tables) // 2],
        "example": thinned(tables[len(tables) // 2]),
    }


def thinned(table: AnyArray, most: int = 200) -> list[list[float]]:
    """The features that end best, some of the others, and those that mislead most."""
    final = np.argsort(table[:, -1], kind="stable")
    early = np.argsort(table[:, len(table[0]) // 2], kind="stable")[:10]
    chosen = np.unique([*final[:: max(1, len(final) // most)], final[0], *early])
    rows = table[chosen]
    kept: list[list[float]] = rows[~np.isnan(rows).any(axis=1)].tolist()
    return kept


def mean_sweep(source: Source, rounds: int, n_jobs: int | None) -> Result:
    """Figure 4: cost of quick search over its two parameters, mean over depths 1 to 3."""
    shares: list[Any] = []
    for depth in (1, 2, 3):
        model = make_model(depth, rounds, n_jobs=n_jobs)
        shares.append(quick_sweep(model, source.binned, source.y_train, MASSES, STEPS).shares)
    return {
        "rounds": rounds,
        "masses": list(MASSES),
        "steps": list(STEPS),
        "shares": np.mean(shares, axis=0).tolist(),
    }


def cost_curve(source: Source, model: Any) -> Result:
    """Fit; at some rounds, assessments of the search and of the exhaustive one, loss and error.

    One fit tells of both searches, since they find one model. The test error is the area over the
    ROC curve, as in the paper.
    """
    model.fit(source.binned, source.y_train)
    n = len(model.ledger_)
    at = np.unique(np.geomspace(1, n, min(POINTS, n)).round().astype(int)) - 1
    rule, codes = model._rule, source.codes
    ones = np.ones(len(codes))
    train = stages(model.staged_decision_function(source.X_train), at.tolist())
    test = stages(model.staged_decision_function(source.X_test), at.tolist())
    return {
        "n_trees": n,
        "digest": fb.digest(model),
        "rounds": (at + 1).tolist(),
        "quick": model.ledger_.assessments.cumsum()[at].tolist(),
        "slow": model.ledger_.full.cumsum()[at].tolist(),
        "train_loss": [float(rule.loss(codes, decision, ones)) for _, decision in train],
        "test_area": [area_over_roc(source.y_test, decision) for _, decision in test],
    }


def area_over_roc(y: AnyArray, decision: Floats) -> float:
    """One minus the area under the ROC curve; the mean over one class against the rest."""
    if decision.ndim == 1:
        return 1.0 - float(roc_auc_score(y, decision))
    classes = np.unique(y)
    areas = [roc_auc_score(y == c, decision[:, k]) for k, c in enumerate(classes)]
    return 1.0 - float(np.mean(areas))


def time_pair(source: Source, model: Any, repeats: int) -> Result:
    """Fit with each search; with the exhaustive one and auto several times, in turns.

    Seconds are medians of whole fits.
    """
    fits = {search: fit_once(source, model, search) for search in SEARCHES}
    again = {search: [fits[search]["seconds"]] for search in ("exhaustive", "auto")}
    for _ in range(repeats - 1):
        for search, seconds in again.items():
            seconds.append(fit_once(source, model, search)["seconds"])
    for search, seconds in again.items():
        fits[search]["seconds"] = float(np.median(seconds))
    return fits


def fit_once(source: Source, model: Any, search: str) -> Result:
    fitted = clone(model).set_params(search=search).fit(source.binned, source.y_train)
    ledger = fitted.ledger_
    return {
        "digest": fb.digest(fitted),
        "n_trees": len(ledger),
        "seconds": ledger.total("seconds"),
        "assessments": ledger.total("assessments"),
        "reads": ledger.total("reads"),
        "full": ledger.total("full"),
    }
