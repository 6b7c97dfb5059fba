"""Libraries that only some oracles need."""

from __future__ import annotations

from typing import Any


def require_pyarrow() -> Any:
    """Return pyarrow with the parts used here, or say how to install it."""
    try:
        import pyarrow
        import pyarrow.csv
        import pyarrow.dataset
        import pyarrow.parquet
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != "pyarrow":
            raise  # something that pyarrow itself needs
        raise ImportError(
            'pyarrow is needed; install it with pip install "frugalboost[streams]".'
        ) from None
    return pyarrow
