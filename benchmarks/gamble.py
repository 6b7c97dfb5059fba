"""GAMBLE beside SAMME, AdaBoost.MH and one committee a class: errors, and time per round.

    FRUGALBOOST_DATA=FOLDER python benchmarks/gamble.py [PART ...] [--quick]

``letter``: CPU seconds per round of one tree for 26 classes and of 26 one-against-all trees.
``weak``: where GAMBLE as published stays behind, and what helps. ``few``: mean test errors over
random draws of 300 training rows. Trees have 15 leaves and are chosen by Gini unless it says
otherwise; one thread. Letter trains on its first 16,000 rows, as is usual. The errors of GAMBLE
and SAMME on the paper's data are in ``frugalboost reproduce gamble``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import frugalboost as fb
from tables import MarkdownTable, verdict

QUICK_ROUNDS = (2, 5, 10)
LETTER_ROWS = 16_000
TREES: dict[str, Any] = {"max_leaf_nodes": 15, "min_samples_leaf": 1}


class Split(NamedTuple):
    X_train: Any
    y_train: Any
    X_test: Any
    y_test: Any


def load(name: str) -> Split | None:
    """A table by name, or None where its file is not there."""
    try:
        data = fb.load_dataset(name)
    except FileNotFoundError:
        return None
    if data.y_train is not None:
        return Split(data.X_train, data.y_train, data.X_test, data.y_test)
    n = LETTER_ROWS
    return Split(data.X[:n], data.y[:n], data.X[n:], data.y[n:])


def gamble(n_rounds: int, **options: Any) -> fb.GambleClassifier:
    return fb.GambleClassifier(n_estimators=n_rounds, **options)


def rule(name: str, n_rounds: int, **options: Any) -> fb.BoostedTreesClassifier:
    return fb.BoostedTreesClassifier(name, n_estimators=n_rounds, **TREES, **options)


def samme(n_rounds: int) -> fb.BoostedTreesClassifier:
    return rule("adaboost", n_rounds, criterion="gini")


def one_against_all(n_rounds: int) -> fb.OneAgainstAllClassifier:
    return fb.OneAgainstAllClassifier(rule("gentle", n_rounds, learning_rate=1.0))


def errors(model: Any, data: Split, rounds: Sequence[int]) -> list[float]:
    """Test errors of a fitted model after some rounds; one that has ended stays where it is."""
    stages = [float(np.mean(said != data.y_test)) for said in model.staged_predict(data.X_test)]
    return [stages[min(n, len(stages)) - 1] for n in rounds]


def percent(values: Sequence[float]) -> list[str]:
    return [f"{100 * value:.2f}" for value in values]


def time_letter(n_rounds: int) -> None:
    data = load("letter")
    if data is None:
        print("\nletter is not there")
        return
    dataset = fb.BinnedDataset.from_data(data.X_train)
    makers: dict[str, Callable[[int], Any]] = {"one": gamble, "all": one_against_all}
    best = dict.fromkeys(makers, float("inf"))
    for _ in range(3):  # in turns, so that both meet the same neighbours
        for name, make in makers.items():
            started = time.process_time()
            make(n_rounds).fit(dataset, data.y_train)
            best[name] = min(best[name], (time.process_time() - started) / n_rounds)
    table = MarkdownTable(
        f"CPU milliseconds per round on letter, best of 3 fits of {n_rounds} rounds",
        ["GAMBLE, one tree", "one against all, 26 trees", "ratio", "at least 10"],
    )
    ratio = best["all"] / best["one"]
    cells = [f"{1000 * best[name]:.2f}" for name in ("one", "all")]
    table.add(*cells, f"{ratio:.1f}", verdict(ratio >= 10))


def contenders(n_rounds: int) -> dict[str, Any]:
    """What stands beside GAMBLE as published, and what helps it."""
    return {
        "GAMBLE as published": gamble(n_rounds),
        "GAMBLE, learning_rate=0.3": gamble(n_rounds, learning_rate=0.3),
        "GAMBLE, learning_rate=0.1": gamble(n_rounds, learning_rate=0.1),
        "GAMBLE, 150 leaves": gamble(n_rounds, max_leaf_nodes=150),
        "GAMBLE, 150 leaves, learning_rate=0.3": gamble(
            n_rounds, max_leaf_nodes=150, learning_rate=0.3
        ),
        'SAMME (rule "adaboost")': samme(n_rounds),
        'AdaBoost.MH (rule "mh")': rule("mh", n_rounds),
        'AdaBoost.MH (rule "real", learning_rate=0.5)': rule("real", n_rounds, learning_rate=0.5),
        "Gentle AdaBoost.MH (one against all)": one_against_all(n_rounds),
    }


def show_weak(rounds: Sequence[int]) -> None:
    for name in ("letter", "satimage", "pendigits"):
        data = load(name)
        if data is None:
            print(f"\n{name} is not there")
            continue
        headings = ["model", *(f"{n} rounds" for n in rounds), "CPU seconds to fit"]
        table = MarkdownTable(f"Test error in % on {name}", headings)
        for title, model in contenders(rounds[-1]).items():
            started = time.process_time()
            model.fit(data.X_train, data.y_train)
            seconds = time.process_time() - started
            table.add(title, *percent(errors(model, data, rounds)), f"{seconds:.1f}")


def draw_few(data: Any, n_train: int, seed: int) -> Split:
    """Some rows of a table to train on and at most 3000 others to test, at random."""
    rows = np.random.default_rng(seed).permutation(len(data.y))
    take = data.X.iloc.__getitem__ if hasattr(data.X, "iloc") else data.X.__getitem__
    train, test = rows[:n_train], rows[n_train : n_train + 3000]
    return Split(take(train), data.y[train], take(test), data.y[test])


def show_few(n_draws: int, n_rounds: int) -> None:
    makers: dict[str, Callable[[], Any]] = {
        "GAMBLE": lambda: gamble(n_rounds),
        "learning_rate=0.3": lambda: gamble(n_rounds, learning_rate=0.3),
        "SAMME": lambda: samme(n_rounds),
        "mh": lambda: rule("mh", n_rounds),
        "real, 0.5": lambda: rule("real", n_rounds, learning_rate=0.5),
        "one against all": lambda: one_against_all(n_rounds),
    }
    title = f"Mean test error in % over {n_draws} draws of few rows, {n_rounds} rounds"
    table = MarkdownTable(title, ["table", "training rows", *makers])
    for name in ("glass", "pendigits", "satimage", "soybean", "splice", "waveform"):
        n_train = 113 if name == "glass" else 300
        try:
            data = fb.load_dataset(name)
        except FileNotFoundError:
            table.add(name, *["not there"] * (1 + len(makers)))
            continue
        draws = [draw_few(data, n_train, seed) for seed in range(n_draws)]
        means = [
            np.mean([errors(make().fit(*draw[:2]), draw, [n_rounds]) for draw in draws])
            for make in makers.values()
        ]
        table.add(name, n_train, *percent(means))


def main() -> None:
    parts: dict[str, Callable[[bool], None]] = {
        "letter": lambda quick: time_letter(5 if quick else 100),
        "weak": lambda quick: show_weak(QUICK_ROUNDS if quick else (10, 100, 300)),
        "few": lambda quick: show_few(1 if quick else 6, 5 if quick else 200),
    }
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[[], *parts], help="default: all")
    parser.add_argument("--quick", action="store_true", help="a few rounds only")
    options = parser.parse_args()
    for part in options.parts or parts:
        parts[part](options.quick)


if __name__ == "__main__":
    main()
