"""Which test C4.5, release 8, makes at a node: gain ratio, with cases of fractional weight.

Quinlan 1993, chapters 2 and 3; the penalty on thresholds is that of Quinlan 1996, "Improved use of
continuous attributes in C4.5", as the program of release 8 has it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from frugalboost.reference.losses import add_up

Cases: TypeAlias = Sequence[tuple[int, float]]
"""Row and weight of each case, rows ascending. A case with an unknown value is several."""

SLACK = 1e-3
"""How far below the average a gain may be, and how small the entropy of a split at most."""

MANY_VALUES = 0.3
"""A categorical attribute with as many values, relative to the cases, does not count in the
average."""


@dataclass(frozen=True)
class Attribute:
    """A column: numbers, or codes of categories if there are any; NaN where unknown."""

    values: Sequence[float]
    n_categories: int = 0

    def has_many_values(self, n_cases: float) -> bool:
        return self.n_categories >= MANY_VALUES * n_cases


class Split(NamedTuple):
    """A test on an attribute; cases of at most `cut` go first, or each category to its branch."""

    attribute: int
    gain: float
    entropy: float
    cut: float = math.nan


def log2(x: float) -> float:
    """0 for 0, and for what rounding has left below it."""
    return math.log2(x) if x > 0 else 0.0


def total_info(weights: Sequence[float]) -> float:
    """Bits to tell the parts of all cases: their total weight times the entropy.

    >>> total_info([4.0, 4.0])
    8.0
    """
    total = add_up(weights)
    return total * log2(total) - add_up(w * log2(w) for w in weights)


class Known(NamedTuple):
    """The cases of a node whose value of an attribute is known."""

    by_value: dict[float, list[float]]
    """The weight of each class, by value, in ascending order of values."""
    n_unknown: float

    @classmethod
    def of(cls, attribute: Attribute, cases: Cases, labels: Sequence[int], n_classes: int) -> Known:
        found: dict[float, list[float]] = {}
        n_unknown = 0.0
        for row, weight in cases:
            value = attribute.values[row]
            if math.isnan(value):
                n_unknown += weight
            else:
                found.setdefault(value, [0.0] * n_classes)[labels[row]] += weight
        return cls({value: found[value] for value in sorted(found)}, n_unknown)


def add(weights: list[float], others: Iterable[float]) -> None:
    for k, other in enumerate(others):
        weights[k] += other


@dataclass(frozen=True)
class SplitFinder:
    """Chooses tests.

    Parameters
    ----------
    attributes, labels, n_classes : the training table
    n_cases : weight of all training cases
    min_cases : C4.5's MINOBJS, 2
    """

    attributes: Sequence[Attribute]
    labels: Sequence[int]
    n_classes: int
    n_cases: float
    min_cases: float = 2.0

    def best(self, cases: Cases, tested: frozenset[int]) -> Split | None:
        """The split of the largest ratio of gain to entropy, among those of average gain.

        Parameters
        ----------
        cases : those of the node
        tested : categorical attributes that a test above has used up
        """
        splits = [
            split
            for number in range(len(self.attributes))
            if number not in tested and (split := self.split(number, cases)) is not None
        ]
        average = self.average_gain(splits)
        best, most = None, -SLACK
        for split in splits:  # ties to the lowest attribute
            if split.gain >= average - SLACK and split.entropy > SLACK:
                ratio = split.gain / split.entropy
                if ratio > most:
                    best, most = split, ratio
        return best

    def average_gain(self, splits: Sequence[Split]) -> float:
        """Infinite without a gain to average."""
        all_have_many = all(each.has_many_values(self.n_cases) for each in self.attributes)
        gains = [
            split.gain
            for split in splits
            if all_have_many or not self.attributes[split.attribute].has_many_values(self.n_cases)
        ]
        return add_up(gains) / len(gains) if gains else math.inf

    def split(self, number: int, cases: Cases) -> Split | None:
        """The best split on an attribute; None: no sensible one."""
        attribute = self.attributes[number]
        known = Known.of(attribute, cases, self.labels, self.n_classes)
        n = add_up(weight for _, weight in cases)
        if attribute.n_categories:
            return self.by_category(number, known, n)
        return self.by_threshold(number, known, n)

    def by_category(self, number: int, known: Known, n: float) -> Split | None:
        """A branch for each category."""
        n_known = n - known.n_unknown
        sizes = [add_up(weights) for weights in known.by_value.values()]
        if n_known <= 0 or sum(size >= self.min_cases for size in sizes) < 2:
            return None
        gain = self.gain(list(known.by_value.values()), n_known, n)
        return keep(Split(number, gain, total_info([known.n_unknown, *sizes]) / n))

    def by_threshold(self, number: int, known: Known, n: float) -> Split | None:
        """The threshold of the largest gain, less the bits that say which threshold it is."""
        n_known = n - known.n_unknown
        if n_known < 2 * self.min_cases:
            return None
        fewest = self.fewest_cases(n_known)
        low, high = [0.0] * self.n_classes, [0.0] * self.n_classes
        for weights in known.by_value.values():
            add(high, weights)
        base = total_info(high) / n_known
        n_low = 0.0
        tries: list[Split] = []
        values = list(known.by_value)
        for value, above in pairwise(values):
            add(low, known.by_value[value])
            add(high, [-weight for weight in known.by_value[value]])
            n_low += add_up(known.by_value[value])
            if n_low < fewest:
                continue
            if n_low > n_known - fewest:
                break
            info = (total_info(low) + total_info(high)) / n_known
            entropy = total_info([known.n_unknown, n_low, n_known - n_low]) / n
            cut = self.largest_value(number, value, above)
            tries.append(Split(number, (n_known / n) * (base - info), entropy, cut))
        return penalized(tries, n)

    def fewest_cases(self, n_known: float) -> float:
        """On each side of a threshold: a tenth of an even share of a class, from 2 to 25."""
        return max(self.min_cases, min(0.1 * n_known / self.n_classes, 25.0))

    def largest_value(self, number: int, value: float, above: float) -> float:
        """The largest training value that is not above the middle of the two."""
        middle = (value + above) / 2
        between = [v for v in self.attributes[number].values if value <= v <= middle and v < above]
        return max(between, default=value) + 0.0  # zero has one sign

    def gain(self, parts: Sequence[Sequence[float]], n_known: float, n: float) -> float:
        """Bits saved for each case, the share of known ones times what is saved for those."""
        whole = [0.0] * self.n_classes
        for part in parts:
            add(whole, part)
        base = total_info(whole) / n_known
        return (n_known / n) * (base - add_up(map(total_info, parts)) / n_known)


def keep(split: Split) -> Split | None:
    """None if it loses more than rounding may explain."""
    return split if split.gain > -SLACK else None


def penalized(tries: Sequence[Split], n: float) -> Split | None:
    """The first of the largest gain, less log2 of their number for each case; None: no gain."""
    best, most = None, 0.0
    for split in tries:
        value = split.gain - log2(len(tries)) / n
        if value > most:
            best, most = split, value
    return None if best is None else best._replace(gain=most)
