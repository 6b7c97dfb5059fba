"""What a model file remembers of its training: read with care, as files come from strangers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

import frugalboost as fb

PLAIN_SCORES = ("rows", "error", "log_loss", "auc", "rmse", "mae", "r2")
KINDS_OF_FIELDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, type(None)),
    "int | None": (int, type(None)),
    "float | None": (int, float, type(None)),
    "dict[str, Any]": (dict,),
}


@dataclass(frozen=True)
class Record:
    """How a model came about.

    Attributes
    ----------
    command : what was typed
    version : of the library
    data, data_sha256 : name and fingerprint of the file
    target, weight : names of its columns
    task : "classes" or "regression"
    rows : how many the model was fitted to
    test_share, seed : of the rows that were held out
    booleans : features that were true or false; other numbers are numbers
    ignored, left_out : columns that are no features, by choice or because they cannot be
    scores : on rows that the model has not seen, if there were any
    pruned : how it was made smaller, if it was
    """

    command: str = ""
    version: str = ""
    data: str = ""
    data_sha256: str = ""
    target: str | None = None
    weight: str | None = None
    task: str = ""
    rows: int | None = None
    test_share: float | None = None
    seed: int | None = None
    booleans: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    scores: dict[str, Any] = field(default_factory=dict)
    pruned: dict[str, Any] = field(default_factory=dict)

    def attach(self, model: Any) -> None:
        """Let the model remember; `save` keeps it as long as the model stays as it is."""
        model.training_ = {**asdict(self), "digest": fb.digest(model)}

    @classmethod
    def of(cls, model: Any) -> Record | None:
        """What a model remembers; None if that is nothing that could be relied on."""
        found = getattr(model, "training_", None)
        if not isinstance(found, dict):
            return None
        known = {each.name: found[each.name] for each in fields(cls) if each.name in found}
        for each in fields(cls):
            if each.name in known and not _fits(known[each.name], str(each.type)):
                return None
        return cls(**known)


def _fits(value: Any, kind: str) -> bool:
    if kind == "list[str]":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, KINDS_OF_FIELDS[kind]) and not isinstance(value, bool)


def plain_scores(scores: dict[str, Any] | None) -> dict[str, Any]:
    """The scores that are single numbers."""
    found = scores or {}
    return {name: found[name] for name in PLAIN_SCORES if found.get(name) is not None}
