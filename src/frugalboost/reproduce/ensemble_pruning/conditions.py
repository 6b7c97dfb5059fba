"""Under which conditions a claim holds: the reason why it does not hold otherwise.

A condition is the paper's experiment with one thing done otherwise, or a single experiment of ten
splits, of which there are several. If the claim holds then, the thing is the cause, or chance is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from frugalboost.reproduce.ensemble_pruning.findings import Findings
from frugalboost.reproduce.judging import Claim, Claims, Judge, Reason

TABLE = "Statements under other conditions"
Test = Callable[[Findings], bool | None]
"""Whether something is as the paper says; None if that cannot be told."""
Found = tuple[str, tuple[str, ...]] | None
"""A cause with its figures, and the tables that have them; None if no experiment shows it."""
Cause = Callable[[Findings], Found]


def holds(judge: Judge[Findings]) -> Test:
    def test(findings: Findings) -> bool | None:
        verdict = judge(findings)
        return None if verdict is None else verdict[1]

    return test


def true_experiments(test: Test, findings: Findings) -> int:
    return sum(test(each) is True for each in findings.experiments)


def whens(tests: Mapping[str, Test], findings: Findings) -> str:
    """When each thing is as the paper says, by its name; empty if none ever is."""
    found = {name: found_under(test, findings) for name, test in tests.items()}
    return ", ".join(say(*each) for each in found.items()) if any(found.values()) else ""


def found_under(test: Test, findings: Findings) -> list[str]:
    """Conditions under which something is as the paper says, and in how many experiments.

    The one experiment of a short run is what is being judged, and no condition.
    """
    n = true_experiments(test, findings) if findings.n_repeats > 1 else 0
    chance = [f"{n} of {findings.n_repeats} single experiments"] if n else []
    return chance + [title for title, each in findings.conditions.items() if test(each)]


LISTED = 3
"""Conditions that are named; the table has all."""


def say(name: str, conditions: Sequence[str]) -> str:
    """
    >>> say("glass", ["weighted rows"]), say("iris", []), say("", ["weighted rows"])
    ('glass (weighted rows)', 'iris (never)', 'weighted rows')
    """
    listed = "; ".join(conditions[:LISTED]) or "never"
    more = len(conditions) - LISTED
    text = f"{listed}; {more} more" if more > 0 else listed
    return f"{name} ({text})" if name else text


def as_reason(causes: Sequence[Cause], when: str, findings: Findings) -> Reason:
    """Causes that an experiment shows, and when the claim does hold."""
    found = [each for cause in causes if (each := cause(findings)) is not None]
    if when:
        found.append((f"as the paper says under other conditions: {when}", (TABLE,)))
    if not found:
        return None
    tables = dict.fromkeys(table for _, tables in found for table in tables)
    return "; ".join(text for text, _ in found), "; ".join(tables)


def add(
    claims: Claims[Findings], where: str, quote: str, *causes: Cause
) -> Callable[[Judge[Findings]], Judge[Findings]]:
    """Register a judge; if its claim does not hold, the reason says when it does."""

    def register(judge: Judge[Findings]) -> Judge[Findings]:
        def reason(findings: Findings) -> Reason:
            return as_reason(causes, whens({"": holds(judge)}, findings), findings)

        claims.append(Claim(where, quote, judge, reason))
        return judge

    return register
