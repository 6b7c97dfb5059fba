"""What ensemble pruning takes and costs.

    python benchmarks/pruning.py [speed] [satimage] [letter]

- speed: CPU seconds, one core, of choosing from 300 members by 20,000 rows: Kappa and Reduce-Error
  with backfitting to 60, on trees of covtype and on votes that err independently.
- satimage: 300 trees of rule "real" pruned to 100; the test error beside that of the whole.
- letter: scikit-learn's random forest of 200 trees pruned to 60.

satimage, letter and covtype come from the folder that FRUGALBOOST_DATA names.
"""

from __future__ import annotations

import argparse
import pickle
import time
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

import frugalboost as fb
from frugalboost.pruning import Material, WeightedVotes, choose_sets, errors_of, make_counter
from tables import MarkdownTable, verdict

N_MEMBERS, N_ROWS, N_KEPT = 300, 20_000, 60
LIMITS = {"kappa": 2.0, "reduce_error": 20.0}
METHODS = ("early_stopping", "kappa", "kappa_backfitting", "reduce_error")


def independent_votes() -> Material:
    """Members that are right with a probability of the row's own."""
    random = np.random.default_rng(0)
    labels = random.integers(10, size=N_ROWS)
    right = np.clip(random.normal(0.7, 0.25, size=N_ROWS), 0, 1)
    guesses = random.integers(10, size=(N_MEMBERS, N_ROWS))
    votes = np.where(random.random((N_MEMBERS, N_ROWS)) < right, labels, guesses)
    return Material(WeightedVotes.from_arrays(votes, random.random(N_MEMBERS) + 0.5), labels)


def trees_of_covtype(rule: str, depth: int) -> Material:
    data = fb.load_dataset("covtype")
    rows = np.random.default_rng(0).permutation(len(data.y))[: 2 * N_ROWS]
    fitted, held = rows[:N_ROWS], rows[N_ROWS:]
    model = fb.BoostedTreesClassifier(rule, n_estimators=N_MEMBERS, max_depth=depth)
    model.fit(data.X[fitted], data.y[fitted])
    ballots = fb.analysis.member_ballots(model, data.X[held])
    return Material(ballots, np.searchsorted(model.classes_, data.y[held]))


def speed() -> None:
    headings = ["members", "method", "error of the whole", "error of 60", "seconds", "in time"]
    table = MarkdownTable(f"Choosing {N_KEPT} of {N_MEMBERS} members by {N_ROWS:,} rows", headings)
    cases = {
        "independent votes, 10 classes": independent_votes(),
        'covtype, "adaboost_m1", depth 10': trees_of_covtype("adaboost_m1", 10),
        'covtype, "real", depth 5': trees_of_covtype("real", 5),
    }
    for name, material in cases.items():
        for method, limit in LIMITS.items():
            started = time.process_time()
            kept = choose_sets(method, material, N_KEPT)[-1]
            seconds = time.process_time() - started
            counter = make_counter(material.ballots, material.labels)
            whole, error = errors_of(counter, [np.arange(N_MEMBERS), kept])
            in_time = verdict(seconds < limit)
            table.add(name, method, f"{whole:.4f}", f"{error:.4f}", f"{seconds:.2f}", in_time)


def prune_and_compare(title: str, whole: Any, data: Any, n_kept: int, within: float) -> None:
    """By every method, on the rows of the fit and on 15 % of them that were held out.

    A held-out part costs the ensemble that part, so its own error is printed as well.
    """
    X_train, y_train, X_test, y_test = data
    headings = ["chosen by", "method", "whole", "pruned", f"within {within}", "bytes"]
    table = MarkdownTable(f"{title}, {whole.n_estimators} pruned to {n_kept}: test error", headings)
    X_fit, X_held, y_fit, y_held = train_test_split(
        X_train, y_train, test_size=0.15, random_state=0, stratify=y_train
    )
    parts = {
        "the rows of the fit": (X_train, y_train, X_train, y_train),
        "15 % held out": (X_fit, y_fit, X_held, y_held),
    }
    for name, (X, y, X_chosen, y_chosen) in parts.items():
        whole.fit(X, y)
        error = 1 - whole.score(X_test, y_test)
        size = len(pickle.dumps(whole))
        for method in METHODS:
            pruned = fb.prune_ensemble(whole, X_chosen, y_chosen, method, n_kept)
            pruned = pickle.loads(pickle.dumps(pruned))
            left = 1 - pruned.score(X_test, y_test)
            share = f"{len(pickle.dumps(pruned)) / size:.2f}"
            is_near = verdict(left - error <= within)
            table.add(name, method, f"{error:.4f}", f"{left:.4f}", is_near, share)


def satimage() -> None:
    data = fb.load_dataset("satimage")
    whole = fb.BoostedTreesClassifier("real", n_estimators=300)
    parts = data.X_train, data.y_train, data.X_test, data.y_test
    prune_and_compare('satimage, rule "real"', whole, parts, 100, 0.005)


def letter() -> None:
    data = fb.load_dataset("letter")
    split = train_test_split(data.X, data.y, test_size=4000, random_state=0, stratify=data.y)
    X_train, X_test, y_train, y_test = split
    whole = RandomForestClassifier(200, random_state=0)
    prune_and_compare("letter, forest", whole, (X_train, y_train, X_test, y_test), 60, 0.01)


PARTS = {"speed": speed, "satimage": satimage, "letter": letter}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    for part in parser.parse_args().parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
