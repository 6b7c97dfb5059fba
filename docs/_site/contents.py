"""The order of the pages in the site. Pages that are named nowhere come last "In depth"."""

from __future__ import annotations

from pathlib import Path

PARTS = {
    "Start": ["install", "quickstart", "gallery/index"],
    "Guides": ["searches", "filterboost", "active", "pruning"],
    "In depth": [
        "data",
        "rules",
        "heuristics",
        "streams",
        "gamble",
        "label",
        "c45",
        "persistence",
        "sklearn",
        "plots",
        "analysis",
        "defaults",
        "exactness",
        "reliability",
        "notation",
    ],
    "Papers": [],  # all of that folder
    "Reference": ["api/index", "benchmarks", "threads"],
    "Project": ["/ARCHITECTURE", "/CONTRIBUTING", "/SECURITY", "/CHANGELOG"],
}
START = {"index"}


def contents(docs: Path) -> str:
    """Toctrees in MyST's Markdown, hidden, for the end of the first page."""
    pages = {page.stem for page in docs.glob("*.md")} | {page.stem for page in docs.glob("*.rst")}
    parts = {name: list(entries) for name, entries in PARTS.items()}
    parts["Papers"] = [f"papers/{page.stem}" for page in sorted(docs.glob("papers/*.md"))]
    named = {entry for entries in parts.values() for entry in entries}
    parts["In depth"] += sorted(pages - named - START)
    return "".join(toctree(name, entries) for name, entries in parts.items())


def toctree(caption: str, entries: list[str]) -> str:
    lines = ["", "", "```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```", ""]
    return "\n".join(lines)
