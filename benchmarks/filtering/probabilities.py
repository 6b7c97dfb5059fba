"""Log loss over the rounds, with trees, where batch boosters overfit (figure 3, right)."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

import frugalboost as fb
from frugalboost.datasets import make_majority

N_TRAIN, N_TEST, ROUNDS = 10_000, 50_000, 500
TREES = {"max_depth": None, "criterion": "entropy", "pruning_fraction": 1 / 3}
WHOLE = {"max_leaf_nodes": None, "min_samples_leaf": 1}


def boosters(seed: int, rounds: int) -> dict[str, Any]:
    filtering = {"max_rounds": rounds, "target_error": 1e-6, "random_state": seed}
    batch = {"n_estimators": rounds, "learning_rate": 1.0, "random_state": seed, **WHOLE}
    return {
        "FilterBoost, trees": fb.FilterBoostClassifier(**TREES, **filtering),
        "AdaBoost, trees": fb.BoostedTreesClassifier("adaboost", **TREES, **batch),
        "AdaBoost-LOG, trees": fb.BoostedTreesClassifier("log", **TREES, **batch),
        "FilterBoost, stumps": fb.FilterBoostClassifier(max_depth=1, **filtering),
    }


def losses(model: Any, X: np.ndarray, y: np.ndarray, rounds: int) -> np.ndarray:
    """Log loss after each round; the last one stays where a booster ends early."""
    rows = np.arange(len(y))
    with np.errstate(divide="ignore"):
        found = [-np.log(p[rows, y]).mean() for p in model.staged_predict_proba(X)]
    return np.array(found + found[-1:] * (rounds - len(found)))


def measure(quick: bool) -> list[tuple[str, str]]:
    n_runs, rounds = (2, 100) if quick else (10, ROUNDS)
    curves: dict[str, list[np.ndarray]] = {}
    baseline = []
    for seed in range(n_runs):
        X, y = make_majority(N_TRAIN + N_TEST, random_state=seed)
        train, test = (X[:N_TRAIN], y[:N_TRAIN]), (X[N_TRAIN:], y[N_TRAIN:])
        for name, model in boosters(seed, rounds).items():
            curves.setdefault(name, []).append(losses(model.fit(*train), *test, rounds))
        logistic = LogisticRegression(C=np.inf, max_iter=1000).fit(*train)
        p = logistic.predict_proba(test[0])[:, 1]
        share = np.where(test[1] == 1, p, 1 - p)
        baseline.append((-np.log(share).mean(), np.sqrt(((1 - share) ** 2).mean())))
    rows = []
    for name, found in curves.items():
        mean = np.mean(found, axis=0)
        least = int(mean.argmin())
        excess = mean[-1] / mean[least] - 1
        text = f"{mean[-1]:.4f}; least {mean[least]:.4f} at {least + 1}: {excess:+.1%}"
        rows.append((f"{name}: log loss after {rounds} rounds, mean of {n_runs}", text))
    loss, rmse = np.mean(baseline, axis=0)
    rows.append(("logistic regression: log loss, RMSE", f"{loss:.4f}, {rmse:.4f}"))
    return rows
