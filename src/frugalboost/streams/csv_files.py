"""Examples from CSV files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from frugalboost.streams.table_oracle import TableOracle, choose_columns
from frugalboost.tables.errors import listed
from frugalboost.tables.files import find_files
from frugalboost.tables.formats import COMMA_SEPARATED, NULLS
from frugalboost.tables.opening import require_pyarrow


class CsvOracle(TableOracle):
    """The rows of a CSV file, or of all CSV files in a folder, with column names in the first row.

    Parameters
    ----------
    path : str or path
        A file, optionally compressed, or a folder with files ending in .csv, .csv.gz, .csv.bz2 or
        .csv.zst at any depth.
    target : str
        The column of labels.
    columns : list of str, or None
        The features. None: all columns but the target.
    categories : list of str
        Columns to treat as categories although they look like numbers, such as postal codes.
    delimiter : str
    null_values : list of str
        Strings that stand for a missing value.
    recycle, shuffle, buffer_rows, random_state
        See `ArrowOracle`. A CSV file must be read from its beginning, so rows are mixed only
        across files and within the buffer, and `restore` must read the rows that it skips.

    A column is numeric if it is so in the first 512 KB of every file, and text otherwise. A
    batch's X is an array of float64 if all features are numeric, else a pyarrow table.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = folder.name + "/sales.csv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("size,city,sold\\n1.5,7,no\\n?,8,yes\\n")
    >>> CsvOracle(path, "sold", columns=["size"], shuffle=False).draw(2)[:2]
    (array([[1.5],
           [nan]]), array(['no', 'yes'], dtype=object))
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: Any,
        target: str,
        *,
        columns: Iterable[str] | None = None,
        categories: Iterable[str] = (),
        delimiter: str = ",",
        null_values: Sequence[str] = NULLS,
        recycle: bool = True,
        shuffle: bool = True,
        buffer_rows: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            target,
            recycle=recycle,
            shuffle=shuffle,
            buffer_rows=buffer_rows,
            random_state=random_state,
        )
        require_pyarrow()
        from frugalboost.streams.columns import common_types, layout_of
        from frugalboost.streams.pieces import Piece
        from frugalboost.tables.csv_reader import CsvReader

        reader = CsvReader(delimiter, list(null_values))
        files = [str(file) for file in find_files(path, COMMA_SEPARATED)]
        schemas = {file: reader.schema(file) for file in files}
        names = schemas[files[0]].names
        features = choose_columns(names, self.target, columns)
        texts = check_categories(categories, features)
        types = common_types(schemas, features, self.target, texts)
        self._set(
            [Piece(file, reader.opener(file, types), has_header=True) for file in files],
            layout_of(types, self.target),
        )


def check_categories(categories: Any, features: Sequence[str]) -> set[str]:
    """Return the columns to be read as text, which must be features."""
    if isinstance(categories, str) or not isinstance(categories, Iterable):
        raise TypeError(f"categories must be a list of names; got {categories!r}.")
    texts = set(categories)
    unknown = sorted(map(str, texts - set(features)))
    if unknown:
        raise ValueError(
            f"categories must be among the columns {listed(features)}; got {unknown[0]!r}."
        )
    return texts
