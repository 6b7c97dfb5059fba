"""From outcomes to Markdown, JSON and the page of the documentation."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .contenders import CONTENDERS, OURS
from .entrants import Options, Row
from .tasks import TASKS, Task

BEGIN = "<!-- tables: written by make bench, do not edit -->"
END = "<!-- end of the tables -->"


@dataclass
class Outcome:
    """The rows of one task, or why there are none (`absent`)."""

    task: Task
    about: str = ""
    rows: list[Row] = field(default_factory=list)
    absent: str = ""

    def ours(self) -> float | None:
        """The figure of frugalboost that the goal speaks of."""
        if self.task.goal is None:
            return None
        found = [row.figures.get(self.task.goal.figure) for row in self.rows if is_ours(row)]
        return found[0] if found else None


def is_ours(row: Row) -> bool:
    return row.contender == OURS


def number(value: float | None) -> str:
    """Three significant digits.

    >>> number(0.12345), number(1234.5), number(40.0), number(None)
    ('0.123', '1,234', '40', '')
    """
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def cell(heading: str, value: float | None) -> str:
    if heading == "test error" and value is not None:
        return f"{value:.4f}"
    return number(value)


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table.

    >>> print(table(["a", "b"], [["1", "2"]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    headings = list(headings)
    lines = [headings, *map(list, rows)]
    text = ["| " + " | ".join(line) + " |" for line in lines]
    text.insert(1, "|" + "---|" * len(headings))
    return "\n".join(text)


def machine() -> dict[str, Any]:
    """Return what a timing depends on; a load above the threads tells of other work."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "wait_policy": os.environ.get("OMP_WAIT_POLICY"),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def versions(names: Iterable[str]) -> dict[str, str | None]:
    """Return the version of each contender, None for those that are not installed."""
    chosen = (CONTENDERS[name] for name in names)
    return {each.name: each.version() if each.is_installed() else None for each in chosen}


def markdown(outcomes: list[Outcome], found: dict[str, str | None], options: Options) -> str:
    parts = [
        head(options),
        contender_table(found),
        "### Summary\n\n" + summary(outcomes),
        *(section(outcome) for outcome in outcomes if outcome.rows),
    ]
    return "\n\n".join(parts) + "\n"


def head(options: Options) -> str:
    about = machine()
    size = "A quick run: few rows, few rounds. " if options.quick else ""
    threads = "one thread" if options.n_threads == 1 else f"{options.n_threads} threads"
    policy = about["wait_policy"]
    waits = f", OMP_WAIT_POLICY={policy}" if policy else ""
    return (
        f"{size}{about['processor']}, {about['cores']} cores, {about['system']}, "
        f"Python {about['python']}{waits}; {threads} unless said; "
        f"medians of {options.repeats} runs in turns."
    )


def contender_table(found: dict[str, str | None]) -> str:
    rows = [[name, version or "not installed"] for name, version in found.items()]
    return table(["contender", "version"], rows)


def summary(outcomes: list[Outcome]) -> str:
    rows = []
    for outcome in outcomes:
        goal = outcome.task.goal
        rows.append(
            [
                outcome.task.title,
                goal.figure if goal else "",
                number(outcome.ours()),
                str(goal) if goal else "",
                f"absent: {outcome.absent}" if outcome.absent else outcome.about,
            ]
        )
    return table(["task", "figure", OURS, "goal of a full run", ""], rows)


def section(outcome: Outcome) -> str:
    # Columns in the order in which they first appear: a contender may lack some.
    headings = list(dict.fromkeys(key for row in outcome.rows for key in row.figures))
    rows = [
        [row.contender, *(cell(key, row.figures.get(key)) for key in headings), row.note]
        for row in outcome.rows
    ]
    body = table(["contender", *headings, "note"], rows)
    return f"### {outcome.task.title}\n\n{outcome.about}.\n\n{body}"


def as_json(outcomes: list[Outcome], found: dict[str, str | None], options: Options) -> str:
    content = {
        "machine": machine(),
        "versions": found,
        "options": asdict(options),
        "tasks": [asdict(outcome) | {"ours": outcome.ours()} for outcome in outcomes],
    }
    return json.dumps(content, indent=2) + "\n"


def outcomes_in(path: Path) -> dict[str, Outcome]:
    """Outcomes by task that an earlier run has left in its JSON file, if there is one."""
    if not path.exists():
        return {}
    content = json.loads(path.read_text(encoding="utf-8"))
    found = {}
    for each in content["tasks"]:
        task = TASKS.get(each["task"]["name"])
        if task is not None:
            rows = [Row(**row) for row in each["rows"]]
            found[task.name] = Outcome(task, each["about"], rows, each["absent"])
    return found


def write_between_markers(page: Path, text: str, begin_by: str = BEGIN) -> None:
    """Replace what stands between the two marker comments of a page."""
    whole = page.read_text(encoding="utf-8")
    before, begin, rest = whole.partition(begin_by)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"peers: {page.name} must contain {begin_by!r} and, after it, {END!r}.")
    page.write_text(f"{before}{begin_by}\n\n{text.strip()}\n\n{END}{after}", encoding="utf-8")
