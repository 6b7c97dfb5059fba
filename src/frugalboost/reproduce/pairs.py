"""A heuristic with the exhaustive search and with others: one model, how many reads and seconds."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

import frugalboost as fb
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

SEARCHES = ("exhaustive", "quick", "adaptive", "auto")


def time_pair(source: Source, model: Any, repeats: int) -> Result:
    """Fit with each search; with the exhaustive one and auto several times, in turns.

    Seconds are medians of whole fits.
    """
    found = {search: fit_once(source, model, search) for search in SEARCHES}
    again = {search: [found[search]["seconds"]] for search in ("exhaustive", "auto")}
    for _ in range(repeats - 1):
        for search, seconds in again.items():
            seconds.append(fit_once(source, model, search)["seconds"])
    for search, seconds in again.items():
        found[search]["seconds"] = float(np.median(seconds))
    return found


def fit_once(source: Source, model: Any, search: str) -> Result:
    fitted = clone(model).set_params(search=search).fit(source.binned, source.y_train)
    ledger = fitted.ledger_
    return {
        "digest": fb.digest(fitted),
        "n_trees": len(ledger),
        "seconds": ledger.total("seconds"),
        "assessments": ledger.total("assessments"),
        "reads": ledger.total("reads"),
        "full": ledger.total("full"),
    }
