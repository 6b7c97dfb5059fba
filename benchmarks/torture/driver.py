"""Divides the time between attacks, and notices what becomes of them."""

from __future__ import annotations

import itertools
import select
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .attack import Attack
from .batch import Batch, start
from .failures import MOST, Failures

PAUSE = 15.0
"""Seconds between two lines of progress."""

SHOWN = 5
"""Failures of an attack that are told at once."""


@dataclass
class Score:
    """What was tried of one attack."""

    attack: Attack
    tried: int = 0
    failed: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)


class Driver:
    """Runs batches in `n_workers` processes until the time is over."""

    def __init__(
        self, attacks: Sequence[Attack], seed: int, n_workers: int, failures: Failures
    ) -> None:
        self.scores = {attack.name: Score(attack) for attack in attacks}
        self.seed = seed
        self.n_workers = n_workers
        self.failures = failures
        self._next = {(a.name, s): s for a in attacks for s in range(n_workers)}
        self._batches: dict[int, Batch] = {}

    def run(self, seconds: float) -> list[Score]:
        began = told = time.monotonic()
        batch_seconds = min(20.0, max(2.0, seconds * self.n_workers / len(self.scores) / 3))
        try:
            while (passed := time.monotonic() - began) < seconds or self._batches:
                if passed < seconds:
                    self._fill(min(batch_seconds, seconds - passed))
                self._listen()
                if time.monotonic() - told > PAUSE:
                    told = time.monotonic()
                    self._tell(told - began, seconds)
        finally:
            for batch in self._batches.values():
                batch.end()
        return list(self.scores.values())

    def run_one(self, number: int) -> Score:
        """A single problem."""
        (score,) = self.scores.values()
        batch = start(score.attack, self.seed, 0, [number], 0.0)
        self._batches[batch.pipe] = batch
        while self._batches:
            self._listen()
        return score

    def _fill(self, seconds: float) -> None:
        """Every free slot gets the attack that is furthest behind its share."""
        used = {batch.slot for batch in self._batches.values()}
        for slot in set(range(self.n_workers)) - used:
            attack = self._furthest_behind(slot)
            if attack is not None:
                batch = start(attack, self.seed, slot, self._numbers(attack, slot), seconds)
                self._batches[batch.pipe] = batch

    def _furthest_behind(self, slot: int) -> Attack | None:
        running: Counter[str] = Counter()
        for batch in self._batches.values():
            running[batch.attack.name] += time.monotonic() - batch.started + 1
        left = [
            score
            for score in self.scores.values()
            if score.failed < MOST
            and (
                score.attack.most is None or self._next[score.attack.name, slot] < score.attack.most
            )
        ]
        spent = lambda score: score.seconds + running[score.attack.name]  # noqa: E731
        best = min(left, key=lambda score: spent(score) / score.attack.share, default=None)
        return None if best is None else best.attack

    def _numbers(self, attack: Attack, slot: int) -> Iterator[int]:
        """Each slot has numbers of its own, so that none is tried twice."""
        first = self._next[attack.name, slot]
        numbers = itertools.count(first, self.n_workers)
        return itertools.takewhile(lambda n: attack.most is None or n < attack.most, numbers)

    def _listen(self) -> None:
        ready = select.select(list(self._batches), [], [], 0.2)[0]
        for pipe in ready:
            batch = self._batches[pipe]
            lines = batch.lines()
            if lines is None:
                self._close(batch, batch.wait())
            else:
                for line in lines:
                    self._note(batch, line)
        for batch in [batch for batch in self._batches.values() if batch.is_late]:
            self._close(batch, batch.end(), is_late=True)

    def _note(self, batch: Batch, line: dict[str, Any]) -> None:
        score = self.scores[batch.attack.name]
        if "began" in line:
            batch.number = line["began"]
            self._next[batch.attack.name, batch.slot] = line["began"] + self.n_workers
            return
        batch.number = None
        score.tried += 1
        score.counts.update(line.get("counts", {}))
        if "failed" in line:
            self._fail(batch, line["failed"], line["text"])

    def _close(self, batch: Batch, status: int, is_late: bool = False) -> None:
        del self._batches[batch.pipe]
        score = self.scores[batch.attack.name]
        score.seconds += time.monotonic() - batch.started
        if is_late:
            text = f"no answer for {batch.attack.seconds:g} seconds"
        elif status:
            text = f"the process ended with status {status}"
        else:
            return
        score.tried += 1
        self._fail(batch, -1 if batch.number is None else batch.number, text)

    def _fail(self, batch: Batch, number: int, text: str) -> None:
        score = self.scores[batch.attack.name]
        score.failed += 1
        path = self.failures.keep(batch.attack.name, self.seed, number, text)
        if score.failed <= SHOWN:
            told = f"torture: FAILED {batch.attack.name}, problem {number}; see {path}"
            print(told, file=sys.stderr, flush=True)

    def _tell(self, passed: float, seconds: float) -> None:
        tried = sum(score.tried for score in self.scores.values())
        failed = sum(score.failed for score in self.scores.values())
        print(
            f"torture: {passed / 60:.1f} of {seconds / 60:.1f} minutes, {tried:,} problems, "
            f"{failed:,} failures",
            file=sys.stderr,
            flush=True,
        )
