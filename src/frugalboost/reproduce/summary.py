"""How many of the papers' claims hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frugalboost.reproduce.paper import Cell, Judgement, Section, TableOf

HEADINGS = ("paper", "claims", "hold", "fail, explained", "fail, unexplained", "not run")


def summary_section(by_paper: Mapping[str, Sequence[Judgement]]) -> Section:
    """A row for each paper, and one for all."""
    rows = [summary_row(name, judgements) for name, judgements in by_paper.items()]
    together = [each for judgements in by_paper.values() for each in judgements]
    table = TableOf("Claims that hold", HEADINGS, [*rows, summary_row("all", together)])
    return Section("Claims", tables=[table])


def summary_row(name: str, judgements: Sequence[Judgement]) -> list[Cell]:
    """
    >>> yes, no = Judgement("p. 1", "a", "1", True), Judgement("p. 2", "b", "2", False, "why", "t")
    >>> summary_row("gamble", [yes, no, yes])
    ['gamble', 3, 2, 1, 0, 0]
    """
    failed = [each for each in judgements if each.holds is False]
    explained = sum(bool(each.why) for each in failed)
    return [
        name,
        len(judgements),
        sum(each.holds is True for each in judgements),
        explained,
        len(failed) - explained,
        sum(each.holds is None for each in judgements),
    ]
