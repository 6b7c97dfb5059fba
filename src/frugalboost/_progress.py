"""How far long work is: shares that are done, bars for people, scikit-learn's callbacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from frugalboost.boosting import Entry
from frugalboost.boosting.loop import OnRound
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeAlias
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol, TypeVar
from frugalboost.boosting import Ledger
from frugalboost.data import BinnedDataset


OnShare: TypeAlias = Callable[[float], None]
"""Is called now and then, with numbers from 0 to 1 that do not fall."""

Item = TypeVar("Item")


def unheard(share: float) -> None:
    """Where nobody asks."""


def part_of(on_share: OnShare, start: float, end: float) -> OnShare:
    """For a part of the work: its share is told as one of the whole.

    >>> part_of(print, 0.5, 1.0)(0.5)
    0.75
    """
    return lambda share: on_share(start + (end - start) * share)


def counted(items: Iterable[Item], n_items: int, on_share: OnShare) -> Iterator[Item]:
    """The items, each of which is done when the next one is asked for.

    >>> list(counted("ab", 2, print))
    0.5
    1.0
    ['a', 'b']
    """
    for number, item in enumerate(items, start=1):
        yield item
        on_share(number / n_items)


Update = Callable[..., None]


@contextmanager
def progress_bar(
    verbose: int, title: str, text: str, *, total: int, completed: int, **fields: Any
) -> Iterator[Update | None]:
    """Give a function that moves a bar on standard error; None when nothing is to be shown.

    Parameters
    ----------
    text : shown beside the bar, with fields in braces as rich has them
    **fields : what the text says before the first update, which takes new ones
    """
    if verbose == 0 or not has_rich():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn(text),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total, completed=completed, **fields)
        yield lambda **changes: bar.update(task, **changes)


def has_rich() -> bool:
    """Whether bars can be shown; a warning if not."""
    try:
        import rich.progress  # noqa: F401
    except ImportError:
        warnings.warn(
            'verbose=1 needs rich for its progress bar: pip install "frugalboost[progress]".',
            UserWarning,
            stacklevel=2,
        )
        return False
    return True


@contextmanager
def progress(verbose: int, n_rounds: int, n_done: int, title: str) -> Iterator[OnRound | None]:
    """A bar by rounds, with the work of the last one.

    Not with the ledger's error: that is another figure for each rule, and none for some.
    """
    text = "{task.fields[share]:.0%} of all assessments"
    first = {"share": 1.0}
    with progress_bar(verbose, title, text, total=n_rounds, completed=n_done, **first) as update:
        if update is None:
            yield None
            return

        def on_round(n_trees: int, entry: Entry) -> None:
            share = entry.assessments / entry.full if entry.full else 0.0
            update(completed=n_trees, share=share)

        yield on_round


Stage: TypeAlias = Callable[[str], AbstractContextManager[OnShare]]
"""Begins a step that has a title, and gives a function to tell which share of it is done."""

SMALLEST_MOVE = 0.001
"""A bar is not drawn anew for less, as some work has a million steps."""

OPEN: ContextVar[Any] = ContextVar("OPEN", default=None)
"""The bar that is on the screen, if any: two that know nothing of each other would overwrite it."""


@contextmanager
def unseen(title: str) -> Iterator[OnShare]:
    """A step that nobody looks at."""
    yield unheard


@contextmanager
def seen(title: str) -> Iterator[OnShare]:
    """A step with a bar."""
    shown = 0.0
    with passing_bar(title, 1.0) as update:

        def on_share(share: float) -> None:
            nonlocal shown
            if share - shown >= SMALLEST_MOVE:
                shown = share
                update(completed=share)

        yield on_share


def stages(verbose: int) -> Stage:
    """Steps as ``verbose`` asks for them."""
    return seen if verbose and has_rich() else unseen


@contextmanager
def passing_bar(title: str, total: float | None) -> Iterator[Callable[..., None]]:
    """Give rich's function to update a bar on standard error; it goes away at the end.

    Within another one, it is a line below that.
    """
    outer = OPEN.get()
    if outer is not None:
        task = outer.add_task(title, total=total)
        try:
            yield partial(outer.update, task)
        finally:
            outer.remove_task(task)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as Left

    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        Left(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        OPEN.set(shown)
        try:
            yield partial(shown.update, shown.add_task(title, total=total))
        finally:
            OPEN.set(None)


Method = TypeVar("Method", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupportMixin
    from sklearn.callback import with_callbacks as with_callbacks
except ImportError:  # an older scikit-learn

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands where there are no callbacks; adds nothing."""

    def with_callbacks(method: Method) -> Method:
        return method


Snapshot = Callable[[Any, Ledger], Any]


class RoundTasks:
    """Tells callbacks of a fit and of each of its rounds.

    Parameters
    ----------
    estimator : that is being fitted, with callbacks
    n_rounds : most rounds
    rows : X, y and metadata, as the hooks take them
    attributes_of : what an estimator keeps of a fit, by the names of its attributes
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
        """Begin a round, unless one that came to nothing is still open."""
        if self._round is None:
            self._round = self._fit.subcontext(task_name="round")
            self._round.call_on_fit_task_begin(**self._hooked)

    def end(self, ensemble: Any, ledger: Ledger) -> bool:
        """End a round; whether a callback asks to stop.

        The model so far is made only for a callback that wants it: a copy in each round would
        cost more than many a round.
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
        """End the fit, after the estimator has kept it; a round that was dropped has nothing."""
        if self._round is not None:
            self._round.call_on_fit_task_end(estimator=self._hooked["estimator"])
        self._fit.call_on_fit_task_end(**self._hooked, reconstruction_attributes={})


class Step(Protocol):
    """Begins a step of a fit that has several, one after the other."""

    def __call__(self, name: str, part: Any = None) -> AbstractContextManager[None]: ...


class StepTasks:
    """Tells callbacks, if there are any, of a fit and of each of its steps.

    Parameters
    ----------
    estimator : that is being fitted
    n_steps : how many there will be
    rows : X, y and metadata, as the hooks take them
    """

    def __init__(self, estimator: Any, n_steps: int, rows: dict[str, Any]) -> None:
        self._hooked = {"estimator": estimator, **rows}
        self._fit: Any = None
        if has_callbacks(estimator):
            self._fit = estimator._init_callback_context(max_subtasks=n_steps)
            self._fit.call_on_fit_task_begin(**self._hooked)

    @contextmanager
    def step(self, name: str, part: Any = None) -> Iterator[None]:
        """A step; callbacks that go on to parts of an estimator see those of `part`."""
        if self._fit is None:
            yield
            return
        task = self._fit.subcontext(task_name=name)
        can_go_on = hasattr(part, "set_callbacks")
        with task.propagate_callback_context(part) if can_go_on else nullcontext():
            task.call_on_fit_task_begin(**self._hooked)
            yield
            task.call_on_fit_task_end(**self._hooked)

    def close(self) -> None:
        """End the fit, after the estimator has kept it."""
        if self._fit is not None:
            self._fit.call_on_fit_task_end(**self._hooked, reconstruction_attributes={})


def has_callbacks(estimator: Any) -> bool:
    return bool(getattr(estimator, "_skl_callbacks", None))


def round_tasks(
    estimator: Any,
    n_rounds: int,
    X: Any,
    labels: Any,
    weights: Any,
    attributes_of: Callable[[Any], dict[str, Any]],
) -> RoundTasks | None:
    """Tasks for an estimator with callbacks; None without, as small fits should not wait for them.

    A BinnedDataset cannot be predicted for, so it is not shown.
    """
    if not has_callbacks(estimator):
        return None
    rows = {
        "X": None if isinstance(X, BinnedDataset) else X,
        "y": estimator._labels_given(labels),
        "metadata": {} if (weights == 1.0).all() else {"sample_weight": weights},
    }
    return RoundTasks(estimator, n_rounds, rows, attributes_of)
