"""What judges of statements share."""

from __future__ import annotations

from typing import TypeAlias

Verdict: TypeAlias = tuple[str, bool] | None
"""What was measured and whether the statement holds; None where it cannot be told yet."""

CLOSE = 1.05
"""Log losses within this factor are as good as each other; beyond it, a booster has overfit."""

SAME = 0.01
"""Accuracies that are no further apart are similar."""
