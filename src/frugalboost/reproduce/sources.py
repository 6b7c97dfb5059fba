"""The papers' data, or substitutes for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from frugalboost._typing import AnyArray, Floats
from frugalboost.data import BinnedDataset
from frugalboost.datasets import (
    Dataset,
    data_folder,
    load_dataset,
    make_concentric_spheres,
    make_expf,
    make_majority,
    make_twonorm,
    make_xd6,
)
from frugalboost.datasets.catalogue import CATALOGUE
from frugalboost.reproduce.haar import draw_wavelets, haar_features


@dataclass(frozen=True)
class Source:
    """Training and test rows of one experiment.

    Attributes
    ----------
    n_labels : int
        1, or rows come in groups of so many, one of each being positive: see `label_pairs`.
    categorical : tuple of int
        Columns that hold codes of categories.
    """

    name: str
    X_train: Any
    y_train: AnyArray
    X_test: Any
    y_test: AnyArray
    n_labels: int = 1
    categorical: tuple[int, ...] = ()

    @classmethod
    def from_rows(
        cls,
        name: str,
        X: Any,
        y: AnyArray,
        n_train: int | None = None,
        categorical: tuple[int, ...] = (),
    ) -> Source:
        """The first `n_train` rows train and the others test; None: all train."""
        n = len(y) if n_train is None else n_train
        return cls(name, X[:n], y[:n], X[n:], y[n:], categorical=categorical)

    @cached_property
    def binned(self) -> BinnedDataset:
        """The training rows, binned once for all fits."""
        return BinnedDataset.from_data(self.X_train)

    @property
    def codes(self) -> AnyArray:
        """Training labels as 0 .. K-1."""
        return np.unique(self.y_train, return_inverse=True)[1]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Training rows, test rows, features and classes."""
        n_features = int(self.X_train.shape[1])
        return len(self.y_train), len(self.y_test), n_features, len(np.unique(self.y_train))


def official(name: str, folder: Path | None) -> Source:
    """A data set that `load_dataset` knows, with its official split."""
    data = load_dataset(name, folder)
    assert data.y_train is not None
    assert data.y_test is not None
    return Source(name, data.X_train, data.y_train, data.X_test, data.y_test)


def mnist(folder: Path | None) -> Source:
    """The papers leave out the last four pixels, which are always 0."""
    whole = official("mnist", folder)
    return replace(whole, X_train=whole.X_train[:, :780], X_test=whole.X_test[:, :780])


def adult(folder: Path | None) -> Source:
    """Rows without missing values, all for training: the FilterBoost paper makes folds of them."""
    data = load_dataset("adult", folder)
    is_complete = data.X.notna().all(axis=1).to_numpy()
    X, places = as_codes(data)
    y = (data.y[is_complete] == ">50K").astype(np.int64)
    return Source.from_rows("adult", X[is_complete], y, categorical=places)


def as_codes(data: Dataset) -> tuple[Floats, tuple[int, ...]]:
    """A frame as numbers, and where these are codes of categories; NaN where they are missing."""
    frame = data.X
    columns = [
        frame[name].cat.codes.replace(-1, np.nan) if name in data.categorical else frame[name]
        for name in frame
    ]
    places = tuple(i for i, name in enumerate(frame) if name in data.categorical)
    return np.column_stack(columns).astype(np.float64), places


def whole_or_split(name: str, folder: Path | None) -> Source:
    """Any data set that `load_dataset` knows; all rows train if it has no official split."""
    data = load_dataset(name, folder)
    X, places = (data.X, ()) if isinstance(data.X, np.ndarray) else as_codes(data)
    return Source.from_rows(name, X, data.y, data.n_train, places)


def splice(folder: Path | None) -> Source:
    """Rows of the four bases alone: 15 have ambiguous letters, and the paper leaves out 14."""
    data = load_dataset("splice", folder)
    is_clear = data.X.isin(list("ACGT")).all(axis=1).to_numpy()
    X, places = as_codes(data)
    return Source.from_rows("splice", X[is_clear], data.y[is_clear], categorical=places)


def covtype(folder: Path | None) -> Source:
    """The largest class against the others, all rows for training."""
    data = load_dataset("covtype", folder)
    return Source.from_rows("covtype", data.X, (data.y == 2).astype(np.int64))


def flights(folder: Path | None) -> Source:
    """Flights that are more than 15 minutes late against the others, all rows for training."""
    data = load_dataset("flights3m", folder)
    return Source.from_rows("flights3m", data.X, (data.y > 15).astype(np.int64))


def synthetic(make: Callable[..., tuple[AnyArray, AnyArray]], folder: Path | None) -> Source:
    """Examples that need no file."""
    return Source.from_rows(make.__name__, *make(20_000, random_state=0), 10_000)


LIBSVM = {"w4a": ("w4a", "w4a.t"), "rcv1": ("rcv1_train.binary", "rcv1_test.binary")}
"""Names of files on the LIBSVM page, training and test rows; they may end in .bz2."""


def libsvm(name: str, folder: Path | None) -> Source:
    """Two files in LIBSVM's format, as they come from its page."""
    (X_train, y_train), (X_test, y_test) = (
        load_svmlight_file(find_file(data_folder(folder), file)) for file in LIBSVM[name]
    )
    n_features = max(X_train.shape[1], X_test.shape[1])
    X_train, X_test = (widened(X, n_features) for X in (X_train, X_test))
    return Source(name, X_train, y_train, X_test, y_test)


def w4a(folder: Path | None) -> Source:
    """The file that `load_dataset` reads, or else those of the LIBSVM page."""
    try:
        return official("w4a", folder)
    except FileNotFoundError:
        return libsvm("w4a", folder)


def widened(X: Any, n_features: int) -> Any:
    """A file knows only the features it mentions."""
    parts = X.data, X.indices, X.indptr
    return sparse.csr_matrix(parts, shape=(X.shape[0], n_features))


def find_file(folder: Path, name: str) -> str:
    for path in (folder / name, folder / f"{name}.bz2"):
        if path.is_file():
            return str(path)
    raise FileNotFoundError(f"{folder / name} does not exist, with or without .bz2.")


@dataclass(frozen=True)
class StandIn:
    """Haar-like features of MNIST images instead of images that cannot be had."""

    n_train: int
    n_test: int
    n_features: int
    positive: tuple[int, ...]
    seed: int

    @property
    def small(self) -> StandIn:
        """A tenth of the rows and of the features, for a quick look."""
        sizes = {name: getattr(self, name) // 10 for name in ("n_train", "n_test", "n_features")}
        return replace(self, **sizes)

    def load(self, name: str, folder: Path | None) -> Source:
        """Test rows are others than training rows; all are drawn from the 70,000 images."""
        data = load_dataset("mnist", folder)
        random = np.random.default_rng(self.seed)
        rows = random.permutation(len(data.y))[: self.n_train + self.n_test]
        X = haar_features(data.X[rows], draw_wavelets(self.n_features, self.seed))
        y = np.isin(data.y[rows], self.positive).astype(np.int64)
        return Source.from_rows(name, X, y, self.n_train)


FACES = StandIn(n_train=8_500, n_test=4_000, n_features=4_300, positive=(3,), seed=1)
PEDESTRIANS = StandIn(
    n_train=17_000, n_test=11_000, n_features=5_100, positive=(5, 6, 7, 8, 9), seed=2
)

PLAIN = (
    "autos",
    "breast-w",
    "glass",
    "iris",
    "kr-vs-kp",
    "letter",
    "lymph",
    "pendigits",
    "segment",
    "soybean",
    "vehicle",
    "vowel",
    "waveform",
)
"""Data sets that are taken as they come."""

LOADERS: dict[str, Callable[[Path | None], Source]] = {
    "a6a": partial(official, "a6a"),
    "adult": adult,
    "covtype": covtype,
    "flights3m": flights,
    "expf": partial(synthetic, make_expf),
    "majority": partial(synthetic, make_majority),
    "mnist": mnist,
    "rcv1": partial(libsvm, "rcv1"),
    "satimage": partial(official, "satimage"),
    "spheres": partial(synthetic, make_concentric_spheres),
    "splice": splice,
    "twonorm": partial(synthetic, make_twonorm),
    "w4a": w4a,
    "xd6": partial(synthetic, make_xd6),
    "faces": partial(FACES.load, "faces"),
    "pedestrians": partial(PEDESTRIANS.load, "pedestrians"),
    **{name: partial(whole_or_split, name) for name in PLAIN},
}
SMALL = {
    "faces": partial(FACES.small.load, "faces"),
    "pedestrians": partial(PEDESTRIANS.small.load, "pedestrians"),
}


FILES = {
    "flights3m": "flights3m.npz",
    "faces": "mnist.npz",
    "pedestrians": "mnist.npz",
    **{
        name: CATALOGUE[name].file_name
        for name in ("a6a", "adult", "covtype", "mnist", "satimage", "splice", "w4a", *PLAIN)
    },
}
"""What each data set is read from; the others are generated, or `LIBSVM` lists them."""


def lacking(name: str, folder: Path) -> str | None:
    """What a data set needs that is absent; None if it can be read."""
    file = FILES.get(name)
    if file is not None and (folder / file).is_file():
        is_readable = not file.endswith(".csv.gz") or find_spec("pandas") is not None
        return None if is_readable else 'pandas: pip install "frugalboost[datasets]"'
    parts = LIBSVM.get(name)
    if parts is None:
        return file
    if all(is_there_or_packed(folder / part) for part in parts):
        return None
    text = f"{' and '.join(parts)}, plain or .bz2"
    return text if file is None else f"{file}, or {text}"


def is_there_or_packed(path: Path) -> bool:
    return path.is_file() or path.with_name(f"{path.name}.bz2").is_file()


class Sources:
    """Data sets by name, each read once, when it is first needed."""

    def __init__(self, folder: Path | None, *, is_quick: bool = False) -> None:
        self._folder = folder
        self._loaders = LOADERS | SMALL if is_quick else LOADERS
        self._read: dict[str, Source] = {}

    def __getitem__(self, name: str) -> Source:
        if name not in self._read:
            self._read[name] = self._loaders[name](self._folder)
        return self._read[name]

    def missing(self, names: tuple[str, ...]) -> dict[str, str]:
        """The data sets that cannot be read, and what they need."""
        needed = {name: lacking(name, data_folder(self._folder)) for name in names}
        return {name: what for name, what in needed.items() if what is not None}
