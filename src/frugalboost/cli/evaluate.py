"""Scores of a model on the rows of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import frugalboost as fb
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.held_out import chosen_by, is_data_of, split_again
from frugalboost.cli.progress import bar
from frugalboost.cli.record import Record
from frugalboost.cli.rows_of_model import ModelColumns
from frugalboost.cli.scores import Scorer
from frugalboost.cli.tables import TableFile, open_table
from frugalboost.cli.testing import score_rows


def run_evaluate(
    model_path: Path,
    data: Path,
    target: str | None = None,
    weight: str | None = None,
    *,
    held_out: bool = False,
) -> dict[str, Any]:
    """Compare what a model says with the right answers.

    "is_known" says whether the model was fitted to some of these rows.
    """
    model = fb.load(model_path)
    file = open_table(data)
    record = Record.of(model)
    is_known = is_data_of(record, data)
    if not held_out:
        return {**scores_on(model, file, target, weight), "is_known": is_known, "note": None}
    if record is None or not is_known:
        raise BadUsageError(
            f"--held-out needs the file that the model was fitted to; {data} is another."
        )
    if not record.test_share:
        raise BadUsageError(
            "--held-out needs a model that was fitted with rows held out; "
            f"{model_path} was fitted to all rows (--test-share 0)."
        )
    rows = ModelColumns.of(model).whole(file, target, weight)
    with bar("splitting the rows", None):
        held = rows.take(split_again(record, rows.y)[1])
    return {**score_rows(model, held), "is_known": False, "note": chosen_by(record.pruned)}


def scores_on(
    model: Any, file: TableFile, target: str | None = None, weight: str | None = None
) -> dict[str, Any]:
    scorer = Scorer(model)
    columns = ModelColumns.of(model)
    for block in columns.blocks(file, with_target=True, target=target, weight=weight):
        assert block.y is not None
        scorer.add(block.X, block.y, block.weights)
    return scorer.result()
