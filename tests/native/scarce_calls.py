"""Run calls into the core while the k-th of its allocations fails; `failing_new` is preloaded.

Arguments: the preloaded library, then numbers k. Each call must succeed or raise MemoryError, leave
its objects as they were and be right the next time. Prints how often each was denied memory.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile
from pathlib import Path

import numpy as np

import frugalboost as fb

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 4)).round(1)
X[:, 3] = rng.integers(9, size=300)
Y = rng.integers(3, size=300)
OPTIONS = {"n_estimators": 2, "max_depth": 3, "categorical_features": [3], "n_jobs": 1}
CONVERSION = 512
"""nanobind turns a list of a table's parts into fewer bytes, and ends the process if those fail."""
SEARCHES = ("exhaustive", "quick", "adaptive", "incremental", "two_stage")


def works(folder: Path) -> dict:
    data = fb.BinnedDataset.from_data(X, categorical_features=[3], n_jobs=1)
    model = fb.BoostedTreesClassifier("real", **OPTIONS).fit(X, Y)
    fb.save(model, folder / "model.fboost")
    found = {
        "binning": lambda: fb.BinnedDataset.from_data(X, categorical_features=[3]).nbytes,
        "prediction": lambda: model.decision_function(X).tobytes(),
        "shap": lambda: model.shap_values(X[:20]).tobytes(),
        "loading": lambda: fb.load(folder / "model.fboost").predict(X).tobytes(),
        "regression": lambda: fb.digest(fb.BoostedTreesRegressor(**OPTIONS).fit(data, Y)),
    }
    for rule, labels in (("adaboost", Y > 1), ("real", Y), ("gentle", Y), ("logit", Y)):
        for search in SEARCHES:
            found[f"{rule} {search}"] = lambda rule=rule, labels=labels, search=search: fb.digest(
                fb.BoostedTreesClassifier(rule, search=search, **OPTIONS).fit(data, labels)
            )
    return found


def main(library: str, numbers: list[int]) -> None:
    shim = ctypes.CDLL(library)
    with tempfile.TemporaryDirectory() as folder:
        for name, work in works(Path(folder)).items():
            right, n_denied = work(), 0
            for k in numbers:
                smallest = CONVERSION if name == "binning" else 0
                shim.fail_at(ctypes.c_long(k), ctypes.c_size_t(smallest))
                try:
                    found = work()
                except MemoryError:
                    found, n_denied = right, n_denied + 1
                finally:
                    asked = shim.stop_failing()
                assert found == right, f"{name}, allocation {k}"
                assert work() == right, f"{name} after allocation {k}"
                if asked < k:
                    break
            print(name, n_denied, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], [int(k) for k in sys.argv[2:]])
