"""Model files, as commands open them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import frugalboost as fb


def open_model(path: Path) -> Any:
    """Load a model; errors are in the words of commands, which have no `load` and `save`."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise FileNotFoundError(f"MODEL must be a file; {path} {what}.")
    from frugalboost.saving.container import BrokenFileError

    try:
        return fb.load(path)
    except ValueError as problem:
        if isinstance(problem.__context__, BrokenFileError):
            raise ValueError(f"{path} must be a model file; {problem.__context__}.") from problem
        raise
