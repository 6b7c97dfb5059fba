"""Numbers as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def count(value: float) -> str:
    """As the papers print assessments.

    >>> count(1693456789)
    '1.69e+09'
    """
    return f"{value:.2e}"


def decimals(value: float | None, n: int = 3) -> str:
    return "" if value is None else f"{value:.{n}f}"


def percent(share: float) -> str:
    """
    >>> percent(0.0784)
    '7.8 %'
    """
    return f"{100 * share:.1f} %"


def change(ours: float, theirs: float) -> str:
    """
    >>> change(1.02, 1.0)
    '+2.0 %'
    """
    return f"{100 * (ours / theirs - 1):+.1f} %"


def difference(ours: float, theirs: float | None) -> str:
    return "" if theirs is None else f"{ours - theirs:+.4f}"


def shape(sizes: Sequence[int] | None) -> str:
    """
    >>> shape((8500, 2)), shape(None)
    ('8,500, 2', 'absent')
    """
    return "absent" if sizes is None else ", ".join(f"{size:,}" for size in sizes)


def absences(absent: Mapping[str, str]) -> str:
    """A list of the absent data sets."""
    if not absent:
        return ""
    lines = [f"- {name}: needs {files}" for name, files in absent.items()]
    return "\n".join(["Not run, because absent:", "", *lines])
