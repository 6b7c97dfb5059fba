"""Names and number of features, as scikit-learn keeps and checks them, of tables of every kind."""

from __future__ import annotations

from typing import Any

import sklearn
from sklearn.utils.validation import validate_data

from frugalboost.data.frames import is_frame, read_frame

ASKS_NARWHALS = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9)


class NamedColumns:
    """A table's names and shape, for versions of scikit-learn that ask by this protocol."""

    def __init__(self, X: Any, owner: str) -> None:
        self.shape = X.shape
        self._names = read_frame(X, owner=owner).columns

    def __dataframe__(self, **options: Any) -> NamedColumns:
        return self

    def column_names(self) -> list[str]:
        return self._names


def check_names(estimator: Any, X: Any, *, reset: bool = True) -> Any:
    """Take note of names and number (`reset`), or compare them with those of the fit; return X."""
    table = X
    if not ASKS_NARWHALS and is_frame(X) and not hasattr(X, "__dataframe__"):
        # polars 2 has given the protocol up: its names would be lost without a word.
        table = NamedColumns(X, type(estimator).__name__)
    validate_data(estimator, table, reset=reset, skip_check_array=True)
    return X
