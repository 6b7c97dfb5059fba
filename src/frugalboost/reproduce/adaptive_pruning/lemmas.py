"""Appendix B tried on random leaves."""

from __future__ import annotations

import math

import numpy as np

from frugalboost._typing import Floats
from frugalboost.reference.information_gain import (
    bernoulli_divergence,
    entropy_lower,
    entropy_mass,
    entropy_upper,
)
from frugalboost.reproduce.jobs import Result

ROUNDING = 1e-9


def try_lemmas(n_draws: int = 5000) -> Result:
    """How often the lemmas and the bounds fail on pairs of leaves that are seen in part."""
    random = np.random.default_rng(0)
    counts = {"draws": n_draws, "lemma 1": 0, "lemma 2": 0, "bounds": 0, "upper is infinite": 0}
    for _ in range(n_draws):
        # Seen and unseen weight by leaf and label; many are zero, and sizes differ widely.
        weights = random.integers(0, 4, (2, 2, int(random.integers(2, 5)))) ** 3.0
        seen, unseen = weights * random.random(weights.shape)
        counts["lemma 1"] += not lemma_1_holds(seen, unseen)
        counts["lemma 2"] += not lemma_2_holds(*(random.random(4) + 1e-3))
        counts["bounds"] += not bounds_hold(seen, unseen)
        counts["upper is infinite"] += bool((seen == 0).any())
    return counts


def lemma_1_holds(seen: Floats, unseen: Floats) -> bool:
    rest = float(unseen.sum())
    return all(
        bernoulli_divergence(weight / (weight + other), leaf.sum() / (leaf.sum() + more.sum()))
        <= math.log2((leaf.sum() + rest) / weight) + ROUNDING
        for leaf, more in zip(seen, unseen, strict=True)
        for weight, other in zip(leaf, more, strict=True)
        if weight > 0
    )


def lemma_2_holds(a: float, b: float, alpha: float, beta: float) -> bool:
    def term(x: float, y: float) -> float:
        return x * math.log2(x / y)

    divergence = bernoulli_divergence(a / (a + b), alpha / (alpha + beta))
    right = term(a, alpha) + term(b, beta) - (a + b) * divergence
    return math.isclose(term(a + b, alpha + beta), right, rel_tol=ROUNDING, abs_tol=ROUNDING)


def bounds_hold(seen: Floats, unseen: Floats) -> bool:
    """Inequality (3)."""
    truth = math.fsum(entropy_mass(leaf) for leaf in (seen + unseen).tolist())
    upper = entropy_upper(seen.tolist(), unseen.sum(axis=0).tolist())
    return entropy_lower(seen.tolist()) <= truth + ROUNDING and truth <= upper + ROUNDING
