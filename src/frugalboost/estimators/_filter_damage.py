"""Checkpoints whose parts are each as they should be, but do not belong together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from frugalboost.estimators._filter_fit import FilterFit, FilterOutcome
from frugalboost.filtering import FilterPlan
from frugalboost.filtering.checkpoint import Checkpoint
from frugalboost.filtering.loop import FilterBooster
from frugalboost.streams import Oracle

DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError)


@contextmanager
def damage_named(path: Any, owner: str) -> Iterator[None]:
    """Whatever goes wrong with what a file says, as one error that names the file."""
    try:
        yield
    except (*DAMAGE, ValueError) as problem:
        reason = str(problem).removeprefix(f"{owner}: ")[:300]
        raise ValueError(
            f"{owner}: checkpoint must be a file that a fit has written; got {path}: {reason}"
        ) from None


def check_belongs(found: Checkpoint, plan: FilterPlan) -> None:
    """Refuse trees of other classes than those of the file, and rounds without a tree."""
    if found.ensemble.n_outputs != plan.rule.n_outputs:
        raise ValueError(
            f"classes must fit trees of {found.ensemble.n_outputs} outputs; got "
            f"{found.classes.tolist()!r}"
        )
    if len(found.reader.classes) != len(found.classes):  # of a table they are codes
        raise ValueError("classes of the reader must be as many as those of the model")
    if len(found.ledger.entries) != len(found.ensemble):
        raise ValueError(
            f"ledger must have a round for each of {len(found.ensemble)} trees; got "
            f"{len(found.ledger.entries)}"
        )


def outcome_of(setting: FilterFit, found: Checkpoint) -> FilterOutcome:
    """What the run of a checkpoint has come to."""
    check_belongs(found, setting.plan)
    return FilterOutcome.of_checkpoint(setting.plan, found)


def resumed(setting: FilterFit, oracle: Oracle, found: Checkpoint, path: Any) -> FilterBooster:
    """The run of a checkpoint; an oracle that cannot use its state is told with the file."""
    with damage_named(path, setting.owner):
        check_belongs(found, setting.plan)
    try:
        return setting.resume(oracle, found)
    except (*DAMAGE, ValueError) as problem:
        if str(problem).startswith(f"{setting.owner}: "):  # says already what does not fit
            raise
        raise ValueError(
            f"{setting.owner}: tap.oracle of the checkpoint {path} must be a state that this "
            f"oracle has written; {str(problem).rstrip('.')[:200]}."
        ) from None
