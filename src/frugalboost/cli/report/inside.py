"""What a model is made of: work, size, which trees matter, how it came about."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost.cli.examples import Examples
from frugalboost.cli.printing import size_text
from frugalboost.cli.progress import stages
from frugalboost.cli.prune import best_time, check_prunable
from frugalboost.cli.report.figures import SIZE, draw
from frugalboost.cli.report.parts import PageTable, Section, number_text
from frugalboost.cli.report.subject import Subject
from frugalboost.estimators._prune import Rows, candidate_sets
from frugalboost.plots import AssessmentsDisplay, PruningCurveDisplay, TreeDisplay
from frugalboost.plots._axes import DASHES, add_legend
from frugalboost.plots.assessments import FULL
from frugalboost.pruning import PruningCurve

TIMED_ROWS, TIMED_SECONDS = 10_000, 0.1
PRUNING_ROWS = 4000
FEWEST_ROWS = 20
"""To choose trees by one half and to test them on the other."""
MANY_TREES = 200
"""From so many on, backfitting would take longer than the rest of the report."""
SWEEPS = 100


def work_section(subject: Subject) -> Section:
    """What the searches looked at, beside what looking at everything would take."""
    ledgers = [each.ledger_ for each in members_of(subject.inner)]
    totals = {
        name: sum(ledger.total(name) for ledger in ledgers)
        for name in ("assessments", "reads", "full", "seconds")
    }
    if not totals["full"]:
        note = "The file does not say what the fit has looked at."
        return Section("work", "Work saved", [note], numbers=totals)
    share = totals["assessments"] / totals["full"]
    read = totals["reads"] / totals["full"]
    note = (
        f"An exhaustive search would have looked at {totals['full']:,} pairs of a row and a "
        f"feature to find the same trees. This fit has looked at {share:.1%} of them, and needed "
        f"{read:.1%} as many updates of histograms."
    )
    rows = [
        ["pairs looked at (assessments)", number_text(totals["assessments"])],
        ["of an exhaustive search", number_text(totals["full"])],
        ["share", number_text(share)],
        ["histogram updates executed (reads)", number_text(totals["reads"])],
        ["seconds of all rounds", number_text(float(totals["seconds"]))],
    ]
    table = PageTable("Work of the fit", [], rows)
    figures = []
    if len(ledgers) == 1:
        ledger = ledgers[0]
        counts = {FULL: ledger.full, "looked at": ledger.assessments, "updates": ledger.reads}
        caption = "Pairs looked at and updates of histograms so far, beside an exhaustive search's"
        figures.append(draw(WorkDisplay(counts), "work", caption))
    return Section("work", "Work saved", [note], [table], figures, {**totals, "share": share})


class WorkDisplay(AssessmentsDisplay):
    """Lines that may lie on one another: each has dashes that let the one below show."""

    def plot(self, ax: Any = None, **kwargs: Any) -> WorkDisplay:
        super().plot(ax, **kwargs)
        for line, dashes in zip(self.lines_.values(), DASHES, strict=False):
            line.set_linestyle(dashes)
        self.legend_ = add_legend(self.ax_, self.lines_)
        return self


def members_of(model: Any) -> list[Any]:
    """The models that were fitted round by round: one, or one for each class."""
    return [model] if hasattr(model, "ledger_") else list(model.estimators_)


def size_section(subject: Subject) -> Section:
    about = subject.about
    sample = subject.sample(subject.test, TIMED_ROWS)
    n_features = len(about["features"])
    micros = 1e6 * best_time(subject.model, sample.X, TIMED_SECONDS) / len(sample)
    numbers = {name: about[name] for name in ("bytes", "trees", "leaves", "depth")}
    rows = [
        ["file", size_text(about["bytes"])],
        ["trees", number_text(about["trees"])],
        ["leaves", number_text(about["leaves"])],
        ["splits on the longest path", number_text(about["depth"])],
        ["features that trees use", f"{len(subject.used_features):,} of {n_features:,}"],
        ["microseconds to predict a row", number_text(micros)],
    ]
    numbers["microseconds_per_row"] = micros
    display = TreeDisplay.from_estimator(first_of(subject.inner), max_depth=3)
    ends = sum(not node.children for node in display.nodes.values())
    size = (max(SIZE[0], 1.25 * ends), 4.2)
    caption = "The first tree, down to depth 3; where the condition of a box holds, rows go left"
    figure = draw(display, "tree", caption, size)
    return Section("size", "Size", [], [PageTable("Size", [], rows)], [figure], numbers)


def first_of(model: Any) -> Any:
    return members_of(model)[0]


def pruning_section(subject: Subject) -> Section:
    """The error of fewer trees, chosen by half of the rows and tested on the other half."""
    reason = why_not_pruned(subject)
    if reason is not None:
        return Section("pruning", "Fewer trees", [f"There is no pruning curve: {reason}"])
    n_trees = len(subject.inner.estimators_)
    method = "reduce_error" if n_trees <= MANY_TREES else "kappa"
    sample = subject.sample(subject.test, PRUNING_ROWS)
    order = np.random.default_rng(subject.seed).permutation(len(sample))
    choice, test = (sample.take(np.sort(half)) for half in np.array_split(order, 2))
    try:
        curve = curve_of(subject.inner, choice, test, method)
    except ValueError as problem:  # one class among the rows to choose by
        note = f"There is no pruning curve: {problem}"
        return Section("pruning", "Fewer trees", [note])
    kept = curve.n_estimators.tolist()
    note = (
        f"Trees were chosen by {len(choice):,} rows ({method}) and tested on {len(test):,} others. "
        f"{curve.best:,} of {n_trees:,} trees have the lowest error, {min(curve.errors):.4g}; all "
        f"have {curve.whole_error:.4g}. frugalboost prune writes such a model."
    )
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
        "best": curve.best,
    }
    figure = draw(display, "pruning", caption)
    return Section("pruning", "Fewer trees", [note], [], [figure], numbers)


def why_not_pruned(subject: Subject) -> str | None:
    try:
        check_prunable(subject.inner)
    except ValueError as problem:
        return str(problem)
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
