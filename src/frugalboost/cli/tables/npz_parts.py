"""What to do with an NPZ file that holds several tables, such as X_train and X_test."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path


def several_tables(path: Path, parts: Sequence[str]) -> str:
    """Say that one is needed, and how to make a file of each.

    Which of them a command should take is not clear for all commands: rows to choose trees by,
    for example, should be neither those of the fit nor those of the test.
    """
    return (
        f"{path} must hold one table; it has {', '.join(f'X_{part}' for part in parts)}. "
        f"This makes a file of each: {splitting(path, parts)}"
    )


def splitting(path: Path, parts: Sequence[str]) -> str:
    """A line for the shell that writes NAME-train.npz and NAME-test.npz beside NAME.npz."""
    whole, stem = (json.dumps(each.as_posix()) for each in (path, path.with_suffix("")))
    code = (
        f"import numpy as np; z = np.load({whole}); "
        f'[np.savez({stem} + "-" + p, '
        '**{k.removesuffix("_" + p): z[k] for k in z if k.endswith(("_" + p, "names"))}) '
        f"for p in {json.dumps(list(parts))}]"
    )
    line = ["python", "-c", code]
    return subprocess.list2cmdline(line) if os.name == "nt" else shlex.join(line)
