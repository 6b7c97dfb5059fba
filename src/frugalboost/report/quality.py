"""How good a model is: scores, confusion, calibration, predictions, learning curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import entr

from frugalboost._texts import SCORE_NAMES
from frugalboost.plots import CalibrationDisplay, LearningCurveDisplay, PredictionsDisplay
from frugalboost.report.figures import draw
from frugalboost.report.section import Section, Table, number_text
from frugalboost.report.subject import Subject

MOST_CLASSES = 12
MOST_PAIRS = 10
MOST_POINTS = 500
"""Rows that are drawn one by one: a hundred bytes of the page each."""
CURVE_ROWS = 10_000
"""Rows that stages are computed for at most: there are as many stages as trees."""


def scores_section(subject: Subject) -> Section:
    """Scores on the rows, next to those of the training rows and of a constant guess."""
    columns = {"test rows": subject.scores}
    if subject.train_scores is not None:
        columns["training rows"] = subject.train_scores
    columns["constant guess"] = guessing(subject)
    names = {"rows": "rows", "accuracy": "accuracy", **SCORE_NAMES}
    rows = [
        [names[name], *(number_text(scores.get(name)) for scores in columns.values())]
        for name in names
        if subject.scores.get(name) is not None
    ]
    table = Table("Scores", ["", *columns], rows)
    return Section("scores", "Scores", score_notes(subject), [table], numbers=subject.scores)


def score_notes(subject: Subject) -> list[str]:
    """Which rows the scores are from, and how they count."""
    notes = []
    if subject.is_known:
        notes.append("The model was fitted to rows of this file, so these scores flatter it.")
    elif subject.train is not None:
        notes.append(
            "The model was fitted to this file; it is evaluated on the rows that were held out."
        )
    notes += subject.notes
    if subject.weight is not None:
        classes = "the scores, the confusion matrix and the calibration"
        parts = classes if subject.is_classifier else "the scores and the mean predictions"
        notes.append(
            f"Rows count by their weights, column {subject.weight!r}, in {parts}. "
            "Numbers of rows, and everything else on this page, count each row once."
        )
    return notes


def guessing(subject: Subject) -> dict[str, Any]:
    """Scores of the best constant answer on the same rows."""
    from sklearn import metrics

    y, weights = np.asarray(subject.test.y), subject.test.weights
    w = np.ones(len(y)) if weights is None else weights
    if not subject.is_classifier:
        y = y.astype(np.float64)
        mean = np.full(len(y), np.average(y, weights=w))
        return {
            "rows": len(y),
            "rmse": metrics.root_mean_squared_error(y, mean, sample_weight=w),
            "mae": metrics.mean_absolute_error(y, mean, sample_weight=w),
            "r2": 0.0,
        }
    masses = np.array([float(w[y == label].sum()) for label in subject.model.classes_.tolist()])
    shares = masses / w.sum()
    return {
        "rows": len(y),
        "accuracy": float(shares.max()),
        "error": float(1.0 - shares.max()),
        "log_loss": float(entr(shares).sum()),
        "auc": 0.5 if len(shares) == 2 else None,
    }


def confusion_section(subject: Subject) -> Section | None:
    """Which classes are taken for which; with many classes, the most frequent mistakes."""
    if not subject.is_classifier:
        return None
    numbers = {name: subject.scores[name] for name in ("classes", "confusion")}
    classes = [str(label) for label in numbers["classes"]]
    counts = np.array(numbers["confusion"], dtype=np.float64)
    make = confusion_matrix if len(classes) <= MOST_CLASSES else frequent_mistakes
    return Section("confusion", "Confusion", [], [make(classes, counts)], numbers=numbers)


def confusion_matrix(classes: list[str], counts: Any) -> Table:
    rows = [
        [label, *map(count_text, row)] for label, row in zip(classes, counts.tolist(), strict=True)
    ]
    return Table("Rows by true class (down) and prediction (across)", ["class", *classes], rows)


def frequent_mistakes(classes: list[str], counts: Any) -> Table:
    np.fill_diagonal(counts, 0)
    order = np.argsort(-counts, axis=None, kind="stable")[:MOST_PAIRS]
    pairs = np.transpose(np.unravel_index(order, counts.shape)).tolist()
    rows = [
        [classes[true], classes[predicted], count_text(counts[true, predicted])]
        for true, predicted in pairs
        if counts[true, predicted] > 0
    ]
    return Table("The most frequent mistakes", ["class", "prediction", "rows"], rows)


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
    }
    cells = [
        [f"{said:.3f}", f"{share:.3f}", f"{count:,}"]
        for said, share, count in zip(*numbers.values(), strict=True)
    ]
    note = (
        "On average, the predicted probability differs from the observed share by "
        f"{display.expected_error:.3f}. Probabilities are right where the line follows the "
        "diagonal."
    )
    table = Table(display.label, ["mean probability", "share of rows", "rows"], cells)
    caption = "Calibration: the observed share of the class against the predicted probability"
    figure = draw(display, "calibration", caption)
    numbers = {**numbers, "expected_error": display.expected_error}
    return Section("calibration", "Calibration", [note], [table], [figure], numbers)


def predictions_section(subject: Subject) -> Section | None:
    """What a regressor predicts, next to the true values."""
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
        "Predictions are right on average where the line follows the diagonal; the distance of a "
        "point from the diagonal is the error of one prediction."
    ]
    if len(rows) > MOST_POINTS:
        notes.append(f"{MOST_POINTS} of {len(rows):,} rows are drawn as points; means use all.")
    headings = ["mean prediction", "mean true value", "rows"]
    table = Table("Rows with similar predictions", headings, cells)
    caption = "True values against predictions: a point for each row, a line for means"
    figure = draw(display, "predictions", caption)
    return Section("predictions", "Predictions", notes, [table], [figure], numbers)


def learning_section(subject: Subject) -> Section:
    """The measures after each tree."""
    sets = {"test rows": subject.test}
    if subject.train is not None:
        sets["training rows"] = subject.train
    notes = []
    if max(map(len, sets.values())) > CURVE_ROWS:
        notes.append(f"The curves are of at most {CURVE_ROWS:,} rows, drawn at random.")
    samples = {name: subject.sample(rows, CURVE_ROWS) for name, rows in sets.items()}
    pairs = {name: (rows.X, rows.y) for name, rows in samples.items()}
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
    has_probabilities = hasattr(subject.inner, "staged_predict_proba")
    return ["log loss", "error"] if has_probabilities else ["error"]
