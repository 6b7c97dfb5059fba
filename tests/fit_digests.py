"""A fit to be made by another process or thread, and what it gives."""

from __future__ import annotations

import numpy as np

# By name: scikit-learn, which they import, cannot be imported once the interpreter is ending.
from frugalboost import BoostedTreesClassifier, digest


def fit_digest(n_jobs):
    """Enough rows for threads to be worth waking."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 30)).astype(np.float32)
    y = X[:, 0] + rng.normal(size=len(X)) > 0
    return digest(BoostedTreesClassifier(n_estimators=2, n_jobs=n_jobs).fit(X, y))
