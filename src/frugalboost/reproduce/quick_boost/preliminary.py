"""Figures 2 and 3, and proposition 1: what part of the weight tells of every feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.analysis import fitted_rounds, probability_among_best
from frugalboost.analysis.exact_sums import ExactWeights
from frugalboost.analysis.weight_order import Node, searched_features
from frugalboost.reproduce.fits import make_model
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.quick_boost.published import KNEE
from frugalboost.reproduce.sources import Source

SHARES = np.linspace(0.05, 1.0, 39)
"""Of the weight, in steps of 2.5 %."""
AT_KNEE = int(np.searchsorted(SHARES, KNEE[0] - 1e-9))
STAGES = ((20, 2), (200, 20), (2000, 50))
"""Rounds up to the first number in steps of the second, from where the last stage ended."""
MOST_LINES = 200


@dataclass(frozen=True)
class Look:
    """One round: the least loss of every feature on growing subsets of the rows.

    Attributes
    ----------
    n_ahead : int
        Features that look better than the best one on rows drawn at random, which hold as much of
        the weight as the subset of figure 3.
    """

    number: int
    losses: Ints
    seen: Ints
    rows: Floats
    n_ahead: int

    @classmethod
    def at(cls, source: Source, number: int, weights: AnyArray) -> Look:
        node = Node.from_arrays(source.binned, source.codes, weights, None)
        losses, seen, ends = losses_of(node, SHARES)
        random, _, _ = losses_of(at_random(node, number), SHARES[[AT_KNEE]])
        n_ahead = int((random < random[losses[:, -1].argmin()]).sum())
        return cls(number, losses, seen, ends / node.n_rows, n_ahead)

    @property
    def errors(self) -> Floats:
        return np.asarray(self.losses / self.seen.astype(float))

    @property
    def lead(self) -> float:
        """By how much the best feature's error is below that of the tenth."""
        final = np.sort(self.errors[:, -1])
        return float(final[min(10, len(final)) - 1] - final[0])

    @property
    def n_broken(self) -> int:
        """How often a loss fell when rows were added, which proposition 1 rules out."""
        return int((np.diff(self.losses, axis=1) < 0).sum())

    @property
    def rows_enough(self) -> float:
        """Share of the rows from which on the best feature is the first."""
        first = self.losses.argmin(axis=0) == self.losses[:, -1].argmin()
        late = np.flatnonzero(~first)
        return float(self.rows[late[-1] + 1 if len(late) else 0])


def losses_of(node: Node, shares: Floats) -> tuple[Ints, Ints, Ints]:
    """The least loss of every feature on the first rows that hold each share of the weight; that
    weight, and how many rows they are."""
    seen = np.concatenate([[0], np.cumsum(node.masses)])
    ends = np.searchsorted(seen, shares * float(seen[-1]), side="left")
    columns = (node.column(feature) for feature in searched_features(node.dataset))
    losses = [column.best_losses(column.sums_of_parts(ends)) for column in columns]
    return np.array(losses), seen[ends], ends


def at_random(node: Node, seed: int) -> Node:
    """The same rows in an order drawn at random."""
    order = np.random.default_rng(seed).permutation(node.n_rows)
    masses = node.masses[order]
    return replace(
        node,
        order=node.order[order],
        labels=node.labels[order],
        masses=masses,
        weights=ExactWeights(masses),
    )


@dataclass
class Stage:
    """The rounds of one stage of boosting."""

    title: str
    looks: list[Look] = field(default_factory=list)

    def result(self) -> Result:
        tables = [look.errors for look in self.looks]
        n_features = len(tables[0])
        ks = {"1": 1, "10": 10, "1 %": max(1, n_features // 100)}
        return {
            "n_rounds": len(tables),
            "rows": np.mean([look.rows for look in self.looks], axis=0).tolist(),
            "probabilities": {k: probability_among_best(tables, n).tolist() for k, n in ks.items()},
            "drift": np.mean([drift(table) for table in tables], axis=0).tolist(),
            "misled": float(np.mean([rank_of_misled(table) for table in tables])),
            "rank": np.mean([ranks_of_best(table) for table in tables], axis=0).tolist(),
            "random": float(np.mean([look.n_ahead < 10 for look in self.looks])),
            "lead": float(np.mean([look.lead for look in self.looks])),
            "rows_enough": float(np.mean([look.rows_enough for look in self.looks])),
        }


def drift(errors: Floats) -> Floats:
    """By share of the weight: mean distance of a feature's error from its final one."""
    return np.asarray(np.abs(errors - errors[:, -1:]).mean(axis=0))


def rank_of_misled(errors: Floats) -> float:
    """Of the ten best features at 75 % of the weight, the worst in the end: share of the features
    that are better than it."""
    final = errors[:, -1]
    worst = final[np.argsort(errors[:, AT_KNEE], kind="stable")[:10]].max()
    return float((final < worst).mean())


def ranks_of_best(errors: Floats) -> Floats:
    """By share of the weight: share of the features that look better than the best one."""
    best = int(errors[:, -1].argmin())
    return np.asarray((errors < errors[best]).mean(axis=0))


def preliminary_looks(source: Source, rounds: int, n_jobs: int | None) -> Result:
    """Follow AdaBoost with stumps, looking at some rounds of each stage."""
    model = make_model(1, rounds, n_jobs=n_jobs).fit(source.binned, source.y_train)
    stages = stages_up_to(len(model.ledger_))
    numbers = sorted(number for each in stages.values() for number in each)
    done = {title: Stage(title) for title in stages}
    n_broken = n_compared = 0
    example: Look | None = None
    followed = fitted_rounds(model, source.binned, source.X_train, source.y_train, numbers)
    for each in followed:
        look = Look.at(source, each.number, each.weights)
        n_broken += look.n_broken
        n_compared += look.losses.size - len(look.losses)
        done[next(title for title, of in stages.items() if each.number in of)].looks.append(look)
        if example is None and each.number >= numbers[-1] // 2:
            example = look
    assert example is not None
    return {
        "shares": SHARES.tolist(),
        "stages": {title: stage.result() for title, stage in done.items()},
        "n_compared": n_compared,
        "n_broken": n_broken,
        "example_round": example.number,
        "example": thinned(example.errors),
    }


def stages_up_to(rounds: int) -> dict[str, Sequence[int]]:
    """By title, the rounds to look at.

    >>> stages_up_to(100)
    {'1 to 20': range(2, 21, 2), '21 to 100': range(40, 101, 20)}
    """
    ends = [0, *(min(end, rounds) for end, _ in STAGES)]
    steps = [step for _, step in STAGES]
    found = {
        f"{first + 1} to {last}": range(first + step, last + 1, step)
        for (first, last), step in zip(pairwise(ends), steps, strict=True)
    }
    return {title: numbers for title, numbers in found.items() if len(numbers)} or {
        f"1 to {rounds}": range(1, rounds + 1)
    }


def thinned(table: Floats) -> list[list[float]]:
    """The features that end best, some of the others, and those that mislead most."""
    final = np.argsort(table[:, -1], kind="stable")
    early = np.argsort(table[:, len(table[0]) // 2], kind="stable")[:10]
    chosen = np.unique([*final[:: max(1, len(final) // MOST_LINES)], final[0], *early])
    kept: list[list[float]] = table[chosen].tolist()
    return kept
