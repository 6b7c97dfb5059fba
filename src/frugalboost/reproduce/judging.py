"""What a paper's text claims, who judges it by the results, and the table of verdicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from frugalboost.reproduce.paper import Cell, Section, TableOf

AnyFindings = TypeVar("AnyFindings")

Verdict: TypeAlias = tuple[str, bool] | None
"""What was measured and whether the claim holds; None if it has not been run yet."""

SAME = 0.01
"""Errors and accuracies that are no further apart count as the same."""


class Claims(list[tuple[str, str, Callable[[AnyFindings], Verdict]]], Generic[AnyFindings]):
    """Where the paper says it, what it says, and the function that judges it.

    >>> claims = Claims[int]()
    >>> @claims.add("section 1", "the answer is 42")
    ... def judge_answer(answer: int) -> Verdict:
    ...     return f"{answer}", answer == 42
    >>> claim_section(claims, "", 41).tables[0].rows
    [['section 1', 'the answer is 42', '41', '**no**']]
    """

    def add(
        self, where: str, quote: str
    ) -> Callable[[Callable[[AnyFindings], Verdict]], Callable[[AnyFindings], Verdict]]:
        """Register the decorated function as the judge of a claim."""

        def register(judge: Callable[[AnyFindings], Verdict]) -> Callable[[AnyFindings], Verdict]:
            self.append((where, quote, judge))
            return judge

        return register


def claim_section(claims: Claims[AnyFindings], criteria: str, findings: AnyFindings) -> Section:
    """The claims beside what was measured."""
    rows: list[list[Cell]] = []
    for where, quote, judge in claims:
        measured, holds = judge(findings) or ("not run", None)
        verdict = "" if holds is None else "yes" if holds else "**no**"
        rows.append([where, quote, measured, verdict])
    table = TableOf("The paper's statements", ["where", "the paper", "here", "holds"], rows)
    return Section("What the text says", criteria, [table])
