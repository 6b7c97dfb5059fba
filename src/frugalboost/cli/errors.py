"""Errors of commands: one line on standard error, and an exit code that scripts can use.

0: done; 1: failed; 2: invalid usage; 130: interrupted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from frugalboost.tables.errors import ChoiceError

FAILED, USAGE, INTERRUPTED = 1, 2, 130
EXPECTED = (ValueError, TypeError, OSError, ImportError, EOFError)
"""The library raises these with a message for users."""


class BadUsageError(ValueError):
    """An option or argument that cannot be used as given."""


USAGE_ERRORS = (BadUsageError, ChoiceError)
PARAMETER = re.compile(r"(?:\w+: )?(\w+|the stream)(?= must )")
"""At the start of a message, perhaps after the name of an estimator."""


@contextmanager
def naming(names: Mapping[str, str], kind: type[Exception] = BadUsageError) -> Iterator[None]:
    """Errors about parameters name what the user knows instead, such as the option typed.

    >>> with naming({"n_estimators": "--trees"}):
    ...     raise ValueError("n_estimators must be an integer >= 1; got 0.")
    Traceback (most recent call last):
    frugalboost.cli.errors.BadUsageError: --trees must be an integer >= 1; got 0.
    """
    try:
        yield
    except (TypeError, ValueError) as problem:
        parameter = PARAMETER.match(str(problem))
        if parameter is None or parameter[1] not in names:
            raise
        raise kind(names[parameter[1]] + str(problem)[parameter.end() :]) from problem


class CommandError(Exception):
    """Ends a command with an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def fail(problem: BaseException, code: int) -> NoReturn:
    """End the command because of a problem, with this code unless the options are at fault."""
    raise CommandError(
        in_one_line(problem), USAGE if isinstance(problem, USAGE_ERRORS) else code
    ) from problem


def exit_code(problem: Exception) -> int:
    if isinstance(problem, CommandError):
        return problem.code
    return USAGE if isinstance(problem, USAGE_ERRORS) else FAILED


def in_one_line(problem: BaseException) -> str:
    """The message of an exception; with its type if no user should ever see it.

    The library puts the name of a class or function first, which users of commands do not know.

    >>> in_one_line(ValueError("two\\nlines"))
    'two lines'
    """
    message = " ".join(str(problem).split())
    if hasattr(problem, "is_named"):
        message = message.partition(": ")[2]
    if isinstance(problem, MemoryError):
        return f"not enough memory. {message}".rstrip()
    if isinstance(problem, (CommandError, *EXPECTED)) and message:
        return message
    return f"{type(problem).__name__}: {message} (unexpected; use --debug for a traceback)."


def implausible(path: Path, column: str, oddity: str) -> BadUsageError:
    """The error for a column that is unlikely to hold classes; `oddity` ends a sentence."""
    return BadUsageError(
        f"{path}: the {column} has {oddity} Convert the column, or use --many-classes to learn it "
        "as it is."
    )
