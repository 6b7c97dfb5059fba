"""One run of the filtering loop for an estimator: from an oracle to the outcome."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from scipy import sparse
from sklearn.utils import check_random_state

from frugalboost._checks import check_int
from frugalboost._progress import progress_bar
from frugalboost._typing import AnyArray
from frugalboost.base.callbacks import RoundTasks
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.data import Schema, is_plain
from frugalboost.filtering.checkpoint import (
    Checkpoint,
    CheckpointWriter,
    check_belongs,
    check_same_params,
)
from frugalboost.filtering.checkpoint_checks import damage_named, oracle_named
from frugalboost.filtering.loop import FilterBooster, FilterEntry, OnRound, run
from frugalboost.filtering.memory import divide_memory
from frugalboost.filtering.plan import (
    SEED,
    FilterPlan,
    Keeping,
    check_memory,
    deciding_params,
    make_filter_plan,
    make_keeping,
    optional_count,
)
from frugalboost.filtering.queue import Queue, run_on_queue
from frugalboost.filtering.reading import BatchReader, Opening
from frugalboost.filtering.scored_stream import IncrementalForest, MemoryBudget, ScoredStream
from frugalboost.filtering.stopping import Certificate, Stopped, StopReason
from frugalboost.streams import Oracle

DENSE_BYTES = 64 << 20
"""Sparse matrices that would be larger than this when dense are read batch by batch."""


@dataclass(frozen=True)
class FilterFit:
    """What a run needs besides the oracle and the plan.

    Attributes
    ----------
    seed : seed of the coins
    classes : the user's labels
    params : those that a checkpoint stores
    """

    plan: FilterPlan
    seed: int
    classes: AnyArray
    params: dict[str, Any]
    max_examples: int | None
    memory_limit: int | None
    keeping: Keeping | None
    verbose: int
    title: str

    @classmethod
    def from_params(cls, estimator: Any, classes: AnyArray, seed: int | None = None) -> FilterFit:
        """Check all parameters; without a seed, draw one."""
        plan = make_filter_plan(estimator, len(classes))
        if seed is None:
            seed = draw_seed(estimator.random_state)
        return cls(
            plan,
            seed,
            classes,
            deciding_params(estimator),
            optional_count(estimator.max_examples, "max_examples"),
            check_memory(estimator.memory_limit, plan),
            make_keeping(estimator),
            check_int(estimator.verbose, name="verbose", low=0),
            type(estimator).__name__,
        )

    def stream(self, oracle: Oracle, reader: BatchReader, itemsize: int = 8) -> ScoredStream:
        """`itemsize` is that of the values of X, as far as it is known."""
        width, n_rows = itemsize * reader.schema.n_features, getattr(oracle, "n_rows", None)
        budget = MemoryBudget()
        if self.memory_limit is not None:
            reading = getattr(oracle, "reading_bytes", 0)
            budget = divide_memory(self.memory_limit, self.plan, width, n_rows, reading=reading)
        return ScoredStream(
            oracle,
            reader,
            IncrementalForest(),
            self.plan.rule.n_outputs,
            self.seed,
            max_examples=self.max_examples,
            kept_bytes=budget.kept_bytes,
            chunk_bytes=budget.chunk_bytes,
            n_threads=self.plan.tree.n_threads,
        )

    def as_in(self, saved: Checkpoint) -> FilterFit:
        """Return what the run in a checkpoint continues with: its seed may not be given again."""
        check_same_params(self.params, saved.params)
        given = saved.params.get(SEED)
        seed = self.seed if given is None else draw_seed(given)
        return replace(self, seed=seed, params=saved.params)

    def start(self, oracle: Oracle, opening: Opening) -> FilterBooster:
        """Return a run from the beginning."""
        dtypes = [getattr(batch.X, "dtype", None) for batch in opening.batches[:1]]
        stream = self.stream(oracle, opening.reader, *(dtype.itemsize for dtype in dtypes if dtype))
        if opening.batches:
            stream.begin_with(opening.batches, opening.state)
        ensemble = Ensemble(opening.reader.schema.n_features, self.plan.rule.n_outputs)
        return FilterBooster(self.plan, stream, ensemble, Ledger())

    def resume(self, oracle: Oracle, saved: Checkpoint) -> FilterBooster:
        """Return a run that continues from a checkpoint, once its stream is restored."""
        check_allowed("max_rounds", self.plan.max_rounds, len(saved.ensemble))
        check_allowed("max_examples", self.max_examples, saved.stream["n_used"])
        stream = self.stream(oracle, saved.reader, saved.stream["itemsize"])
        return FilterBooster(self.plan, stream, saved.ensemble, saved.ledger)

    def run(self, booster: FilterBooster, tasks: RoundTasks | None = None) -> FilterOutcome:
        keeper = None
        if self.keeping is not None:
            keep = self.keeping
            keeper = CheckpointWriter(
                keep.path, self.params, self.classes, keep.every_rounds, keep.every_seconds
            )
            keeper.begin(booster)
        with filter_progress(self.verbose, self.plan.max_rounds, booster, self.title) as on_round:
            reason = run(booster, on_round=on_round, keep=keeper, watcher=tasks)
        if not len(booster.ensemble):
            raise ValueError(self.no_round(reason, booster.stream.n_used))
        if keeper is not None:
            keeper.write(booster, reason)
        return FilterOutcome.of_run(booster, reason, booster.stream.n_used)

    def run_on(
        self, queue: Queue, reader: BatchReader, ensemble: Ensemble, ledger: Ledger, n_before: int
    ) -> tuple[FilterOutcome, int]:
        """Continue with waiting examples; also return how many need not wait any longer.

        The coins depend on an example's position among all that were used, so it does not matter
        how examples are divided among calls.
        """
        most = self.max_examples
        left = None if most is None else max(0, most - n_before)
        stream = replace(self, max_examples=left).stream(queue, reader)
        stream.skip_coins(n_before)
        booster = FilterBooster(self.plan, stream, ensemble, ledger)
        used, reason = run_on_queue(booster)
        gone = len(queue.codes) if reason == "examples" else used
        if not len(ensemble):
            self._first_round(booster, queue)
            used, gone, reason = stream.n_used, len(queue.codes), "stream"
        return FilterOutcome.of_run(booster, reason, n_before + used), gone

    def _first_round(self, booster: FilterBooster, queue: Queue) -> None:
        """Run a round on repeated examples, as a model must be able to predict."""
        queue.recycle = True
        try:
            booster.round()
        except Stopped as stopped:
            raise ValueError(self.no_round(stopped.reason, booster.stream.n_used)) from None

    def no_round(self, reason: StopReason, n_used: int) -> str:
        if reason == "edge":
            return (
                f"the first tree could not be distinguished from chance with {n_used} "
                "examples. Allow larger trees, or raise sample_constant."
            )
        wanted = self.plan.sample_size(1)
        return (
            f"the first round needs {wanted} accepted examples to train on and some "
            f"to weigh the tree; got {n_used} examples before the end ({reason}). Add more, "
            "let the oracle recycle, or lower sample_constant."
        )


@dataclass(frozen=True)
class FilterOutcome:
    """The outcome of a run."""

    ensemble: Ensemble
    ledger: Ledger
    schema: Schema
    n_examples: int
    reason: StopReason
    certificate: Certificate

    @classmethod
    def of_run(cls, booster: FilterBooster, reason: StopReason, n_examples: int) -> FilterOutcome:
        schema = booster.stream.reader.schema
        return cls.of(booster.plan, booster.ensemble, booster.ledger, schema, n_examples, reason)

    @classmethod
    def of_unfinished(
        cls, booster: FilterBooster, ensemble: Ensemble, ledger: Ledger
    ) -> FilterOutcome:
        """Return the outcome so far of a run that continues."""
        schema, n_used = booster.stream.reader.schema, booster.stream.n_used
        return cls.of(booster.plan, ensemble.copy(), ledger.copy(), schema, n_used, "unfinished")

    @classmethod
    def of_checkpoint(cls, plan: FilterPlan, saved: Checkpoint) -> FilterOutcome:
        """Return the outcome that a run has saved, whether it has ended or not."""
        reason = cast(StopReason, saved.finished or "unfinished")
        schema, n_examples = saved.reader.schema, int(saved.stream["n_used"])
        return cls.of(plan, saved.ensemble, saved.ledger, schema, n_examples, reason)

    @classmethod
    def of(
        cls,
        plan: FilterPlan,
        ensemble: Ensemble,
        ledger: Ledger,
        schema: Schema,
        n_examples: int,
        reason: StopReason,
    ) -> FilterOutcome:
        certificate = Certificate.of(
            target_error=plan.target_error,
            failure_probability=plan.failure_probability,
            edge_tolerance=plan.edge_tolerance,
            is_certified=plan.mode == "certified",
            edges=ledger.column("edge").tolist(),
            examples=n_examples,
            stop_reason=reason,
            budget=plan.rule.budget,
        )
        return cls(ensemble, ledger, schema, n_examples, reason, certificate)


def draw_seed(random_state: Any) -> int:
    """Return the seed of a run's coins."""
    return int(check_random_state(random_state).randint(2**31 - 1))


def check_allowed(name: str, most: int | None, done: int) -> None:
    """Refuse to resume with a limit that the run has passed."""
    if most is not None and most < done:
        raise ValueError(
            f"{name} must be at least {done}, the number in the checkpoint, to "
            f"resume from it; got {most}."
        )


def outcome_of(setting: FilterFit, saved: Checkpoint) -> FilterOutcome:
    """Return the outcome of the run in a checkpoint."""
    check_belongs(saved, setting.plan)
    return FilterOutcome.of_checkpoint(setting.plan, saved)


def resumed(setting: FilterFit, oracle: Oracle, saved: Checkpoint, path: Any) -> FilterBooster:
    """Return a checkpoint's run; if the oracle cannot use its state, the error names the file."""
    with damage_named(path):
        check_belongs(saved, setting.plan)
    booster = setting.resume(oracle, saved)
    with oracle_named(path):
        oracle.restore(saved.stream["oracle"])
    booster.stream.go_on(saved.stream)
    return booster


def filter_tasks(
    estimator: Any, setting: FilterFit, booster: FilterBooster, rows: dict[str, Any]
) -> RoundTasks | None:
    """Return what notifies an estimator's callbacks of the rounds; None without callbacks."""
    if not estimator._has_callbacks:
        return None

    def attributes_of(outcome: FilterOutcome) -> dict[str, Any]:
        twin = copy(estimator)
        twin._keep_run(setting, outcome)
        return dict(vars(twin))

    n_rounds = setting.plan.max_rounds - len(booster.ensemble)
    tasks = RoundTasks(estimator, n_rounds, rows, attributes_of)
    tasks.snapshot = partial(FilterOutcome.of_unfinished, booster)
    return tasks


def as_numbers(X: Any, schema: Schema) -> Any:
    """Return X as a matrix of numbers, uncopied where possible; large sparse ones stay sparse."""
    if sparse.issparse(X):
        rows = cast(Any, X).tocsr()
        if rows.shape[0] * rows.shape[1] * 8 > DENSE_BYTES:
            return rows
        X = rows.toarray()
    if is_plain(X, schema.n_features) and not schema.is_categorical.any():
        return X
    return schema.encode(X)


TEXT = (
    "{task.fields[examples]:,} examples, {task.fields[acceptance]:.1%} accepted, "
    "estimated error {task.fields[bound]:.4f}"
)


@contextmanager
def filter_progress(
    verbose: int, n_rounds: int, booster: FilterBooster, title: str
) -> Iterator[OnRound | None]:
    """Show a bar of rounds, with the examples drawn, the acceptance rate and the error bound."""
    n_done = len(booster.ensemble)
    first = {"examples": booster.stream.n_used, "acceptance": 1.0, "bound": 1.0}
    with progress_bar(verbose, title, TEXT, total=n_rounds, completed=n_done, **first) as update:
        if update is None:
            yield None
            return

        def on_round(n_trees: int, entry: FilterEntry) -> None:
            update(
                completed=n_trees,
                examples=booster.stream.n_used,
                acceptance=entry.acceptance,
                bound=entry.error_bound,
            )

        yield on_round
