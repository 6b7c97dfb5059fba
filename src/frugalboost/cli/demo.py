"""`frugalboost demo`: one real data set, every search, one model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

import frugalboost as fb
from frugalboost.cli.errors import FAILED
from frugalboost.cli.options import AsJson
from frugalboost.cli.printing import counted, print_json, print_table
from frugalboost.cli.progress import bar

SEARCHES = ("exhaustive", "quick", "adaptive", "ap_boost", "incremental", "two_stage", "auto")
DATA = "scikit-learn's digits, 0 to 4 against 5 to 9"
HEADINGS = ["search", "assessments", "share of exhaustive", "seconds", "test error", "digest"]


@dataclass(frozen=True)
class Outcome:
    """The work of one search, and the model it found."""

    search: str
    assessments: int
    share: float
    seconds: float
    test_error: float
    digest: str


def demo_command(
    rounds: Annotated[int, typer.Option(min=1, help="Number of trees to train.")] = 200,
    as_json: AsJson = False,
) -> None:
    """Train on real data with every search and compare work and models."""
    outcomes = []
    with bar("training", len(SEARCHES)) as advance:
        for outcome in run_demo(rounds):
            outcomes.append(outcome)
            advance(1)
    print_outcomes(outcomes, rounds, as_json)


def run_demo(n_estimators: int) -> Iterator[Outcome]:
    """Train once with each search."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

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


def print_outcomes(outcomes: list[Outcome], rounds: int, as_json: bool) -> None:
    """Print the comparison; different models are a failure."""
    is_same = len({outcome.digest for outcome in outcomes}) == 1
    if as_json:
        searches = [asdict(outcome) for outcome in outcomes]
        print_json({"data": DATA, "rounds": rounds, "same_model": is_same, "searches": searches})
    else:
        title = f"AdaBoost, {counted(rounds, 'tree')} of depth 3 on {DATA}"
        print_table(title, HEADINGS, map(_cells, outcomes), right=True)
        if is_same:
            typer.echo("All digests are equal: every search found the same model, bit for bit.")
    if not is_same:
        typer.echo("frugalboost: the digests differ; all searches must find one model.", err=True)
        raise typer.Exit(FAILED)


def _cells(outcome: Outcome) -> list[str]:
    return [
        outcome.search,
        f"{outcome.assessments:,}",
        f"{outcome.share:.3f}",
        f"{outcome.seconds:.2f}",
        f"{outcome.test_error:.4f}",
        outcome.digest[:12],
    ]
