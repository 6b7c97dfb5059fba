"""Findings made of a few numbers."""

from __future__ import annotations

from frugalboost.reproduce.gamble.findings import Findings
from frugalboost.reproduce.gamble.labels import LabelRun

NOTHING = {
    "curves": {},
    "sizes": {},
    "draws": {},
    "trees": {},
    "binary": None,
    "spheres": {},
    "weights": {},
    "labels": {},
    "committees": {},
    "random_rows": {},
    "races": {},
}


def findings_of(rounds=1000, **results):
    return Findings(rounds=rounds, committee=300, budget=1000, **{**NOTHING, **results})


def label_run(errors, target=0.2, labels=(20, 30, 40), n_rows=100, least=None):
    batch = {"test_error": [0.5, target, target + 0.1]}
    curve = {"labels": list(labels), "error": list(errors), "least": list(least or errors)}
    return LabelRun(batch, {**curve, "work": [5, 10, 20]}, n_rows)


def rival(*errors):
    return [{"test_error": [error]} for error in errors]
