"""Does the certificate hold, and how far are the theorems' bounds from what happens?

Noise-free Majority over 5 of 11 attributes: all 2048 inputs are known, so errors and edges are
exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import frugalboost as fb
from frugalboost.datasets import majority_batches
from frugalboost.filtering.filter import FilterRule
from frugalboost.filtering.stopping import most_edge_examples, most_rounds, round_confidence
from frugalboost.streams import IterableOracle

N_FEATURES, N_RELEVANT = 11, 5
TARGET, FAILURE, TOLERANCE = 0.1, 0.05, 0.5

INPUTS = ((np.arange(2**N_FEATURES)[:, None] >> np.arange(N_FEATURES)) & 1).astype(np.uint8)
LABELS = (2 * INPUTS[:, :N_RELEVANT].sum(axis=1, dtype=int) > N_RELEVANT).astype(int)


@dataclass(frozen=True)
class Run:
    """One fit: what it found, exactly, and what the theorems allow."""

    error: float
    holds: bool
    rounds: int
    examples: int
    theorem_3: float
    theorem_5: float
    edge_examples: int
    edge_examples_bound: float


def fit(seed: int) -> fb.FilterBoostClassifier:
    stream = majority_batches(
        n_features=N_FEATURES, n_relevant=N_RELEVANT, noise=0.0, random_state=seed
    )
    return fb.FilterBoostClassifier(
        mode="certified",
        target_error=TARGET,
        failure_probability=FAILURE,
        edge_tolerance=TOLERANCE,
        max_depth=1,
        max_rounds=10_000,
        random_state=seed,
    ).fit_stream(IterableOracle(stream))


def exact_edges(model: fb.FilterBoostClassifier) -> np.ndarray:
    """Edge of each tree over its round's distribution, from all inputs."""
    rule = FilterRule("log", 2)
    scores, edges = np.zeros((len(LABELS), 1)), []
    for tree, step in zip(model.estimators_, model.estimator_weights_, strict=True):
        weights = rule.accept(scores, LABELS)
        says = tree.predict(INPUTS)
        right = (says[:, 0] > 0) == (LABELS == 1)
        edges.append(weights[right].sum() / weights.sum() - 0.5)
        scores += step * says
    return np.array(edges)


def run(seed: int) -> Run:
    model = fit(seed)
    edges = exact_edges(model)
    smallest = float(np.abs(edges).min())
    trained = [
        max(2, int(np.ceil(model.sample_constant * np.log(t + 1))))
        for t in range(1, len(edges) + 1)
    ]
    bounds = [
        most_edge_examples(edge, round_confidence(FAILURE, t), TOLERANCE)
        for t, edge in enumerate(edges, start=1)
    ]
    return Run(
        error=float(1 - model.score(INPUTS, LABELS)),
        holds=model.certificate_.holds,
        rounds=len(edges),
        examples=model.n_examples_,
        theorem_3=most_rounds(TARGET, smallest),
        theorem_5=most_rounds(TARGET, smallest, TOLERANCE),
        edge_examples=int(model.ledger_.column("accepted").sum() - sum(trained)),
        edge_examples_bound=float(sum(bounds)),
    )


def measure(quick: bool) -> list[tuple[str, str]]:
    runs = [run(seed) for seed in range(10 if quick else 100)]

    def column(name: str) -> np.ndarray:
        return np.array([getattr(each, name) for each in runs], dtype=float)

    above = int((column("error") > TARGET).sum())
    return [
        ("runs", f"{len(runs)}"),
        ("certificate given", f"{int(column('holds').sum())}"),
        (f"true error above {TARGET}", f"{above} ({above / len(runs):.1%}; allowed {FAILURE:.0%})"),
        ("largest true error", f"{column('error').max():.4f}"),
        (
            "rounds, median (most)",
            f"{np.median(column('rounds')):.0f} ({column('rounds').max():.0f})",
        ),
        ("bound of theorem 3, median", f"{np.median(column('theorem_3')):.0f}"),
        ("bound of theorem 5, median", f"{np.median(column('theorem_5')):.0f}"),
        ("examples drawn, median", f"{np.median(column('examples')):,.0f}"),
        ("accepted to estimate edges, median", f"{np.median(column('edge_examples')):,.0f}"),
        ("bound on these, median", f"{np.median(column('edge_examples_bound')):,.0f}"),
    ]
