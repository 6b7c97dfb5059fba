"""A paper about squares, for tests of runs: what its jobs do is written in its recipe."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from frugalboost.reproduce import Paper, Recipe, Settings, Sources
from frugalboost.reproduce.jobs import Job
from frugalboost.reproduce.paper import Section, TableOf


class Squares(Paper):
    """A paper with a job for each number of `plan`: what happens there, and whether alone."""

    title = "Squares"
    data = ()

    def start(self, plan):
        self.plan, self.ran = plan, []
        return self

    def square(self, n, what):
        if what == "interrupt":
            raise KeyboardInterrupt
        if what == "fail":
            raise ZeroDivisionError("no root.")
        if what == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "sleep":
            time.sleep(600)
        self.ran.append(n)
        return {"square": n * n, "process": os.getpid()}

    def jobs(self):
        return [
            Job(f"square-{n}", lambda n=n, what=what: self.square(n, what), alone=what == "alone")
            for n, what in self.plan.items()
        ]

    def judgements(self, results):
        return []

    def sections(self, results):
        rows = [[key, each["square"]] for key, each in results.items()]
        return [Section("All", tables=[TableOf("Squares", ["key", "square"], rows)])]


def squares(plan):
    return Squares(Sources(None)).start(plan)


@dataclass(frozen=True)
class SquaresRecipe(Recipe):
    """How another process makes it."""

    plan: tuple[tuple[int, str], ...] = ()

    def make(self):
        return squares(dict(self.plan))


def recipe(plan, name="squares"):
    return SquaresRecipe(name, Path(), Settings(), tuple(plan.items()))
