"""What a paper's text claims, who judges it by the results, and the table of verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from frugalboost.reproduce.paper import Cell, Judgement, Section, TableOf

AnyFindings = TypeVar("AnyFindings")

Verdict: TypeAlias = tuple[str, bool] | None
"""What was measured and whether the claim holds; None if it has not been run yet."""

Reason: TypeAlias = tuple[str, str] | None
"""Why a claim does not hold, with the figures that show it, and the table or figure where these
are; None if the experiment has not been run yet."""

Judge: TypeAlias = Callable[[AnyFindings], Verdict]
Explain: TypeAlias = Callable[[AnyFindings], Reason]

SAME = 0.01
"""Errors and accuracies that are no further apart count as the same."""


@dataclass(frozen=True)
class Claim(Generic[AnyFindings]):
    """What a paper says.

    Attributes
    ----------
    where : str
        Page and place in the paper.
    quote : str
        What it says.
    judge : callable
        From the findings to the verdict.
    reason : callable or None
        From the findings to the reason why the claim does not hold; asked only if it does not.
    """

    where: str
    quote: str
    judge: Judge[AnyFindings]
    reason: Explain[AnyFindings] | None = None

    def judged(self, findings: AnyFindings) -> Judgement:
        measured, holds = self.judge(findings) or ("not run", None)
        explained = self.reason(findings) if holds is False and self.reason else None
        return Judgement(self.where, self.quote, measured, holds, *(explained or ("", "")))


class Claims(list[Claim[AnyFindings]]):
    """The claims of a paper, in the order of the report.

    >>> claims = Claims[int]()
    >>> @claims.add("p. 1, section 1", "the answer is 42", lambda n: (f"{42 - n} short", "table 1"))
    ... def judge_answer(answer: int) -> Verdict:
    ...     return f"{answer}", answer == 42
    >>> claim_section(claims.judged(41), "").tables[0].rows
    [['p. 1, section 1', 'the answer is 42', '41', '**no**', '1 short', 'table 1']]
    """

    def add(
        self, where: str, quote: str, reason: Explain[AnyFindings] | None = None
    ) -> Callable[[Judge[AnyFindings]], Judge[AnyFindings]]:
        """Register the decorated function as the judge of a claim."""

        def register(judge: Judge[AnyFindings]) -> Judge[AnyFindings]:
            self.append(Claim(where, quote, judge, reason))
            return judge

        return register

    def judged(self, findings: AnyFindings) -> list[Judgement]:
        return [claim.judged(findings) for claim in self]


HEADINGS = ("where", "the paper", "here", "holds", "why not", "shown by")


def claim_section(judgements: list[Judgement], criteria: str) -> Section:
    """The claims beside what was measured."""
    rows: list[list[Cell]] = [
        [each.where, each.quote, each.measured, each.verdict, each.why, each.shown_by]
        for each in judgements
    ]
    table = TableOf("The paper's statements", HEADINGS, rows)
    return Section("What the text says", criteria, [table])
