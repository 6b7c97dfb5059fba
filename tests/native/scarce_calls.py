"""Calls of the library by name: functions without arguments whose results can be compared.

What they need beforehand, tables and fitted models, is made when they are first called.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from copy import copy
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy import sparse

import frugalboost as fb
from frugalboost.rules import RULES
from frugalboost.tree.grow import SEARCHES

Call = Callable[[], Any]

N_FEW, N_MANY = 80, 9000
"""Rows: few, so that a call takes little time, and as many as threads share."""
TREES = {"n_estimators": 10, "max_depth": 3, "n_jobs": 1}


@cache
def table(n: int = N_FEW) -> Any:
    """Numbers with ties, some missing, and a column of categories."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4)).round(1)
    X[::7, 1] = np.nan
    X[:, 3] = rng.integers(9, size=n)
    return X


@cache
def labels(n_classes: int, n: int = N_FEW) -> Any:
    noise = np.random.default_rng(1).normal(size=n)
    return np.floor(np.abs(table(n)[:, 0] * 2 + table(n)[:, 3] + noise)).astype(int) % n_classes


@cache
def binned(n: int = N_FEW) -> fb.BinnedDataset:
    return fb.BinnedDataset.from_data(table(n), categorical_features=[3])


@cache
def fresh_numbers(n: int = N_FEW) -> Any:
    """Without ties: as many bins as there may be."""
    return np.random.default_rng(2).normal(size=(n, 3))


@cache
def wide_table() -> Any:
    return np.random.default_rng(3).normal(size=(40, 250)).round(1)


@cache
def rare_numbers() -> Any:
    return sparse.random(N_FEW, 5, density=0.2, format="csc", random_state=0)


@cache
def frame() -> Any:
    import pandas as pd

    columns = {"a": table()[:, 0], "b": table()[:, 1], "c": labels(3)}
    return pd.DataFrame({**columns, "d": pd.Categorical(labels(5).astype(str))})


def is_there(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def bin_table(make: Call, **options: Any) -> tuple[bytes, ...]:
    data = fb.BinnedDataset.from_data(make(), **options)
    by_feature = (data.column_codes(feature).tobytes() for feature in range(data.n_features))
    return (data.cuts.tobytes(), *by_feature)


def binnings() -> dict[str, Call]:
    many, few = partial(fresh_numbers, N_MANY), {"n_jobs": 1}
    calls: dict[str, Call] = {
        "binning": partial(bin_table, table, categorical_features=[3], **few),
        "binning, many columns": partial(bin_table, wide_table, **few),
        "binning, 16 bins": partial(bin_table, fresh_numbers, max_bins=16, **few),
        "binning, two bytes": partial(bin_table, many, max_bins=1000, **few),
        "binning, two threads": partial(bin_table, many, n_jobs=2),
        "binning, sparse": partial(bin_table, rare_numbers, **few),
        "binning, sparse categories": partial(
            bin_table, rare_numbers, categorical_features=[1], **few
        ),
    }
    if is_there("pandas"):
        calls["binning, frame"] = partial(bin_table, frame, **few)
    return calls


def fit(estimator: Any, X: Any, y: Any) -> None:
    estimator.fit(X, y)


def refit(
    make: Callable[[], Any],
    n_classes: int = 3,
    n: int = N_FEW,
    data: Callable[[int], Any] = binned,
    fit: Callable[[Any, Any, Any], None] = fit,
) -> Call:
    """Fits a copy of an estimator that has a model; where that fails, the copy must keep it."""

    @cache
    def old() -> tuple[Any, str]:
        estimator = make().fit(data(n), (labels(n_classes, n) + 1) % n_classes)
        return estimator, fb.digest(estimator)

    def call() -> str:
        estimator, digest = old()
        again = copy(estimator)
        try:
            fit(again, data(n), labels(n_classes, n))
        except MemoryError:
            assert fb.digest(again) == digest, "a fit that failed changed the model"
            raise
        return fb.digest(again)

    return call


def go_on(estimator: Any, X: Any, y: Any) -> None:
    """A few more trees after those that there are."""
    estimator.set_params(warm_start=True, n_estimators=len(estimator.estimators_) + 4)
    estimator.fit(X, y)


def go_on_in_part(estimator: Any, X: Any, y: Any) -> None:
    estimator.partial_fit(X, y)


def fits_by_search() -> dict[str, Call]:
    calls = {}
    for search in (*SEARCHES, "auto"):
        options = {**TREES, "search": search}
        make = partial(fb.BoostedTreesRegressor, **options)
        calls[f"regression, {search}"] = refit(make)
        for rule in RULES:
            make = partial(fb.BoostedTreesClassifier, rule, **options)
            for n_classes in (2, 3):
                calls[f"{rule}, {n_classes} classes, {search}"] = refit(make, n_classes)
    return calls


def fits_by_option() -> dict[str, Call]:
    calls = {}
    for name, options in {
        "gini": {"criterion": "gini"},
        "entropy": {"criterion": "entropy"},
        "error": {"criterion": "error"},
        "gain ratio": {"criterion": "gain_ratio"},
        "best first": {"max_depth": None, "max_leaf_nodes": 6},
        "stumps": {"max_depth": 1},
        "some features": {"feature_fraction": 0.5},
        "some rows": {"sample_fraction": 0.5},
        "heavy rows": {"weight_trim": 0.1},
        "copies": {"resample": True},
        "pruned by rows held out": {"pruning_fraction": 0.3},
    }.items():
        make = partial(fb.BoostedTreesClassifier, "real", **{**TREES, "random_state": 0, **options})
        calls[f"real, {name}"] = refit(make)
    options = {**TREES, "pruning": "pessimistic"}
    calls["pruned by its own rows"] = refit(
        partial(fb.BoostedTreesClassifier, "adaboost_m1", **options)
    )
    options = {"n_estimators": 4, "early_stopping": True, "n_jobs": 1, "random_state": 0}
    make = partial(fb.BoostedTreesClassifier, **options)
    calls["early stopping"] = refit(make, data=table)
    make = partial(fb.BoostedTreesClassifier, "logit", **TREES)
    calls["from a table"] = refit(make, data=table)
    calls["going on"] = refit(make, data=table, fit=go_on)
    return calls


def fits_by_threads() -> dict[str, Call]:
    """Rows that two threads share."""
    calls = {}
    for rule, n_classes, search in (
        ("adaboost", 2, "two_stage"),
        ("adaboost", 2, "adaptive"),
        ("adaboost_m1", 3, "incremental"),
        ("real", 3, "quick"),
        ("real_log", 2, "exhaustive"),
        ("logit", 3, "exhaustive"),
        ("gentle", 2, "incremental"),
    ):
        options = {**TREES, "search": search, "n_jobs": 2}
        make = partial(fb.BoostedTreesClassifier, rule, **options)
        calls[f"{rule}, {search}, two threads"] = refit(make, n_classes, N_MANY)
    options = {**TREES, "n_jobs": 2}
    make = partial(fb.BoostedTreesRegressor, **options)
    calls["regression, two threads"] = refit(make, n=N_MANY, data=table)
    return calls


def fits_by_estimator() -> dict[str, Call]:
    fixed = {"random_state": 0, "n_jobs": 1}
    few = {"n_estimators": 2, **fixed}
    filtered = {"max_rounds": 2, "sample_constant": 5, "max_examples": 2000, **fixed}
    drawn = {"n_estimators": 2, "random_state": 0}
    return {
        "bagging": refit(partial(fb.BaggedTreesClassifier, **few)),
        "one against all": refit(partial(one_against_all, few), data=table),
        "C4.5": refit(partial(fb.C45Classifier, categorical_features=[3]), data=table),
        "C4.5, boosted": refit(partial(fb.C45Classifier, "adaboost_m1", **drawn), data=table),
        "gamble": refit(partial(fb.GambleClassifier, **few)),
        "pruned ensemble": refit(partial(pruned_ensemble, few), data=table),
        "filterboost": refit(partial(fb.FilterBoostClassifier, **filtered), 2, data=table),
        "filterboost, going on": refit(
            partial(fb.FilterBoostClassifier, **filtered), 2, data=table, fit=go_on_in_part
        ),
        "filterboost, confidence-rated": refit(
            partial(fb.FilterBoostClassifier, confidence_rated=True, **filtered), data=table
        ),
        "tandem": refit(tandem, 2, data=table),
    }


def one_against_all(options: dict[str, Any]) -> Any:
    return fb.OneAgainstAllClassifier(fb.BoostedTreesClassifier("gentle", **options))


def tandem() -> Any:
    member = fb.FilterBoostClassifier(
        target_error=0.25, max_rounds=2, max_depth=2, sample_constant=5, max_examples=2000, n_jobs=1
    )
    return fb.TandemBoostClassifier(member, target_error=0.6, random_state=0)


def pruned_ensemble(options: dict[str, Any]) -> Any:
    return fb.PrunedEnsembleClassifier(
        fb.BoostedTreesClassifier("adaboost_m1", **{**options, "n_estimators": 4}),
        n_estimators=2,
        random_state=0,
    )


@cache
def model(rule: str = "real", **options: Any) -> Any:
    """Of three classes, by default with categories."""
    options = {**TREES, "categorical_features": [3], **options}
    return fb.BoostedTreesClassifier(rule, **options).fit(table(), labels(3))


@cache
def numeric(**options: Any) -> Any:
    return model(categorical_features=None, **options)


@cache
def c45() -> Any:
    return fb.C45Classifier(categorical_features=[3]).fit(table(), labels(3))


@cache
def folder() -> TemporaryDirectory[str]:
    """Kept for as long as the process lasts."""
    return TemporaryDirectory()


def path(name: str) -> Path:
    return Path(folder().name) / name


@cache
def saved() -> Path:
    fb.save(model(), path("good.fboost"))
    return path("good.fboost")


def save() -> bytes:
    fb.save(model(), path("new.fboost"))
    return path("new.fboost").read_bytes()


def anew(fitted: Any) -> Any:
    """The same model without anything that it keeps for its next prediction."""
    fb.save(fitted, path("copy.fboost"))
    return fb.load(path("copy.fboost"))


def staged(fitted: Any) -> list[bytes]:
    return [each.tobytes() for each in fitted.staged_decision_function(table())]


def shares(fitted: Any) -> bytes:
    return bytes(fitted.shap_values(table()[:20]).tobytes() + fitted.expected_value_.tobytes())


def prune(method: str) -> str:
    large = model("adaboost_m1", n_estimators=6)
    return fb.digest(fb.prune_ensemble(large, table(), labels(3), method, n_estimators=3))


def uses() -> dict[str, Call]:
    def decide(fitted: Callable[[], Any], X: Call = table) -> Call:
        return lambda: fitted().decision_function(X()).tobytes()

    stumps = partial(numeric, max_depth=1)
    large = partial(numeric, max_depth=None, n_estimators=3)
    two_threads = partial(numeric, n_jobs=2)
    many = partial(table, N_MANY)
    calls: dict[str, Call] = {
        "prediction, categories": decide(model),
        "prediction": decide(numeric),
        "prediction, stumps": decide(stumps, many),
        "prediction, large trees": decide(large, many),
        "prediction, one row": decide(numeric, lambda: table()[:1]),
        "prediction, by columns": decide(numeric, lambda: np.asfortranarray(table())),
        "prediction, two threads": decide(two_threads, many),
        "prediction, categories, two threads": decide(partial(model, n_jobs=2), many),
        "first prediction": lambda: anew(model()).predict_proba(table()).tobytes(),
        "staged": lambda: staged(model()),
        "leaves": lambda: model().apply(table()).tobytes(),
        "C4.5's probabilities": lambda: c45().predict_proba(table()).tobytes(),
        "importances": lambda: model().feature_importances_.tobytes(),
        "shap": lambda: shares(model()),
        "first shap": lambda: shares(anew(numeric())),
        "shap, two threads": lambda: two_threads().shap_values(many()[:600]).tobytes(),
        "saving": save,
        "loading": lambda: fb.load(saved()).predict(table()).tobytes(),
        "C": lambda: fb.export.to_c(model()),
    }
    if is_there("onnx"):
        calls["ONNX"] = lambda: fb.export.to_onnx(model()).SerializeToString(deterministic=True)
    methods = ("early_stopping", "kl", "kappa", "hull", "reduce_error", "kappa_backfitting")
    return calls | {f"pruning, {method}": partial(prune, method) for method in methods}


HOARD: list[Any] = []


def hoard() -> None:
    """Leaks, so that a test can see that leaks are noticed."""
    HOARD.append(fb.BinnedDataset.from_data(table(), n_jobs=1))


ASK_NOTHING = ("importances", "saving", "C", "ONNX")
"""Of the core: they are Python alone."""

AT_FIRST = (
    "binning",
    "binning, two threads",
    "first prediction",
    "first shap",
    "adaboost, two_stage, two threads",
)
"""Those to be tried in new processes as well, which have no threads yet."""


def calls() -> dict[str, Call]:
    """All of them."""
    return (
        binnings()
        | uses()
        | fits_by_estimator()
        | fits_by_option()
        | fits_by_threads()
        | fits_by_search()
    )
