"""The report: every section in its order, and the page written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from frugalboost._files import whole_file
from frugalboost._version import __version__
from frugalboost.cli.outputs import check_output
from frugalboost.cli.progress import bar
from frugalboost.cli.report.features import features_section
from frugalboost.cli.report.figures import require_matplotlib
from frugalboost.cli.report.inside import size_section, work_section
from frugalboost.cli.report.origin import origin_section
from frugalboost.cli.report.page import page
from frugalboost.cli.report.parts import Section
from frugalboost.cli.report.pruning import pruning_section
from frugalboost.cli.report.quality import (
    calibration_section,
    confusion_section,
    learning_section,
    predictions_section,
    scores_section,
)
from frugalboost.cli.report.subject import Subject, read_subject

ENDINGS = (".html", ".htm")


@dataclass(frozen=True)
class ReportOptions:
    """What to report on, and where."""

    model: Path
    data: Path
    output: Path
    target: str | None = None
    weight: str | None = None
    force: bool = False
    command: str = ""


def run_report(options: ReportOptions) -> dict[str, Any]:
    """Write the page; return all numbers that are on it, by section."""
    reads = {"MODEL": options.model, "DATA": options.data}
    check_output(options.output, force=options.force, reads=reads, endings=ENDINGS)
    require_matplotlib()
    subject = read_subject(options.model, options.data, options.target, options.weight)
    sections = make_sections(subject)
    title = f"{options.model.name} on {options.data.name}"
    content = page(title, lead(subject, options.command), sections).encode("utf-8")
    with whole_file(options.output) as file:
        file.write(content)
    found = {section.name: section.numbers for section in sections}
    return {"report": str(options.output), "bytes": len(content), **found}


def make_sections(subject: Subject) -> list[Section]:
    scores = scores_section(subject)
    rest: list[Callable[[], Section | None]] = [
        lambda: confusion_section(subject, scores.numbers),
        lambda: calibration_section(subject),
        lambda: predictions_section(subject),
        lambda: features_section(subject),
        lambda: learning_section(subject),
        lambda: work_section(subject),
        lambda: size_section(subject),
        lambda: pruning_section(subject),
        lambda: origin_section(subject),
    ]
    made = [scores]
    with bar("making the report", len(rest)) as advance:
        for make in rest:
            found = make()
            made += [] if found is None else [found]
            advance(1)
    return made


def lead(subject: Subject, command: str) -> list[str]:
    now = datetime.now(timezone.utc)
    about = subject.about
    return [
        f"{about['kind']} of {about['trees']:,} trees, judged by {len(subject.test):,} rows.",
        f"Made by frugalboost {__version__} on {now:%Y-%m-%d %H:%M} UTC"
        + (f" with: {command}" if command else "."),
    ]
