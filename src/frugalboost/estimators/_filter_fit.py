"""One run of the filtering loop for an estimator: from an oracle to what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from frugalboost._typing import AnyArray
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.data import Schema
from frugalboost.estimators._filter_params import Keeping
from frugalboost.estimators._filter_progress import filter_progress
from frugalboost.filtering import (
    Certificate,
    Chain,
    Checkpoint,
    FilterBooster,
    FilterPlan,
    Keeper,
    Opening,
    Reader,
    Tap,
    check_same_params,
    run,
)
from frugalboost.filtering.stops import StopReason
from frugalboost.streams import Oracle


@dataclass(frozen=True)
class FilterFit:
    """What a run needs besides the oracle and the plan.

    Attributes
    ----------
    seed : of the coins
    classes : the user's labels
    params : those that a checkpoint remembers
    """

    plan: FilterPlan
    seed: int
    classes: AnyArray
    params: dict[str, Any]
    max_examples: int | None
    keeping: Keeping | None
    verbose: int
    owner: str

    def tap(self, oracle: Oracle, reader: Reader) -> Tap:
        return Tap(
            oracle,
            reader,
            Chain(),
            self.plan.rule.n_outputs,
            self.seed,
            max_examples=self.max_examples,
            n_threads=self.plan.tree.n_threads,
        )

    def start(self, oracle: Oracle, opening: Opening) -> FilterBooster:
        """A run from the beginning."""
        tap = self.tap(oracle, opening.reader)
        if opening.batches:
            tap.begin_with(opening.batches, opening.state)
        ensemble = Ensemble(opening.reader.schema.n_features, self.plan.rule.n_outputs)
        return FilterBooster(self.plan, tap, ensemble, Ledger())

    def resume(self, oracle: Oracle, found: Checkpoint) -> FilterBooster:
        """A run from where a checkpoint was written."""
        check_same_params(self.params, found.params, self.owner)
        tap = self.tap(oracle, found.reader)
        booster = FilterBooster(self.plan, tap, found.ensemble, found.ledger)
        tap.restore(found.tap)
        return booster

    def run(self, booster: FilterBooster, finished: str | None = None) -> FilterOutcome:
        keeper = None
        if self.keeping is not None:
            keep = self.keeping
            keeper = Keeper(
                keep.path, self.params, self.classes, keep.every_rounds, keep.every_seconds
            )
        with filter_progress(self.verbose, self.plan.max_rounds, booster, self.owner) as on_round:
            reason = run(booster, on_round=on_round, keep=keeper)
        if not len(booster.ensemble):
            raise ValueError(self._no_round(reason, booster.tap.n_used))
        if keeper is not None:
            keeper.write(booster, reason)
        return FilterOutcome(booster, reason)

    def _no_round(self, reason: StopReason, n_used: int) -> str:
        wanted = self.plan.sample_size(1)
        return (
            f"{self.owner}: the first round needs {wanted} accepted examples to train on and some "
            f"to weigh the tree; got {n_used} examples before the end ({reason}). Give more, "
            "let the oracle recycle, or lower sample_constant."
        )


@dataclass(frozen=True)
class FilterOutcome:
    """What a run leaves behind."""

    booster: FilterBooster
    reason: StopReason

    @property
    def ensemble(self) -> Ensemble:
        return self.booster.ensemble

    @property
    def ledger(self) -> Ledger:
        return self.booster.ledger

    @property
    def schema(self) -> Schema:
        return self.booster.tap.reader.schema

    @property
    def n_examples(self) -> int:
        return self.booster.tap.n_used

    @property
    def certificate(self) -> Certificate:
        plan = self.booster.plan
        return Certificate.of(
            target_error=plan.target_error,
            failure_probability=plan.failure_probability,
            edge_tolerance=plan.edge_tolerance,
            edges=self.ledger.column("edge").tolist(),
            examples=self.n_examples,
            stop_reason=self.reason,
        )
