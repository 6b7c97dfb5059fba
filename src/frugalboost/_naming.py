"""Errors begin with the name of what a user has called; it is added once, where the call comes in.

Everything below says only "max_bins must be ...": it need not know on whose behalf it checks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import TracebackType
from typing import Any, TypeVar

NAMED = (ImportError, IndexError, OSError, TypeError, ValueError)

Function = TypeVar("Function", bound=Callable[..., Any])


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the name before the message of an error that is raised inside.

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
    """Put the name before an error's message, unless it has one or is a user's own.

    The system's errors, which have a number, and scikit-learn's own kinds, such as
    `NotFittedError`, already say whom or what they mean.
    """
    origin = raised_in(error.__traceback__)
    is_ours = origin == "frugalboost" or (origin == "sklearn" and type(error) in NAMED)
    is_named = hasattr(error, "is_named") or name in str(error)
    if is_ours and len(error.args) == 1 and not is_named:
        error.args = (f"{name}: {error}",)
        error.is_named = True  # type: ignore[attr-defined]
        if isinstance(error, ImportError):
            error.msg = error.args[0]  # which it shows in place of its arguments


def raised_in(traceback: TracebackType | None) -> str:
    """The package whose code has raised."""
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return str(traceback.tb_frame.f_globals.get("__name__", "")).partition(".")[0]


def names_itself(function: Function) -> Function:
    """A public function whose errors begin with its name."""
    wrapped: Function = _wrapped(function, lambda arguments: function.__name__)
    return wrapped


class NamesItself:
    """A class whose errors begin with its name: those of `__init__` and of all that is public."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, member in list(vars(cls).items()):
            if name.startswith("_") and name != "__init__":
                continue
            if isinstance(member, classmethod):
                setattr(cls, name, classmethod(_wrapped(member.__func__, _name_of_class)))
            elif isinstance(member, property) and member.fset is None:
                setattr(cls, name, property(_wrapped(member.fget, _name_of_self)))
            elif inspect.isfunction(member):
                setattr(cls, name, _wrapped(member, _name_of_self))


def _name_of_class(arguments: tuple[Any, ...]) -> str:
    return str(arguments[0].__name__)


def _name_of_self(arguments: tuple[Any, ...]) -> str:
    return type(arguments[0]).__name__


def _wrapped(function: Any, name_of: Callable[[tuple[Any, ...]], str]) -> Any:
    if inspect.isgeneratorfunction(function):

        @wraps(function)
        def generate(*args: Any, **kwargs: Any) -> Iterator[Any]:
            with naming(name_of(args)):
                yield from function(*args, **kwargs)

        return generate

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:  # as `naming`, which takes longer to enter than some predictions take
            return function(*args, **kwargs)
        except NAMED as error:
            add_name(error, name_of(args))
            raise

    return call
