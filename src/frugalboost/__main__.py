"""Lets ``python -m frugalboost`` do what ``frugalboost`` does."""

from __future__ import annotations

from frugalboost.cli import main

if __name__ == "__main__":
    main()
