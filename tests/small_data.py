"""Small tables in the layout that `load_dataset` reads, in place of the papers' data."""

from __future__ import annotations

import gzip

import numpy as np
from scipy import sparse


def write_a6a(folder, n_train=300, n_test=100, n_features=12, name="a6a"):
    random = np.random.default_rng(0)
    X = sparse.csr_matrix((random.random((n_train + n_test, n_features)) < 0.3).astype(np.float64))
    score = (X[:, 0] + 2 * X[:, 1] - X[:, 2]).toarray().ravel()
    y = np.where(score + random.normal(0, 0.7, len(score)) > 0.5, 1, -1)
    parts = {}
    for part, rows in (("train", slice(0, n_train)), ("test", slice(n_train, None))):
        table = X[rows]
        parts |= {
            f"X_{part}_data": table.data,
            f"X_{part}_indices": table.indices,
            f"X_{part}_indptr": table.indptr,
            f"X_{part}_shape": np.array(table.shape),
            f"y_{part}": y[rows],
        }
    np.savez(folder / f"{name}.npz", **parts)


def write_satimage(folder, n_train=200, n_test=80):
    random = np.random.default_rng(1)
    y = random.integers(1, 7, n_train + n_test)
    X = (y[:, np.newaxis] * random.random(36) * 20 + random.normal(0, 8, (len(y), 36))).round()
    write_split(folder / "satimage.npz", X, y, n_train)


def write_mnist(folder, n=2900, n_train=2400):
    random = np.random.default_rng(2)
    y = random.integers(0, 10, n)
    patterns = random.integers(0, 12, (10, 28, 28))  # few values: few thresholds to try
    images = 10 * (patterns[y] + random.integers(0, 6, (n, 28, 28)))
    write_split(folder / "mnist.npz", images.reshape(n, 784).astype(np.uint8), y, n_train)


def write_pendigits(folder, n_train=160, n_test=60):
    random = np.random.default_rng(5)
    y = random.integers(0, 10, n_train + n_test)
    X = (10 * (random.random((10, 16)) > 0.5)[y] + random.integers(0, 8, (len(y), 16))) * 5
    write_split(folder / "pendigits.npz", X.astype(np.uint8), y, n_train)


def write_glass(folder, n=214):
    random = np.random.default_rng(6)
    y = random.choice([1, 2, 3, 5, 6, 7], n, p=[0.33, 0.35, 0.08, 0.06, 0.04, 0.14])
    np.savez(folder / "glass.npz", X=y[:, np.newaxis] + random.normal(0, 2, (n, 9)), y=y)


def write_splice(folder, n=80):
    """Six letters of the real 60; every tenth row is in doubt about one."""
    random = np.random.default_rng(7)
    lines = [",".join([*(f"pos{i}" for i in range(6)), "class"])]
    for i in range(n):
        letters = random.choice(list("ACGT"), 6)
        label = {"A": "EI", "C": "IE"}.get(letters[2], "N")
        if i % 10 == 0:
            letters[0] = "N"
        lines.append(",".join([*letters, label]))
    with gzip.open(folder / "splice.csv.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")


def write_split(path, X, y, n):
    np.savez(path, X_train=X[:n], y_train=y[:n], X_test=X[n:], y_test=y[n:])


def write_adult(folder, n=400):
    """Three attributes of the real 14; every tenth row lacks its workclass."""
    random = np.random.default_rng(3)
    age, hours = random.integers(17, 90, n), random.integers(1, 99, n)
    work = random.choice(["Private", "State-gov", "Never-worked"], n)
    is_rich = age + hours + 30 * (work == "Private") + random.normal(0, 20, n) > 130
    lines = ["age,workclass,hours-per-week,class,split"]
    for i in range(n):
        kind = "?" if i % 10 == 0 else work[i]
        label = ">50K" if is_rich[i] else "<=50K"
        lines.append(f"{age[i]},{kind},{hours[i]},{label},{'test' if i % 3 == 0 else 'train'}")
    with gzip.open(folder / "adult.csv.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")


def write_covtype(folder, n=400):
    random = np.random.default_rng(4)
    X = random.integers(0, 3000, (n, 6)).astype(np.int16)
    is_large = (X[:, 0] + X[:, 1] > 3000) != (random.random(n) < 0.1)
    y = np.where(is_large, 2, random.integers(3, 8, n))
    np.savez(folder / "covtype.npz", X=X, y=y)


def write_libsvm(folder, name="w4a"):
    """A file knows only the features it mentions: the test rows mention one more."""
    (folder / name).write_text("+1 1:1 3:1\n-1 2:1\n+1 1:1\n-1 2:1 3:1\n" * 40)
    (folder / f"{name}.t").write_text("+1 1:1\n-1 2:1 4:1\n" * 10)
