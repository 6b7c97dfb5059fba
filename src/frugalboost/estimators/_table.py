"""What all estimators share: reading X, and failing without a trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils import Tags

from frugalboost.data import BinnedDataset
from frugalboost.estimators._names import check_names
from frugalboost.estimators._rows import check_shape


class TableEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that is fitted to a table; not public."""

    @property
    def _owner(self) -> str:
        return type(self).__name__

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Leave the model as it was when a fit fails or is interrupted."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _read_table(self, X: Any) -> Any:
        """Take note of feature names and their number, as scikit-learn does."""
        if isinstance(X, BinnedDataset):
            self.n_features_in_ = X.n_features
            if X.schema.feature_names is not None:
                self.feature_names_in_ = X.schema.feature_names
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
            return X
        check_shape(X, self._owner)
        return check_names(self, X)

    def _check_table(self, X: Any) -> Any:
        if isinstance(X, BinnedDataset):
            raise TypeError(
                f"{self._owner}: X must hold raw values for prediction; got a BinnedDataset."
            )
        check_shape(X, self._owner)
        return check_names(self, X, reset=False)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags
