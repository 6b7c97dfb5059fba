"""What a model is made of: work and size."""

from __future__ import annotations

from typing import Any

from frugalboost.cli.printing import size_text
from frugalboost.cli.prune import best_time
from frugalboost.cli.report.figures import SIZE, draw
from frugalboost.cli.report.parts import PageTable, Section, number_text
from frugalboost.cli.report.subject import Subject
from frugalboost.plots import AssessmentsDisplay, TreeDisplay
from frugalboost.plots._axes import DASHES, add_legend
from frugalboost.plots.assessments import FULL

TIMED_ROWS, TIMED_SECONDS = 10_000, 0.1


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
