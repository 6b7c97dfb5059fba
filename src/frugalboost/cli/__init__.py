"""The command line. Each command is a file here that computes; `app` only reads and prints."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line, or say in one line what is missing for it."""
    try:
        from frugalboost.cli.app import app
    except ModuleNotFoundError as problem:
        # Only the two packages of the extra are optional; anything else missing is a defect.
        package = (problem.name or "").partition(".")[0]
        if package not in ("typer", "rich"):
            raise
        print(
            f"frugalboost: the command line needs {package}; "
            'install it with pip install "frugalboost[cli]".',
            file=sys.stderr,
        )
        raise SystemExit(2) from None
    app(prog_name="frugalboost")
