"""Scores on rows that are in memory."""

from __future__ import annotations

from typing import Any

from frugalboost.cli.examples import Examples
from frugalboost.cli.progress import bar
from frugalboost.cli.scores import Scorer

BLOCK_ROWS = 1 << 16


def score_rows(model: Any, rows: Examples) -> dict[str, Any]:
    """Compare what a model says about rows with the right answers, some at a time."""
    scorer = Scorer(model)
    with bar("testing", len(rows)) as advance:
        for block in rows.blocks(BLOCK_ROWS):
            scorer.add(block.X, block.y, block.weights)
            advance(len(block))
        return scorer.result()
