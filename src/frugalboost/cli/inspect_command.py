"""The options of `frugalboost inspect`, and what it prints."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from frugalboost._texts import shortened
from frugalboost.cli.options import AsJson, Model

MOST_CLASSES = 10


def inspect_command(
    model: Model,
    features: Annotated[
        int, typer.Option(min=0, help="How many features to show; --json has all.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """Show what a model file holds: trees, features, classes, and how it was made."""
    from frugalboost.cli.inspect import run_inspect
    from frugalboost.cli.printing import print_json, print_lines, print_table

    found = run_inspect(model)
    if as_json:
        print_json(found)
        return
    print_lines(f"Model in {model}", _lines(found))
    listed = found["features"][:features]
    if listed:
        rows = [[shortened(f["name"]), _kind(f), f"{f['importance']:.4f}"] for f in listed]
        more = len(found["features"]) - len(listed)
        title = "Features by their share of the gain" + (f" ({more} more)" if more else "")
        print_table(title, ["feature", "kind", "importance"], rows)


def _kind(feature: dict[str, Any]) -> str:
    categories = feature["categories"]
    return str(feature["kind"]) if categories is None else f"{len(categories)} categories"


def _lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    from frugalboost._texts import size_text

    params = ", ".join(f"{name}={value!r}" for name, value in found["params"].items())
    lines = [
        ("kind", found["kind"]),
        ("rule", found["rule"]),
        ("parameters", params or "the defaults"),
        ("trees", f"{found['trees']:,} of depth up to {found['depth']}"),
        ("leaves", f"{found['leaves']:,}"),
        ("features", f"{len(found['features']):,}"),
        *_class_lines(found["classes"]),
        ("size", size_text(found["bytes"])),
        ("digest", found["digest"]),
        *([] if found["version"] is None else [("written by", f"frugalboost {found['version']}")]),
    ]
    return lines + _training_lines(found["training"])


def _class_lines(classes: list[Any] | None) -> list[tuple[str, str]]:
    if classes is None:
        return []
    more = ", ..." if len(classes) > MOST_CLASSES else ""
    listed = ", ".join(shortened(str(name)) for name in classes[:MOST_CLASSES]) + more
    return [("classes", f"{len(classes)}: {listed}")]


def _training_lines(training: dict[str, Any] | None) -> list[tuple[str, str]]:
    from frugalboost.cli.printing import score_lines

    if training is None:
        return []
    rows = training.get("rows")
    lines = [
        ("made by", str(training.get("command"))),
        ("target", str(training.get("target"))),
        ("learnt from", f"{training.get('data')}" + (f", {rows:,} rows" if rows else "")),
    ]
    pruned = training.get("pruned") or {}
    if pruned:
        lines.append(("pruned by", str(pruned.get("command"))))
    scores = training.get("scores") or {}
    return lines + (score_lines(scores, "held out") if isinstance(scores.get("rows"), int) else [])
