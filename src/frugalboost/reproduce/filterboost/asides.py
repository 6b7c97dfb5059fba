"""What the FilterBoost paper says without a figure of its own: proofs, tandems, small tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats
from frugalboost.datasets import majority_batches, make_majority, make_twonorm
from frugalboost.filtering.filter import FilterRule
from frugalboost.reproduce.filterboost.boosters import BOOSTERS, NEVER, make_booster
from frugalboost.reproduce.fits import stages
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.sources import Sources
from frugalboost.streams import IterableOracle

KINDS = ("plain", "tandem")
MEMBER_ERROR = 0.25
RULES = ("log", "mada")
TOLERANCES = (0.5, 0.1)
"""The paper's tau, of adaptive sampling, which it does not tell."""
SMALL_MAJORITY: dict[str, Any] = {"n_features": 11, "n_relevant": 5, "noise": 0.0}
"""So easy that certified runs end in seconds; noise would set a floor to what can be certified."""


@dataclass(frozen=True)
class AsidePlan:
    """How large these experiments are.

    Attributes
    ----------
    stream_examples : int
        Drawn by a tandem and by the booster beside it.
    stream_rounds, member_rounds : int
        Most trees, of the booster and of each member.
    n_test : int
    targets : tuple of float
        Of certified runs.
    sampling_rounds, edge_rounds, small_rounds, proof_rounds : int
    small : tuple of int
        Sizes of tables for the time of a round.
    """

    stream_examples: int = 2_000_000
    stream_rounds: int = 500
    member_rounds: int = 60
    n_test: int = 50_000
    targets: tuple[float, ...] = (0.4, 0.2, 0.1)
    sampling_rounds: int = 20
    edge_rounds: int = 100
    small: tuple[int, ...] = (1_000, 10_000, 100_000)
    small_rounds: int = 100
    proof_rounds: int = 2_000

    def cut(self, rounds: int) -> AsidePlan:
        """Return the plan with at most so many trees in a fit, or in a member."""
        names = [each.name for each in fields(self) if each.name.endswith("_rounds")]
        return replace(self, **{name: min(getattr(self, name), rounds) for name in names})


QUICK_ASIDES = AsidePlan(
    stream_examples=20_000,
    stream_rounds=20,
    member_rounds=5,
    n_test=2_000,
    targets=(0.4, 0.3),
    sampling_rounds=2,
    edge_rounds=5,
    small=(300, 3_000),
    small_rounds=5,
)


def aside_jobs(
    plan: AsidePlan, sources: Sources, present: list[str], n_jobs: int | None
) -> Iterator[Job]:
    """All of them; the times of small tables run alone."""
    for data in ("majority", "flights3m"):
        for kind in KINDS if data in present else ():
            yield Job(f"tandem-{data}-{kind}", partial(run_stream, plan, sources, data, kind), 4)
    for target in plan.targets:
        for rule in RULES:
            yield Job(f"proof-{rule}-{target}", partial(prove, plan, rule, target), 2)
        yield Job(f"proof-tandem-{target}", partial(prove_tandem, plan, target), 5 / target)
    for rule in RULES:
        yield Job(f"sampling-{rule}-few", partial(sample_few, plan, rule, n_jobs), 1)
        for tolerance in TOLERANCES:
            job = partial(sample_edges, plan, rule, tolerance, n_jobs)
            yield Job(f"sampling-{rule}-{tolerance}", job, 0.2 / tolerance**2)
    for data in GENERATORS:
        yield Job(f"edges-{data}", partial(follow_edges, plan, data, n_jobs), 1)
    for n in plan.small:
        yield Job(f"small-{n}", partial(time_small, plan, n, n_jobs), 15, alone=True)


GENERATORS: dict[str, Callable[..., tuple[AnyArray, AnyArray]]] = {
    "majority": make_majority,
    "twonorm": make_twonorm,
}


def run_stream(plan: AsidePlan, sources: Sources, data: str, kind: str) -> Result:
    """A tandem or plain FilterBoost on as many examples: log loss by examples drawn."""
    (X, y), (X_test, y_test) = stream_rows(plan, sources, data)
    options: dict[str, Any] = {"max_depth": 1 if data == "majority" else 6, "n_jobs": 1}
    model: Any
    if kind == "plain":
        model = fb.FilterBoostClassifier(
            target_error=NEVER,
            max_rounds=plan.stream_rounds,
            max_examples=plan.stream_examples,
            random_state=0,
            **options,
        ).fit(X, y)
        drawn = model.ledger_.column("examples").cumsum()
    else:
        member = fb.FilterBoostClassifier(
            target_error=MEMBER_ERROR,
            max_rounds=plan.member_rounds,
            max_examples=plan.stream_examples,
            **options,
        )
        model = fb.TandemBoostClassifier(member, random_state=0).fit(X, y)
        drawn = model.member_examples_
    at = sorted({int(n) - 1 for n in np.geomspace(1, len(drawn), 30).round()})
    shares = dict(stages(model.staged_predict_proba(X_test), at))
    members = getattr(model, "estimators_", []) if kind == "tandem" else [model]
    return {
        "examples": [int(drawn[i]) for i in at],
        "log_loss": [log_loss(shares[i], y_test) for i in at],
        "accuracy": [float(np.mean(shares[i].argmax(axis=1) == y_test)) for i in at],
        "members": len(members),
        "reached": sum(each.stop_reason_ == "target" for each in members),
        "trees": sum(len(each.estimators_) for each in members),
        "digest": fb.digest(model),
    }


Rows = tuple[AnyArray, AnyArray]


def stream_rows(plan: AsidePlan, sources: Sources, data: str) -> tuple[Rows, Rows]:
    """Rows to draw from, and rows to test on."""
    n = plan.n_test
    if data == "majority":
        X, y = make_majority(n + plan.stream_examples // 4, random_state=0)
        return (X[n:], y[n:]), (X[:n], y[:n])
    whole = sources["flights3m"]
    order = np.random.default_rng(0).permutation(len(whole.y_train))
    test, train = order[:n], order[n:]
    X, y = whole.X_train, whole.y_train
    return (X[train], y[train]), (X[test], y[test])


def log_loss(shares: Floats, y: AnyArray) -> float:
    return float(-np.log(shares[np.arange(len(y)), y]).mean())


def endless(seed: int) -> IterableOracle:
    return IterableOracle(majority_batches(random_state=seed, **SMALL_MAJORITY))


def prove(plan: AsidePlan, rule: str, target: float) -> Result:
    """A certified run: its rounds beside the bound, its error beside the target."""
    model = fb.FilterBoostClassifier(
        rule,
        mode="certified",
        target_error=target,
        max_depth=1,
        max_rounds=plan.proof_rounds,
        n_jobs=1,
        random_state=0,
    )
    quietly(model.fit_stream, endless(0))
    return proof_of(plan, model)


def prove_tandem(plan: AsidePlan, target: float) -> Result:
    member = fb.FilterBoostClassifier(
        mode="certified",
        target_error=MEMBER_ERROR,
        max_depth=1,
        max_rounds=plan.proof_rounds,
        n_jobs=1,
    )
    model = fb.TandemBoostClassifier(member, target_error=target, random_state=0)
    return proof_of(plan, model.fit_stream(endless(0)))


def proof_of(plan: AsidePlan, model: Any) -> Result:
    X, y = make_majority(plan.n_test, random_state=1, **SMALL_MAJORITY)
    found = model.certificate_
    return {
        "holds": found.holds,
        "rounds": found.rounds,
        "bound": found.rounds_bound,
        "examples": found.examples,
        "error": 1 - float(model.score(X, y)),
        "digest": fb.digest(model),
    }


def sample_few(plan: AsidePlan, rule: str, n_jobs: int | None) -> Result:
    """Edges on C ln(t + 1) examples, as in the paper's experiments."""
    return sampled(plan, rule, n_jobs, mode="practical")


def sample_edges(plan: AsidePlan, rule: str, tolerance: float, n_jobs: int | None) -> Result:
    """Edges by adaptive sampling: how many examples that takes, and the accuracy."""
    return sampled(plan, rule, n_jobs, mode="certified", edge_tolerance=tolerance)


def sampled(plan: AsidePlan, rule: str, n_jobs: int | None, **options: Any) -> Result:
    n = plan.n_test
    X, y = make_majority(10_000 + n, random_state=0)
    model = fb.FilterBoostClassifier(
        rule,
        target_error=NEVER,
        max_depth=1,
        max_rounds=plan.sampling_rounds,
        n_jobs=n_jobs,
        random_state=0,
        **options,
    )
    quietly(model.fit, X[n:], y[n:])
    t = np.arange(1, len(model.estimators_) + 1)
    training = np.ceil(model.sample_constant * np.log(t + 1))
    accepted = model.ledger_.column("accepted")
    for_edges = accepted - training if model.mode == "certified" else training
    return {
        "rounds": len(t),
        "edge_examples": float(for_edges.sum()),
        "accuracy": float(model.score(X[:n], y[:n])),
        "digest": fb.digest(model),
    }


def quietly(fit: Callable[..., Any], *rows: Any) -> None:
    """Without the warning of a target that cannot be reached."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit(*rows)


def follow_edges(plan: AsidePlan, data: str, n_jobs: int | None) -> Result:
    """MadaBoost's edges on the test rows, and how often one rises by more than chance."""
    n = plan.n_test
    X, y = GENERATORS[data](10_000 + n, random_state=0)
    model = make_booster(BOOSTERS["madaboost"], "stumps", plan.edge_rounds, seed=0, n_jobs=n_jobs)
    model.fit(X[n:], y[n:])
    edges, errors = exact_edges(model, X[:n], y[:n])
    rises = np.diff(edges) > 2 * np.hypot(errors[1:], errors[:-1])
    return {"edges": edges.tolist(), "rounds": len(edges), "rises": int(rises.sum())}


def exact_edges(model: Any, X: AnyArray, y: AnyArray) -> tuple[Floats, Floats]:
    """The edge of each tree over the distribution of its round, and its standard error."""
    rule, scores = FilterRule("mada", 2), np.zeros((len(y), 1))
    edges, errors = [], []
    for tree, step in zip(model.estimators_, model.estimator_weights_, strict=True):
        weights, says = rule.accept(scores, y), tree.predict(X)[:, 0]
        d = np.where(y == 1, says, -says) / 2
        edge = float((weights * d).sum() / weights.sum())
        edges.append(edge)
        errors.append(float(np.sqrt((weights**2 * (d - edge) ** 2).sum()) / weights.sum()))
        scores[:, 0] += step * says
    return np.array(edges), np.array(errors)


def time_small(plan: AsidePlan, n: int, n_jobs: int | None) -> Result:
    """The last rounds of FilterBoost with trees on n examples of Twonorm."""
    X, y = make_twonorm(n, random_state=0)
    model = make_booster(
        BOOSTERS["filterboost"],
        "trees",
        plan.small_rounds,
        seed=0,
        most_examples=20_000_000,
        n_jobs=n_jobs,
    )
    model.fit(X, y)
    last = slice(-max(1, plan.small_rounds // 5), None)
    return {
        "round_seconds": float(model.ledger_.seconds[last].mean()),
        "round_examples": float(model.ledger_.column("examples")[last].mean()),
        "n_trees": len(model.estimators_),
    }
