"""A damaged session is one ValueError that names the file and the entry, and nothing is locked."""

from __future__ import annotations

import json
import sqlite3

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.active import Journal, fingerprint

X = np.arange(40.0).reshape(20, 2)


@pytest.fixture
def path(tmp_path):
    """Entries: 1, 2 start; 3 asked; 4 answered; 5 skipped; 6 corrects 4; 7 withdraws 5."""
    path = tmp_path / "labels.session"
    table = {"kind": "array", "dtype": "<f8", "columns": 2}
    params = {"seed": 1, "learner": {"batch_size": 2}, "table": table}
    with Journal(path, data=fingerprint(X), params=params) as journal:
        journal.start(0, "a", content=X[0])
        journal.start(1, "b", content=X[1])
        journal.asked(2, round=0, utility=0.5)
        journal.answered(2, "a", round=0, content=X[2])
        journal.skipped(3, round=0, content=X[3])
        journal.corrected(4, "b")
        journal.withdrawn(5)
    return path


def change(path, *statements):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")
    for statement in statements:
        database.execute(statement)
    database.close()


def is_free(path):
    """Whether another connection can lock the file."""
    database = sqlite3.connect(path, timeout=0.0, isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")  # reads whatever schema there is
    database.execute("BEGIN EXCLUSIVE")
    database.execute("ROLLBACK")
    database.close()
    return True


DEEP = "[" * 100_000
VALUES = [
    ("label = 'a' WHERE number = 1", "entry 1: label must be a JSON string; got 'a'"),
    ("label = NULL WHERE number = 1", "entry 1: label"),
    ("label = '[]' WHERE number = 2", "entry 2: label must be a string, a number or a bool"),
    ("label = 'NaN' WHERE number = 4", "entry 4: label"),
    (f"label = '{DEEP}' WHERE number = 4", "entry 4: label must be a JSON string"),
    ("label = x'00' WHERE number = 4", "entry 4: label"),
    ("label = '1' WHERE number = 3", "entry 3: label must be null"),
    (f"content = '{DEEP}' WHERE number = 4", "entry 4: content must be a JSON string"),
    ("content = '5' WHERE number = 4", "entry 4: content must be a list"),
    ("kind = 'guessed' WHERE number = 4", "entry 4: kind must be one of start, asked"),
    ("time = x'00' WHERE number = 4", "entry 4: time must be a string"),
    ("row = 'x' WHERE number = 4", "entry 4: row must be an integer of at least 0"),
    ("row = -1 WHERE number = 4", "entry 4: row must be an integer of at least 0"),
    ("row = 20 WHERE number = 4", "entry 4: row must be below 20; got 20"),
    ("round = 'x' WHERE number = 4", "entry 4: round"),
    ("utility = 'x' WHERE number = 4", "entry 4: utility"),
    ("about = 99 WHERE number = 6", "entry 6: about must be the number of an earlier entry"),
    ("about = 3 WHERE number = 6", "entry 6: about must be an earlier entry that is current"),
    ("about = NULL WHERE number = 7", "entry 7: about"),
    ("about = 1 WHERE number = 4", "entry 4: about must be null"),
    ("number = 70 WHERE number = 7", "entry 7: number must be 7; got 70"),
]


@pytest.mark.parametrize(("update", "said"), VALUES)
def test_an_entry_that_no_session_writes(path, update, said):
    change(path, f"UPDATE entries SET {update}")
    with pytest.raises(ValueError, match=said) as caught:
        Journal(path)
    assert str(path) in str(caught.value)
    assert is_free(path)


@pytest.mark.parametrize("name", ["params", "data", "library"])
@pytest.mark.parametrize("value", ["5", "[", "", DEEP, '{"rows": "x"}', None])
def test_a_named_value_that_no_session_writes(path, name, value):
    statement = f"DELETE FROM meta WHERE name = '{name}'"
    if value is not None:
        statement = f"UPDATE meta SET value = '{value}' WHERE name = '{name}'"
    if (name, value) == ("params", '{"rows": "x"}'):
        return  # params may be anything that has names
    change(path, statement)
    with pytest.raises(ValueError, match=f"must not be damaged: .*{name}") as caught:
        Journal(path)
    assert str(path) in str(caught.value)
    assert is_free(path)


COLUMNS = "number, time, kind, round, row, content, label, utility, reason, about"
ENDLESS = (
    f"CREATE VIEW entries AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    f"SELECT {', '.join('i AS ' + name for name in COLUMNS.split(', '))} FROM n"
)
SCHEMAS = [
    ("DROP TABLE entries", ENDLESS),
    ("DROP TABLE entries", "CREATE TABLE entries (number INTEGER PRIMARY KEY)"),
    ("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",),
    ("CREATE VIEW v AS SELECT 1",),
    ("CREATE TABLE more (a)",),
    ("CREATE INDEX i ON entries (row)",),
    ("ALTER TABLE entries ADD COLUMN more",),
    ("DROP TABLE meta",),
    ("DROP TABLE meta", "DROP TABLE entries"),
]


@pytest.mark.parametrize("statements", SCHEMAS)
def test_other_tables_views_and_triggers_are_refused(path, statements):
    change(path, *statements)
    with pytest.raises(ValueError, match="its tables are not those of a session") as caught:
        Journal(path)
    assert str(path) in str(caught.value)
    assert is_free(path)


LEARNERS = [
    {"learner": 5},
    {"learner": {"unknown": 1}},
    {"learner": {"batch_size": "x"}},
    {"seed": "x"},
    {"seed": []},
    {"table": 5},
    {"table": {}},
    {"table": {"kind": "array", "dtype": "nonsense", "columns": 2}},
    {"table": {"kind": "array", "dtype": "<f8", "columns": 3}},
    {"table": {"kind": "array", "dtype": "<f8", "columns": 10**12}},
    {"table": {"kind": "array", "dtype": "<f8", "columns": "x"}},
    {"table": {"kind": "sparse matrix", "dtype": "<f8", "columns": 2}},
]


@pytest.mark.parametrize("params", LEARNERS)
def test_params_that_no_learner_has_written(path, params):
    with Journal(path) as journal:
        journal.change_params(**params)
    with pytest.raises(ValueError, match="ActiveLearner: session") as caught:
        fb.ActiveLearner.load(path)
    assert str(path) in str(caught.value)
    assert is_free(path)


def test_rows_that_are_not_those_of_the_table(path):
    change(path, f"UPDATE entries SET content = '{json.dumps([1, 'x'])}' WHERE number = 4")
    with pytest.raises(ValueError, match="ActiveLearner: session") as caught:
        fb.ActiveLearner.load(path)
    assert str(path) in str(caught.value)


def test_pages_that_do_not_add_up(path):
    """Every entry can be read; only a check of the whole file finds that free pages are missing."""
    content = bytearray(path.read_bytes())
    content[36:40] = (3).to_bytes(4, "big")  # the number of free pages, of which there are none
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"must not be damaged: .*freelist"):
        fb.ActiveLearner.load(path)
    assert path.read_bytes() == content


def test_the_session_itself_is_whole(path):
    assert fb.ActiveLearner.load(path).n_labels_ == 3
