"""Makes ``python -m frugalboost`` run the ``frugalboost`` command."""

from __future__ import annotations

from frugalboost.cli import main

if __name__ == "__main__":
    main()
