"""One fit of a committee of regressors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from frugalboost._progress import progress_bar
from frugalboost.base.callbacks import RoundTasks
from frugalboost.base.params import FitPlan
from frugalboost.boosted.boosted_trees import Sample, hold_out
from frugalboost.boosting import (
    Committee,
    EarlyStopping,
    Entry,
    Ledger,
    RegressionBooster,
    boost,
)
from frugalboost.boosting.loop import OnRound
from frugalboost.gamble.regressors import RegressorLearner
from frugalboost.rules import GentleBoost


@dataclass(frozen=True)
class FittedCommittee:
    """The results of a fit."""

    committee: Committee
    ledger: Ledger
    validation_losses: list[float] | None


def fit_committee(
    plan: FitPlan,
    sample: Sample,
    regressor: Any,
    *,
    n_features: int,
    n_jobs: int | None,
    random_state: Any,
    previous: Committee | None,
    tasks: RoundTasks | None,
) -> FittedCommittee:
    """Boost a scikit-learn regressor; `previous` is the committee to continue from."""
    rule = plan.rule
    assert isinstance(rule, GentleBoost)
    random = check_random_state(random_state)
    seed = tuple(random.randint(2**31, size=4).tolist())
    train, held = hold_out(sample, plan.validation_fraction, True, random_state)
    learner = RegressorLearner(
        regressor, train.X, train.labels, rule.n_classes, seed=seed, n_jobs=n_jobs
    )
    booster = RegressionBooster(train.X, train.labels, train.weights, rule, learner)
    committee = Committee(n_features, rule.n_outputs)
    if previous is not None:
        committee = previous.head(len(previous))
        booster.replay(committee)
    stopping = None if held is None else watch(plan, held, committee)
    n_before = len(committee)
    if tasks is not None:
        tasks.snapshot = lambda now, ledger: FittedCommittee(now.head(len(now)), ledger, None)
    with progress(plan.verbose, plan.n_estimators, n_before, plan.title) as on_round:
        committee, ledger = boost(
            booster,
            committee,
            rule,
            plan.n_estimators - n_before,
            stopping=stopping,
            on_round=on_round,
            watcher=tasks,
        )
    if stopping is None:
        return FittedCommittee(committee, ledger, None)
    best = max(1, n_before + stopping.best_round)
    return FittedCommittee(committee.head(best), ledger, stopping.losses)


def watch(plan: FitPlan, held: Sample, committee: Committee) -> EarlyStopping:
    """Set up early stopping on the held-out rows."""
    stopping = EarlyStopping(
        values_of=lambda member: member.values(held.X),
        labels=held.labels,
        sample_weight=held.weights,
        n_iter_no_change=plan.n_iter_no_change,
        tol=plan.tol,
    )
    start = np.zeros((len(held.labels), committee.n_outputs))
    stopping.start(plan.rule, committee.decision(held.X) if len(committee) else start)
    return stopping


@contextmanager
def progress(verbose: int, n_rounds: int, n_done: int, title: str) -> Iterator[OnRound | None]:
    """A bar that counts rounds and shows the error of the last one."""
    text = "{task.fields[error]}"  # nothing before the first round
    with progress_bar(verbose, title, text, total=n_rounds, completed=n_done, error="") as update:

        def on_round(n_rounds_now: int, entry: Entry) -> None:
            assert update is not None
            update(completed=n_rounds_now, error=f"error {entry.error:.4f}")

        yield None if update is None else on_round
