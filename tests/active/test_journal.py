"""A session file keeps what it was told, and refuses what it is not."""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import forked
import frugalboost as fb
from frugalboost.active import Entry, Journal, fingerprint, replay
from frugalboost.active.session_file import ROLLBACK_MAGIC

X = np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 6.0]])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "labels.session"


def labels(journal):
    return [(answer.row, answer.label) for answer in replay(journal).answers]


def test_every_field_comes_back(path):
    with Journal(path, data=fingerprint(X), params={"seed": 3}) as journal:
        assert journal.is_new
        journal.start(None, "cat", content=np.array([1.5, 2.0]), reason="known")
        journal.asked(np.int64(2), round=np.int64(4), utility=np.float32(0.5), reason="near")
        journal.answered(2, np.str_("dog"), round=4, utility=math.inf)
        journal.skipped(1, round=4)
        journal.corrected(3, "cow")
        journal.withdrawn(4)
    with Journal(path, data=fingerprint(X)) as journal:
        assert not journal.is_new
        assert journal.params == {"seed": 3}
        assert journal.data == fingerprint(X)
        assert journal.library == fb.__version__
        found = journal.entries()
    assert [entry.number for entry in found] == [1, 2, 3, 4, 5, 6]
    assert found == [
        Entry(1, found[0].time, "start", content=[1.5, 2.0], label="cat", reason="known"),
        Entry(2, found[1].time, "asked", round=4, row=2, utility=0.5, reason="near"),
        Entry(3, found[2].time, "answered", round=4, row=2, label="dog", utility=math.inf),
        Entry(4, found[3].time, "skipped", round=4, row=1),
        Entry(5, found[4].time, "corrected", label="cow", about=3),
        Entry(6, found[5].time, "withdrawn", about=4),
    ]
    assert sorted(entry.time for entry in found) == [entry.time for entry in found]


@pytest.mark.parametrize("label", ["a", "", "é\n", 0, -7, 2**70, 1.5, math.inf, True, False])
def test_a_label_comes_back_as_it_was(path, label):
    with Journal(path) as journal:
        journal.answered(0, label)
    with Journal(path) as journal:
        found = replay(journal).answers[0].label
    assert found == label
    assert type(found) is type(label)


@pytest.mark.parametrize("label", [None, b"a", (1, 2), {"a": 1}])
def test_a_label_that_would_change_is_refused(path, label):
    with Journal(path) as journal:
        with pytest.raises(TypeError, match="label must be a string, a number or a bool"):
            journal.answered(0, label)
        assert len(journal) == 0


def test_replay_applies_corrections_withdrawals_and_skips(path):
    with Journal(path) as journal:
        journal.start(5, "a")
        with journal.together():
            for row in (1, 2, 3, 4):
                journal.asked(row, round=0)
        first = journal.answered(1, "a", round=0)
        second = journal.answered(2, "b", round=0)
        skip = journal.skipped(3, round=0)
        journal.corrected(first, "c")
        assert labels(journal) == [(5, "a"), (1, "c"), (2, "b")]
        assert [entry.row for entry in replay(journal).open] == [4]
        journal.withdrawn(second)
        journal.withdrawn(skip)
        journal.corrected(first, "d")
        now = replay(journal)
    assert [(answer.row, answer.label) for answer in now.answers] == [(5, "a"), (1, "d")]
    assert now.skipped == ()
    assert [entry.row for entry in now.open] == [2, 3, 4]
    assert now.n_rounds == 1


def test_only_the_last_query_is_open(path):
    with Journal(path) as journal:
        journal.asked(1, round=0)
        journal.asked(8, round=1)
        now = replay(journal)
    assert [entry.row for entry in now.open] == [8]
    assert now.n_rounds == 2


@pytest.mark.parametrize("number", [0, 1, 3, 99, -1])
def test_only_what_holds_is_corrected_or_withdrawn(path, number):
    """Entry 1 is a question, 2 an answer, 3 a skip, 4 takes the skip back."""
    with Journal(path) as journal:
        journal.asked(0, round=0)
        journal.answered(0, "a")
        journal.withdrawn(journal.skipped(1))
        for change in (lambda: journal.corrected(number, "b"), lambda: journal.withdrawn(number)):
            with pytest.raises(
                ValueError, match="number must be that of an entry that was not withdrawn"
            ):
                change()
        journal.withdrawn(2)
        with pytest.raises(ValueError, match="number must be"):
            journal.withdrawn(2)
        assert len(journal) == 5


def test_together_keeps_all_or_nothing(path):
    with Journal(path) as journal:
        journal.answered(0, "a")
        with pytest.raises(TypeError), journal.together():
            journal.answered(journal.answered(1, "b"), None)
        assert labels(journal) == [(0, "a")]
        with journal.together():
            journal.answered(2, "c")
            journal.answered(3, "d")
    with Journal(path) as journal:
        assert labels(journal) == [(0, "a"), (2, "c"), (3, "d")]


def test_params_can_change(path):
    with Journal(path, params={"classes": ["a"], "seed": 1}) as journal:
        journal.change_params(classes=["a", "b"])
    with Journal(path, params={"seed": 7}) as journal:
        assert journal.params == {"classes": ["a", "b"], "seed": 1}


def test_a_file_without_data_keeps_the_first_it_sees(path):
    Journal(path).close()
    Journal(path, data=fingerprint(X)).close()
    with pytest.raises(ValueError, match="must be opened with the data it began with"):
        Journal(path, data=fingerprint(X + 1))


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (X[:2], "3 rows; got 2 rows"),
        (X[:, :1], "2 columns; got 1 columns"),
        (X[::-1], "different values"),
        (np.nan_to_num(X), "different values"),
    ],
)
def test_other_data_are_refused_and_the_file_stays(path, other, said):
    with Journal(path, data=fingerprint(X)) as journal:
        journal.answered(0, "a")
    before = path.read_bytes()
    with pytest.raises(ValueError, match=said) as caught:
        Journal(path, data=fingerprint(other))
    assert str(caught.value).startswith(f"session {path} must be opened with")
    assert path.read_bytes() == before
    with Journal(path, data=fingerprint(X)) as journal:  # and is not locked
        assert labels(journal) == [(0, "a")]


def test_other_names_are_refused(path):
    pd = pytest.importorskip("pandas")
    Journal(path, data=fingerprint(pd.DataFrame(X, columns=["a", "b"]))).close()
    with pytest.raises(ValueError, match="column 'b'; got 'c' in its place"):
        Journal(path, data=fingerprint(pd.DataFrame(X, columns=["a", "c"])))
    Journal(path, data=fingerprint(X)).close()  # an array has no names


def test_a_fingerprint_is_of_values(path):
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    pl = pytest.importorskip("polars")
    names = {"a": [1.0, -0.0, 3.0], "b": ["x", None, "y"], "c": [True, False, True]}
    frames = [pd.DataFrame(names), pa.table(names), pl.DataFrame(names)]
    assert len({json.dumps(fingerprint(frame)) for frame in frames}) == 1
    numbers = np.arange(20_000.0).reshape(10_000, 2)
    tables = [numbers, np.asfortranarray(numbers), numbers.astype(np.int32), numbers.tolist()]
    tables.append(pd.DataFrame(numbers))
    assert len({fingerprint(table)["sha256"] for table in tables}) == 1
    changed = numbers.copy()
    changed[9_999, 1] += 1
    assert fingerprint(changed) != fingerprint(numbers)
    matrix = sparse.csr_matrix(np.eye(4))
    assert fingerprint(matrix) == fingerprint(matrix.tocoo())
    assert fingerprint(matrix) != fingerprint(matrix * 2)
    texts = np.array([["a", None], ["b", "c"]], dtype=object)
    assert fingerprint(texts) != fingerprint(texts[:, ::-1])


def test_a_newer_format_is_refused(path):
    Journal(path).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 2")
    database.close()
    before = path.read_bytes()
    with pytest.raises(ValueError, match="must have format 1 or older; got 2"):
        Journal(path)
    assert path.read_bytes() == before


def make_foreign(path, content):
    if content == "sqlite":
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE meta (name, value)")
        database.close()
    else:
        path.write_bytes(content)


@pytest.mark.parametrize("content", [b"row,label\n1,cat\n", b"\x00" * 4096, b"S", "sqlite"])
def test_a_file_of_another_kind_is_refused_and_stays(path, content):
    make_foreign(path, content)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="must be a session file, or a new file"):
        Journal(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_an_empty_file_becomes_a_session(path):
    path.touch()
    with Journal(path) as journal:
        assert journal.is_new
        journal.answered(0, "a")
    with Journal(path) as journal:
        assert labels(journal) == [(0, "a")]


BESIDE = ("-journal", "-wal", "-shm")


@pytest.mark.parametrize("ending", BESIDE)
@pytest.mark.parametrize("there", ["nothing", "an empty file", "a session", "a link"])
def test_a_file_of_others_beside_a_session_stays(path, ending, there):
    """SQLite would take it for what a killed process left, and delete it."""
    file = path
    if there == "an empty file":
        path.touch()
    elif there == "a session":
        Journal(path).close()
    elif there == "a link":  # SQLite follows it, and looks beside the file
        file = path.with_name("elsewhere")
        path.symlink_to(file)
    theirs = file.with_name(file.name + ending)
    theirs.write_text("precious")
    with pytest.raises(
        ValueError, match=f"must not have files of others beside it; got .*{ending}"
    ):
        Journal(path)
    assert theirs.read_text() == "precious"
    assert file.exists() == (there in ("an empty file", "a session"))
    theirs.unlink()
    with Journal(path) as journal:
        assert journal.is_new == (there != "a session")


@pytest.mark.parametrize("ending", BESIDE)
def test_a_learner_writes_no_session_beside_a_file_of_others(path, ending):
    """A rollback journal without its session, too: it would be rolled back into the new one."""
    theirs = path.with_name(path.name + ending)
    theirs.write_bytes(ROLLBACK_MAGIC)
    learner = fb.ActiveLearner().teach(X[[0, 2]], ["a", "b"])
    with pytest.raises(ValueError, match="must not have files of others beside it"):
        learner.save(path)
    assert [file.name for file in path.parent.iterdir()] == [theirs.name]
    assert theirs.read_bytes() == ROLLBACK_MAGIC


def test_what_a_killed_process_leaves_beside_a_session_is_used(path, tmp_path):
    """The files as they are in the middle of a write are those of a process that is killed."""
    left = tmp_path / "killed"
    with Journal(path) as journal:
        journal.answered(0, "a")
        with journal.together():
            journal.answered(1, "b")
            for ending in ("", "-journal"):
                shutil.copy(f"{path}{ending}", f"{left}{ending}")
    with Journal(left) as journal:
        assert labels(journal) == [(0, "a")]
    for head in (ROLLBACK_MAGIC, bytes(8), b""):
        Path(f"{left}-journal").write_bytes(head)
        with Journal(left) as journal:
            assert labels(journal) == [(0, "a")]


def test_a_damaged_file_is_one_clear_error(path):
    with Journal(path) as journal, journal.together():
        for row in range(2000):
            journal.answered(row, "a")
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(ValueError, match="must not be damaged"), Journal(path) as journal:
        journal.entries()


@pytest.mark.parametrize("where", ["no/session", "."])
def test_a_path_that_cannot_be_written(tmp_path, where):
    with pytest.raises(OSError, match="must be a file in an existing folder"):
        Journal(tmp_path / where)


def test_one_user_at_a_time_in_one_process(path):
    with Journal(path) as journal:
        with pytest.raises(OSError, match="must not be open elsewhere"):
            Journal(path)
        journal.answered(0, "a")
    with Journal(path) as journal:
        assert labels(journal) == [(0, "a")]


OPEN_IT = """
import sys
from frugalboost.active import Journal
try:
    Journal(sys.argv[1])
except OSError as problem:
    print(problem)
"""


@pytest.mark.thorough
def test_one_process_at_a_time(path):
    with Journal(path) as journal:
        with pytest.raises(OSError, match="must not be open elsewhere"):
            Journal(path)  # a look from this process must not open the file to others
        said, problem = forked.start(OPEN_IT, path).communicate(timeout=60)
        assert "must not be open elsewhere" in said, problem
        journal.answered(0, "a")


def test_a_closed_journal_says_so(path):
    journal = Journal(path)
    journal.close()
    with pytest.raises(ValueError, match="must be open; it was closed"):
        journal.answered(0, "a")


def test_nothing_lies_beside_a_closed_session(path):
    with Journal(path) as journal:
        journal.answered(0, "a")
    assert [file.name for file in path.parent.iterdir()] == [path.name]
