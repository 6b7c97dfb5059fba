"""What `load_dataset` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from frugalboost._typing import AnyArray


@dataclass(frozen=True, repr=False)
class Dataset:
    """A table with its target, and its official split where there is one.

    All rows are held once, the training rows first; the parts are slices of them.

    Parameters
    ----------
    name : str
    X : ndarray, CSR matrix or pandas.DataFrame of shape (n_rows, n_features)
        A frame where the data have categories; missing values are NaN there.
    y : ndarray of shape (n_rows,)
    feature_names : tuple of str
    categorical : tuple of str
        Names of the features whose values are categories, not amounts.
    classes : tuple of str, optional
        Names of the class codes in `y`, when `y` holds codes.
    n_train : int, optional
        Rows of the official training part; None without an official split.

    Examples
    --------
    >>> import numpy as np
    >>> data = Dataset("tiny", np.eye(3), np.array([0, 1, 1]), ("a", "b", "c"), n_train=2)
    >>> data
    Dataset(tiny: 2 training and 1 test rows, 3 features)
    >>> data.y_test
    array([1])
    """

    name: str
    X: Any
    y: AnyArray
    feature_names: tuple[str, ...]
    categorical: tuple[str, ...] = ()
    classes: tuple[str, ...] | None = None
    n_train: int | None = None

    @property
    def X_train(self) -> Any:  # noqa: N802
        """The official training rows, or None."""
        return None if self.n_train is None else self.X[: self.n_train]

    @property
    def y_train(self) -> AnyArray | None:
        """Targets of the official training rows, or None."""
        return None if self.n_train is None else self.y[: self.n_train]

    @property
    def X_test(self) -> Any:  # noqa: N802
        """The official test rows, or None."""
        return None if self.n_train is None else self.X[self.n_train :]

    @property
    def y_test(self) -> AnyArray | None:
        """Targets of the official test rows, or None."""
        return None if self.n_train is None else self.y[self.n_train :]

    def __repr__(self) -> str:
        n_rows = len(self.y)
        rows = f"{n_rows} rows"
        if self.n_train is not None:
            rows = f"{self.n_train} training and {n_rows - self.n_train} test rows"
        return f"Dataset({self.name}: {rows}, {len(self.feature_names)} features)"
