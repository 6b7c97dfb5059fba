"""Small tables in the layout that `load_dataset` reads, in place of the papers' data."""

from __future__ import annotations

import numpy as np
from scipy import sparse


def write_a6a(folder, n_train=300, n_test=100, n_features=12):
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
    np.savez(folder / "a6a.npz", **parts)


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


def write_split(path, X, y, n):
    np.savez(path, X_train=X[:n], y_train=y[:n], X_test=X[n:], y_test=y[n:])


def write_libsvm(folder, name="w4a"):
    """A file knows only the features it mentions: the test rows mention one more."""
    (folder / name).write_text("+1 1:1 3:1\n-1 2:1\n+1 1:1\n-1 2:1 3:1\n" * 40)
    (folder / f"{name}.t").write_text("+1 1:1\n-1 2:1 4:1\n" * 10)
