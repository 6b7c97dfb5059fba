"""Fewer trees: what a smaller model would save, and what it would cost."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from frugalboost.cli.progress import stages
from frugalboost.cli.report.figures import draw
from frugalboost.cli.report.parts import Section
from frugalboost.cli.report.subject import Subject
from frugalboost.cli.training import Examples
from frugalboost.estimators._prune import Rows, candidate_sets
from frugalboost.plots import PruningCurveDisplay
from frugalboost.pruning import PruningCurve

PRUNING_ROWS = 4000
FEWEST_ROWS = 20
"""To choose trees by one half and to test them on the other."""
MANY_TREES = 200
"""From so many on, backfitting would take longer than the rest of the report."""
SWEEPS = 100
NORMAL_95 = 1.959963984540054
"""Of a normal variable, 95 % is within so many standard deviations."""


def pruning_section(subject: Subject) -> Section:
    """The error of fewer trees, chosen by half of the rows and tested on the other half."""
    reason = why_not_pruned(subject)
    if reason is not None:
        return Section("pruning", "Fewer trees", [f"There is no pruning curve: {reason}"])
    n_trees = len(subject.inner.estimators_)
    method = "reduce_error" if n_trees <= MANY_TREES else "kappa"
    choice, test = halves(subject)
    if len(np.unique(np.asarray(choice.y))) < 2:
        note = "There is no pruning curve: half of the rows, drawn at random, are all of one class."
        return Section("pruning", "Fewer trees", [note])
    curve = curve_of(subject.inner, choice, test, method)
    interval = error_interval(curve.whole_error, len(test))
    notes = [
        f"Trees were chosen by {len(choice):,} rows ({method}) and tested on {len(test):,} others.",
        verdict(curve, interval),
    ]
    kept = curve.n_estimators.tolist()
    shares = [1 - n / curve.n_members for n in kept]
    display = PruningCurveDisplay(
        {method: (shares, curve.errors)}, measure="error", whole=curve.whole_error
    )
    caption = "Error by the share of trees pruned; dashed: with all trees"
    numbers = {
        "method": method,
        "n_estimators": kept,
        "errors": curve.errors.tolist(),
        "whole_error": curve.whole_error,
        "whole_error_interval": list(interval),
        "best": curve.best,
        "is_worse": is_worse(curve, interval),
    }
    figure = draw(display, "pruning", caption)
    return Section("pruning", "Fewer trees", notes, [], [figure], numbers)


def verdict(curve: PruningCurve, interval: tuple[float, float]) -> str:
    """Whether to keep fewer trees, by what that would do to the error."""
    lowest, low, high = float(min(curve.errors)), *interval
    whole = f"{curve.whole_error:.4g} (95% interval: {low:.4g} to {high:.4g})"
    best = f"{curve.best:,} of {curve.n_members:,} trees"
    if is_worse(curve, interval):
        return (
            f"Pruning would make this model worse. With all trees the error is {whole}; with "
            f"{best}, the best choice found, it is {lowest:.4g}."
        )
    offer = "frugalboost prune writes such a model."
    if lowest > curve.whole_error:
        return (
            f"With all trees the error is {whole}; with {best}, the best choice found, it is "
            f"{lowest:.4g}: higher, but within the interval. {offer}"
        )
    return f"{best} have the lowest error, {lowest:.4g}; with all trees it is {whole}. {offer}"


def is_worse(curve: PruningCurve, interval: tuple[float, float]) -> bool:
    """Whether even the best choice is worse than the error of all trees may be."""
    return float(min(curve.errors)) > interval[1]


def error_interval(error: float, n_rows: int) -> tuple[float, float]:
    """Wilson's 95 % interval of an error rate: unlike the normal one, it has a width at 0.

    >>> low, high = error_interval(0.1, 100)
    >>> round(low, 4), round(high, 4)
    (0.0552, 0.1744)
    """
    z2 = NORMAL_95**2
    middle = (error + z2 / (2 * n_rows)) / (1 + z2 / n_rows)
    spread = math.sqrt(error * (1 - error) / n_rows + z2 / (4 * n_rows**2))
    half = NORMAL_95 * spread / (1 + z2 / n_rows)
    # Where nothing or everything is wrong, rounding would leave 1e-18 instead of the end itself.
    low = 0.0 if error == 0 else max(0.0, middle - half)
    return low, 1.0 if error == 1 else min(1.0, middle + half)


def halves(subject: Subject) -> tuple[Examples, Examples]:
    """Rows to choose trees by, and rows to test them on."""
    sample = subject.sample(subject.test, PRUNING_ROWS)
    order = np.random.default_rng(subject.seed).permutation(len(sample))
    choice, test = (sample.take(np.sort(half)) for half in np.array_split(order, 2))
    return choice, test


def why_not_pruned(subject: Subject) -> str | None:
    """Why there is nothing to choose among, in the words of the page; None if there is."""
    if not subject.is_classifier:
        return "only classifiers can be pruned, and this model is a regressor."
    if not hasattr(subject.inner, "_ensemble"):
        return "only a single ensemble can be pruned, and this model has one for each class."
    if len(subject.inner.estimators_) < 2:
        return "the model has one tree."
    if len(subject.test) < FEWEST_ROWS:
        return f"it takes at least {FEWEST_ROWS} rows."
    return None


def curve_of(model: Any, choice: Examples, test: Examples, method: str) -> PruningCurve:
    owner, stage = "report", stages()
    rows = Rows.of(model, choice.X, choice.y, owner, stage)
    sets = candidate_sets(
        model,
        rows,
        method,
        None,
        training=(None, None, None),
        max_sweeps=SWEEPS,
        owner=owner,
        stage=stage,
    )
    return Rows.of(model, test.X, test.y, owner, stage).curve(sets, stage)
