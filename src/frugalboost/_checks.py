"""Parameter checks, and error messages that begin with the name of what the user called.

Checks, like all internal code, say only "max_bins must be ...": the name of the public function or
class is added once, at the entry point (`NamesItself`, `names_itself`).
"""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from numbers import Integral, Real
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

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
    """Return ``value`` as a bool if it is one, Python's or NumPy's."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise TypeError(f"{name} must be True or False; got {value!r}.")


def check_path(value: Any) -> Path:
    """Return ``value`` as a Path if it is one, or a string.

    >>> check_path(3)
    Traceback (most recent call last):
    TypeError: path must be a string or a path; got 3.
    """
    if isinstance(value, (str, os.PathLike)):
        return Path(value)
    raise TypeError(f"path must be a string or a path; got {value!r}.")


def optional_int(value: Any, name: str, *, low: int) -> int | None:
    """An integer from `low` to 2**30, or None for no limit."""
    if value is None:
        return None
    return check_int(value, name=name, low=low, high=2**30)


def optional_choice(value: Any, options: Iterable[str], *, name: str) -> str | None:
    """Return ``value`` if it is None or one of the strings ``options``.

    >>> optional_choice("fast", ["quick", "auto"], name="search")
    Traceback (most recent call last):
    ValueError: search must be None, 'auto' or 'quick'; got 'fast'.
    """
    allowed = sorted(options)
    if value is None or (isinstance(value, str) and value in allowed):
        return value
    *others, last = ["None", *map(repr, allowed)]
    raise ValueError(f"{name} must be {', '.join(others)} or {last}; got {value!r}.")


def check_seed(random_state: Any) -> None:
    """Reject what NumPy cannot use as a seed, even if nothing will be drawn."""
    from sklearn.utils import check_random_state  # takes long to import

    try:
        check_random_state(random_state)
    except ValueError:
        raise ValueError(
            "random_state must be None, an integer from 0 to 2**32 - 1 or a "
            f"numpy.random.RandomState; got {random_state!r}."
        ) from None


@contextmanager
def needing(package: str, message: str) -> Iterator[None]:
    """Say how to install a package if the block cannot import it."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != package:
            raise  # something that the package itself needs
        raise ImportError(message) from None


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


NAMED = (ImportError, IndexError, OSError, TypeError, ValueError)

Function = TypeVar("Function", bound=Callable[..., Any])


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Prefix the messages of errors raised in the block with the name.

    >>> with naming("Model"):
    ...     raise ValueError("search must be 'auto'; got 'fast'.")
    Traceback (most recent call last):
    ValueError: Model: search must be 'auto'; got 'fast'.
    """
    try:
        yield
    except NAMED as error:
        add_name(error, name)
        raise


def add_name(error: Exception, name: str) -> None:
    """Prefix an error's message with the name, unless it has one or comes from the user's code.

    System errors, which have a number, and scikit-learn's own exception types, such as
    `NotFittedError`, already say what they refer to.
    """
    origin = raised_in(error.__traceback__)
    is_on_our_behalf = origin == "sklearn" and type(error) in NAMED and name not in str(error)
    is_message = len(error.args) == 1 and not hasattr(error, "is_named")
    if is_message and (origin == "frugalboost" or is_on_our_behalf):
        error.args = (f"{name}: {error}",)
        error.is_named = True  # type: ignore[attr-defined]
        if isinstance(error, ImportError):
            error.msg = error.args[0]  # shown instead of its arguments


def raised_in(traceback: TracebackType | None) -> str:
    """The package whose code raised; empty for a call with the wrong arguments."""
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    frame = traceback.tb_frame
    if frame.f_code.co_filename == __file__ and frame.f_code.co_name == "call":
        return ""  # Python's own message, which names the method
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def names_itself(function: Function) -> Function:
    """A public function whose errors begin with its name."""
    wrapped: Function = _wrapped(function, lambda arguments: function.__name__)
    return wrapped


class NamesItself:
    """A class whose errors, from `__init__` and all public members, begin with its name."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if not cls.__module__.startswith("frugalboost."):
            return  # a user's class reaches our methods, already wrapped, through `super`
        for name, member in list(vars(cls).items()):
            if name.startswith("_") and name != "__init__":
                continue
            if isinstance(member, classmethod):
                setattr(cls, name, classmethod(_wrapped(member.__func__, _name_of_class)))
            elif isinstance(member, property):
                setattr(cls, name, member.getter(_wrapped(member.fget, _name_of_self)))
            elif inspect.isfunction(member):
                setattr(cls, name, _wrapped(member, _name_of_self))


def _name_of_class(arguments: tuple[Any, ...]) -> str:
    return str(arguments[0].__name__)


def _name_of_self(arguments: tuple[Any, ...]) -> str:
    return type(arguments[0]).__name__


def _wrapped(function: Any, name_of: Callable[[tuple[Any, ...]], str]) -> Any:
    is_generator = inspect.isgeneratorfunction(function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:  # like `naming`, which takes longer to enter than some predictions take
            result = function(*args, **kwargs)
        except NAMED as error:
            add_name(error, name_of(args))
            raise
        return _steps(result, name_of(args)) if is_generator else result

    return call


def _steps(steps: Iterator[Any], name: str) -> Iterator[Any]:
    with naming(name):
        yield from steps


def level_of_caller() -> int:
    """The `stacklevel` that makes the calling function's warning point outside the library."""
    level, frame = 1, inspect.currentframe()
    frame = None if frame is None else frame.f_back
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith("frugalboost."):
        level, frame = level + 1, frame.f_back
    return level
