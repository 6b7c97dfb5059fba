"""What a model file holds, without any data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import frugalboost as fb
from frugalboost.cli.record import Record
from frugalboost.cli.rows_of_model import schema_of
from frugalboost.saving.container import BrokenFileError, read_header


def run_inspect(path: Path) -> dict[str, Any]:
    """Everything about a model that can be said in a few words, as JSON has it."""
    model = fb.load(path)
    trees = trees_of(model)
    record = Record.of(model)
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


def trees_of(model: Any) -> list[Any]:
    """All trees of a model, of whatever committee."""
    if hasattr(model, "_ensemble"):
        return list(model._ensemble.trees)
    inner = [model.ensemble_] if hasattr(model, "ensemble_") else model.estimators_
    return [tree for each in inner for tree in trees_of(each)]


def rule_of(model: Any) -> str:
    while not hasattr(model, "_rule"):
        model = model.ensemble_ if hasattr(model, "ensemble_") else model.estimators_[0]
    return str(model._rule.name)


def version_of(path: Path) -> str | None:
    """Of the library that wrote the file; the checkpoint of a run does not say it."""
    try:
        found = read_header(path.read_bytes())[1].get("version")
    except BrokenFileError:
        return None
    return found if isinstance(found, str) else None


def params_of(model: Any) -> dict[str, Any]:
    """Parameters that are not the defaults."""
    usual = type(model)().get_params(deep=False)
    given = model.get_params(deep=False)
    changed = {name: value for name, value in given.items() if repr(value) != repr(usual[name])}
    return {name: _plain(value) for name, value in changed.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    is_plain = value is None or isinstance(value, (bool, int, float, str))
    return value if is_plain else repr(value)


def features_of(model: Any, record: Record | None) -> list[dict[str, Any]]:
    """Name, kind, categories and importance of each feature, the most important first."""
    schema = schema_of(model)
    names = schema.feature_names
    booleans = set() if record is None else set(record.booleans)
    found = []
    for at, share in enumerate(model.feature_importances_.tolist()):
        name = f"x{at}" if names is None else str(names[at])
        categories = schema.categories[at]
        kind = "number" if categories is None else "category"
        found.append(
            {
                "name": name,
                "kind": "boolean" if name in booleans else kind,
                "categories": None if categories is None else categories.tolist(),
                "importance": share,
            }
        )
    return sorted(found, key=lambda feature: -float(feature["importance"]))
