"""The command line: one file or folder per command, listed in `app`."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line, or report in one line which package is missing."""
    try:
        import rich  # noqa: F401  (commands import it when they print, which would be too late)

        from frugalboost.cli.app import app
        from frugalboost.cli.printing import replace_closed
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
    replace_closed()
    app(prog_name="frugalboost")
