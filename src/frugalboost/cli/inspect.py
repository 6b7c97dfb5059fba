"""`frugalboost inspect`: what a model file contains, without any data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import frugalboost as fb
from frugalboost._texts import shortened, size_text
from frugalboost.cli.opening import open_model
from frugalboost.cli.options import AsJson, Model
from frugalboost.cli.printing import (
    counted,
    print_json,
    print_lines,
    print_table,
    score_lines,
)

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.training import Record

MOST_CLASSES = 10


def inspect_command(
    model: Model,
    features: Annotated[
        int, typer.Option(min=0, help="Number of features to show; --json has all.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """Show what a model file contains: trees, features, classes, and how it was made."""
    description = describe_model(model)
    if as_json:
        print_json(description)
        return
    print_lines(f"Model in {model}", _lines(description))
    shown = description["features"][:features]
    if shown:
        rows = [[shortened(f["name"]), _kind(f), f"{f['importance']:.4f}"] for f in shown]
        more = len(description["features"]) - len(shown)
        title = "Features by share of the total gain" + (f" ({more} more)" if more else "")
        print_table(title, ["feature", "kind", "importance"], rows)


def describe_model(path: Path) -> dict[str, Any]:
    """A short description of a model, as --json prints it."""
    from frugalboost.cli.model_rows import trees_of
    from frugalboost.cli.training import Record

    model = open_model(path)
    trees, record = trees_of(model), Record.of(model)
    return {
        "file": str(path),
        "bytes": path.stat().st_size,
        "kind": type(model).__name__,
        "version": version_of(path),
        "digest": fb.digest(model),
        "rule": rule_of(model),
        "params": params_of(model),
        "trees": len(trees),
        "depth": max(tree.depth for tree in trees),
        "leaves": sum(tree.n_leaves for tree in trees),
        "classes": model.classes_.tolist() if hasattr(model, "classes_") else None,
        "features": features_of(model, record),
        "training": getattr(model, "training_", None) if record is not None else None,
    }


def rule_of(model: Any) -> str:
    while not hasattr(model, "_rule"):
        model = model.ensemble_ if hasattr(model, "ensemble_") else model.estimators_[0]
    return str(model._rule.name)


def version_of(path: Path) -> str | None:
    """Version of the library that wrote the file; checkpoints do not contain it."""
    from frugalboost.saving.container import BrokenFileError, read_header

    try:
        version = read_header(path.read_bytes())[1].get("version")
    except BrokenFileError:
        return None
    return version if isinstance(version, str) else None


def params_of(model: Any) -> dict[str, Any]:
    """Parameters that differ from the defaults."""
    defaults = type(model)().get_params(deep=False)
    given = model.get_params(deep=False)
    changed = {name: value for name, value in given.items() if repr(value) != repr(defaults[name])}
    return {name: _plain(value) for name, value in changed.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    is_plain = value is None or isinstance(value, (bool, int, float, str))
    return value if is_plain else repr(value)


def features_of(model: Any, record: Record | None) -> list[dict[str, Any]]:
    """Name, kind, categories and importance of each feature, most important first."""
    from frugalboost.cli.model_rows import schema_of

    schema = schema_of(model)
    names = schema.feature_names
    booleans = set() if record is None else set(record.booleans)
    features = []
    for at, share in enumerate(model.feature_importances_.tolist()):
        name = f"x{at}" if names is None else str(names[at])
        categories = schema.categories[at]
        kind = "number" if categories is None else "category"
        features.append(
            {
                "name": name,
                "kind": "boolean" if name in booleans else kind,
                "categories": None if categories is None else categories.tolist(),
                "importance": share,
            }
        )
    return sorted(features, key=lambda feature: -float(feature["importance"]))


def _kind(feature: dict[str, Any]) -> str:
    categories = feature["categories"]
    if categories is None:
        return str(feature["kind"])
    return counted(len(categories), "category", "categories")


def _lines(description: dict[str, Any]) -> list[tuple[str, str]]:
    params = ", ".join(f"{name}={value!r}" for name, value in description["params"].items())
    version = description["version"]
    return [
        ("kind", description["kind"]),
        ("rule", description["rule"]),
        ("parameters", params or "defaults"),
        ("trees", f"{description['trees']:,} of depth up to {description['depth']}"),
        ("leaves", f"{description['leaves']:,}"),
        ("features", f"{len(description['features']):,}"),
        *_class_lines(description["classes"]),
        ("size", size_text(description["bytes"])),
        ("digest", description["digest"]),
        *([] if version is None else [("written by", f"frugalboost {version}")]),
        *_training_lines(description["training"]),
    ]


def _class_lines(classes: list[Any] | None) -> list[tuple[str, str]]:
    if classes is None:
        return []
    more = ", ..." if len(classes) > MOST_CLASSES else ""
    names = ", ".join(shortened(str(name)) for name in classes[:MOST_CLASSES]) + more
    return [("classes", f"{len(classes)}: {names}")]


def _training_lines(training: dict[str, Any] | None) -> list[tuple[str, str]]:
    if training is None:
        return []
    rows = training.get("rows")
    lines = [
        ("made by", str(training.get("command"))),
        ("target", str(training.get("target"))),
        ("trained on", f"{training.get('data')}" + (f", {counted(rows, 'row')}" if rows else "")),
    ]
    pruned = training.get("pruned") or {}
    if pruned:
        lines.append(("pruned by", str(pruned.get("command"))))
    scores = training.get("scores") or {}
    return lines + (score_lines(scores, "held out") if isinstance(scores.get("rows"), int) else [])
