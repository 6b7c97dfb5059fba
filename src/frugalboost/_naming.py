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
OURS = ("frugalboost", "sklearn")
"""Code that speaks of arguments on our behalf. Errors of a user's own code stay as they are."""

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

    Other libraries' subclasses, such as `NotFittedError`, and the system's errors, which have a
    number, say already whom or what they mean.
    """
    is_message = len(error.args) == 1 and type(error).__module__ == "builtins"
    if is_message and not hasattr(error, "is_named") and is_ours(error.__traceback__):
        error.args = (f"{name}: {error}",)
        if isinstance(error, ImportError):
            error.msg = error.args[0]  # which it shows in place of its arguments
        error.is_named = True  # type: ignore[union-attr]


def is_ours(traceback: TracebackType | None) -> bool:
    """Whether the library's code, or what it calls for checks, has raised."""
    if traceback is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    module = str(traceback.tb_frame.f_globals.get("__name__", ""))
    return module.partition(".")[0] in OURS


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
