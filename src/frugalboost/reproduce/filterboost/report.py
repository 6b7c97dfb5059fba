"""Tables and figures of FilterBoost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from frugalboost.plots import CostErrorDisplay, RoundsDisplay
from frugalboost.reproduce.filterboost import published
from frugalboost.reproduce.filterboost.boosters import BOOSTERS, FAMILIES, LEARNERS, VARIANTS
from frugalboost.reproduce.filterboost.claims import CLAIMS, CRITERIA
from frugalboost.reproduce.filterboost.findings import Findings, MeanCurve
from frugalboost.reproduce.filterboost.tandems import tandem_sections
from frugalboost.reproduce.judging import claim_section
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.sources import Sources
from frugalboost.reproduce.text import absences, decimals

if TYPE_CHECKING:
    from frugalboost.reproduce.filterboost.plans import Task

LABELS = {"log_loss": "log loss", "rmse": "RMSE", "accuracy": "accuracy"}
RIVALS = {"stumps": "adaboost", "trees": "log"}
"""Figures 3 and 5: the batch boosters that did best in the paper."""
MARKS = (10, 30, 100, 300)
"""Rounds of the tables, besides the last."""


def sections(
    findings: Findings, tasks: Sequence[Task], absent: Mapping[str, str], sources: Sources
) -> list[Section]:
    return [
        data_section(tasks, absent, sources),
        claim_section(CLAIMS.judged(findings), CRITERIA),
        *time_sections(findings),
        *probability_sections(findings),
        *classification_sections(findings, tasks),
        *tandem_sections(findings),
        *task_sections(findings, tasks),
    ]


def data_section(tasks: Sequence[Task], absent: Mapping[str, str], sources: Sources) -> Section:
    rows: list[list[Cell]] = []
    for task in tasks:
        whole = sources[task.data]
        n_train: Cell = "9 folds of 10" if task.n_train is None else f"{task.n_train:,}"
        n_rows = len(whole.y_train) if task.n_rows is None else min(task.n_rows, len(whole.y_train))
        n_test: Cell = f"1 fold of {n_rows:,} rows" if task.n_train is None else f"{task.n_test:,}"
        features = whole.X_train.shape[1]
        share = f"{100 * whole.y_train.mean():.1f} %"
        rows.append([task.name, published.DATA[task.data], features, n_train, n_test, share])
    headings = ["data", "paper", "attributes", "train", "test", "class 1"]
    table = TableOf("Examples of a run", headings, rows)
    return Section("Data", absences(absent), [table])


def time_sections(findings: Findings) -> list[Section]:
    """Figure 2."""
    if not findings.times:
        return []
    times = findings.times
    sizes = sorted({n for n, _ in times})
    keys = list(dict.fromkeys(key for _, key in times))
    rows: list[list[Cell]] = []
    for n in sizes:
        rounds = [times.get((n, key), {}).get("round_seconds") for key in keys]
        fits = [times.get((n, key), {}).get("fit_seconds") for key in keys]
        milliseconds = [None if each is None else 1000 * each for each in rounds]
        rows.append([f"{n:,}", *(decimals(each, 2) for each in (*milliseconds, *fits))])
    names = [findings.labels[key] for key in keys]
    headings = ["examples", *(f"{name}, ms a round" for name in names)]
    headings += [f"{name}, s in all" for name in names]

    def draw(axes: Sequence[Any]) -> None:
        lines = {
            findings.labels[key]: [
                [n for n in sizes if (n, key) in times],
                [times[n, key]["round_seconds"] for n in sizes if (n, key) in times],
            ]
            for key in keys
        }
        CostErrorDisplay(lines).plot(ax=axes[0], marker="o")
        axes[0].set(xlabel="training examples", ylabel="seconds a round", yscale="log")

    trees = max(result["n_trees"] for result in times.values())
    table = TableOf(f"Figure 2: Majority, {trees} stumps", headings, rows)
    figure = FigureOf("filterboost-2", "Figure 2: seconds a round.", draw)
    return [Section("Running times", TIMES, [table], [figure])]


TIMES = (
    "*In all* counts also what is done before the first round: binning the table for the batch "
    "booster, shuffling it for the others."
)


def probability_sections(findings: Findings) -> list[Section]:
    """Figure 3."""
    panels = [(learner, name) for learner in LEARNERS for name in ("log_loss", "rmse")]
    lines = {learner: chosen(findings, "majority", learner) for learner in LEARNERS}
    if not any(lines.values()):
        return []

    def draw(axes: Sequence[Any]) -> None:
        for ax, (learner, name) in zip(axes, panels, strict=True):
            draw_rounds(ax, findings, "majority", lines[learner], name, learner)

    figure = FigureOf("filterboost-3", "Figure 3: log loss and RMSE on Majority.", draw, panels=4)
    return [
        Section("Conditional probabilities", PROBABILITIES, [baseline_table(findings)], [figure])
    ]


PROBABILITIES = (
    "Log loss is to base e. RMSE is the root of the mean squared difference between the "
    "probability of class 1 and the label. The probability is 1 / (1 + exp(-2F)) for AdaBoost and "
    "1 / (1 + exp(-F)) for AdaBoost-LOG and FilterBoost."
)


def baseline_table(findings: Findings) -> TableOf:
    rows: list[list[Cell]] = []
    for task, ours in findings.logistic.items():
        theirs = published.LOGISTIC if task == "majority" else {}
        cells = [decimals(theirs.get(name), 4) for name in ("log_loss", "rmse")]
        rows.append([task, *cells, *(decimals(ours[name], 4) for name in LABELS)])
    headings = ["data", "paper: log loss", "paper: RMSE", *LABELS.values()]
    return TableOf("Logistic regression", headings, rows)


def chosen(findings: Findings, task: str, learner: str) -> dict[str, MeanCurve]:
    """FilterBoost and its rivals in figures 3 and 5."""
    wanted = ["filterboost", "filterboost-cr", "filterboost-scaled", *FAMILIES[RIVALS[learner]]]
    curves = findings.of(task, learner)
    return {key: curves[key] for key in wanted if key in curves}


def draw_rounds(
    ax: Any, findings: Findings, task: str, curves: Mapping[str, MeanCurve], name: str, title: str
) -> None:
    if not curves:
        return
    lines = {
        findings.labels[key]: (curve.rounds, curve.values[name]) for key, curve in curves.items()
    }
    baseline = findings.logistic.get(task)
    goals = {"logistic regression": baseline[name]} if baseline else None
    RoundsDisplay(lines, LABELS[name], goals).plot(ax=ax)
    # Log losses of boosters that overfit are tens of times those of the others.
    ax.set(title=title, xscale="log", yscale="log" if name == "log_loss" else "linear")


def classification_sections(findings: Findings, tasks: Sequence[Task]) -> list[Section]:
    """Figures 4 and 5."""
    names = [task.name for task in tasks if task.name not in ("majority-large", "covtype")]
    filters = [key for key, booster in BOOSTERS.items() if booster.filters]
    panels = [
        (task, learner) for task in names for learner in LEARNERS if findings.of(task, learner)
    ]
    figures = []
    if panels:

        def draw(axes: Sequence[Any]) -> None:
            for ax, (task, learner) in zip(axes, panels, strict=True):
                curves = {k: c for k, c in findings.of(task, learner).items() if k in filters}
                draw_rounds(ax, findings, "", curves, "accuracy", f"{task}, {learner}")

        caption = "Figure 4: accuracy of FilterBoost and MadaBoost."
        figures.append(FigureOf("filterboost-4", caption, draw, panels=len(panels)))
    figures += sizes_figures(findings, tasks)
    return [Section("Classification", "", [], figures)] if figures else []


def sizes_figures(findings: Findings, tasks: Sequence[Task]) -> list[FigureOf]:
    """Figure 5, by rounds and by seconds."""
    titles = {task.name: task.title for task in tasks if task.data == "majority"}
    panels = [
        (name, learner)
        for learner in LEARNERS
        for name in titles
        if chosen(findings, name, learner)
    ]
    if not panels:
        return []

    def draw(axes: Sequence[Any]) -> None:
        for ax, (name, learner) in zip(axes, panels, strict=True):
            title = f"{titles[name]}, {learner}"
            draw_rounds(ax, findings, name, chosen(findings, name, learner), "accuracy", title)

    def draw_seconds(axes: Sequence[Any]) -> None:
        for ax, (name, learner) in zip(axes, panels, strict=True):
            lines = {
                findings.labels[key]: (curve.values["seconds"], curve.values["accuracy"])
                for key, curve in chosen(findings, name, learner).items()
            }
            CostErrorDisplay(lines).plot(ax=ax)
            ax.set(xlabel="seconds", ylabel="accuracy", title=f"{titles[name]}, {learner}")

    n = len(panels)
    caption = "Figure 5: accuracy on Majority, by"
    return [
        FigureOf("filterboost-5", f"{caption} rounds.", draw, panels=n),
        FigureOf("filterboost-5-seconds", f"{caption} seconds.", draw_seconds, panels=n),
    ]


def task_sections(findings: Findings, tasks: Sequence[Task]) -> list[Section]:
    """All boosters on each of the data, as tables and curves."""
    made = []
    for task in tasks:
        tables = [
            curve_table(findings, task, learner, curves)
            for learner in LEARNERS
            if (curves := findings.of(task.name, learner))
        ]
        if tables:
            made.append(Section(task.title, "", tables, [task_figure(findings, task)]))
    return made


def curve_table(
    findings: Findings, task: Task, learner: str, curves: Mapping[str, MeanCurve]
) -> TableOf:
    n_runs = max(curve.n_runs for curve in curves.values())
    marks = [mark for mark in MARKS if mark < max(curve.rounds[-1] for curve in curves.values())]
    title = f"{task.title}, {learner}: mean of {n_runs} {'run' if n_runs == 1 else 'runs'}"
    early = [f"after {mark}" for mark in marks]
    headings = ["booster", "rounds", *(f"log loss {each}" for each in early), "at the end"]
    headings += ["least", "in round", "RMSE at the end", *(f"accuracy {each}" for each in early)]
    headings += ["at the end", "seconds"]
    rows = [
        [findings.labels[key], *curve_cells(key, curve, marks)] for key, curve in curves.items()
    ]
    return TableOf(title, headings, rows)


def tells_probability(key: str) -> bool:
    booster = (BOOSTERS | VARIANTS).get(key)
    return booster is None or booster.tells_probability


def curve_cells(key: str, curve: MeanCurve, marks: Sequence[int]) -> list[Cell]:
    def by_marks(name: str) -> list[Cell]:
        last = curve.rounds[-1]
        early = [decimals(curve.at(name, mark) if mark <= last else None, 4) for mark in marks]
        return [*early, decimals(curve.end(name), 4)]

    tells = tells_probability(key)
    least: list[Cell] = [decimals(curve.least("log_loss"), 4), curve.least_round("log_loss")]
    probability = [*by_marks("log_loss"), *least, decimals(curve.end("rmse"), 4)]
    return [
        curve.rounds[-1],
        *(probability if tells else [""] * len(probability)),
        *by_marks("accuracy"),
        decimals(curve.end("seconds"), 2),
    ]


def task_figure(findings: Findings, task: Task) -> FigureOf:
    panels = [(learner, name) for learner in LEARNERS for name in ("log_loss", "accuracy")]

    def draw(axes: Sequence[Any]) -> None:
        for ax, (learner, name) in zip(axes, panels, strict=True):
            curves = {
                key: curve
                for key, curve in findings.of(task.name, learner).items()
                if name == "accuracy" or tells_probability(key)
            }
            draw_rounds(ax, findings, task.name, curves, name, learner)

    return FigureOf(f"filterboost-{task.name}", f"{task.title}: all boosters.", draw, panels=4)
