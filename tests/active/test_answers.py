"""Answers keep their numbers; corrections and withdrawals change what stands."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from frugalboost.active.answers import Answers, is_skip, label_array
from frugalboost.active.rows import row_keys

ROWS = np.array([[1.0], [2.0], [3.0], [4.0]])


def four():
    return Answers().add(ROWS, ["a", None, "b", np.str_("c")])


def test_none_and_nan_skip():
    answers = four()
    assert answers.labels == ("a", "b", "c")
    assert answers.table.ravel().tolist() == [1.0, 3.0, 4.0]
    assert answers.skipped == {row_keys(ROWS)[1]}
    assert answers.taken == set(row_keys(ROWS))
    assert answers.n_heard == 4
    assert all(map(is_skip, [None, np.nan, pd.NA, float("nan")]))
    assert not any(map(is_skip, [0, "", False, "nan", ("a", 1), 0.0]))


def test_only_skips_leave_no_table():
    answers = Answers().add(ROWS[:2], [None, np.nan])
    assert answers.table is None
    assert len(answers.skipped) == 2


def test_an_answer_for_a_skipped_row_counts():
    answers = four().add(ROWS[1:2], ["d"])
    assert answers.skipped == frozenset()
    assert answers.labels[-1] == "d"


def test_a_withdrawn_answer_keeps_its_number_and_frees_its_row():
    answers = four().withdraw(1)
    assert answers.live.tolist() == [0, 2]
    assert answers.standing_labels() == ["a", "c"]
    assert answers.rows().ravel().tolist() == [1.0, 4.0]
    assert row_keys(ROWS)[2] not in answers.taken
    again = answers.add(ROWS[2:3], ["e"])
    assert again.live.tolist() == [0, 2, 3]
    assert again.correct(2, "z").standing_labels() == ["a", "z", "e"]


def test_nothing_changes_in_place():
    answers = four()
    answers.correct(0, "z")
    answers.withdraw(2)
    answers.add(ROWS[:1], ["y"])
    assert answers.standing_labels() == ["a", "b", "c"]


@pytest.mark.parametrize("number", [-1, 3, 99])
def test_numbers_that_no_answer_has(number):
    message = f"number must be from 0 to 2; got {number}"
    with pytest.raises(ValueError, match=message):
        four().withdraw(number)
    with pytest.raises(ValueError, match=message):
        four().correct(number, "z")


def test_what_cannot_be_corrected():
    with pytest.raises(ValueError, match="none was given yet; got 0"):
        Answers().correct(0, "a")
    with pytest.raises(ValueError, match="of a current answer; got 1, which was withdrawn"):
        four().withdraw(1).correct(1, "a")
    with pytest.raises(ValueError, match="label must be a class; got None"):
        four().correct(0, None)


def test_tables_of_other_data_are_refused():
    with pytest.raises(ValueError, match=r"X must have the 1 features .*; got 2"):
        four().add(np.ones((1, 2)), ["a"])
    with pytest.raises(TypeError, match="rows answered so far, array; got sparse matrix"):
        four().add(sparse.csr_array([[9.0]]), ["a"])
    with pytest.raises(TypeError, match="array; got pandas data frame"):
        four().add(pd.DataFrame({"a": [1]}), ["a"])


@pytest.mark.parametrize(
    "labels", [[1, 2], ["a", "b"], ["a", 1], [(0, 1), (0, 2)], [True, False], [1.0, 2.0]]
)
def test_labels_come_back_as_they_were(labels):
    array = label_array(labels)
    assert array.shape == (2,)
    assert array.tolist() == labels
