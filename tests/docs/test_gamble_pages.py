"""The guide to GAMBLE and the page of its paper give the same figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ROUNDS = "100"


def rows(page: Path) -> list[list[str]]:
    lines = page.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if line[:1] == "|"]


def errors_of_the_page(name: str) -> dict[str, str]:
    """Test errors in %, of the boosters that are there, after 100 rounds."""
    headings: list[str] = []
    for row in rows(DOCS / "papers" / "gamble.md"):
        headings = row if "GAMBLE" in row else headings
        if row[0] == name and len(row) == len(headings) and ROUNDS in row[2:3]:
            named = zip(headings[3:], row[3:], strict=True)
            return {title: f"{100 * float(cell):.2f}" for title, cell in named if cell}
    return {}


def errors_of_the_guide(name: str) -> dict[str, str]:
    table = rows(DOCS / "gamble.md")
    headings = next(row for row in table if row[0] == "model")
    place = headings.index(f"{name}, {ROUNDS} rounds")
    return {re.sub("`", "", row[0]): row[place] for row in table if len(row) == len(headings)}


@pytest.mark.parametrize("name", ["satimage", "letter"])
def test_both_pages_have_the_same_errors(name):
    """Letter is not run with every report; what both have must agree."""
    page, guide = errors_of_the_page(name), errors_of_the_guide(name)
    assert "GAMBLE" in page or name == "letter"
    for ours, theirs in (
        ("GAMBLE", "GAMBLE as published"),
        ("GAMBLE, learning_rate=0.1", "GAMBLE, learning_rate=0.1"),
    ):
        assert page.get(ours, guide[theirs]) == guide[theirs]
