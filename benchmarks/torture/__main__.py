"""The command: ``cd benchmarks && python -m torture [--minutes 2]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from peers.report import write_between_markers

from . import __doc__ as about
from .attacks import ATTACKS
from .driver import Driver
from .failures import Failures, read
from .report import BEGIN, markdown

OUTPUT = Path(__file__).parents[2] / "build" / "torture"


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="torture", description=(about or "").splitlines()[0])
    add = parser.add_argument
    add("--minutes", type=float, default=2.0, help="for how long, all attacks together")
    add("--hours", type=float, help="the same in hours")
    add("--workers", type=int, default=2, help="processes at a time")
    add("--seed", type=int, default=0, help="other problems")
    add("--only", nargs="+", choices=ATTACKS, default=list(ATTACKS), metavar="ATTACK")
    add("--output", type=Path, default=OUTPUT, help="folder for the table and the failures")
    add("--docs", type=Path, help="page whose table is written as well")
    add("--again", type=Path, metavar="FILE", help="try one failure again and end")
    add("--list", action="store_true", help="name the attacks and end")
    given = parser.parse_args(arguments)
    for name, least in (("minutes", 0.0), ("hours", 0.0), ("workers", 0), ("seed", -1)):
        value = getattr(given, name)
        if value is not None and not value > least:
            raise SystemExit(f"torture: --{name} must be above {least:g}; got {value}.")
    return given


def again(path: Path) -> int:
    """One problem, in a process of its own as before."""
    kept = read(path)
    attack = ATTACKS.get(kept["attack"])
    if attack is None:
        raise SystemExit(f"torture: --again names an unknown attack, {kept['attack']!r}.")
    failures = Failures(path.parent / "again")
    driver = Driver([attack], kept["seed"], 1, failures)
    score = driver.run_one(kept["number"])
    print("failed again" if score.failed else "did not fail this time")
    return 1 if score.failed else 0


def main(arguments: list[str] | None = None) -> int:
    given = parse(arguments)
    if given.list:
        print("\n".join(f"{each.name:22} {each.promise}" for each in ATTACKS.values()))
        return 0
    if given.again is not None:
        return again(given.again)
    seconds = 60 * (given.minutes if given.hours is None else 60 * given.hours)
    chosen = [ATTACKS[name] for name in given.only]
    driver = Driver(chosen, given.seed, given.workers, Failures(given.output / "failures"))
    scores = driver.run(seconds)
    text = markdown(scores, given.seed, seconds, given.workers)
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "torture.md").write_text(text + "\n", encoding="utf-8")
    if given.docs is not None:
        write_between_markers(given.docs, text, BEGIN)
    print(text)
    return 1 if any(score.failed for score in scores) else 0


if __name__ == "__main__":
    sys.exit(main())
