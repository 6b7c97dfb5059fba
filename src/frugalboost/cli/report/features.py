"""Which features a model relies on."""

from __future__ import annotations

import numpy as np

from frugalboost._typing import Floats
from frugalboost.cli.progress import stages
from frugalboost.cli.report.figures import SIZE, draw
from frugalboost.cli.report.parts import PageTable, Section, number_text
from frugalboost.cli.report.shuffling import score_falls
from frugalboost.cli.report.subject import Subject
from frugalboost.plots import ImportancesDisplay
from frugalboost.plots.importances import KINDS, mean_shap

MOST_FEATURES = 15
SHAP_CELLS = 1_000_000
"""Values that SHAP computes at most: rows times features times classes."""
SHUFFLED_CELLS = 100_000
"""Rows times features of a table whose columns are shuffled one by one, at most."""
MOST_ROWS = 2000
FEWEST_ROWS = 50
"""So few rows say too little: the column is left out."""
HEADINGS = {"gain": "share of gain", "shap": "mean |SHAP|", "permutation": "fall if shuffled"}


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
    table = PageTable("Features", ["feature", *(HEADINGS[kind] for kind in columns)], rows)
    size = (SIZE[0], max(1.8, 0.9 + 0.22 * len(rows)))
    figure = draw(display, "importances", f"The most important features by {KINDS[best]}", size)
    numbers = {"names": names, **{kind: values.tolist() for kind, values in columns.items()}}
    return Section("features", "Features", notes, [table], [figure], numbers)


def measured(subject: Subject) -> tuple[dict[str, Floats], list[str]]:
    """Importances by kind, and what there is to say about them."""
    columns = {"gain": np.asarray(subject.inner.feature_importances_)}
    notes = []
    n_features = len(columns["gain"])
    n_classes = len(subject.model.classes_) if subject.is_classifier else 1
    n_rows = min(MOST_ROWS, SHAP_CELLS // max(1, n_features * n_classes))
    if n_rows >= FEWEST_ROWS:
        sample = subject.sample(subject.test, n_rows)
        columns["shap"] = mean_shap(subject.model, sample.X)
        notes.append(
            "A SHAP (Shapley) value is what a feature has added to a decision; they were computed "
            f"exactly for {len(sample):,} rows, and their absolute values averaged."
        )
    n_rows = min(MOST_ROWS, SHUFFLED_CELLS // max(1, n_features))
    if n_rows >= FEWEST_ROWS:
        sample = subject.sample(subject.test, n_rows)
        with stages()("shuffling features") as on_share:
            used = subject.used_features
            falls = score_falls(subject.model, sample, used, subject.seed, on_share)
        if falls is not None:
            columns["permutation"] = falls
            notes.append(
                "The last column of the table is how much the score falls on average when the "
                f"feature is shuffled, three times, among {len(sample):,} rows."
            )
    return columns, notes


def names_of(subject: Subject) -> list[str]:
    names = getattr(subject.inner, "feature_names_in_", None)
    if names is None:
        return [f"feature {number}" for number in range(subject.inner.n_features_in_)]
    return [str(name) for name in names]
