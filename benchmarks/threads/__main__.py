"""The command: ``cd benchmarks && python -m threads [--quick]``."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from pathlib import Path

from frugalboost._threads import allowed_threads
from frugalboost.datasets.loader import VARIABLE
from peers.contenders import OURS, YARDSTICK
from peers.entrants import progress
from peers.report import machine, write_between_markers
from peers.report import versions as versions_of

from . import __doc__ as about
from .measure import Options, memory, sweep, thread_counts
from .report import markdown
from .results import DigestError, Results, read
from .tasks import TASKS

OUTPUT = Path(__file__).parents[2] / "build" / "bench"
FIGURE = Path("figures") / "threads.svg"  # beside the page
REPEATS, QUICK_REPEATS = 5, 1


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="threads", description=(about or "").splitlines()[0])
    add = parser.add_argument
    add("--quick", action="store_true", help="few rows and rounds: less than a minute")
    add("--only", nargs="+", choices=TASKS, default=list(TASKS), metavar="NAME")
    add("--threads", nargs="+", type=int, metavar="N", help="1, 2, 4 and so on to all of them")
    add("--repeats", type=int, help="timings of which the median is taken")
    add("--limit", type=float, default=20.0, help="seconds of a side before it has no more turns")
    add("--minutes", type=float, default=float("inf"), help="start nothing after so many")
    add("--data", type=Path, help=f"folder of the data, else that of {VARIABLE}")
    add("--output", type=Path, default=OUTPUT, help="folder for both files")
    add("--resume", action="store_true", help="measure only what the output lacks")
    add("--again", action="store_true", help="with --resume: measure the chosen ones once more")
    add("--from", type=Path, dest="source", metavar="JSON", help="measure nothing, report this")
    add("--docs", type=Path, help="page whose tables and picture are written as well")
    add("--list", action="store_true", help="name the tasks and end")
    return parser.parse_args(arguments)


def make_options(given: argparse.Namespace) -> Options:
    n_allowed = allowed_threads()
    threads = sorted(set(given.threads or thread_counts(n_allowed)))
    if threads[0] < 1 or threads[-1] > n_allowed:
        raise SystemExit(f"threads: --threads must be from 1 to {n_allowed}; got {threads}.")
    repeats = (
        (QUICK_REPEATS if given.quick else REPEATS) if given.repeats is None else given.repeats
    )
    if repeats < 1:
        raise SystemExit(f"threads: --repeats must be above 0; got {repeats}.")
    return Options(threads, repeats, given.limit, given.minutes, given.quick)


def start(given: argparse.Namespace, options: Options) -> Results:
    """Empty results, or those of an earlier run under the same conditions."""
    here = machine() | {"threads": allowed_threads(), "memory": memory()}
    fresh = Results(here, versions_of([OURS, YARDSTICK]), given.quick)
    path = given.output / "threads.json"
    if not given.resume or not path.exists():
        return fresh
    results = read(path)
    if results.conditions() != fresh.conditions():
        raise SystemExit(
            f"threads: {path} was measured under other conditions, {results.conditions()}; "
            f"here are {fresh.conditions()}. Leave out --resume or name another --output."
        )
    if given.again:
        forget(results, given.only, options.threads)
    return results


def forget(results: Results, names: list[str], threads: list[int]) -> None:
    for outcome in results.outcomes:
        if outcome.name in names:
            outcome.cells = [cell for cell in outcome.cells if cell.threads not in threads]


def keep(results: Results, folder: Path) -> None:
    known = list(TASKS)
    results.sort(lambda name: known.index(name) if name in known else len(known))
    results.write(folder / "threads.json")
    (folder / "threads.md").write_text(markdown(results), encoding="utf-8")


def measure(given: argparse.Namespace) -> Results:
    options = make_options(given)
    results = start(given, options)
    tasks = [TASKS[name] for name in given.only]
    left = sweep(tasks, options, results, lambda found: keep(found, given.output))
    if left:
        cells = ", ".join(f"{task.name} with {n}" for task, n in left)
        progress(f"threads: time is over; --resume measures what is left: {cells}")
    return results


def write_docs(results: Results, page: Path) -> None:
    from .picture import save  # matplotlib need not be where times are measured

    save(results, page.parent / FIGURE)
    write_between_markers(page, markdown(results, FIGURE.as_posix()))


def main(arguments: list[str] | None = None) -> int:
    given = parse(arguments)
    if given.list:
        print("\n".join(f"{task.name:17} {task.title}" for task in TASKS.values()))
        return 0
    if given.data is not None:
        os.environ[VARIABLE] = str(given.data)
    # LightGBM's, about arrays whose columns have no names.
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    try:
        results = measure(given) if given.source is None else read(given.source)
    except DigestError as problem:
        print(f"threads: FAILED. {problem}", file=sys.stderr)
        return 1
    if given.docs is not None:
        write_docs(results, given.docs)
    print(markdown(results), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
