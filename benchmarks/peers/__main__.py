"""The command: ``cd benchmarks && python -m peers [--quick]``."""

from __future__ import annotations

import argparse
import sys
import warnings
from dataclasses import replace
from pathlib import Path

from . import __doc__ as about
from .contenders import CONTENDERS, Contender
from .data import load
from .entrants import Field, Options, Row, progress
from .kinds import KINDS
from .report import (
    Outcome,
    as_json,
    markdown,
    outcomes_in,
    versions,
    write_between_markers,
)
from .tasks import NEEDS_REAL_DATA, TASKS, Size, Task

OUTPUT = Path(__file__).parents[2] / "build" / "bench"
FULL = Options(repeats=5, limit=300.0)
QUICK = Options(repeats=3, limit=2.0, quick=True)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="peers", description=(about or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rows and rounds: two minutes")
    parser.add_argument("--only", nargs="+", choices=TASKS, default=list(TASKS), metavar="NAME")
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=list(CONTENDERS))
    parser.add_argument("--threads", type=int, help="threads of each contender (1)")
    parser.add_argument("--repeats", type=int, help="timings of which the median is taken")
    parser.add_argument("--limit", type=float, help="seconds for a contender in a task, about")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for both files")
    parser.add_argument("--docs", type=Path, help="page whose tables are written as well")
    parser.add_argument(
        "--resume", action="store_true", help="keep what the output has of tasks not run now"
    )
    parser.add_argument("--list", action="store_true", help="name the tasks and end")
    return parser.parse_args(arguments)


def make_options(given: argparse.Namespace) -> Options:
    wanted = {"n_threads": given.threads, "repeats": given.repeats, "limit": given.limit}
    chosen = {name: value for name, value in wanted.items() if value is not None}
    for name, value in chosen.items():
        if value <= 0:
            raise SystemExit(f"peers: {name} must be above 0; got {value}.")
    return replace(QUICK if given.quick else FULL, **chosen)


def run_task(
    task: Task, size: Size, contenders: list[Contender], missing: list[str], options: Options
) -> Outcome:
    try:
        table, stand_in = load(task.data)
    except FileNotFoundError:
        return Outcome(task, absent=f"{family(task)} is not available")
    if stand_in and task.kind in NEEDS_REAL_DATA:
        return Outcome(task, absent=f"{family(task)} is not available")
    part = table.train.head(size.rows)
    options = replace(options, limit=options.limit * task.patience)
    try:
        field = Field(task, table, contenders, options)
        rows = field.finish(KINDS[task.kind](field, part, size.rounds))
    except LookupError as reason:
        return Outcome(task, absent=str(reason))
    rows += [Row(name, note="not installed") for name in missing]
    rows.sort(key=lambda row: list(CONTENDERS).index(row.contender))
    return Outcome(task, describe(task, part.X.shape, size.rounds, stand_in), rows)


def family(task: Task) -> str:
    """Name of the data set, without what is made of it."""
    return task.data.partition("-")[0]


def describe(task: Task, shape: tuple[int, int], rounds: int, stand_in: str) -> str:
    place = f"{stand_in} in place of {family(task)}, " if stand_in else ""
    parts = [f"{place}{shape[0]:,} rows, {shape[1]} features"]
    if task.kind != "construction":
        parts += [f"depth {task.depth}, {rounds} rounds", f'frugalboost with rule="{task.rule}"']
    return "; ".join(parts)


def write(folder: Path, text: str, content: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "peers.md").write_text(text, encoding="utf-8")
    (folder / "peers.json").write_text(content, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    given = parse(arguments)
    if given.list:
        print("\n".join(f"{task.name:15} {task.title}" for task in TASKS.values()))
        return 0
    options = make_options(given)
    warnings.simplefilter("ignore")  # other libraries', about what a benchmark does on purpose
    chosen = [CONTENDERS[name] for name in given.contenders]
    present = [each for each in chosen if each.is_installed()]
    missing = [each.name for each in chosen if not each.is_installed()]
    found = versions(given.contenders)
    kept = outcomes_in(given.output / "peers.json") if given.resume else {}
    for number, name in enumerate(given.only, start=1):
        task = TASKS[name]
        progress(f"[{number}/{len(given.only)}] {task.title}")
        size = task.quick if given.quick else task.size
        kept[name] = run_task(task, size, present, missing, options)
        outcomes = [kept[each] for each in TASKS if each in kept]
        # After each task: a library may take the whole process with it.
        text = markdown(outcomes, found, options)
        write(given.output, text, as_json(outcomes, found, options))
    if given.docs is not None:
        write_between_markers(given.docs, text)
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
