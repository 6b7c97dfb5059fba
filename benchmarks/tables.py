"""Markdown tables on standard output, row by row, so that a long run shows where it is."""

from __future__ import annotations

from collections.abc import Sequence


class MarkdownTable:
    """Prints its head at once and each row when it is known."""

    def __init__(self, title: str, headings: Sequence[str]) -> None:
        print(f"\n### {title}\n")
        self.add(*headings)
        self.add(*["---"] * len(headings))

    def add(self, *cells: object) -> None:
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def verdict(holds: bool) -> str:
    return "yes" if holds else "**no**"
