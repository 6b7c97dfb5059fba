"""What judges of statements share, and the table of what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from frugalboost.reproduce.paper import Cell, Section, TableOf

Found = TypeVar("Found")

Verdict: TypeAlias = tuple[str, bool] | None
"""What was measured and whether the statement holds; None where it cannot be told yet."""

CLOSE = 1.05
"""Log losses within this factor are as good as each other; beyond it, a booster has overfit."""

SAME = 0.01
"""Accuracies that are no further apart are similar."""


def claim_section(
    claims: Iterable[tuple[str, str, Callable[[Found], Verdict]]], criteria: str, found: Found
) -> Section:
    """What the text says, beside what was found."""
    rows: list[list[Cell]] = []
    for where, quote, judge in claims:
        measured, holds = judge(found) or ("not run", None)
        verdict = "" if holds is None else "yes" if holds else "**no**"
        rows.append([where, quote, measured, verdict])
    table = TableOf("The paper's statements", ["where", "the paper", "here", "holds"], rows)
    return Section("What the text says", criteria, [table])
