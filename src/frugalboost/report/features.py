"""Which features a model relies on."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._progress import OnShare, counted
from frugalboost._typing import Floats, Ints
from frugalboost.plots import ImportancesDisplay
from frugalboost.plots.importances import KINDS, mean_shap
from frugalboost.report.figures import SIZE, draw
from frugalboost.report.section import Section, Table, number_text
from frugalboost.report.subject import Examples, Subject

MOST_FEATURES = 15
SHAP_CELLS = 1_000_000
"""Values that SHAP computes at most: rows times features times classes."""
SHUFFLED_CELLS = 100_000
"""Rows times features of a table whose columns are shuffled one by one, at most."""
MOST_ROWS = 2000
FEWEST_ROWS = 50
"""Fewer rows say too little: the column is left out."""
REPEATS = 3
HEADINGS = {"gain": "share of gain", "shap": "mean |SHAP|", "permutation": "drop if shuffled"}


def features_section(subject: Subject) -> Section:
    """The most important features, by gain and, where that does not take long, by rows."""
    columns, notes = measured(subject)
    names = names_of(subject)
    best = "shap" if "shap" in columns else "gain"
    display = ImportancesDisplay(
        columns[best], names, measure=KINDS[best], max_features=MOST_FEATURES
    )
    order = np.argsort(-columns[best], kind="stable")[:MOST_FEATURES]
    rows = [
        [names[at], *(number_text(float(values[at])) for values in columns.values())]
        for at in order
    ]
    if len(names) > MOST_FEATURES:
        notes.append(f"{MOST_FEATURES} of {len(names):,} features are shown.")
    table = Table("Features", ["feature", *(HEADINGS[kind] for kind in columns)], rows)
    size = (SIZE[0], max(1.8, 0.9 + 0.22 * len(rows)))
    figure = draw(display, "importances", f"The most important features by {KINDS[best]}", size)
    numbers = {"names": names, **{kind: values.tolist() for kind, values in columns.items()}}
    return Section("features", "Features", notes, [table], [figure], numbers)


def measured(subject: Subject) -> tuple[dict[str, Floats], list[str]]:
    """Importances by kind, and how they were computed."""
    columns = {"gain": np.asarray(subject.inner.feature_importances_)}
    notes = []
    n_features = len(columns["gain"])
    n_classes = len(subject.model.classes_) if subject.is_classifier else 1
    n_rows = min(MOST_ROWS, SHAP_CELLS // max(1, n_features * n_classes))
    if n_rows >= FEWEST_ROWS and hasattr(subject.model, "shap_values"):
        sample = subject.sample(subject.test, n_rows)
        columns["shap"] = mean_shap(subject.model, sample.X)
        notes.append(
            "A SHAP (Shapley) value is what a feature adds to a decision. These are exact; the "
            f"table has the mean of their absolute values over {len(sample):,} rows."
        )
    n_rows = min(MOST_ROWS, SHUFFLED_CELLS // max(1, n_features))
    if n_rows >= FEWEST_ROWS:
        sample = subject.sample(subject.test, n_rows)
        with subject.stage("shuffling features") as on_share:
            drops = score_drops(subject, sample, on_share)
        if drops is not None:
            columns["permutation"] = drops
            notes.append(
                "The last column of the table is how much the score drops on average when the "
                f"feature is shuffled, three times, among {len(sample):,} rows."
            )
    return columns, notes


def names_of(subject: Subject) -> list[str]:
    names = getattr(subject.inner, "feature_names_in_", None)
    if names is None:
        return [f"feature {number}" for number in range(subject.inner.n_features_in_)]
    return [str(name) for name in names]


def score_drops(subject: Subject, rows: Examples, on_share: OnShare) -> Floats | None:
    """Mean drop of the accuracy or R2, feature by feature; None for sparse tables.

    It is zero for a feature that no tree uses. scikit-learn's `permutation_importance` shuffles
    the others as well, and takes no Arrow tables.
    """
    if hasattr(rows.X, "tocsr"):
        return None  # to shuffle a column would take as long as to read the table
    model, used = subject.model, subject.used_features
    draws = np.random.default_rng(subject.seed)
    whole = model.score(rows.X, rows.y)
    drops = np.zeros(rows.X.shape[1])
    for at in counted(used, len(used), on_share):
        for _ in range(REPEATS):
            shuffled = with_shuffled(rows.X, at, draws.permutation(len(rows)))
            drops[at] += (whole - model.score(shuffled, rows.y)) / REPEATS
    return drops


def with_shuffled(X: Any, at: int, order: Ints) -> Any:
    """A table whose column `at` is in another order."""
    if isinstance(X, np.ndarray):
        shuffled = X.copy()
        shuffled[:, at] = X[order, at]
        return shuffled
    return X.set_column(at, X.column_names[at], X.column(at).take(order))
