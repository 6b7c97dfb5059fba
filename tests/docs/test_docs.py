"""The examples in the documentation run and print what they say; its links lead somewhere."""

from __future__ import annotations

import doctest
import re
from dataclasses import fields
from pathlib import Path

import pytest

from frugalboost.boosting.ledger import Entry
from frugalboost.tree.grow import SEARCHES

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
LINKING = [
    *PAGES,
    *sorted(ROOT.glob("docs/papers/*.md")),
    *(ROOT / f"{name}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "SECURITY")),
]

FENCE = re.compile(r"^```.*$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def has_examples(page: Path) -> bool:
    return ">>>" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if has_examples(page)], ids=name_of)
def test_examples_print_what_the_page_says(page):
    # A closing fence would be taken for output; an empty line in its place keeps line numbers.
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    examples = doctest.DocTestParser().get_doctest(text, {}, name_of(page), str(page), 0)
    report: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(examples, out=report.append)
    assert outcome.failed == 0, "".join(report)
    assert outcome.attempted > 0


@pytest.mark.parametrize("page", LINKING, ids=name_of)
def test_relative_links_point_to_files(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    files = [t.partition("#")[0] for t in targets if "://" not in t]
    assert [file for file in files if not (page.parent / file).exists()] == []


def anchors_of(page: Path) -> set[str]:
    """The headings of a page as code hosts and the site spell them in addresses."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKING, ids=name_of)
def test_links_to_headings_lead_to_headings(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    parts = [t.partition("#") for t in targets if "://" not in t and "#" in t]
    missing = [
        f"{file}#{anchor}"
        for file, _, anchor in parts
        if anchor not in anchors_of(page.parent / file if file else page)
    ]
    assert missing == []


def test_the_index_lists_every_page():
    index = ROOT / "docs" / "index.md"
    listed = set(LINK.findall(index.read_text(encoding="utf-8")))
    pages = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/papers/*.md")]
    names = {page.relative_to(ROOT / "docs").as_posix() for page in pages if page != index}
    assert names - listed == set()


def first_cells(page: Path) -> str:
    """What the rows of a page's tables are about."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return "\n".join(line.split("|")[1] for line in lines if line.startswith("|"))


def test_every_search_and_column_of_the_ledger_is_explained():
    explained = first_cells(ROOT / "docs" / "searches.md")
    assert [name for name in (*SEARCHES, "auto") if f'`"{name}"`' not in explained] == []
    assert [field.name for field in fields(Entry) if f"`{field.name}`" not in explained] == []
