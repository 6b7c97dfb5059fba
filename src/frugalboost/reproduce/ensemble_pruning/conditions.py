"""Under which conditions a claim holds: the reason why it does not hold otherwise.

A condition is the paper's experiment with one thing done otherwise, or a single experiment of ten
splits, of which there are several. If the claim holds then, the thing is the cause, or chance is.
"""

from __future__ import annotations

from collections.abc import Callable

from frugalboost.reproduce.ensemble_pruning.findings import Findings
from frugalboost.reproduce.judging import Claim, Claims, Explain, Judge, Reason

TABLE = "Statements under other conditions"
NEVER = "under none of the conditions"
Test = Callable[[Findings], bool | None]
"""Whether something is as the paper says; None if that cannot be told."""


def holds(judge: Judge[Findings]) -> Test:
    def test(findings: Findings) -> bool | None:
        verdict = judge(findings)
        return None if verdict is None else verdict[1]

    return test


def true_under(test: Test, findings: Findings) -> list[str]:
    """Titles of the conditions under which something is as the paper says."""
    return [title for title, each in findings.conditions.items() if test(each)]


def true_experiments(test: Test, findings: Findings) -> int:
    return sum(test(each) is True for each in findings.experiments)


def summary(test: Test, findings: Findings) -> str:
    """In words; empty if it is under no condition and in no experiment.

    The one experiment of a short run is what is being judged, and no condition.
    """
    n = true_experiments(test, findings) if findings.n_repeats > 1 else 0
    parts = [f"{title[0].lower()}{title[1:]}" for title in true_under(test, findings)]
    parts += [f"in {n} of {findings.n_repeats} experiments of ten splits"] if n else []
    return "; ".join(parts)


def because(judge: Judge[Findings], *causes: Explain[Findings]) -> Explain[Findings]:
    """The reason of a claim: causes that an experiment shows, and when the claim does hold."""

    def explain(findings: Findings) -> Reason:
        found = [reason for cause in causes if (reason := cause(findings)) is not None]
        when = summary(holds(judge), findings)
        if not found and not when:
            return None
        found.append((f"holds: {when}" if when else f"holds {NEVER}", TABLE))
        texts, tables = zip(*found, strict=True)
        return "; ".join(texts), ", ".join(dict.fromkeys(tables))

    return explain


def add(
    claims: Claims[Findings], where: str, quote: str, *causes: Explain[Findings]
) -> Callable[[Judge[Findings]], Judge[Findings]]:
    """Register a judge; if its claim does not hold, the reason says when it does."""

    def register(judge: Judge[Findings]) -> Judge[Findings]:
        claims.append(Claim(where, quote, judge, because(judge, *causes)))
        return judge

    return register
