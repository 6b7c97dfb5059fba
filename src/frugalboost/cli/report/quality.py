"""How good a model is: scores, confusion, calibration, predictions, learning curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost.cli.printing import NAMES
from frugalboost.cli.report.figures import draw
from frugalboost.cli.report.parts import PageTable, Section, number_text
from frugalboost.cli.report.subject import Subject
from frugalboost.cli.training import chosen_by, score_rows
from frugalboost.plots import CalibrationDisplay, LearningCurveDisplay, PredictionsDisplay

MOST_CLASSES = 12
MOST_PAIRS = 10
MOST_POINTS = 500
"""Rows that are drawn one by one: a hundred bytes of the page each."""
CURVE_ROWS = 10_000
"""Rows that stages are computed for at most: there are as many stages as trees."""


def scores_section(subject: Subject) -> Section:
    """Scores on the rows, beside those of rows that were learnt from, and of guessing."""
    test = score_rows(subject.model, subject.test)
    columns = {"test rows": test}
    if subject.train is not None:
        columns["training rows"] = score_rows(subject.model, subject.train)
    columns["constant guess"] = guessing(subject)
    names = {"rows": "rows", "accuracy": "accuracy", **NAMES}
    shown = [name for name in names if test.get(name) is not None]
    rows = [
        [names[name], *(number_text(scores.get(name)) for scores in columns.values())]
        for name in shown
    ]
    notes = []
    if subject.is_known:
        notes.append("The model was fitted to rows of this file, so the scores flatter it.")
    elif subject.train is not None:
        notes.append(
            "This is the file of the fit; the model is judged by the rows that were held out."
        )
        training = subject.about["training"] or {}
        notes += filter(None, [chosen_by(training.get("pruned") or {})])
    notes += filter(None, [weighted_parts(subject)])
    table = PageTable("Scores", ["", *columns], rows)
    return Section("scores", "Scores", notes, [table], numbers=test)


def weighted_parts(subject: Subject) -> str | None:
    """What counts rows by their weights, where there are any."""
    if subject.weight is None:
        return None
    parts = "the confusion and the calibration" if subject.is_classifier else "the mean predictions"
    return (
        f"Rows count by their weights, column {subject.weight!r}, for the scores and for {parts}. "
        "Numbers of rows, and everything else on this page, count each row once."
    )


def guessing(subject: Subject) -> dict[str, Any]:
    """Scores of the best constant answer on the same rows."""
    y, weights = np.asarray(subject.test.y), subject.test.weights
    w = np.ones(len(y)) if weights is None else weights
    if not subject.is_classifier:
        mean = float(np.average(y.astype(np.float64), weights=w))
        gaps = y.astype(np.float64) - mean
        return {
            "rows": len(y),
            "rmse": float(np.sqrt(np.average(gaps**2, weights=w))),
            "mae": float(np.average(np.abs(gaps), weights=w)),
            "r2": 0.0,
        }
    shares = np.array([float(w[y == label].sum()) for label in subject.model.classes_.tolist()])
    shares = shares[shares > 0] / w.sum()
    return {
        "rows": len(y),
        "accuracy": float(shares.max()),
        "error": float(1.0 - shares.max()),
        "log_loss": float(-(shares * np.log(shares)).sum()),
        "auc": 0.5 if len(subject.model.classes_) == 2 else None,
    }


def confusion_section(subject: Subject, scores: dict[str, Any]) -> Section | None:
    """Which classes are taken for which; of many classes the pairs that occur most."""
    if not subject.is_classifier:
        return None
    classes = [str(label) for label in scores["classes"]]
    counts = np.array(scores["confusion"], dtype=np.float64)
    numbers = {"classes": scores["classes"], "confusion": scores["confusion"]}
    if len(classes) <= MOST_CLASSES:
        rows = [
            [label, *(count_text(cell) for cell in row)]
            for label, row in zip(classes, counts.tolist(), strict=True)
        ]
        caption = "Rows of the data by their class (down) and the prediction (across)"
        tables = [PageTable(caption, ["class", *classes], rows)]
    else:
        np.fill_diagonal(counts, 0)
        order = np.argsort(-counts, axis=None, kind="stable")[:MOST_PAIRS]
        pairs = [np.unravel_index(at, counts.shape) for at in order]
        rows = [
            [classes[int(own)], classes[int(said)], count_text(float(counts[own, said]))]
            for own, said in pairs
            if counts[own, said] > 0
        ]
        tables = [PageTable("The most frequent mistakes", ["class", "prediction", "rows"], rows)]
    return Section("confusion", "Confusion", [], tables, numbers=numbers)


def count_text(value: float) -> str:
    return f"{int(value):,}" if float(value).is_integer() else number_text(value)


def calibration_section(subject: Subject) -> Section | None:
    if not subject.is_classifier:
        return None
    rows = subject.test
    display = CalibrationDisplay.from_estimator(
        subject.model, rows.X, rows.y, sample_weight=rows.weights
    )
    numbers = {
        "mean_said": display.mean_said.tolist(),
        "share_happened": display.share_happened.tolist(),
        "counts": display.counts.tolist(),
        "expected_error": display.expected_error,
    }
    cells = [
        [f"{said:.3f}", f"{share:.3f}", f"{count:,}"]
        for said, share, count in zip(
            numbers["mean_said"], numbers["share_happened"], numbers["counts"], strict=True
        )
    ]
    note = (
        f"On average a probability is {display.expected_error:.3f} away from what happened. "
        "Probabilities mean what they say where the line is on the diagonal."
    )
    table = PageTable(display.label, ["mean probability", "share of rows", "rows"], cells)
    caption = "Calibration: the share of rows of the class against the probability that was said"
    figure = draw(display, "calibration", caption)
    return Section("calibration", "Calibration", [note], [table], [figure], numbers)


def predictions_section(subject: Subject) -> Section | None:
    """What a regressor said, beside what was true."""
    if subject.is_classifier:
        return None
    rows = subject.test
    display = PredictionsDisplay.from_estimator(
        subject.model, rows.X, rows.y, max_points=MOST_POINTS, sample_weight=rows.weights
    )
    numbers = {
        "mean_said": display.mean_said.tolist(),
        "mean_true": display.mean_true.tolist(),
        "counts": display.counts.tolist(),
    }
    cells = [
        [number_text(said), number_text(true), f"{count:,}"]
        for said, true, count in zip(*numbers.values(), strict=True)
    ]
    notes = [
        "Predictions are right on average where the line is on the diagonal; how far points are "
        "from it is how far single predictions are from the truth."
    ]
    if len(rows) > MOST_POINTS:
        notes.append(f"{MOST_POINTS} of {len(rows):,} rows are drawn as points; means are of all.")
    headings = ["mean prediction", "mean true value", "rows"]
    table = PageTable("Rows of like predictions", headings, cells)
    caption = "True values against predictions: a point for each row, a line for means"
    figure = draw(display, "predictions", caption)
    return Section("predictions", "Predictions", notes, [table], [figure], numbers)


def learning_section(subject: Subject) -> Section:
    """The measures after each tree."""
    sets = {"test rows": subject.sample(subject.test, CURVE_ROWS)}
    if subject.train is not None:
        sets["training rows"] = subject.sample(subject.train, CURVE_ROWS)
    pairs = {name: (rows.X, rows.y) for name, rows in sets.items()}
    notes = []
    if max(len(subject.test), len(subject.train or ())) > CURVE_ROWS:
        notes.append(f"Of more than {CURVE_ROWS:,} rows, so many were drawn at random.")
    figures, numbers = [], {}
    for measure in measures_of(subject):
        display = LearningCurveDisplay.from_estimator(subject.inner, pairs, measure)
        numbers[measure] = {name: values.tolist() for name, values in display.curves.items()}
        best = display.best_rounds["test rows"]
        caption = f"Learning curve: {measure} after each round; lowest in round {best}"
        figures.append(draw(display, measure.replace(" ", "-"), caption))
    return Section("learning", "Learning curve", notes, [], figures, numbers)


def measures_of(subject: Subject) -> list[str]:
    if not subject.is_classifier:
        return ["RMSE"]
    has_shares = hasattr(subject.inner, "staged_predict_proba")
    return ["log loss", "error"] if has_shares else ["error"]
