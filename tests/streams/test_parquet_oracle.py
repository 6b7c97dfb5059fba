"""Parquet files and Arrow data sets: columns, types, filters, folders, order, memory."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from streams_helpers import N_ROWS, PEAK, needs_proc, parquet_oracle, run, take, write_parquet

import frugalboost as fb
from frugalboost.streams import ArrowOracle, ParquetOracle


def write(path, columns, **options):
    file = path / "data.parquet"
    pq.write_table(pa.table(columns), file, **options)
    return file


def in_order(path, table, *, target="y", **options):
    return ParquetOracle(write(path, table), target, shuffle=False, recycle=False, **options).draw(
        1000
    )


@pytest.mark.parametrize(
    ("columns", "dtype"),
    [
        ([pa.array([1, 2], pa.int16()), pa.array([3, 4], pa.int8())], "int16"),
        ([pa.array([1, None], pa.int16()), pa.array([3, 4], pa.int8())], "float32"),
        ([pa.array([1, None], pa.int64()), pa.array([3, 4], pa.int8())], "float64"),
        ([pa.array([1.5, None], pa.float32()), pa.array([True, False])], "float32"),
        ([pa.array([True, False]), pa.array([True, True])], "bool"),
        ([pa.array([True, None]), pa.array([None, None], pa.null())], "float64"),
        ([pa.array([1, 2], pa.decimal128(5, 2)), pa.array([1, 2], pa.uint8())], "float64"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_numbers_become_a_matrix_that_holds_them(tmp_path, columns, dtype):
    batch = in_order(tmp_path, {"a": columns[0], "b": columns[1], "y": ["x", "z"]})
    assert batch.X.dtype == dtype
    assert batch.X.flags.c_contiguous
    wanted = [[np.nan if v is None else float(v) for v in c.to_pylist()] for c in columns]
    assert np.array_equal(batch.X.astype(float), np.transpose(wanted), equal_nan=True)
    assert batch.y.tolist() == ["x", "z"]


@pytest.mark.parametrize(
    "labels",
    [
        pa.array(["x", "z", "x"]),
        pa.array(["x", "z", "x"]).dictionary_encode(),
        pa.array([1, 0, 1], pa.int8()),
        pa.array([1.0, 0.5, 1.0]),
        pa.array([True, False, True]),
    ],
    ids=lambda labels: str(labels.type),
)
def test_labels_keep_their_type(tmp_path, labels):
    batch = in_order(tmp_path, {"a": [1, 2, 3], "y": labels})
    assert batch.y.tolist() == labels.to_pylist()


COLOURS = ["red", None, "blue", "red"]
FRAME = {
    "colour": pa.array(COLOURS),
    "shape": pa.array(["round", "flat", "flat", "round"]).dictionary_encode(),
    "size": pa.array([1, None, 3, 4], pa.int32()),
    "flag": pa.array([True, None, False, True]),
    "y": pa.array(["no", "yes", "no", "yes"]),
}


@pytest.mark.parametrize("shuffle", [True, False])
def test_text_becomes_categories_that_the_library_reads(tmp_path, shuffle):
    file = write(tmp_path, FRAME, row_group_size=2 if shuffle else 4)
    batch = ParquetOracle(file, "y", shuffle=shuffle, random_state=1).draw(4)
    assert len(batch.y) == 4
    data = fb.BinnedDataset.from_data(batch.X)
    assert data.schema.is_categorical.tolist() == [True, True, False, False]
    assert data.schema.categories[0].tolist() == ["blue", "red"]
    codes = data.schema.encode(batch.X)
    wanted = np.array([1, np.nan, 0, 1])[batch.rows]
    assert np.array_equal(codes[:, 0], wanted, equal_nan=True)
    assert np.array_equal(codes[:, 1], np.array([1, 0, 0, 1])[batch.rows])
    assert np.array_equal(codes[:, 2], np.array([1, np.nan, 3, 4])[batch.rows], equal_nan=True)
    assert np.array_equal(codes[:, 3], np.array([1, np.nan, 0, 1])[batch.rows], equal_nan=True)


def test_only_the_chosen_columns_come_in_their_order(tmp_path):
    batch = in_order(tmp_path, FRAME, columns=["flag", "size"])
    assert batch.X[0].tolist() == [1.0, 1.0]
    file = tmp_path / "data.parquet"
    oracle = ParquetOracle(file, "y", columns=["size"])
    assert oracle.feature_names.tolist() == ["size"]
    assert oracle.n_rows == 4


@pytest.mark.parametrize(
    "filters",
    [
        [("number", ">=", 20), ("rest", "=", 3)],
        (pc.field("number") >= 20) & (pc.field("rest") == 3),
    ],
    ids=["tuples", "expression"],
)
def test_filters_choose_rows(tmp_path, filters):
    oracle = parquet_oracle(tmp_path, filters=filters, columns=["number"], recycle=False)
    numbers = sorted(number for number, _ in take(oracle, 1000))
    assert numbers == [n for n in range(20, N_ROWS) if n % 7 == 3]
    assert oracle.n_rows is None


def test_row_groups_without_such_rows_are_not_read(tmp_path):
    # Its last row group is overwritten: reading it would be an error.
    file = write(tmp_path, {"a": np.arange(2000), "y": np.arange(2000)}, row_group_size=1000)
    start = pq.ParquetFile(file).metadata.row_group(1).column(0).data_page_offset
    content = bytearray(file.read_bytes())
    content[start : start + 64] = b"\xff" * 64
    file.write_bytes(content)
    oracle = ParquetOracle(file, "y", filters=[("a", "<", 5)], recycle=False)
    assert sorted(take(oracle, 100)) == [(n, n) for n in range(5)]
    with pytest.raises(ValueError, match=r"^ParquetOracle: .*data\.parquet: "):
        take(ParquetOracle(file, "y", recycle=False), 3000)


def test_folders_named_like_columns_are_columns(tmp_path):
    for year, kind in [(2023, "a"), (2024, "b")]:
        folder = tmp_path / f"year={year}" / f"kind={kind}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"x": [1.5, 2.5], "y": [0, 1]}), folder / "part.parquet")
    (tmp_path / "_SUCCESS.parquet").write_text("a mark, not data")
    oracle = ParquetOracle(tmp_path, "y", shuffle=False, recycle=False)
    assert oracle.feature_names.tolist() == ["x", "year", "kind"]
    rows = take(oracle, 10)
    assert rows[0] == (1.5, 2023, "a", 0)
    assert rows[3] == (2.5, 2024, "b", 1)
    only = ParquetOracle(tmp_path, "y", columns=["year"], filters=[("kind", "=", "b")])
    assert only.draw(10).X.tolist() == [[2024], [2024]]


def test_files_may_differ_in_the_width_of_numbers(tmp_path):
    pq.write_table(pa.table({"x": pa.array([1], pa.int8()), "y": ["a"]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"y": ["b"], "x": [2.5]}), tmp_path / "1.parquet")
    assert take(ParquetOracle(tmp_path, "y", shuffle=False), 2) == [(1, "a"), (2.5, "b")]


def test_row_groups_are_mixed_and_epochs_repeat_their_order(tmp_path):
    n = 4000
    file = write(tmp_path, {"x": np.arange(n), "y": np.zeros(n)}, row_group_size=1000)
    oracle = ParquetOracle(file, "y", buffer_rows=400, random_state=0)
    epochs = [[x for x, _ in take(oracle, n)] for _ in range(2)]
    assert epochs[0] == epochs[1] != sorted(epochs[0])
    groups = np.array(epochs[0][:400]) // 1000
    assert np.bincount(groups).tolist() == [100, 100, 100, 100]


def test_other_formats_and_tables_in_memory(tmp_path):
    table = pa.table({"x": [1, 2, 3], "y": ["a", "b", "a"]})
    ds.write_dataset(table, tmp_path / "feather", format="feather")
    for data in (ds.dataset(tmp_path / "feather", format="feather"), ds.dataset(table)):
        oracle = ArrowOracle(data, "y", filters=[("x", ">", 1)], random_state=0)
        assert sorted(take(oracle, 2)) == [(2, "b"), (3, "a")]


@pytest.mark.thorough
@needs_proc
def test_a_single_large_row_group_is_read_in_little_memory(tmp_path):
    rng = np.random.default_rng(0)
    columns = {f"c{i}": rng.integers(3000, size=1_000_000).astype(np.int16) for i in range(8)}
    file = write(tmp_path, columns | {"y": columns["c0"] % 2}, row_group_size=1_000_000)
    code = f"""
{PEAK}
import pyarrow.csv, pyarrow.dataset, pyarrow.parquet
from frugalboost.streams import ParquetOracle
before = peak()
oracle = ParquetOracle({str(file)!r}, "y", recycle=False)
n = 0
while m := len(oracle.draw(10_000).y):
    n += m
print(n, peak() - before)
"""
    n_rows, kilobytes = map(int, run(code).split())
    assert n_rows == 1_000_000
    # Read as a whole, it takes 64 MB, and 104 MB by pyarrow's scanner.
    assert kilobytes < 50_000


@pytest.mark.thorough
def test_pyarrow_is_needed_only_when_used():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.modules['pyarrow'] = None; sys.modules['pandas'] = None\n"
            "import frugalboost as fb\n"
            "print(len(fb.streams.ArrayOracle([[1], [2]], [0, 1]).draw(2).y))\n"
            "fb.streams.ParquetOracle('x.parquet', 'y')",
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "2\n", done.stderr
    assert done.stderr.splitlines()[-1] == (
        "ImportError: ParquetOracle: pyarrow is needed; "
        'install it with pip install "frugalboost[streams]".'
    )


@pytest.mark.thorough
def test_pandas_is_not_needed(tmp_path):
    columns = {"a": [1, None, 3], "b": ["x", None, "z"], "c": [True, None, False], "y": [0, 1, 0]}
    file = write(tmp_path, columns)
    code = f"""
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
import frugalboost as fb
for columns in (["a", "c"], ["a", "b", "c"]):
    oracle = fb.streams.ParquetOracle({str(file)!r}, "y", columns=columns, random_state=0)
    print(fb.BinnedDataset.from_data(oracle.draw(3).X).n_rows)
"""
    assert run(code) == "3\n3\n"


def test_names_with_dots_are_names(tmp_path):
    assert in_order(tmp_path, {"a.b": [1, 2], "a": [3, 4], "y": [0, 1]}).X.tolist() == [
        [1, 3],
        [2, 4],
    ]


def test_a_filter_that_no_row_passes(tmp_path):
    for filters in ([("number", "<", 0)], [("number", "in", [0.5])]):
        with pytest.raises(ValueError, match=r"^ParquetOracle: there must be at least one exampl"):
            parquet_oracle(tmp_path, filters=filters).draw(1)


def test_restoring_does_not_decode_what_was_given(tmp_path):
    folder = write_parquet(tmp_path)
    oracle = parquet_oracle(tmp_path, shuffle=False)
    take(oracle, 40)
    state = oracle.state()
    wanted = take(oracle, N_ROWS - 40)
    # The first file's values are destroyed, yet its end, which says what it holds, is intact.
    file = folder / "0.parquet"
    content = bytearray(file.read_bytes())
    start = pq.ParquetFile(file).metadata.row_group(0).column(0).data_page_offset
    content[start : start + 20] = b"\xff" * 20
    file.write_bytes(content)
    again = parquet_oracle(tmp_path, shuffle=False)
    again.restore(state)
    assert take(again, N_ROWS - 40) == wanted
