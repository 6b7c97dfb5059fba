"""One small adapter for each library.

An adapter knows five verbs: `build` (a data set), `train`, `probabilities`, `test_errors` (after
each round) and `n_rounds`. To add a library, write its adapter and add it to `CONTENDERS`. Other
libraries are imported inside the verbs, because all of them are optional.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from .data import Part

N_BINS = 255  # of numbers; with the bin of missing values 256, what fits into a byte


@dataclass(frozen=True)
class Settings:
    """What all contenders have in common in one fit.

    `rule` concerns frugalboost only; `rate` is the step of each tree, by default the first of the
    contender's rates, since a step that suits gradient boosting does not suit AdaBoost.
    """

    rounds: int
    depth: int
    n_classes: int = 2
    n_threads: int = 1
    rule: str = "adaboost"
    rate: float | None = None

    def with_rounds(self, rounds: int) -> Settings:
        return replace(self, rounds=rounds)


class NotApplicableError(Exception):
    """The library does not do what a task asks for."""


class Contender(ABC):
    """A library, or one of its methods."""

    name: ClassVar[str]
    module: ClassVar[str]
    packages: ClassVar[tuple[str, ...]]
    rates: ClassVar[tuple[float, ...]] = (0.1, 0.3)
    remark: ClassVar[str] = ""
    builds_apart: ClassVar[bool] = True  # False: `build` hands the table on, `train` bins it

    def remarks(self, part: Part) -> list[str]:
        """What to know when its figures on this table are compared."""
        return [self.remark] if self.remark else []

    def is_installed(self) -> bool:
        return find_spec(self.module) is not None

    def version(self) -> str | None:
        for package in self.packages:
            try:
                return version(package)
            except PackageNotFoundError:
                continue
        return None

    def rate(self, settings: Settings) -> float:
        return self.rates[0] if settings.rate is None else settings.rate

    @abstractmethod
    def build(self, part: Part, settings: Settings) -> Any:
        """Bin the table, ready for any number of fits."""

    @abstractmethod
    def train(self, data: Any, settings: Settings) -> Any:
        """Return a model."""

    @abstractmethod
    def probabilities(self, model: Any, X: Any, settings: Settings) -> Any:
        """Return those of the classes, or of class 1 alone."""

    @abstractmethod
    def test_errors(self, train: Part, test: Part, settings: Settings) -> list[float]:
        """Return the share of wrong test labels after each round."""

    def n_rounds(self, model: Any, settings: Settings) -> int:
        """Return the rounds really made: AdaBoost ends when nothing is left to learn."""
        return settings.rounds


def share_wrong(probabilities: Any, y: Any) -> float:
    """Return the share of labels that are not the most probable ones.

    >>> share_wrong(np.array([0.2, 0.9]), np.array([0, 0]))
    0.5
    """
    scores = np.asarray(probabilities)
    labels = scores > 0.5 if scores.ndim == 1 else scores.argmax(axis=1)
    return float(np.mean(labels != y))


def staged_errors(labels_by_round: Iterable[Any], y: Any) -> list[float]:
    return [float(np.mean(labels != y)) for labels in labels_by_round]


class FrugalBoost(Contender):
    name = "frugalboost"
    module = "frugalboost"
    packages = ("frugalboost",)
    rates = (1.0, 0.5)

    def build(self, part: Part, settings: Settings) -> Any:
        from frugalboost import BinnedDataset

        return BinnedDataset.from_data(part.X, max_bins=N_BINS, n_jobs=settings.n_threads), part.y

    def train(self, data: Any, settings: Settings) -> Any:
        from frugalboost import BoostedTreesClassifier

        model = BoostedTreesClassifier(
            rule=settings.rule,
            n_estimators=settings.rounds,
            learning_rate=self.rate(settings),
            max_depth=settings.depth,
            n_jobs=settings.n_threads,
        )
        return model.fit(*data)

    def probabilities(self, model: Any, X: Any, settings: Settings) -> Any:
        return model.predict_proba(X)

    def test_errors(self, train: Part, test: Part, settings: Settings) -> list[float]:
        model = self.train(self.build(train, settings), settings)
        return staged_errors(model.staged_predict(test.X), test.y)

    def n_rounds(self, model: Any, settings: Settings) -> int:
        return len(model.estimators_)


class LightGBM(Contender):
    name = "LightGBM"
    module = "lightgbm"
    packages = ("lightgbm",)

    def build(self, part: Part, settings: Settings) -> Any:
        import lightgbm as lgb

        params = self._data_params(settings)
        return lgb.Dataset(part.X, part.y, params=params, free_raw_data=False).construct()

    def train(self, data: Any, settings: Settings) -> Any:
        import lightgbm as lgb

        return lgb.train(self._params(settings), data, num_boost_round=settings.rounds)

    def probabilities(self, model: Any, X: Any, settings: Settings) -> Any:
        return model.predict(X, num_threads=settings.n_threads)

    def test_errors(self, train: Part, test: Part, settings: Settings) -> list[float]:
        import lightgbm as lgb

        data = self.build(train, settings)
        history: dict[str, Any] = {}
        params = self._params(settings)
        params["metric"] = "binary_error" if settings.n_classes == 2 else "multi_error"
        lgb.train(
            params,
            data,
            num_boost_round=settings.rounds,
            valid_sets=[data.create_valid(test.X, test.y)],
            callbacks=[lgb.record_evaluation(history)],
        )
        return list(history["valid_0"][params["metric"]])

    def _data_params(self, settings: Settings) -> dict[str, Any]:
        # Features are not filtered by min_data_in_leaf, which is 1 and would drop none.
        return {
            "max_bin": N_BINS,
            "min_data_in_leaf": 1,
            "feature_pre_filter": False,
            "num_threads": settings.n_threads,
            "verbose": -1,
        }

    def _params(self, settings: Settings) -> dict[str, Any]:
        many = settings.n_classes > 2
        return self._data_params(settings) | {
            "objective": "multiclass" if many else "binary",
            "num_class": settings.n_classes if many else 1,
            "learning_rate": self.rate(settings),
            "max_depth": settings.depth,
            "num_leaves": 2**settings.depth,
        }


class XGBoost(Contender):
    """The histogram method on a table binned beforehand."""

    name = "XGBoost"
    module = "xgboost"
    packages = ("xgboost", "xgboost-cpu")
    method: ClassVar[str] = "hist"

    def build(self, part: Part, settings: Settings) -> Any:
        import xgboost as xgb

        return xgb.QuantileDMatrix(part.X, part.y, max_bin=N_BINS + 1, nthread=settings.n_threads)

    def train(self, data: Any, settings: Settings) -> Any:
        import xgboost as xgb

        return xgb.train(self._params(settings), data, num_boost_round=settings.rounds)

    def probabilities(self, model: Any, X: Any, settings: Settings) -> Any:
        return model.inplace_predict(X)

    def test_errors(self, train: Part, test: Part, settings: Settings) -> list[float]:
        import xgboost as xgb

        history: dict[str, Any] = {}
        metric = "error" if settings.n_classes == 2 else "merror"
        xgb.train(
            self._params(settings) | {"eval_metric": metric},
            self.build(train, settings),
            num_boost_round=settings.rounds,
            evals=[(xgb.DMatrix(test.X, test.y, nthread=settings.n_threads), "test")],
            evals_result=history,
            verbose_eval=False,
        )
        return list(history["test"][metric])

    def _params(self, settings: Settings) -> dict[str, Any]:
        many = settings.n_classes > 2
        params = {
            "objective": "multi:softprob" if many else "binary:logistic",
            "tree_method": self.method,
            "eta": self.rate(settings),
            "max_depth": settings.depth,
            "min_child_weight": 0,
            "nthread": settings.n_threads,
            "verbosity": 0,
        }
        if many:
            params["num_class"] = settings.n_classes
        if self.method == "hist":
            params["max_bin"] = N_BINS + 1
        return params


class XGBoostExact(XGBoost):
    name = "XGBoost exact"
    method = "exact"
    remark = "all values, no bins"

    def build(self, part: Part, settings: Settings) -> Any:
        import xgboost as xgb

        return xgb.DMatrix(part.X, part.y, nthread=settings.n_threads)


class HistGradientBoosting(Contender):
    name = "HistGradientBoosting"
    module = "sklearn"
    packages = ("scikit-learn",)
    builds_apart = False
    remark = "binning counted in training"

    def build(self, part: Part, settings: Settings) -> Any:
        if part.is_sparse:
            raise NotApplicableError("takes no sparse tables")
        return part.X, part.y

    def train(self, data: Any, settings: Settings) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        model = HistGradientBoostingClassifier(
            learning_rate=self.rate(settings),
            max_iter=settings.rounds,
            max_depth=settings.depth,
            max_leaf_nodes=2**settings.depth,
            min_samples_leaf=1,
            max_bins=N_BINS,
            early_stopping=False,
        )
        return model.fit(*data)

    def probabilities(self, model: Any, X: Any, settings: Settings) -> Any:
        return model.predict_proba(X)

    def test_errors(self, train: Part, test: Part, settings: Settings) -> list[float]:
        model = self.train(self.build(train, settings), settings)
        return staged_errors(model.staged_predict(test.X), test.y)


class AdaBoost(Contender):
    name = "AdaBoost (scikit-learn)"
    module = "sklearn"
    packages = ("scikit-learn",)
    rates = (1.0,)
    builds_apart = False
    remark = "all values, no bins; always one thread"

    def build(self, part: Part, settings: Settings) -> Any:
        return part.X, part.y

    def train(self, data: Any, settings: Settings) -> Any:
        from sklearn.ensemble import AdaBoostClassifier
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_depth=settings.depth)
        rate = self.rate(settings)
        model = AdaBoostClassifier(tree, n_estimators=settings.rounds, learning_rate=rate)
        return model.fit(*data)

    def probabilities(self, model: Any, X: Any, settings: Settings) -> Any:
        return model.predict_proba(X)

    def test_errors(self, train: Part, test: Part, settings: Settings) -> list[float]:
        model = self.train(self.build(train, settings), settings)
        return staged_errors(model.staged_predict(test.X), test.y)

    def n_rounds(self, model: Any, settings: Settings) -> int:
        return len(model.estimators_)


class CatBoost(Contender):
    name = "CatBoost"
    module = "catboost"
    packages = ("catboost",)
    remark = "one split for each level; bins with all cores"

    def remarks(self, part: Part) -> list[str]:
        # The threads of a Pool are those of reading it; those of `quantize` cannot be chosen.
        return [*super().remarks(part), *(["bins while training"] if part.is_sparse else [])]

    def build(self, part: Part, settings: Settings) -> Any:
        import catboost

        pool = catboost.Pool(part.X, part.y, thread_count=settings.n_threads)
        if not part.is_sparse:
            pool.quantize(border_count=N_BINS - 1)
        return pool

    def train(self, data: Any, settings: Settings) -> Any:
        import catboost

        return catboost.train(data, self._params(settings))

    def probabilities(self, model: Any, X: Any, settings: Settings) -> Any:
        kind = "Probability"
        return model.predict(X, prediction_type=kind, thread_count=settings.n_threads)

    def test_errors(self, train: Part, test: Part, settings: Settings) -> list[float]:
        import catboost

        model = catboost.train(
            catboost.Pool(train.X, train.y, thread_count=settings.n_threads),
            self._params(settings) | {"eval_metric": "Accuracy", "use_best_model": False},
            eval_set=catboost.Pool(test.X, test.y, thread_count=settings.n_threads),
        )
        return [1.0 - share for share in model.get_evals_result()["validation"]["Accuracy"]]

    def _params(self, settings: Settings) -> dict[str, Any]:
        return {
            "loss_function": "MultiClass" if settings.n_classes > 2 else "Logloss",
            "boosting_type": "Plain",
            "iterations": settings.rounds,
            "learning_rate": self.rate(settings),
            "depth": settings.depth,
            "border_count": N_BINS - 1,
            "thread_count": settings.n_threads,
            "random_seed": 0,
            "logging_level": "Silent",
            "allow_writing_files": False,
        }


OURS = FrugalBoost.name
YARDSTICK = LightGBM.name
CONTENDERS: dict[str, Contender] = {
    contender.name: contender
    for contender in (
        FrugalBoost(),
        LightGBM(),
        XGBoost(),
        XGBoostExact(),
        HistGradientBoosting(),
        AdaBoost(),
        CatBoost(),
    )
}
