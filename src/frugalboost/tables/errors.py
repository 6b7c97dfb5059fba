"""Errors for a named file or column that cannot be used."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

MOST_NAMES = 20


class ChoiceError(ValueError):
    """A file or a column was chosen that does not exist, or that cannot be used."""


def unknown_name(what: str, given: str, names: Iterable[str], where: str) -> ChoiceError:
    """Return the error for a column that does not exist, with the closest name.

    >>> print(unknown_name("--target", "clas", ["age", "class"], "adult.csv"))
    --target must be a column of adult.csv; got 'clas'. Did you mean 'class'?
    """
    known = list(names)
    near = nearest(given, known)
    hint = f"The columns are {listed(known)}." if near is None else f"Did you mean {near!r}?"
    return ChoiceError(f"{what} must be a column of {where}; got {given!r}. {hint}")


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Return names as an error lists them.

    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b', ... (3 in all)"
    """
    text = ", ".join(map(repr, names[:most])) or "none"
    return text if len(names) <= most else f"{text}, ... ({len(names)} in all)"


def nearest(given: str, names: Iterable[str]) -> str | None:
    """Return the name most similar to the given one, ignoring case; None if none is similar."""
    by_lower = {name.lower(): name for name in reversed(list(names))}
    similar = difflib.get_close_matches(given.lower(), by_lower, n=1)
    return by_lower[similar[0]] if similar else None
