"""Pieces of C text: numbers, strings, arrays, comments."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray

WIDTH = 100


def fill(template: str, prefix: str) -> str:
    """A template with a model's prefix filled in, as it is and in capital letters.

    >>> fill("UPPER_MAIN PREFIX_predict", "iris")
    'IRIS_MAIN iris_predict'
    """
    names = {"PREFIX": prefix, "UPPER": prefix.upper()}
    return re.sub("PREFIX|UPPER", lambda match: names[match[0]], template)


def number(value: float) -> str:
    """The shortest decimal form of a double, which a compiler reads back to the bit.

    >>> number(0.1), number(1e-300), number(float("-inf"))
    ('0.1', '1e-300', '-INFINITY')
    """
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def string(text: str) -> str:
    """A string literal in ASCII; other characters as the bytes of UTF-8.

    Octal escapes have three digits: unlike hexadecimal ones, they end by themselves.

    >>> print(string('say "café"?'))
    "say \\"caf\\303\\251\\"\\?"
    """
    return '"' + "".join(map(_char, text.encode("utf-8", "surrogatepass"))) + '"'


def _char(byte: int) -> str:
    char = chr(byte)
    if char in '"\\?':  # question marks begin trigraphs
        return "\\" + char
    return char if 32 <= byte < 127 else f"\\{byte:03o}"


def smallest_type(low: int, high: int) -> str:
    """The smallest signed C type that holds both on all machines in use."""
    if low >= -128 and high < 128:
        return "signed char"
    return "short" if low >= -(2**15) and high < 2**15 else "int"


def integers(name: str, values: AnyArray) -> str:
    """A table of integers."""
    kind = smallest_type(int(values.min(initial=0)), int(values.max(initial=0)))
    return table(kind, name, map(str, values.tolist()), len(values))


def doubles(name: str, values: AnyArray) -> str:
    """A table of doubles."""
    flat = np.ravel(values)
    return table("double", name, map(number, flat.tolist()), len(flat))


def table(kind: str, name: str, items: Iterable[str], n: int, *, is_public: bool = False) -> str:
    """A constant array; never an empty one, which C does not allow."""
    if n == 0:
        items, n = ["0"], 1
    start = "" if is_public else "static "
    return f"{start}const {kind} {name}[{n}] = {{\n{wrapped(items)}\n}};\n"


def strings(name: str, texts: Sequence[str], *, is_public: bool = False) -> str:
    """An array of strings."""
    start = "" if is_public else "static "
    lines = ",\n".join(f"    {string(text)}" for text in texts)
    return f"{start}const char *const {name}[{len(texts)}] = {{\n{lines}\n}};\n"


def wrapped(items: Iterable[str]) -> str:
    """Items separated by commas, wrapped into lines."""
    return textwrap.fill(
        ", ".join(items),
        WIDTH,
        initial_indent="    ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def in_comment(text: Any) -> str:
    """Text that cannot end a comment, nor its line, in ASCII and without trigraphs.

    >>> in_comment("a*/b\\n???")
    'a* /b ? ? ?'
    """
    line = "".join(char if char.isprintable() else " " for char in str(text))
    plain = line.encode("ascii", "replace").decode().replace("*/", "* /").replace("/*", "/ *")
    return re.sub(r"\?(?=\?)", "? ", plain)
