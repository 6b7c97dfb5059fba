"""Attributes of fitted estimators, and how each is written to a file and read back.

A part is put only if the model has the attribute, and got only if the file has it; what a model
cannot do without is checked at the end, by `Kind.check`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any, Protocol

import numpy as np

from frugalboost.boosting import Entry
from frugalboost.filtering import Certificate, FilterRule
from frugalboost.filtering.filter import ACCEPT
from frugalboost.pruning import PruningCurve
from frugalboost.rules import RULES_BY_NAME, Rule
from frugalboost.saving.container import BrokenFileError, Section
from frugalboost.saving.contents import (
    get_column,
    get_ensemble,
    get_ledger,
    get_schema,
    get_value,
    put_column,
    put_ensemble,
    put_ledger,
    put_schema,
    put_value,
)


class Part(Protocol):
    """One attribute."""

    @property
    def name(self) -> str: ...

    def put(self, model: Any, section: Section) -> None:
        """Put the attribute of a model that has it."""

    def get(self, model: Any, section: Section) -> None:
        """Set the model's attribute, if the file has it."""


@dataclass(frozen=True)
class Trees:
    """The ensemble."""

    name: str = "_ensemble"

    def put(self, model: Any, section: Section) -> None:
        put_ensemble(section.inside("trees"), model._ensemble)

    def get(self, model: Any, section: Section) -> None:
        model._ensemble = get_ensemble(section.inside("trees"))


@dataclass(frozen=True)
class Features:
    """The schema of the training table."""

    name: str = "_schema"

    def put(self, model: Any, section: Section) -> None:
        put_schema(section.inside("schema"), model._schema)

    def get(self, model: Any, section: Section) -> None:
        model._schema = get_schema(section.inside("schema"))


@dataclass(frozen=True)
class Rounds:
    """The ledger, with entries of this kind."""

    entry: type[Entry]
    name: str = "ledger_"

    def put(self, model: Any, section: Section) -> None:
        put_ledger(section.inside("ledger"), model.ledger_)

    def get(self, model: Any, section: Section) -> None:
        model.ledger_ = get_ledger(section.inside("ledger"), self.entry)


@dataclass(frozen=True)
class UsedRule:
    """The rule, made by a function from its name, number of classes and learning rate."""

    make: Callable[[str, int, float], Any]
    name: str = "_rule"

    def put(self, model: Any, section: Section) -> None:
        rule = model._rule
        notes = {"name": rule.name, "n_classes": rule.n_classes}
        section.note("rule", {**notes, "learning_rate": float(getattr(rule, "learning_rate", 1.0))})

    def get(self, model: Any, section: Section) -> None:
        notes = section.inside("rule")
        name, n_classes = notes.read_note("name", str), notes.read_note("n_classes", int)
        try:
            model._rule = self.make(name, n_classes, notes.read_note("learning_rate", float))
        except ValueError as problem:
            raise BrokenFileError(f"its rule is unknown ({problem!s:.100})") from None


def table_rule(name: str, n_classes: int, learning_rate: float) -> Rule:
    if name not in RULES_BY_NAME:
        raise ValueError(f"rule must be one of {sorted(RULES_BY_NAME)}; got {name[:40]!r}")
    return RULES_BY_NAME[name](n_classes, learning_rate)


def filter_rule(name: str, n_classes: int, learning_rate: float) -> FilterRule:
    if name not in ACCEPT or n_classes < 2:
        raise ValueError(f"rule must be one of {sorted(ACCEPT)}; got {name[:40]!r}")
    return FilterRule(name, n_classes)


@dataclass(frozen=True)
class Labels:
    """A column of labels or names."""

    name: str

    def put(self, model: Any, section: Section) -> None:
        put_column(section, self.name, getattr(model, self.name), f"save: {self.name}")

    def get(self, model: Any, section: Section) -> None:
        if section.has(self.name):
            setattr(model, self.name, get_column(section, self.name))


@dataclass(frozen=True)
class Number:
    """A non-negative integer."""

    name: str

    def put(self, model: Any, section: Section) -> None:
        section.note(self.name, int(getattr(model, self.name)))

    def get(self, model: Any, section: Section) -> None:
        if not section.has(self.name):
            return
        number = section.read_note(self.name, int)
        if not 0 <= number < 1 << 63:
            raise BrokenFileError(f"its {self.name} is out of range")
        setattr(model, self.name, number)


@dataclass(frozen=True)
class Text:
    """A string."""

    name: str

    def put(self, model: Any, section: Section) -> None:
        section.note(self.name, getattr(model, self.name))

    def get(self, model: Any, section: Section) -> None:
        if section.has(self.name):
            setattr(model, self.name, section.read_note(self.name, str))


@dataclass(frozen=True)
class Losses:
    """A list of floats, or None."""

    name: str

    def put(self, model: Any, section: Section) -> None:
        losses = getattr(model, self.name)
        section.note(self.name, losses is not None)
        if losses is not None:
            section.put(self.name, np.array(losses, dtype=np.float64))

    def get(self, model: Any, section: Section) -> None:
        if section.has(self.name):
            has_losses = section.read_note(self.name, bool)
            losses = section.get(self.name, np.float64).tolist() if has_losses else None
            setattr(model, self.name, losses)


@dataclass(frozen=True)
class Places:
    """Integers, one for each tree."""

    name: str

    def put(self, model: Any, section: Section) -> None:
        section.put(self.name, np.asarray(getattr(model, self.name), dtype=np.int64))

    def get(self, model: Any, section: Section) -> None:
        if section.holds(self.name):
            setattr(model, self.name, section.get(self.name, np.int64))


@dataclass(frozen=True)
class Curve:
    """A pruning curve, or None."""

    name: str

    def put(self, model: Any, section: Section) -> None:
        curve = getattr(model, self.name)
        section.note(self.name, None if curve is None else {})
        if curve is not None:
            inner = section.inside(self.name)
            inner.put("n_estimators", np.asarray(curve.n_estimators, dtype=np.int64))
            inner.put("errors", np.asarray(curve.errors, dtype=np.float64))
            inner.note("whole_error", float(curve.whole_error))
            inner.note("n_members", int(curve.n_members))

    def get(self, model: Any, section: Section) -> None:
        if not section.has(self.name):
            return
        curve = None
        if section.notes[self.name] is not None:
            inner = section.inside(self.name)
            curve = PruningCurve(
                inner.get("n_estimators", np.int64),
                inner.get("errors", np.float64),
                inner.read_note("whole_error", float),
                inner.read_note("n_members", int),
            )
        setattr(model, self.name, curve)


@dataclass(frozen=True)
class Waiting:
    """Examples waiting for the next call of `partial_fit`: a matrix and codes, or none."""

    name: str = "_waiting"

    def put(self, model: Any, section: Section) -> None:
        X, codes = model._waiting
        section.note("waiting", X is not None)
        if X is not None:
            section.put("waiting.X", X)
            section.put("waiting.codes", codes)

    def get(self, model: Any, section: Section) -> None:
        if not section.read_note("waiting", bool):
            model._waiting = (None, None)
            return
        X, codes = section.get("waiting.X", ndim=2), section.get("waiting.codes", np.int64)
        is_float = X.dtype in (np.float32, np.float64)
        if not is_float or len(X) != len(codes) or X.shape[1] != model._schema.n_features:
            raise BrokenFileError("its waiting examples are damaged")
        if len(codes) and not 0 <= codes.min() <= codes.max() < model._rule.n_classes:
            raise BrokenFileError("its waiting examples have unknown classes")
        model._waiting = (X, codes)


@dataclass(frozen=True)
class Proof:
    """The certificate of a run."""

    name: str = "certificate_"

    def put(self, model: Any, section: Section) -> None:
        for name, value in asdict(model.certificate_).items():
            put_value(section.inside(self.name), name, value, f"save: {name}")

    def get(self, model: Any, section: Section) -> None:
        if not section.has(self.name):
            return
        inner = section.inside(self.name)
        values = {field.name: get_value(inner, field.name) for field in fields(Certificate)}
        for field in fields(Certificate):
            kind = {"bool": bool, "int": int, "float": float}.get(str(field.type), str)
            if type(values[field.name]) is not kind:
                raise BrokenFileError(f"its certificate's {field.name} has the wrong type")
        model.certificate_ = Certificate(**values)
