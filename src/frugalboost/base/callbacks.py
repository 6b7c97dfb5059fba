"""Telling scikit-learn's callbacks about the progress of a fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol, TypeVar

from frugalboost.boosting import Ledger
from frugalboost.data import BinnedDataset

Method = TypeVar("Method", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupportMixin
    from sklearn.callback import with_callbacks as with_callbacks
except ImportError:  # an older scikit-learn

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in where there are no callbacks; adds nothing."""

    def with_callbacks(method: Method) -> Method:
        return method


Snapshot = Callable[[Any, Ledger], Any]


class RoundTasks:
    """Tells callbacks about a fit and each of its rounds.

    Parameters
    ----------
    estimator : the one that is being fitted, with callbacks
    n_rounds : maximum number of rounds
    rows : X, y and metadata, as the hooks take them
    attributes_of : returns what an estimator keeps of a fit, by attribute name
    """

    snapshot: Snapshot

    def __init__(
        self,
        estimator: Any,
        n_rounds: int,
        rows: dict[str, Any],
        attributes_of: Callable[[Any], dict[str, Any]],
    ) -> None:
        self._hooked = {"estimator": estimator, **rows}
        self._attributes_of = attributes_of
        self._fit = estimator._init_callback_context(max_subtasks=n_rounds)
        self._round: Any = None
        self._fit.call_on_fit_task_begin(**self._hooked)

    def begin(self) -> None:
        """Begin a round, unless one without a result is still open."""
        if self._round is None:
            self._round = self._fit.subcontext(task_name="round")
            self._round.call_on_fit_task_begin(**self._hooked)

    def end(self, ensemble: Any, ledger: Ledger) -> bool:
        """End a round; return whether a callback asks to stop.

        The model so far is made only for a callback that wants it: a copy in each round would
        often cost more than the round.
        """
        finished, self._round = self._round, None
        return bool(
            finished.call_on_fit_task_end(
                **self._hooked,
                reconstruction_attributes=lambda: self._attributes_of(
                    self.snapshot(ensemble, ledger)
                ),
            )
        )

    def close(self) -> None:
        """End the fit, after the estimator has stored it; a dropped round has nothing to show."""
        if self._round is not None:
            self._round.call_on_fit_task_end(estimator=self._hooked["estimator"])
        self._fit.call_on_fit_task_end(**self._hooked, reconstruction_attributes={})


class Step(Protocol):
    """Begins one of several successive steps of a fit."""

    def __call__(self, name: str, part: Any = None) -> AbstractContextManager[None]: ...


class StepTasks:
    """Tells callbacks, if there are any, about a fit and each of its steps.

    Parameters
    ----------
    estimator : the one that is being fitted
    n_steps : how many steps there will be
    rows : X, y and metadata, as the hooks take them
    """

    def __init__(self, estimator: Any, n_steps: int, rows: dict[str, Any]) -> None:
        self._hooked = {"estimator": estimator, **rows}
        self._fit: Any = None
        if estimator._has_callbacks:
            self._fit = estimator._init_callback_context(max_subtasks=n_steps)
            self._fit.call_on_fit_task_begin(**self._hooked)

    @contextmanager
    def step(self, name: str, part: Any = None) -> Iterator[None]:
        """Run a step; callbacks that propagate to sub-estimators are passed on to `part`."""
        if self._fit is None:
            yield
            return
        task = self._fit.subcontext(task_name=name)
        can_propagate = hasattr(part, "set_callbacks")
        with task.propagate_callback_context(part) if can_propagate else nullcontext():
            task.call_on_fit_task_begin(**self._hooked)
            yield
            task.call_on_fit_task_end(**self._hooked)

    def close(self) -> None:
        """End the fit, after the estimator has stored it."""
        if self._fit is not None:
            self._fit.call_on_fit_task_end(**self._hooked, reconstruction_attributes={})


def round_tasks(
    estimator: Any,
    n_rounds: int,
    X: Any,
    labels: Any,
    weights: Any,
    attributes_of: Callable[[Any], dict[str, Any]],
) -> RoundTasks:
    """Tasks for an estimator with callbacks.

    Models cannot predict a BinnedDataset, so callbacks do not get it.
    """
    rows = {
        "X": None if isinstance(X, BinnedDataset) else X,
        "y": estimator._labels_given(labels),
        "metadata": {} if (weights == 1.0).all() else {"sample_weight": weights},
    }
    return RoundTasks(estimator, n_rounds, rows, attributes_of)
