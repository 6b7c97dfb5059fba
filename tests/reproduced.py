"""Reading the report of a reproduction."""

from __future__ import annotations

import json


def read_report(folder):
    return json.loads((folder / "report.json").read_text())


def table(report, title):
    """The first table whose title starts so."""
    tables = [each for section in report["sections"] for each in section["tables"]]
    return next(each for each in tables if each["title"].startswith(title))


def figure_names(report):
    return [figure["name"] for section in report["sections"] for figure in section["figures"]]
