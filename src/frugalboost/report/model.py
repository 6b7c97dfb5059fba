"""The model itself: the work of its fit, its size, and how it was made."""

from __future__ import annotations

from typing import Any

from frugalboost._texts import size_text
from frugalboost.plots import AssessmentsDisplay, TreeDisplay
from frugalboost.plots._axes import DASHES
from frugalboost.plots.assessments import FULL
from frugalboost.report.figures import SIZE, draw
from frugalboost.report.section import Figure, Section, Table, number_text
from frugalboost.report.subject import Subject
from frugalboost.tree import FlatTree


def work_section(subject: Subject) -> Section:
    """What the searches looked at, next to what looking at everything would take."""
    ledgers = [each.ledger_ for each in members_of(subject.inner)]
    totals = {
        name: sum(ledger.total(name) for ledger in ledgers)
        for name in ("assessments", "reads", "full", "seconds")
    }
    if not totals["full"]:
        note = "The model file does not say what the fit looked at."
        return Section("work", "Work saved", [note], numbers=totals)
    share = totals["assessments"] / totals["full"]
    reads = totals["reads"] / totals["full"]
    note = (
        f"An exhaustive search would have looked at {totals['full']:,} pairs of a row and a "
        f"feature to find the same trees. This fit looked at {share:.1%} of them, and needed "
        f"{reads:.1%} as many histogram updates."
    )
    rows = [
        ["pairs looked at (assessments)", number_text(totals["assessments"])],
        ["pairs in an exhaustive search", number_text(totals["full"])],
        ["share", number_text(share)],
        ["histogram updates (reads)", number_text(totals["reads"])],
        ["seconds of all rounds", number_text(float(totals["seconds"]))],
    ]
    table = Table("Work of the fit", [], rows)
    figures = []
    if len(ledgers) == 1:
        ledger = ledgers[0]
        counts = {FULL: ledger.full, "looked at": ledger.assessments, "updates": ledger.reads}
        caption = "Pairs looked at and histogram updates so far, next to an exhaustive search"
        figures.append(draw(WorkDisplay(counts), "work", caption))
    return Section("work", "Work saved", [note], [table], figures, {**totals, "share": share})


class WorkDisplay(AssessmentsDisplay):
    """Lines that may coincide: each has dashes that let the one below show."""

    def _style(self, index: int, name: str) -> dict[str, Any]:
        return {**super()._style(index, name), "linestyle": DASHES[index]}


def members_of(model: Any) -> list[Any]:
    """The models that were fitted round by round: one, or one for each class."""
    return [model] if hasattr(model, "ledger_") else list(model.estimators_)


def size_section(subject: Subject) -> Section:
    """Bytes, trees, time of a prediction, and the first tree as a drawing."""
    about, micros = subject.about, subject.microseconds_per_row
    n_used, n_features = len(subject.used_features), len(about["features"])
    rows = [
        ["file", size_text(about["bytes"])],
        ["trees", number_text(about["trees"])],
        ["leaves", number_text(about["leaves"])],
        ["splits on the longest path", number_text(about["depth"])],
        ["features that trees use", f"{n_used:,} of {n_features:,}"],
        ["microseconds to predict a row", number_text(micros)],
    ]
    numbers = {name: about[name] for name in ("bytes", "trees", "leaves", "depth")}
    numbers["microseconds_per_row"] = micros
    table, first = Table("Size", [], rows), members_of(subject.inner)[0]
    if not isinstance(first.estimators_[0], FlatTree):
        note = "The first tree is not drawn, as its nodes may have more than two branches."
        return Section("size", "Size", [note], [table], numbers=numbers)
    return Section("size", "Size", [], [table], [tree_figure(first)], numbers)


def tree_figure(model: Any) -> Figure:
    display = TreeDisplay.from_estimator(model, max_depth=3)
    n_ends = sum(not node.children for node in display.nodes.values())
    caption = "The first tree, down to depth 3; rows that meet the condition in a box go left"
    return draw(display, "tree", caption, (max(SIZE[0], 1.25 * n_ends), 4.2))


def origin_section(subject: Subject) -> Section:
    """The command and the version that made the model, and the data it was made from."""
    about = subject.about
    training = about["training"] or {}
    notes = []
    if not training:
        notes.append("The model was not made on the command line: its file names no command.")
    version = training.get("version") or about["version"]
    rows = [
        ["command", training.get("command") or "unknown"],
        ["library", f"frugalboost {version}" if version else "unknown"],
        ["kind", about["kind"]],
        ["rule", about["rule"]],
        ["parameters", params_text(about["params"])],
        *row_if_known("training data", training.get("data")),
        *row_if_known("its SHA-256", training.get("data_sha256")),
        *row_if_known("target", training.get("target")),
        *row_if_known("rows", training.get("rows")),
        *row_if_known("pruned by", (training.get("pruned") or {}).get("command")),
        ["digest", about["digest"]],
    ]
    numbers = {"command": training.get("command"), "version": version, "digest": about["digest"]}
    table = Table("How the model was made", [], rows)
    return Section("origin", "Origin", notes, [table], numbers=numbers)


def params_text(params: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in params.items()) or "the defaults"


def row_if_known(name: str, value: Any) -> list[list[str]]:
    if value in (None, ""):
        return []
    return [[name, f"{value:,}" if isinstance(value, int) else str(value)]]
