"""Fewer trees: what a smaller model would save, and what it would cost."""

from __future__ import annotations

import numpy as np

from frugalboost.plots import PruningCurveDisplay
from frugalboost.pruning import PruningCurve
from frugalboost.pruning.choosing import RowBallots, candidate_sets
from frugalboost.report.figures import draw
from frugalboost.report.section import Section
from frugalboost.report.subject import Examples, Subject

PRUNING_ROWS = 4000
FEWEST_ROWS = 20
"""To choose trees by one half and to test them on the other."""
MANY_TREES = 200
"""With more trees, backfitting would take longer than the rest of the report."""
SWEEPS = 100


def pruning_section(subject: Subject) -> Section:
    """The error of fewer trees, chosen by half of the rows and tested on the other half."""
    reason = why_not_pruned(subject)
    if reason is not None:
        return without_curve(reason)
    choice, test = halves(subject)
    if len(np.unique(np.asarray(choice.y))) < 2:
        return without_curve("half of the rows, drawn at random, are all of one class.")
    method = "reduce_error" if len(subject.inner.estimators_) <= MANY_TREES else "kappa"
    curve = curve_of(subject, choice, test, method)
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


def without_curve(reason: str) -> Section:
    return Section("pruning", "Fewer trees", [f"There is no pruning curve: {reason}"])


def why_not_pruned(subject: Subject) -> str | None:
    """Why there is nothing to choose from, in the words of the page; None if there is."""
    if not subject.is_classifier:
        return "only classifiers can be pruned, and this model is a regressor."
    if not hasattr(subject.inner, "ledger_"):
        return "only a single ensemble can be pruned, and this model has several."
    if len(subject.inner.estimators_) < 2:
        return "the model has one tree."
    if len(subject.test) < FEWEST_ROWS:
        return f"it takes at least {FEWEST_ROWS} rows."
    return None


def halves(subject: Subject) -> tuple[Examples, Examples]:
    """Rows to choose trees by, and rows to test them on."""
    sample = subject.sample(subject.test, PRUNING_ROWS)
    order = np.random.default_rng(subject.seed).permutation(len(sample))
    choice, test = (sample.take(np.sort(half)) for half in np.array_split(order, 2))
    return choice, test


def curve_of(subject: Subject, choice: Examples, test: Examples, method: str) -> PruningCurve:
    model, stage = subject.inner, subject.stage
    rows = RowBallots.of(model, choice.X, choice.y, stage)
    sets = candidate_sets(
        model,
        rows,
        method,
        None,
        training=(None, None, None),
        max_sweeps=SWEEPS,
        stage=stage,
    )
    return RowBallots.of(model, test.X, test.y, stage).curve(sets, stage)


def error_interval(error: float, n_rows: int) -> tuple[float, float]:
    """Wilson's 95 % interval of an error rate: unlike the normal one, it has a width at 0.

    >>> low, high = error_interval(0.1, 100)
    >>> round(low, 4), round(high, 4)
    (0.0552, 0.1744)
    """
    from scipy.stats import binomtest

    interval = binomtest(round(error * n_rows), n_rows).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


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
    offer = "Use frugalboost prune to write such a model."
    if lowest > curve.whole_error:
        return (
            f"With all trees the error is {whole}; with {best}, the best choice found, it is "
            f"{lowest:.4g}: higher, but within the interval. {offer}"
        )
    return f"The error is lowest with {best}: {lowest:.4g}; with all trees it is {whole}. {offer}"


def is_worse(curve: PruningCurve, interval: tuple[float, float]) -> bool:
    """Whether even the best choice has an error above the interval of all trees."""
    return float(min(curve.errors)) > interval[1]
