"""The demo: one real data set, every search, one model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import frugalboost as fb

SEARCHES = ("exhaustive", "quick", "adaptive", "incremental", "two_stage", "auto")
DATA = "scikit-learn's digits, 0 to 4 against 5 to 9"


@dataclass(frozen=True)
class Outcome:
    """What one search did and which model it found."""

    search: str
    assessments: int
    share: float
    seconds: float
    test_error: float
    digest: str


def run_demo(n_estimators: int) -> Iterator[Outcome]:
    """Train once with each search, and yield what came of it as soon as it is known."""
    digits = load_digits()
    X_train, X_test, y_train, y_test = train_test_split(
        digits.data, digits.target >= 5, random_state=0
    )
    for search in SEARCHES:
        model = fb.BoostedTreesClassifier(
            rule="adaboost",
            criterion="error",
            max_depth=3,
            n_estimators=n_estimators,
            search=search,
        ).fit(X_train, y_train)
        yield Outcome(
            search,
            assessments=model.ledger_.total("assessments"),
            share=model.ledger_.share,
            seconds=model.ledger_.total("seconds"),
            test_error=float(1.0 - model.score(X_test, y_test)),
            digest=fb.digest(model),
        )


def is_same_model(outcomes: list[Outcome]) -> bool:
    """Whether every search found the same model, bit for bit."""
    return len({outcome.digest for outcome in outcomes}) == 1
