"""What is done on one split: ensembles, every way to prune them, and test errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.analysis import member_ballots, round_weights
from frugalboost.pruning import Material, WeightedVotes, choose_sets, errors_of, make_counter
from frugalboost.pruning.amount import smallest_best
from frugalboost.pruning.kappa import PairTable
from frugalboost.reproduce.ensemble_pruning.domains import split_off
from frugalboost.reproduce.ensemble_pruning.published import HELD_OUT, PRUNED
from frugalboost.reproduce.ensemble_pruning.variants import PAPER, VARIANTS, Variant, Wanted
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

BY_TRAINING_ROWS = ("early_stopping", "kl", "kappa", "kappa_backfitting")
"""Methods that choose as many as they are told, by the rows of the fit."""
MANY = 1_000
"""Test rows, half of which make a pruning set larger than the paper's."""


@dataclass(frozen=True)
class Options:
    """What the ensembles of a job are made of."""

    rounds: int
    seed: int
    variant: Variant
    n_jobs: int | None = None

    @property
    def is_paper(self) -> bool:
        """What is compared in the paper's experiment only is left out of the others."""
        return self.variant is VARIANTS[PAPER]

    def model(self, ensemble: str | None, source: Source) -> Any:
        """Not fitted: "adaboost_m1", "bagging", or a single tree."""
        wanted = Wanted(
            ensemble,
            self.rounds,
            self.seed,
            self.variant.resample,
            self.variant.trees,
            list(source.categorical) or None,
            self.n_jobs,
        )
        return self.variant.make(wanted)


def kept(n_members: int) -> list[int]:
    """Members that stay at each level of pruning.

    >>> kept(50), kept(3)
    ([10, 20, 30, 40, 50], [1, 1, 2, 2, 3])
    """
    return [max(round((1 - share) * n_members), 1) for share in PRUNED]


def prune_split(source: Source, options: Options) -> Result:
    """Test errors of C4.5, of AdaBoost, and of AdaBoost pruned by every method."""
    own, held = by_training_rows(source, options), by_held_out_rows(source, options)
    errors = own.pop("errors") | held.pop("errors")
    X, y = source.X_train, source.y_train
    single = error(one_tree(source, options, X, y), source)
    result = {"n_test": len(source.y_test), "single": single, "errors": errors, **own, **held}
    if options.is_paper:
        result["bagged"] = error(bagged(source, options), source)
    return result


def by_training_rows(source: Source, options: Options) -> Result:
    """The methods that need no rows of their own."""
    X, y = source.X_train, source.y_train
    model = boosted(source, options, X, y)
    votes = ballots(model, X, source)
    member_errors = wrong_answers(votes, y) / len(y)
    material = Material(votes, y, round_weights(model, X, y))
    sets = chosen_sets(material, member_errors, options.seed)
    test = ballots(model, source.X_test, source)
    errors = {method: level_errors(test, source, each) for method, each in sets.items()}
    hull = choose_sets("hull", material, len(votes))[0]
    errors["hull"] = errors_on_test(test, source, [hull])
    return {
        "n_members": len(votes),
        "whole": errors["early_stopping"][-1],
        "errors": errors,
        "kept_error": at_levels(sets, lambda members: member_errors[members].mean()),
        "kept_kappa": at_levels(sets, MeanKappa(votes)),
        "hull_size": len(hull),
        "member_error": float(member_errors.mean()),
    }


def chosen_sets(material: Material, member_errors: Floats, seed: int) -> dict[str, list[Ints]]:
    """By the paper's methods, its suggestion, and others that show why these do as they do."""
    n = len(material.ballots)
    sets = {method: choose_sets(method, material, n) for method in BY_TRAINING_ROWS}
    orders = {
        "kappa_of_better": kappa_of_better(material, member_errors),
        "last": np.arange(n)[::-1],
        "random": np.random.default_rng(seed).permutation(n),
    }
    return sets | {method: prefixes(order) for method, order in orders.items()}


def kappa_of_better(material: Material, member_errors: Floats) -> Ints:
    """Kappa's order of the half of the members with the fewest errors, then of the others."""
    by_error = np.argsort(member_errors, kind="stable")
    middle = (len(by_error) + 1) // 2
    halves = [np.sort(half) for half in (by_error[:middle], by_error[middle:]) if len(half)]
    return np.concatenate([half[kappa_order_of(material, half)] for half in halves])


def kappa_order_of(material: Material, members: Ints) -> Ints:
    whole = material.ballots
    assert isinstance(whole, WeightedVotes)
    part = WeightedVotes.from_arrays(whole.votes[members], whole.weights[members], whole.n_classes)
    return choose_sets("kappa", Material(part, material.labels), len(members))[-1]


def prefixes(order: Ints) -> list[Ints]:
    return [order[: i + 1] for i in range(len(order))]


class MeanKappa:
    """Of the pairs of a set of members; 1 for a single one."""

    def __init__(self, votes: WeightedVotes) -> None:
        pairs = PairTable.from_votes(votes.votes, votes.n_classes)
        self._table = np.eye(len(votes))
        self._table[pairs.first, pairs.second] = pairs.kappa
        self._table[pairs.second, pairs.first] = pairs.kappa

    def __call__(self, members: Ints) -> float:
        n = len(members)
        if n == 1:
            return 1.0
        return float((self._table[np.ix_(members, members)].sum() - n) / (n * (n - 1)))


def at_levels(sets: Mapping[str, Sequence[Ints]], measure: Any) -> dict[str, list[float]]:
    """A number of the set of each method at each level of pruning."""
    return {
        method: [float(measure(each[n - 1])) for n in kept(len(each))]
        for method, each in sets.items()
    }


def by_held_out_rows(source: Source, options: Options) -> Result:
    """Reduce-Error: the ensemble has fewer rows, and the rest choose."""
    X, y = source.X_train, source.y_train
    fit, held = split_off(y, HELD_OUT, options.seed)
    model = boosted(source, options, X[fit], y[fit])
    votes = ballots(model, X[held], source)
    sets = choose_sets("reduce_error", Material(votes, y[held]), len(votes))
    # The pruning set may choose the amount as well (section 5).
    amount = smallest_best(errors_of(make_counter(votes, y[held]), sets))
    test = ballots(model, source.X_test, source)
    errors = {
        "reduce_error": level_errors(test, source, sets),
        "held_early_stopping": level_errors(test, source, prefixes(np.arange(len(votes)))),
        "reduce_error_auto": errors_on_test(test, source, [sets[amount]]),
    }
    if options.is_paper and len(source.y_test) >= MANY:
        errors |= by_many_rows(test, source.y_test)
    return {
        "errors": errors,
        "held_single": error(one_tree(source, options, X[fit], y[fit]), source),
        "auto_size": amount + 1,
        "first_is_best": bool(sets[0][0] == 0),
        "first_is_best_on_test": bool(np.argmin(wrong_answers(test, source.y_test)) == 0),
    }


def by_many_rows(test: WeightedVotes, codes: AnyArray) -> dict[str, list[float]]:
    """Reduce-Error with half of the test rows as the pruning set; the other half tests.

    Both halves choose once, so that every row is a test row once.
    """
    rows = np.arange(len(codes))
    levels, amounts = zip(
        *(wrong_of_chosen(test, codes, rows % 2 == half, rows % 2 != half) for half in (0, 1)),
        strict=True,
    )
    errors = {"reduce_error_many": sum(levels), "reduce_error_many_auto": sum(amounts)}
    return {method: (wrong / len(codes)).tolist() for method, wrong in errors.items()}


def wrong_of_chosen(
    votes: WeightedVotes, codes: AnyArray, choosing: AnyArray, testing: AnyArray
) -> tuple[Floats, Floats]:
    """Wrong answers at each level, and with as many members as the choosing rows prefer."""
    choosers, tested = (rows_of(votes, rows) for rows in (choosing, testing))
    sets = choose_sets("reduce_error", Material(choosers, codes[choosing]), len(votes))
    amount = smallest_best(errors_of(make_counter(choosers, codes[choosing]), sets))
    chosen = [*(sets[n - 1] for n in kept(len(votes))), sets[amount]]
    wrong = errors_of(make_counter(tested, codes[testing]), chosen) * testing.sum()
    return wrong[:-1], wrong[-1:]


def rows_of(votes: WeightedVotes, rows: AnyArray) -> WeightedVotes:
    return WeightedVotes.from_arrays(votes.votes[:, rows], votes.weights, votes.n_classes)


def first_member(source: Source, options: Options) -> Result:
    """Whether any member has fewer errors on the pruning set than the first; nothing is tested."""
    X, y = source.X_train, source.y_train
    fit, held = split_off(y, HELD_OUT, options.seed)
    wrong = wrong_answers(
        ballots(boosted(source, options, X[fit], y[fit]), X[held], source), y[held]
    )
    return {"first_is_best": bool(np.argmin(wrong) == 0), "better": int((wrong < wrong[0]).sum())}


def wrong_answers(votes: WeightedVotes, codes: AnyArray) -> Ints:
    """Of each member."""
    return np.asarray((votes.votes != codes).sum(axis=1))


def one_tree(source: Source, options: Options, X: AnyArray, y: AnyArray) -> Any:
    """C4.5 alone."""
    return options.model(None, source).fit(X, y)


def boosted(source: Source, options: Options, X: AnyArray, y: AnyArray) -> Any:
    """AdaBoost.M1 as in table 1."""
    return options.model("adaboost_m1", source).fit(X, y)


def bagged(source: Source, options: Options) -> Any:
    return options.model("bagging", source).fit(source.X_train, source.y_train)


def error(model: Any, source: Source) -> float:
    return float(np.mean(model.predict(source.X_test) != source.y_test))


def ballots(model: Any, X: AnyArray, source: Source) -> WeightedVotes:
    """Votes in the codes of the domain: a fit may not have seen every class."""
    own = member_ballots(model, X)
    assert isinstance(own, WeightedVotes)
    n_classes = int(max(source.y_train.max(), source.y_test.max(initial=0))) + 1
    return WeightedVotes.from_arrays(model.classes_[own.votes], own.weights, n_classes)


def level_errors(votes: WeightedVotes, source: Source, sets: Sequence[Ints]) -> list[float]:
    """Test errors at each level of pruning, of sets of every size."""
    return errors_on_test(votes, source, [sets[n - 1] for n in kept(len(votes))])


def errors_on_test(votes: WeightedVotes, source: Source, sets: Sequence[Ints]) -> list[float]:
    errors: list[float] = errors_of(make_counter(votes, source.y_test), sets).tolist()
    return errors


def diagrams(source: Source, options: Options) -> Result:
    """Figure 1: kappa and errors of pairs, on the training rows."""
    X, y = source.X_train, source.y_train
    models = {"adaboost": boosted(source, options, X, y), "bagging": bagged(source, options)}
    return {name: diagram_of(model, source) for name, model in models.items()}


def diagram_of(model: Any, source: Source) -> Result:
    diagram = fb.analysis.kappa_error(model, source.X_train, source.y_train)
    return {
        "kappa": diagram.kappa.tolist(),
        "error": diagram.error.tolist(),
        "hull": diagram.hull.tolist(),
        "hull_members": len(diagram.hull_members),
        "test_error": error(model, source),
    }
