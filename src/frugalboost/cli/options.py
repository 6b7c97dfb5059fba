"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[Path, typer.Argument(help="CSV (also .gz), Parquet, Arrow, LIBSVM or NPZ file.")]
Model = Annotated[
    Path, typer.Argument(help="Model file (.fboost), or a checkpoint written by stream.")
]
ModelOutput = Annotated[Path, typer.Option("--output", "-o", help="Where to write the model.")]
Target = Annotated[
    str | None, typer.Option(help="Column with the true labels; default: the model's target.")
]
Weight = Annotated[str | None, typer.Option(help="Column with the weights of the rows.")]
TestShare = Annotated[
    float, typer.Option(help="Share of the rows, in [0, 1), held out for testing.")
]
ManyClasses = Annotated[
    bool,
    typer.Option("--many-classes", help="Learn a text target even if most classes are rare."),
]
MAX_SEED = 2**32 - 1
"""Of scikit-learn's generators."""

Seed = Annotated[int, typer.Option(min=0, max=MAX_SEED, help="Random seed.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
SpreadsheetSafe = Annotated[
    bool,
    typer.Option(
        help="CSV: put ' before text that starts with = + - @, so that spreadsheets do not run it."
    ),
]
