"""The report of GAMBLE, section by section."""

from __future__ import annotations

from collections.abc import Mapping

from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.claims import CLAIMS, CRITERIA
from frugalboost.reproduce.gamble.findings import Findings
from frugalboost.reproduce.gamble.report_boosting import (
    duel_sections,
    further_sections,
    size_sections,
    theory_sections,
)
from frugalboost.reproduce.gamble.report_labels import label_sections
from frugalboost.reproduce.gamble.report_spheres import sphere_sections
from frugalboost.reproduce.judging import claim_section
from frugalboost.reproduce.paper import Section, Shape, data_section


def sections(
    findings: Findings, shapes: Mapping[str, Shape], absent: Mapping[str, str]
) -> list[Section]:
    title = "Table 1: training rows, test rows, features, classes"
    return [
        data_section(title, published.SHAPES, shapes, absent),
        claim_section(CLAIMS.judged(findings), CRITERIA),
        *theory_sections(findings),
        *size_sections(findings),
        *duel_sections(findings),
        *label_sections(findings),
        *sphere_sections(findings),
        *further_sections(findings, shapes),
    ]
