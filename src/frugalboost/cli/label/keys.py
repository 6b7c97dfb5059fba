"""A key for every class, so that an answer is one stroke."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

COMMANDS = {
    "s": "skip",
    "u": "undo",
    "c": "correct",
    "n": "new class",
    "w": "write CSV",
    "v": "view more",
    "q": "stop",
}
FREE = string.digits[1:] + "0" + string.ascii_lowercase + string.ascii_uppercase
GIVEN_KEY = re.compile(r"(.)=(.+)", re.DOTALL)


class ClassKeys:
    """Which key stands for which class; a class keeps its key when others are added.

    >>> keys = ClassKeys(["cat", "dog", "sun", "7"])
    >>> keys.class_of  # c, s, u and n are commands
    {'7': '7', 'a': 'cat', 'd': 'dog', '1': 'sun'}
    """

    def __init__(self, classes: Iterable[str], given: dict[str, str] | None = None) -> None:
        self.class_of: dict[str, str] = dict(given or {})
        names = list(classes)
        for name in [*filter(_is_key, names), *names]:
            self.add(name)

    def add(self, name: str) -> None:
        """Give a class its own character as key, else one of its letters, else any free key."""
        if name in self.class_of.values():
            return
        wanted = name.lower() + FREE if len(name) > 1 else name + FREE
        for key in wanted:
            if _is_key(key) and key not in self.class_of:
                self.class_of[key] = name
                return

    def key_of(self, name: str) -> str | None:
        """None if there are more classes than keys: then its name must be typed."""
        return next((key for key, known in self.class_of.items() if known == name), None)

    def command_of(self, key: str) -> str | None:
        """What a key does unless it stands for a class; ``+`` always adds a class."""
        if key in self.class_of:
            return None
        return COMMANDS["n"] if key == "+" else COMMANDS.get(key)


def parse_classes(text: str) -> tuple[list[str], dict[str, str]]:
    """Names separated by commas, optionally with keys: the names, and the class of each key.

    >>> parse_classes("y=yes, n=no, perhaps")
    (['yes', 'no', 'perhaps'], {'y': 'yes', 'n': 'no'})
    """
    names: list[str] = []
    given: dict[str, str] = {}
    for part in (part.strip() for part in text.split(",")):
        match = GIVEN_KEY.fullmatch(part)
        name = match[2].strip() if match else part
        if not name or name in names:
            raise ValueError(f"--classes must be distinct names, such as cat,dog; got {text!r}.")
        names.append(name)
        if match:
            _check_key(match[1], given, text)
            given[match[1]] = name
    return names, given


def _check_key(key: str, given: dict[str, str], text: str) -> None:
    is_taken = key in COMMANDS and key != "n"
    if key in given or is_taken or not key.isprintable() or key in " +?":
        raise ValueError(
            "--classes must have distinct keys other than "
            f"{', '.join(key for key in COMMANDS if key != 'n')}; got {text!r}."
        )


def _is_key(text: str) -> bool:
    return len(text) == 1 and text in FREE and text not in COMMANDS
