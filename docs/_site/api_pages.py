"""The pages of the API: whatever the public packages name in `__all__`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path
from types import ModuleType

import frugalboost

HIDDEN = {"cli", "reproduce", "estimators", "native", "boosting", "data", "filtering", "tree"}
"""Packages that users reach by commands or by the names that `frugalboost` itself has."""


def write_reference(folder: Path) -> None:
    """Write `index.rst`, from which autosummary makes a page for each name."""
    packages = [frugalboost, *public_packages()]
    text = "\n".join(["API", "===", "", *(line for each in packages for line in section(each))])
    folder.mkdir(exist_ok=True)
    path = folder / "index.rst"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def public_packages() -> list[ModuleType]:
    """The packages below `frugalboost` that are attributes of it, in alphabetical order."""
    names = [each.name for each in pkgutil.iter_modules(frugalboost.__path__) if each.ispkg]
    return [
        importlib.import_module(f"frugalboost.{name}")
        for name in names
        if name in frugalboost.__all__ and name not in HIDDEN
    ]


def section(package: ModuleType) -> list[str]:
    """A heading, the package's first sentence, and its names: classes first, then functions."""
    objects = {name: getattr(package, name) for name in package.__all__}
    classes = [name for name, each in objects.items() if inspect.isclass(each)]
    functions = [name for name, each in objects.items() if inspect.isfunction(each)]
    title = package.__name__
    summary = (inspect.getdoc(package) or "").split("\n\n")[0]
    lines = [title, "-" * len(title), "", summary, "", f".. currentmodule:: {title}", ""]
    return [*lines, ".. autosummary::", "   :toctree:", "", *indented(classes + functions), ""]


def indented(names: list[str]) -> list[str]:
    return [f"   {name}" for name in names]
