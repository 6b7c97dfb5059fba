"""Why a run ends."""

from __future__ import annotations

from typing import Literal, TypeAlias

StopReason: TypeAlias = Literal[
    "target", "rounds", "examples", "stream", "edge", "callback", "unfinished"
]
"""``"target"``: the filter rejected so many examples that the error is at most the target;
``"rounds"``, ``"examples"``: the most that were allowed; ``"stream"``: the oracle ended;
``"edge"``: certified mode could not tell the weak learner from chance; ``"callback"``: a callback
of scikit-learn's asked for it; ``"unfinished"``: a checkpoint of a run that has not ended."""


class Stopped(Exception):  # noqa: N818 - not an error
    """Raised where examples are drawn, caught by the loop: the round cannot be finished."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason: StopReason = reason
