"""A file for each failure, from which it can be tried again."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import frugalboost as fb

MOST = 100
"""Failures of one attack, after which it is given up: what fails always would fill the disk."""


@dataclass
class Failures:
    """A folder of files."""

    folder: Path

    def keep(self, attack: str, seed: int, number: int, text: str) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        name = attack.replace(" ", "-").replace(",", "")
        path = self.folder / f"{name}-{seed}-{number}.json"
        content = {"attack": attack, "seed": seed, "number": number, "text": text}
        path.write_text(json.dumps(content | versions(), indent=2) + "\n", encoding="utf-8")
        return path


def versions() -> dict[str, str]:
    return {
        "frugalboost": fb.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    missing = {"attack", "seed", "number"} - content.keys()
    if missing:
        raise SystemExit(f"torture: --again must be a file of a failure; {path} is not one.")
    return content
