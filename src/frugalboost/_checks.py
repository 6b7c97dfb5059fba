"""Checks of parameters; every error names the parameter, what is allowed and what was given."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

Closed = Literal["both", "left", "right", "neither"]


def check_choice(value: Any, options: Iterable[str], *, name: str) -> str:
    """Return ``value`` if it is one of the strings ``options``.

    >>> check_choice("fast", ["quick", "auto"], name="search")
    Traceback (most recent call last):
    ValueError: search must be one of 'auto', 'quick'; got 'fast'.
    """
    allowed = sorted(options)
    if isinstance(value, str) and value in allowed:
        return value
    listed = ", ".join(map(repr, allowed))
    raise ValueError(f"{name} must be one of {listed}; got {value!r}.")


def check_int(value: Any, *, name: str, low: int | None = None, high: int | None = None) -> int:
    """Return ``value`` as an int if it is an integer from ``low`` to ``high``, both included.

    >>> check_int(1, name="max_bins", low=2, high=65535)
    Traceback (most recent call last):
    ValueError: max_bins must be an integer from 2 to 65535; got 1.
    """
    rule = f"{name} must be an integer{_integer_range(low, high)}; got {value!r}."
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(rule)
    number = int(value)
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(rule)
    return number


def check_real(
    value: Any,
    *,
    name: str,
    low: float = -math.inf,
    high: float = math.inf,
    closed: Closed = "both",
) -> float:
    """Return ``value`` as a float if it is a finite number in the interval.

    >>> check_real(0.0, name="learning_rate", low=0.0, closed="neither")
    Traceback (most recent call last):
    ValueError: learning_rate must be a finite number in (0.0, inf); got 0.0.
    """
    open_, close = _brackets(low, high, closed)
    rule = f"{name} must be a finite number in {open_}{low}, {high}{close}; got {value!r}."
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(rule)
    number = float(value)
    above = number >= low if open_ == "[" else number > low
    below = number <= high if close == "]" else number < high
    if not (math.isfinite(number) and above and below):
        raise ValueError(rule)
    return number


def check_bool(value: Any, *, name: str) -> bool:
    """Return ``value`` as a bool if it is one; NumPy's count."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise TypeError(f"{name} must be True or False; got {value!r}.")


def _integer_range(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" >= {low}"
    return "" if high is None else f" <= {high}"


def _brackets(low: float, high: float, closed: Closed) -> tuple[str, str]:
    """Infinite ends are open: every number that passes is finite."""
    left = closed in ("both", "left") and low != -math.inf
    right = closed in ("both", "right") and high != math.inf
    return "[" if left else "(", "]" if right else ")"
