"""The block store: a random order of all rows, in bounded memory, all or nothing."""

from __future__ import annotations

import json
import signal
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from streams_helpers import PEAK, needs_proc, rows_of, run, take

from forked import start
from frugalboost.streams import ArrayOracle, BlockOracle, BlockStore, ParquetOracle
from frugalboost.streams.external_shuffle import permuted_parts, scatter

LIMIT = 1 << 16  # the smallest memory that is allowed


def numbered(n, *, dtype=np.int32):
    """Rows sorted by time and by class."""
    X = np.column_stack([np.arange(n), np.arange(n) % 5]).astype(dtype)
    return X, (np.arange(n) >= n // 2).astype(np.int8)


def batches(X, y, size):
    return [(X[at : at + size], y[at : at + size]) for at in range(0, len(y), size)]


def whole(store):
    return store.take(np.arange(store.n_rows))


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    n=st.integers(1, 30_000),
    size=st.integers(500, 40_000),
    dtype=st.sampled_from(["i4", "f8", "f4"]),
)
def test_every_row_is_there_once(tmp_path_factory, n, size, dtype):
    path = tmp_path_factory.mktemp("store") / "store"
    X, y = numbered(n, dtype=dtype)
    store = BlockStore.write(path, batches(X, y, size), memory_limit=LIMIT)
    got_X, got_y = whole(store)
    assert got_X.dtype == X.dtype
    order = np.argsort(got_X[:, 0])
    assert np.array_equal(got_X[order], X)
    assert np.array_equal(got_y[order], y)
    assert sorted(file.name for file in path.iterdir()) == ["X.npy", "meta.json", "y.npy"]
    assert [file.name for file in path.parent.iterdir()] == ["store"]


def test_a_sorted_file_comes_out_in_random_order(tmp_path):
    n = 20_000
    store = BlockStore.write(
        tmp_path / "store", batches(*numbered(n), 1000), memory_limit=LIMIT, random_state=0
    )
    time_, labels = whole(store)[0][:, 0], whole(store)[1]
    # A random order's correlation with time has a standard deviation of 1 / sqrt(n).
    assert abs(np.corrcoef(time_, np.arange(n))[0, 1]) < 4 / np.sqrt(n)
    assert abs(np.corrcoef(time_[:-1], time_[1:])[0, 1]) < 4 / np.sqrt(n)
    counts = labels.reshape(20, 1000).sum(axis=1)
    assert abs(counts - 500).max() < 4 * np.sqrt(1000 / 4)


@pytest.mark.thorough
def test_all_orders_are_equally_likely(tmp_path):
    orders: Counter[tuple[int, ...]] = Counter()
    record = np.dtype([("number", np.int64)])
    for seed in range(150):
        rng = np.random.default_rng(seed)
        rows = np.arange(3).astype(record)
        files = scatter([rows], tmp_path / str(seed), rng)
        parts = permuted_parts(files, record, 1000, rng)
        orders[tuple(np.concatenate(list(parts))["number"].tolist())] += 1
    assert len(orders) == 6
    assert stats.chisquare(list(orders.values())).pvalue > 1e-4


@pytest.mark.thorough
def test_parts_that_are_too_large_are_divided_again(tmp_path):
    # 64 files of 40 KB each against 16 KB that may be permuted at a time.
    X = np.arange(2 * 163_840, dtype=np.int64).reshape(-1, 2)[:, :1]
    y = np.zeros(len(X))
    y[0] = 1
    store = BlockStore.write(tmp_path / "store", batches(X, y, 5000), memory_limit=LIMIT)
    assert np.array_equal(np.sort(whole(store)[0][:, 0]), X[:, 0])


@pytest.mark.thorough
@needs_proc
def test_memory_stays_below_the_limit(tmp_path):
    code = f"""
{PEAK}
import numpy as np
from frugalboost.streams import BlockStore
def source():
    rng = np.random.default_rng(0)
    for number in range(40):
        yield rng.random((20_000, 8)), np.arange(20_000) % 3
BlockStore.write({str(tmp_path / "warm")!r}, [(np.zeros((2, 8)), [0, 1])])
before = peak()
store = BlockStore.write({str(tmp_path / "store")!r}, source, memory_limit=16 << 20)
oracle = store.oracle(recycle=False)
n = 0
while m := len(oracle.draw(10_000).y):
    n += m
print(n, peak() - before)
"""
    n_rows, kilobytes = map(int, run(code).split())
    assert n_rows == 800_000
    # 54 MB of rows.
    assert kilobytes < 16 << 10


def test_the_same_seed_gives_the_same_store(tmp_path):
    source = batches(*numbered(3000), 700)
    first, same, other = (
        whole(BlockStore.write(tmp_path / name, source, random_state=seed))[0].tolist()
        for name, seed in [("a", 1), ("b", 1), ("c", 2)]
    )
    assert first == same
    assert first != other


def test_blocks_come_in_a_random_order_that_every_epoch_repeats(tmp_path):
    X, y = numbered(100)
    store = BlockStore.write(tmp_path / "store", [(X, y)], block_rows=10, random_state=0)
    oracle = BlockOracle(tmp_path / "store", random_state=0)
    epochs = [
        np.concatenate([oracle.draw(10).rows for _ in range(10)]).reshape(10, 10) for _ in range(2)
    ]
    for blocks in epochs:
        assert all(len(set(block // 10)) == 1 for block in blocks)
        assert not np.array_equal(blocks, np.sort(blocks, axis=1))
    assert epochs[0].tolist() == epochs[1].tolist()
    assert epochs[0][:, 0].tolist() != sorted(epochs[0][:, 0].tolist())
    assert type(store.oracle().draw(1).X) is np.ndarray
    assert oracle.classes.tolist() == [0, 1]


COLOURS = ["red", None, "blue", "red", "green", "blue"]
SIZES = [1.5, 2.5, np.nan, 4.5, 5.5, 6.5]


def pandas_frame():
    return pd.DataFrame({"colour": pd.Categorical(COLOURS), "size": SIZES})


def polars_frame():
    return pl.DataFrame({"colour": pl.Series(COLOURS, dtype=pl.Categorical), "size": SIZES})


def arrow_table():
    return pa.table({"colour": pa.array(COLOURS).dictionary_encode(), "size": SIZES})


@pytest.mark.parametrize("make", [pandas_frame, polars_frame, arrow_table])
def test_categories_become_codes_with_a_schema(tmp_path, make):
    frame = make()
    store = BlockStore.write(
        tmp_path / "store", ArrayOracle(frame, list("abcabc"), shuffle=False, recycle=False)
    )
    again = BlockStore(tmp_path / "store")
    for one in (store, again):
        assert one.feature_names.tolist() == ["colour", "size"]
        assert one.schema.categories[0].tolist() == ["blue", "green", "red"]
        assert one.schema.categories[1] is None
        X, y = whole(one)
        encoded = one.schema.encode(frame)
        assert Counter(map(str, zip(X.tolist(), y, strict=True))) == Counter(
            map(str, zip(encoded.tolist(), np.array(list("abcabc")), strict=True))
        )


def test_categories_that_turn_up_later(tmp_path):
    source = [(np.array([[5.0, 1], [3, 2]]), ["z", "a"]), (np.array([[4.0, 3]]), ["m"])]
    store = BlockStore.write(tmp_path / "store", source, categorical_features=[0])
    assert store.schema.categories[0].tolist() == [3, 4, 5]
    assert sorted(map(tuple, whole(store)[0].tolist())) == [(0, 2), (1, 3), (2, 1)]
    assert store.classes.tolist() == ["a", "m", "z"]
    by_row = {x[1]: label for x, label in zip(*whole(store), strict=True)}
    assert by_row == {1: "z", 2: "a", 3: "m"}


@pytest.mark.parametrize("labels", [[True, False], ["no", "yes"], [2, -1], [0.5, 1.5], ["a", 1]])
def test_labels_come_back_as_they_were(tmp_path, labels):
    store = BlockStore.write(tmp_path / "store", [([[0.0], [1.0]], labels)])
    X, y = whole(store)
    got = [y.tolist()[at] for at in np.argsort(X[:, 0])]
    assert got == labels
    assert [type(label) for label in got] == [type(label) for label in labels]


def test_from_files_to_blocks(tmp_path):
    columns = {"a": np.arange(500, dtype=np.int16), "y": ["u", "v"] * 250}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet", row_group_size=60)
    source = ParquetOracle(tmp_path / "a.parquet", "y", recycle=False)
    store = BlockStore.write(tmp_path / "store", source)
    assert store.dtype == np.int16
    assert store.feature_names.tolist() == ["a"]
    wanted = sorted(zip(range(500), columns["y"], strict=True))
    assert sorted(take(store.oracle(recycle=False), 1000)) == wanted


def test_dtype_may_be_chosen(tmp_path):
    X, y = numbered(10, dtype=float)
    assert BlockStore.write(tmp_path / "a", [(X, y)], dtype="float32").dtype == np.float32
    assert BlockStore.write(tmp_path / "b", [(X, y)], dtype="uint8").dtype == np.uint8
    assert rows_of(whole(BlockStore(tmp_path / "b"))[0])[0][0] in range(10)


X2 = np.arange(8).reshape(4, 2)
Y2 = [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (ArrayOracle(X2, Y2), {}, r"source must end; got one with recycle=True"),
        ([(sparse.csr_array(X2), Y2)], {}, r"X must be dense; got a sparse matrix"),
        ([(X2, Y2), (X2 + 0.5, Y2)], {}, r"dtype must hold all values of X; int64 does not .* 4 "),
        (
            [(pd.DataFrame({"a": [5, 2**53, None, 2**53 + 1]}, dtype="Int64"), Y2)],
            {},
            r"column 'a' of X must hold integers that float64 holds exactly; got 9007199254740993",
        ),
        ([(X2 * 100, Y2)], {"dtype": "int8"}, r"dtype must hold all values of X; int8 does not"),
        ([(X2, Y2)], {"dtype": "U3"}, r"dtype must be a real or boolean dtype; got <U3"),
        ([(X2, Y2)], {"dtype": "i4", "categorical_features": [0]}, r"dtype must be a float dtype"),
        ([(X2, [(1,), (2,), (1,), (2,)])], {}, r"y must hold strings, numbers or booleans; got \("),
        ([(X2, Y2)], {"memory_limit": 10}, r"memory_limit must be an integer >= 65536; got 10"),
        ([(X2, Y2)], {"block_rows": 0}, r"block_rows must be an integer >= 1; got 0"),
        ([(pandas_frame(), [0] * 6), (pandas_frame()[["size", "colour"]], [0] * 6)], {}, r"X must"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_left(tmp_path, source, options, message):
    with pytest.raises((TypeError, ValueError), match=rf"^BlockStore: {message}"):
        BlockStore.write(tmp_path / "store", source, **options)
    assert list(tmp_path.iterdir()) == []


class OwnOracle:
    """Of another's making, and not careful: its fifth draw has another number of columns."""

    def __init__(self, bad):
        self.n_draws = 0
        self.bad = bad

    def draw(self, n):
        self.n_draws += 1
        return (X2, Y2) if self.n_draws < 5 else self.bad

    def state(self):
        return {}

    def restore(self, state):
        pass


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ((X2[:, :1], Y2), r"X must have 2 columns, .* got 1 in example 16 "),
        ((X2, Y2[:3]), r"y must have one label for each of the 4 rows of X; got 3 from example 16"),
        ((X2, [0, None, 1, 1]), r"y must not contain missing labels; got None in example 17 "),
    ],
)
def test_what_another_oracle_gives_is_checked(tmp_path, bad, message):
    with pytest.raises(ValueError, match=rf"^BlockStore: {message}"):
        BlockStore.write(tmp_path / "store", OwnOracle(bad))
    assert list(tmp_path.iterdir()) == []


def test_paths_that_do_not_fit(tmp_path):
    with pytest.raises(FileExistsError, match=r"^BlockStore: path must not exist yet"):
        BlockStore.write(tmp_path, [(X2, Y2)])
    with pytest.raises(FileNotFoundError, match=r"^BlockStore: path must be in a folder"):
        BlockStore.write(tmp_path / "no" / "store", [(X2, Y2)])
    with pytest.raises(FileNotFoundError, match=r"^BlockStore: path must be a finished block st"):
        BlockOracle(tmp_path)
    with pytest.raises(TypeError, match=r"^BlockOracle: store must be a BlockStore or the path"):
        BlockOracle(3)


@pytest.mark.parametrize("name", ["X.npy", "y.npy"])
@pytest.mark.parametrize("keep", [0, 40, -1])
def test_a_truncated_file_is_named(tmp_path, name, keep):
    BlockStore.write(tmp_path / "store", [(X2, Y2)])
    file = tmp_path / "store" / name
    content = file.read_bytes()
    file.write_bytes(content[:keep])
    with pytest.raises(ValueError, match=rf"^BlockStore: \S+{name} must be complete; "):
        BlockStore(tmp_path / "store")


def test_a_store_of_another_version_is_refused(tmp_path):
    BlockStore.write(tmp_path / "store", [(X2, Y2)])
    file = tmp_path / "store" / "meta.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"version": 99}))
    with pytest.raises(ValueError, match=r"^BlockStore: path must be .* of version 1; got .* 99"):
        BlockStore(tmp_path / "store")


def test_a_source_that_breaks_leaves_nothing(tmp_path):
    def source():
        yield X2, Y2
        raise ConnectionError("the line is dead")

    with pytest.raises(ConnectionError, match="the line is dead"):
        BlockStore.write(tmp_path / "store", source())
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_too_small_is_noticed_at_once(tmp_path, monkeypatch):
    full = type("Usage", (), {"free": 100})
    monkeypatch.setattr("shutil.disk_usage", lambda path: full)
    source = ArrayOracle(*numbered(1000), recycle=False)
    with pytest.raises(OSError, match=r"^BlockStore: there must be enough .*; 0 MB are needed,"):
        BlockStore.write(tmp_path / "store", source)
    assert list(tmp_path.iterdir()) == []
    assert source.n_given == 1000


@pytest.mark.thorough
def test_a_disk_that_is_full_halfway(tmp_path):
    """A limit on the size of files stands for the end of the disk."""
    pytest.importorskip("resource")
    code = f"""
import resource
import numpy as np
from frugalboost.streams import BlockStore
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
BlockStore.write({str(tmp_path / "store")!r}, ((np.ones((1000, 9)), np.arange(1000) % 2)
                                               for _ in range(100)))
"""
    program = start(code)
    _, said = program.communicate(timeout=120)
    assert program.returncode == 1
    last = said.splitlines()[-1]
    assert "there must be enough disk space for" in last
    assert last.endswith("nothing was kept")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
def test_killed_halfway_it_leaves_nothing_that_opens(tmp_path):
    code = f"""
import itertools
import numpy as np
from frugalboost.streams import BlockStore
def source():
    for number in itertools.count():
        yield np.ones((1000, 9)), np.arange(1000) % 2
        if number == 20:
            print("going on", flush=True)
BlockStore.write({str(tmp_path / "store")!r}, source())
"""
    process = start(code)
    assert process.stdout.readline() == "going on\n"
    process.kill()
    process.communicate(timeout=120)
    left = list(tmp_path.iterdir())
    assert [path.name.endswith(".part") for path in left] == [True]
    for path in (tmp_path / "store", *left):
        with pytest.raises(FileNotFoundError, match=r"path must be a finished block store"):
            BlockStore(path)
    BlockStore.write(tmp_path / "store", [(X2, Y2)])
    assert list(tmp_path.iterdir()) == [tmp_path / "store"]


def test_each_row_is_told_when_it_is_read_and_when_it_is_written(tmp_path):
    X, y = numbered(5000)
    told = []
    BlockStore.write(tmp_path / "store", ArrayOracle(X, y, recycle=False), on_rows=told.append)
    assert sum(told) == 2 * len(y)
    assert len(told) > 2


def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path):
    path = tmp_path / ("s" * 255)
    assert BlockStore.write(path, [(np.zeros((2, 1)), [0, 1])]).n_rows == 2
    assert list(tmp_path.iterdir()) == [path]


def test_classes_are_counted(tmp_path):
    y = np.repeat(["a", "b", "c"], [500, 1, 40])
    source = ArrayOracle(np.arange(541.0)[:, None], y, recycle=False, random_state=0)
    store = BlockStore.write(tmp_path / "store", source, block_rows=7, random_state=0)
    assert store.count_classes().tolist() == [500, 1, 40]
