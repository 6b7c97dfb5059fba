"""All sections in their order, and the templates that turn them into one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frugalboost._progress import counted
from frugalboost._texts import VALUE, printable, shortened
from frugalboost._version import __version__
from frugalboost.report.features import features_section
from frugalboost.report.model import origin_section, size_section, work_section
from frugalboost.report.pruning import pruning_section
from frugalboost.report.quality import (
    calibration_section,
    confusion_section,
    learning_section,
    predictions_section,
    scores_section,
)
from frugalboost.report.section import Section
from frugalboost.report.subject import Subject

if TYPE_CHECKING:  # imported when a page is made
    from jinja2 import Environment

SECTIONS = (
    scores_section,
    confusion_section,
    calibration_section,
    predictions_section,
    features_section,
    learning_section,
    work_section,
    size_section,
    pruning_section,
    origin_section,
)
"""In the order of the page; each returns None where it has nothing to say about a model."""

EXTRAS = {"matplotlib": "plots", "jinja2": "cli"}


def require_libraries() -> None:
    """Raise an error of one line if a library is missing, before any work is done."""
    for library, extra in EXTRAS.items():
        try:
            import_module(library)
        except ModuleNotFoundError:
            raise ImportError(
                f'report needs {library}; install it with pip install "frugalboost[{extra}]".'
            ) from None


def make_report(subject: Subject, title: str, command: str = "") -> tuple[str, dict[str, Any]]:
    """The page, and the numbers on it by the name of the section."""
    sections = []
    with subject.stage("making the report") as on_share:
        for make in counted(SECTIONS, len(SECTIONS), on_share):
            section = make(subject)
            sections += [] if section is None else [section]
    numbers = {section.name: section.numbers for section in sections}
    return render_page(title, lead(subject, command), sections), numbers


def lead(subject: Subject, command: str) -> list[str]:
    now = datetime.now(timezone.utc)
    kind, n_trees = subject.about["kind"], subject.about["trees"]
    size = "one tree" if n_trees == 1 else f"{n_trees:,} trees"
    return [
        f"{kind} of {size}, evaluated on {len(subject.test):,} rows.",
        f"Made by frugalboost {__version__} on {now:%Y-%m-%d %H:%M} UTC"
        + (f" with: {command}" if command else "."),
    ]


def render_page(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """The whole page; the browser needs nothing else to show it."""
    return _templates().get_template("page.html").render(title=title, lead=lead, sections=sections)


@cache
def _templates() -> Environment:
    """Templates in which every text is escaped and shows its control characters."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_as_text,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["shortened"] = shortened
    templates.globals["longest_value"] = VALUE
    return templates


def _as_text(value: Any) -> Any:
    """Jinja escapes what this returns, except for markup, which comes from templates alone."""
    return value if hasattr(value, "__html__") else printable(value)
