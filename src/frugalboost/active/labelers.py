"""Labelers: any callable that knows the labels, called according to its parameter names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from frugalboost._typing import Ints
from frugalboost.active.answers import is_skip, plain_label

INDEX_NAMES = frozenset({"indices", "index", "idx", "i", "ids", "key", "keys"})
"""Parameters that receive row numbers of the pool; any other receives the rows."""


class Labeler:
    """A callable that labels several rows at a time.

    >>> y = np.array(["a", "b", "c"])
    >>> list(Labeler(lambda indices: y[indices])(None, np.array([2, 0])))
    ['c', 'a']
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"labeler must be callable; got {function!r}.")
        self.function = function
        self.takes_indices = arguments_of(function)

    def __call__(self, rows: Any, indices: Ints) -> Iterator[Any]:
        """Yield one answer for each row, None for a skip, as soon as each is known."""
        given = (indices if is_index else rows for is_index in self.takes_indices)
        return self._answers(self.function(*given), len(indices))

    def _answers(self, returned: Any, n: int) -> Iterator[Any]:
        if returned is None:
            yield from [None] * n
            return
        if n == 1 and is_single(returned):
            returned = [returned]
        self._check_number(returned, n)
        n_given = 0
        for answer in returned:
            n_given += 1
            if n_given > n:
                raise self._wrong_number(n, "more")
            yield None if is_skip(answer) else plain_label(answer)
        if n_given < n:
            raise self._wrong_number(n, str(n_given))

    def _check_number(self, returned: Any, n: int) -> None:
        if is_single(returned) or isinstance(returned, (Mapping, set, frozenset)):
            raise self._wrong_number(n, repr(returned))
        if getattr(returned, "ndim", 1) != 1:
            raise self._wrong_number(n, f"an array of shape {returned.shape}")
        if hasattr(returned, "__len__") and len(returned) != n:
            raise self._wrong_number(n, str(len(returned)))

    def _wrong_number(self, n: int, got: str) -> ValueError:
        rows = "the row" if n == 1 else f"each of the {n} rows"
        return ValueError(f"labeler must return one answer for {rows}, or None to skip; got {got}.")


def arguments_of(function: Callable[..., Any]) -> list[bool]:
    """Return, for each argument of a call, whether it takes row numbers rather than rows.

    Parameters with a default keep it, unless there are no others.

    >>> arguments_of(lambda X, indices: None)
    [False, True]
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some built-in functions have no signature
        return [False]
    able = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    chosen = [p for p in able if p.default is p.empty] or able[:1]
    is_index = [p.name in INDEX_NAMES for p in chosen]
    if len(is_index) > 2 or (len(is_index) == 2 and sum(is_index) != 1):
        names = ", ".join(p.name for p in chosen)
        raise TypeError(
            "labeler must take rows (X), their numbers (indices) or both; "
            f"got a function of {names}."
        )
    return is_index or [False]  # *args receives the rows


def is_single(answers: Any) -> bool:
    """Return whether this is one label rather than several."""
    if isinstance(answers, np.ndarray):
        return answers.ndim == 0
    return isinstance(answers, (str, bytes)) or not isinstance(answers, Iterable)
