"""How a model came about: what its file says."""

from __future__ import annotations

from typing import Any

from frugalboost.cli.report.parts import PageTable, Section
from frugalboost.cli.report.subject import Subject


def origin_section(subject: Subject) -> Section:
    """The command and the version that made the model, and what they made it of."""
    about = subject.about
    training = about["training"] or {}
    notes = []
    if not training:
        notes.append("The model was not made by the command line: its file names no command.")
    version = training.get("version") or about["version"]
    rows = [
        ["command", training.get("command") or "not known"],
        ["library", f"frugalboost {version}" if version else "not known"],
        ["kind", about["kind"]],
        ["rule", about["rule"]],
        ["parameters", params_text(about["params"])],
        *told("learnt from", training.get("data")),
        *told("its SHA-256", training.get("data_sha256")),
        *told("target", training.get("target")),
        *told("rows", training.get("rows")),
        *told("pruned by", (training.get("pruned") or {}).get("command")),
        ["digest", about["digest"]],
    ]
    numbers = {"command": training.get("command"), "version": version, "digest": about["digest"]}
    table = PageTable("How the model came about", [], rows)
    return Section("origin", "Origin", notes, [table], numbers=numbers)


def params_text(params: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in params.items()) or "the defaults"


def told(name: str, value: Any) -> list[list[str]]:
    """A line, where there is something to say."""
    if value in (None, ""):
        return []
    return [[name, f"{value:,}" if isinstance(value, int) else str(value)]]
