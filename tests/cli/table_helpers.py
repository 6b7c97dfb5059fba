"""One small table in every format that commands read, and a way to run them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file
from typer.testing import CliRunner

from frugalboost.cli import prune, report
from frugalboost.cli.app import app

N_ROWS = 150
FAST = ("--trees", "8", "--depth", "3")
PARAMS = {"n_estimators": 8, "max_depth": 3, "random_state": 0}


def run(*arguments):
    with pytest.MonkeyPatch.context() as patch:
        for command in (prune, report):  # their times are those of one prediction
            patch.setattr(command, "TIMED_SECONDS", 0.0)
        return CliRunner().invoke(app, [str(each) for each in arguments])


def ok(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result


def refused(code, *arguments):
    """The one line that a command says before it fails with this code."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("frugalboost: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def table(seed=0, n_rows=N_ROWS):
    """Numbers, whole numbers, booleans and words, some missing; two classes and a number."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n_rows).round(2)
    city = rng.choice(["Bonn", "Köln", "Ulm"], size=n_rows)
    sold = np.where(size + (city == "Ulm") + rng.normal(scale=0.5, size=n_rows) > 0.4, "yes", "no")
    return pa.table(
        {
            "size": pa.array(size, mask=rng.random(n_rows) < 0.1),
            "rooms": pa.array(rng.integers(1, 7, size=n_rows)),
            "new": pa.array(rng.random(n_rows) < 0.5),
            "city": pa.array(city, mask=rng.random(n_rows) < 0.1),
            "price": pa.array((100 * size).round(1) + 0.5),
            "sold": pa.array(sold),
        }
    )


def features(data, names=("size", "rooms", "new", "city")):
    """As a user would give them to an estimator: words are categories."""
    chosen = data.select(list(names))
    at = chosen.column_names.index("city") if "city" in names else None
    if at is None:
        return chosen
    return chosen.set_column(at, "city", chosen.column("city").combine_chunks().dictionary_encode())


def labels(data, name="sold"):
    return np.array(data.column(name).to_pylist(), dtype=object)


def write(path, data):
    """Write a table in the format of the ending."""
    name = path.name
    if name.endswith(".csv"):
        pa.csv.write_csv(data, path)
    elif name.endswith(".csv.gz"):
        with pa.CompressedOutputStream(str(path), "gzip") as file:
            pa.csv.write_csv(data, file)
    elif name.endswith(".parquet"):
        pa.parquet.write_table(data, path, row_group_size=40)
    else:
        pa.feather.write_feather(data, path, chunksize=40)
    return path


def matrix(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, 4)).round(1)
    X[rng.random(X.shape) < 0.5] = 0
    return X, (X[:, 0] + X[:, 1] > 0).astype(np.int64) + 3


def write_libsvm(path, X, y):
    dump_svmlight_file(sparse.csr_matrix(X), y, str(path), zero_based=True)
    return path
