"""The data sets that `load_dataset` knows. To add one, add its entry here."""

from __future__ import annotations

from dataclasses import dataclass

from frugalboost._checks import check_choice

_ADULT_AMOUNTS = (
    "age",
    "fnlwgt",
    "education-num",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
)
_AUTOS_AMOUNTS = (
    "normalized-losses",
    "wheel-base",
    "length",
    "width",
    "height",
    "curb-weight",
    "engine-size",
    "bore",
    "stroke",
    "compression-ratio",
    "horsepower",
    "peak-rpm",
    "city-mpg",
    "highway-mpg",
    "price",
)


@dataclass(frozen=True)
class Entry:
    """How one data set is stored, and where else it is available.

    Parameters
    ----------
    name : str
        Also the stem of its file.
    suffix : {".npz", ".csv.gz"}
    target : str
        Key or column of the target.
    categorical : tuple of str
        Category columns of an .npz; those of a .csv.gz are all but `amounts`.
    amounts : tuple of str or "all"
        Numeric columns of a .csv.gz.
    ignored : tuple of str
        Columns that merely identify a row.
    openml : tuple of (str, int), optional
        Name and version of the same data on OpenML.
    n_train : int, optional
        Training rows at the start of the OpenML copy, where its order is the official one.
    """

    name: str
    suffix: str
    target: str = "y"
    categorical: tuple[str, ...] = ()
    amounts: tuple[str, ...] | str = ()
    ignored: tuple[str, ...] = ()
    openml: tuple[str, int] | None = None
    n_train: int | None = None

    @property
    def file_name(self) -> str:
        return self.name + self.suffix

    def is_amount(self, column: str) -> bool:
        """Whether a column of a .csv.gz is numeric."""
        return self.amounts == "all" or column in self.amounts


def _npz(
    name: str,
    target: str = "y",
    categorical: tuple[str, ...] = (),
    openml: tuple[str, int] | None = None,
    n_train: int | None = None,
) -> Entry:
    return Entry(name, ".npz", target, categorical, openml=openml, n_train=n_train)


def _csv(
    name: str,
    openml: tuple[str, int],
    target: str = "class",
    amounts: tuple[str, ...] | str = (),
    ignored: tuple[str, ...] = (),
) -> Entry:
    return Entry(name, ".csv.gz", target, amounts=amounts, ignored=ignored, openml=openml)


# OpenML's waveform-5000 adds 19 columns of noise to these 21, so waveform has no copy there.
# Its segment, vehicle and vowel have no official split, so these three have no copy there either.
# Of its versions of covertype, the fourth holds the original values.
_ENTRIES = (
    _npz("a6a"),
    _csv("adult", openml=("adult", 2), amounts=_ADULT_AMOUNTS),
    _csv("autos", openml=("autos", 1), target="symboling", amounts=_AUTOS_AMOUNTS),
    _csv("breast-w", openml=("breast-w", 1), amounts="all", ignored=("id",)),
    _npz("covtype", openml=("covertype", 4)),
    _npz("flights3m", target="y_delay", categorical=("origin", "destination")),
    _npz("glass", openml=("glass", 1)),
    _npz("higgs7k"),
    _npz("iris", openml=("iris", 1)),
    _csv("kr-vs-kp", openml=("kr-vs-kp", 1)),
    _npz("letter", openml=("letter", 1)),
    _csv("lymph", openml=("lymph", 1)),
    _npz("mnist", openml=("mnist_784", 1), n_train=60000),
    _npz("pendigits", openml=("pendigits", 1)),
    _npz("satimage", openml=("satimage", 1)),
    _npz("segment"),
    _csv("soybean", openml=("soybean", 1)),
    _csv("splice", openml=("splice", 1)),
    _npz("vehicle"),
    _npz("vowel"),
    _npz("w4a"),
    _npz("waveform"),
)
CATALOGUE = {entry.name: entry for entry in _ENTRIES}


def find_entry(name: str) -> Entry:
    """Return the entry of a data set, by its name here or on OpenML.

    >>> find_entry("mnist_784").file_name
    'mnist.npz'
    """
    for entry in _ENTRIES:
        if entry.openml is not None and name == entry.openml[0]:
            return entry
    return CATALOGUE[check_choice(name, CATALOGUE, name="name")]
