"""A page taken apart by Python's own parser, and tables whose names would like to be code."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pyarrow as pa
import pyarrow.csv

VOID = {"meta", "br", "img", "link", "input", "hr"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "</title></style></svg><script>alert(3)</script>",
    r"$\frac{1}{$ & 'quoted' `ticks`",
    "javascript:alert(4)",
    "x" * 200,
]


class Page(HTMLParser):
    """Elements, texts and tables of a page; raises where tags do not close each other."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.tables: dict[str, list[list[str]]] = {}
        self._open: list[str] = []
        self._table: list[list[str]] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")
        if tag == "table":
            self._table = []
        if tag == "tr":
            self._table.append([])

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        if tag in ("td", "th"):
            self._table[-1].append(self.texts[tag][-1])
        if tag == "table":
            self.tables[self.texts["caption"][-1]] = self._table

    def handle_data(self, data):
        if self._open:
            self.texts[self._open[-1]][-1] += data

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]

    def values(self, attribute):
        return [attributes[attribute] for _, attributes in self.tags if attribute in attributes]


def hostile_table(n_rows: int = 60, seed: int = 0) -> pa.Table:
    """Names of columns, categories and classes that a careless page would run."""
    draws = np.random.default_rng(seed)
    columns = {name: draws.normal(size=n_rows) for name in HOSTILE[1:]}
    words = draws.choice(["<b>bold</b>", "&amp;", '"'], size=n_rows)
    labels = np.where(columns[HOSTILE[1]] + (words == "&amp;") > 0.3, "<i>yes</i>", "'no'")
    return pa.table({HOSTILE[0]: words, **columns, "<target>": labels})


def write_hostile(folder):
    for name, seed in (("train", 0), ("test", 1)):
        pa.csv.write_csv(hostile_table(seed=seed), folder / f"{name}.csv")
    return folder / "train.csv", folder / "test.csv"
