"""Checks of the displays' arguments; errors say what is allowed and what was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from frugalboost._typing import AnyArray, Floats
from frugalboost.tree import FlatTree


def check_named(values: Any, *, name: str, of: str) -> dict[str, Any]:
    """Return a dict with at least one entry, its keys as text."""
    if not isinstance(values, Mapping) or not values:
        raise ValueError(
            f"{name} must be a dict with at least one entry, keyed by names of {of}; "
            f"got {values!r}."
        )
    return {str(key): value for key, value in values.items()}


def check_numbers(values: Any, *, name: str) -> Floats:
    """Return a (n,) array of finite numbers, n at least 1."""
    array = as_floats(values)
    if array is None or array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a list of finite numbers, at least one; got {values!r}.")
    return array


def check_line(values: Any, n: int, *, name: str, like: str) -> Floats:
    """Return a (n,) array of numbers; NaN leaves a gap in a line."""
    array = as_floats(values)
    if array is None or array.shape != (n,):
        got = repr(values) if array is None else f"shape {array.shape}"
        raise ValueError(f"{name} must be {n} numbers, as many as {like}; got {got}.")
    return array


def check_lines(values: Any, n: int, *, name: str, like: str) -> dict[str, Floats]:
    """Return named (n,) arrays."""
    named = check_named(values, name=name, of="lines")
    return {
        key: check_line(line, n, name=f"{name}[{key!r}]", like=like) for key, line in named.items()
    }


def check_curves(
    curves: Any, x: str, y: str, check_x: Callable[..., Floats]
) -> dict[str, tuple[Floats, Floats]]:
    """Return named pairs of (n,) arrays; n may differ between curves."""
    named = check_named(curves, name="curves", of="lines")
    return {
        key: check_curve(curve, f"curves[{key!r}]", x, y, check_x) for key, curve in named.items()
    }


def check_curve(
    curve: Any, name: str, x: str, y: str, check_x: Callable[..., Floats]
) -> tuple[Floats, Floats]:
    check_pair(curve, name=name, of=f"{x} and {y}")
    numbers = check_x(curve[0], name=f"{x} of {name}")
    return numbers, check_line(curve[1], len(numbers), name=f"{y} of {name}", like=f"its {x}")


def check_pair(pair: Any, *, name: str, of: str) -> None:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError(f"{name} must be a pair of {of}; got {pair!r}.")


def check_flat(model: Any) -> None:
    """Refuse models whose trees have more than two branches, or cases in several of them."""
    if not all(isinstance(tree, FlatTree) for tree in model.estimators_):
        raise TypeError(
            f"model must be made of trees with two branches; got a {type(model).__name__}."
        )


def check_rounds(rounds: Any, *, name: str) -> Floats:
    """Return numbers of rounds, ascending from 1 or later."""
    numbers = check_numbers(rounds, name=name)
    if numbers[0] < 1 or (np.diff(numbers) <= 0).any() or (numbers % 1 != 0).any():
        raise ValueError(
            f"{name} must be ascending integers, rounds counted from 1; got {rounds!r}."
        )
    return numbers


def own_class(classes: AnyArray, y: Any, *, of: str) -> AnyArray:
    """The position of each row's own class among those of a model."""
    labels = column_or_1d(y)
    places = {label: place for place, label in enumerate(classes.tolist())}
    unknown = [label for label in dict.fromkeys(labels.tolist()) if label not in places]
    if unknown:
        raise ValueError(f"y must hold classes of {of} only; got {unknown[0]!r}.")
    return np.array([places[label] for label in labels.tolist()])


def as_floats(values: Any) -> AnyArray | None:
    """Return an array; None if the values are not numbers, or rows differ in length."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return None
