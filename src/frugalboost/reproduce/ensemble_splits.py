"""One split of a domain: ensembles, and what is left of them after pruning by every method."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

import frugalboost as fb
from frugalboost._typing import AnyArray, Ints
from frugalboost.analysis import KappaError, member_ballots, round_weights
from frugalboost.pruning import Material, WeightedVotes, choose_sets, errors_of, make_counter
from frugalboost.pruning.amount import smallest_best
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.published_ensemble_pruning import HELD_OUT, PRUNED
from frugalboost.reproduce.sources import Source

BY_TRAINING_ROWS = ("early_stopping", "kl", "kappa", "kappa_backfitting")
"""Methods that choose as many as they are told, by the rows of the fit."""

MAX_BINS = 1024
"""More than there are values of any feature, so that every threshold is tried, as in C4.5."""


@dataclass(frozen=True)
class Options:
    """What the ensembles of a job are made of.

    Attributes
    ----------
    rounds : int
    seed : int
    pruning : "pessimistic" or None
        Of the trees.
    held_out : float
        Share of the training rows for Reduce-Error pruning.
    n_jobs : int or None
    """

    rounds: int
    seed: int
    pruning: str | None = "pessimistic"
    held_out: float = HELD_OUT
    n_jobs: int | None = None

    def trees(self, source: Source) -> dict[str, Any]:
        """C4.5's, as options of the tree grower."""
        return {
            "criterion": "gain_ratio",
            "pruning": self.pruning,
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
    found: Result = {
        "n_test": len(source.y_test),
        "single": error(single, source),
        "bagged": error(bagged, source),
    }
    found |= by_training_rows(source, options)
    held = by_held_out_rows(source, options)
    found["errors"] |= held.pop("errors")
    return found | held | {"seconds": time.process_time() - started}


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
    errors = {method: level_errors(test, source, found) for method, found in sets.items()}
    any_order = np.random.default_rng(options.seed).permutation(n)
    errors["random"] = level_errors(test, source, [any_order[: i + 1] for i in range(n)])
    errors["hull"] = errors_on_test(test, source, [hull])
    return {
        "n_members": n,
        "whole": errors["early_stopping"][-1],
        "errors": errors,
        "kept_error": {
            method: [float(diagram.member_errors[found[m - 1]].mean()) for m in kept(n)]
            for method, found in sets.items()
        },
        "hull_size": len(hull),
        "member_error": float(diagram.member_errors.mean()),
        "member_kappa": float(diagram.kappa.mean()),
    }


def by_held_out_rows(source: Source, options: Options) -> Result:
    """Reduce-Error: the ensemble has fewer rows, and the rest choose."""
    X, y = source.X_train, source.y_train
    fit, held = split_off(y, options.held_out, options.seed)
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
    found = member_ballots(model, X)
    assert isinstance(found, WeightedVotes)
    n_classes = int(max(source.y_train.max(), source.y_test.max())) + 1
    return WeightedVotes.from_arrays(model.classes_[found.votes], found.weights, n_classes)


def level_errors(votes: WeightedVotes, source: Source, sets: Sequence[Ints]) -> list[float]:
    """Test errors at each level of pruning, of sets of every size."""
    return errors_on_test(votes, source, [sets[n - 1] for n in kept(len(votes))])


def errors_on_test(votes: WeightedVotes, source: Source, sets: Sequence[Ints]) -> list[float]:
    found: list[float] = errors_of(make_counter(votes, source.y_test), sets).tolist()
    return found


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
    found: Result = {}
    for name, model in models.items():
        diagram = fb.analysis.kappa_error(model, X, y)
        found[name] = {
            "kappa": diagram.kappa.tolist(),
            "error": diagram.error.tolist(),
            "hull": diagram.hull.tolist(),
            "hull_members": len(diagram.hull_members),
            "test_error": error(model, source),
        }
    return found
