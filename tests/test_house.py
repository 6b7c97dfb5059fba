"""The house stays in order: folders that can be overlooked, files that can be read, tests apart."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import frugalboost

PACKAGE = Path(frugalboost.__file__).parent
TESTS = Path(__file__).parent

MOST_FILES = 30
MOST_PRIVATE = 15
MOST_LINES = 420


def folders() -> list[str]:
    """With Python files in them, relative to the package; the package itself is ``.``."""
    return sorted({str(path.parent.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py")})


@pytest.mark.parametrize("folder", folders())
def test_no_folder_is_overcrowded(folder: str) -> None:
    names = [path.stem for path in (PACKAGE / folder).glob("*.py")]
    private = [name for name in names if name.startswith("_") and not name.startswith("__")]
    assert len(names) <= MOST_FILES
    assert len(private) <= MOST_PRIVATE


def test_no_file_is_too_long() -> None:
    lines = {
        str(path.relative_to(PACKAGE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in PACKAGE.rglob("*.py")
    }
    assert len(lines) > 100
    assert {name: n for name, n in lines.items() if n > MOST_LINES} == {}


def test_names_of_test_files_and_helpers_are_unique() -> None:
    """They are imported by their names alone."""
    names = Counter(path.name for path in TESTS.rglob("*.py"))
    assert names["test_house.py"] == 1
    assert [name for name, n in names.items() if n > 1] == []


def test_no_test_module_imports_another() -> None:
    """Nor does a script in one: what they share is in a helper module."""
    pattern = re.compile(r"""^\s*["']?(?:from|import) (test_\w+)""", re.MULTILINE)
    assert pattern.findall("import os\n    'from test_house import PACKAGE'") == ["test_house"]
    imports = {str(path): pattern.findall(path.read_text("utf-8")) for path in TESTS.rglob("*.py")}
    assert {path: names for path, names in imports.items() if names} == {}


def test_tests_are_in_folders_named_after_what_they_test() -> None:
    features = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    tested = {path.parent.name for path in TESTS.glob("*/test_*.py")}
    assert tested == features | {"benchmarks", "docs"}
