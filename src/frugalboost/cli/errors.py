"""How commands fail: one line on standard error, and an exit code that scripts can use.

0: done; 1: failed; 2: invalid usage; 130: interrupted.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from frugalboost._files import release_claims

FAILED, USAGE, INTERRUPTED = 1, 2, 130
EXPECTED = (ValueError, TypeError, OSError, ImportError, EOFError)
"""Of these the library raises with a message for users."""

MOST_NAMES = 20


class BadUsageError(ValueError):
    """An option or argument that cannot be used as it was given."""


def implausible(path: Path, column: str, odd: str) -> BadUsageError:
    """The error for a column that can hardly be meant for classes; `odd` is a sentence's end."""
    return BadUsageError(
        f"{path}: the {column} has {odd} Convert the column, or use --many-classes to learn it as "
        "it is."
    )


class CommandError(Exception):
    """What ends a command, with its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def fail(problem: BaseException, code: int) -> NoReturn:
    """End the command by what has happened, with this code unless the options are at fault."""
    code = USAGE if isinstance(problem, BadUsageError) else code
    raise CommandError(in_one_line(problem), code) from problem


def in_one_line(problem: BaseException) -> str:
    """What an exception says; of those that no user should see, also their name.

    >>> in_one_line(ValueError("two\\nlines"))
    'two lines'
    """
    said = " ".join(str(problem).split())
    if isinstance(problem, MemoryError):
        return f"there is not enough memory. {said}".rstrip()
    if isinstance(problem, EXPECTED) and said:
        return said
    return f"{type(problem).__name__}: {said} (unexpected; --debug shows where)."


def unknown_name(what: str, given: str, names: Iterable[str], where: str) -> BadUsageError:
    """The error for a name that is not there, with the nearest one.

    >>> print(unknown_name("--target", "clas", ["age", "class"], "adult.csv"))
    --target must be a column of adult.csv; got 'clas'. Did you mean 'class'?
    """
    known = list(names)
    near = nearest(given, known)
    if near is not None:
        hint = f"Did you mean {near!r}?"
    else:
        more = ", ..." if len(known) > MOST_NAMES else ""
        hint = f"It has {', '.join(map(repr, known[:MOST_NAMES])) or 'none'}{more}."
    return BadUsageError(f"{what} must be a column of {where}; got {given!r}. {hint}")


def nearest(given: str, names: Iterable[str]) -> str | None:
    """The name most like the given one, upper and lower case being alike; None if none is."""
    by_small = {name.lower(): name for name in reversed(list(names))}
    found = difflib.get_close_matches(given.lower(), by_small, n=1)
    return by_small[found[0]] if found else None


class Commands(TyperGroup):
    """A group of commands that turns every exception into one line, unless --debug is given."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().make_context(*args, **kwargs)
        except Exception as problem:
            _say_usage(problem)
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            _say("interrupted; nothing was written.")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            raise  # whoever read the output has gone
        except Exception as problem:
            _say_usage(problem)
            if ctx.params.get("debug"):
                raise (problem.__cause__ or problem) from None
            _say(str(problem) if isinstance(problem, CommandError) else in_one_line(problem))
            raise typer.Exit(_code_of(problem)) from None
        finally:
            release_claims()


def _code_of(problem: Exception) -> int:
    if isinstance(problem, CommandError):
        return problem.code
    return USAGE if isinstance(problem, BadUsageError) else FAILED


def _say(message: str) -> None:
    typer.echo(f"frugalboost: {message}", err=True)


def _say_usage(problem: Exception) -> None:
    """An error of typer's, in one line; older versions have click's classes, newer their own."""
    told = getattr(problem, "format_message", None)
    if told is None or type(problem).__name__ == "NoArgsIsHelpError":
        return
    ctx = getattr(problem, "ctx", None)
    path = getattr(ctx, "command_path", None) or "frugalboost"
    message = " ".join(str(told()).split()).rstrip(".")
    _say(f"{message[:1].lower()}{message[1:]}; see {path} --help.")
    raise typer.Exit(USAGE) from None
