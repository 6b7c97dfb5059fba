"""What was tried, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from peers.report import machine, table

from .driver import Score

BEGIN = "<!-- tables: written by make torture, do not edit -->"


def markdown(scores: Sequence[Score], seed: int, seconds: float, n_workers: int) -> str:
    about = machine()
    head = (
        f"{seconds / 60:.0f} minutes in {n_workers} processes, seed {seed}; {about['processor']}, "
        f"{about['cores']} cores, {about['system']}, Python {about['python']}."
    )
    return head + "\n\n" + table(["attack", "problems", "of these", "failures"], map(row, scores))


def row(score: Score) -> list[str]:
    return [score.attack.name, f"{score.tried:,}", counts(score), f"{score.failed:,}"]


def counts(score: Score) -> str:
    """The most frequent outcomes."""
    common = sorted(score.counts.most_common(6), key=lambda pair: (-pair[1], pair[0]))
    return "; ".join(f"{name} {count:,}" for name, count in common)
