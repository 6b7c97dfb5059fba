"""The log tells the whole story: what is known follows from it alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.active import Answers, Entry, Journal, Log, Questions
from frugalboost.active.log import answers_after, is_same_event, write

POOL = np.arange(20.0).reshape(10, 2)


def rows_of(entries):
    return POOL[[entry.row for entry in entries]]


class Story:
    """Does everything twice: in answers, and in a log."""

    def __init__(self):
        self.answers, self.log, self.skips = Answers(), Log(), []

    def hear(self, row, label):
        self.answers = self.answers.add(POOL[[row]], [label])
        kind = "skipped" if label is None else "answered"
        self.log = self.log.add(kind, row=row, round=0, label=label)

    def correct(self, number, label):
        self.answers = self.answers.correct(number, label)
        self.log = self.log.add("corrected", about=self.log.entry_of(number), label=label)

    def withdraw(self, number):
        self.answers = self.answers.withdraw(number)
        self.log = self.log.add("withdrawn", about=self.log.entry_of(number))


@given(st.data())
@settings(max_examples=60)
def test_what_is_known_follows_from_the_log(data):
    story = Story()
    for _ in range(data.draw(st.integers(1, 12))):
        live = story.answers.live.tolist()
        deed = data.draw(
            st.sampled_from(["hear", "hear", "correct", "withdraw"] if live else ["hear"])
        )
        if deed == "hear":
            story.hear(data.draw(st.integers(0, 9)), data.draw(st.sampled_from(["a", "b", None])))
        elif deed == "correct":
            story.correct(data.draw(st.sampled_from(live)), "c")
        else:
            story.withdraw(data.draw(st.sampled_from(live)))
    again = answers_after(story.log.entries, rows_of)
    assert again.labels == story.answers.labels
    assert again.is_live == story.answers.is_live
    assert again.n_heard == story.answers.n_heard
    assert again.keys == story.answers.keys


def test_a_skip_that_is_taken_back_frees_its_row():
    log = Log().add("skipped", row=3).add("withdrawn", about=1)
    assert answers_after(log.entries, rows_of).taken == set()


def questions(rows):
    n = len(rows)
    return Questions(np.array(rows), np.full(n, 2.0), ["margin 0.5 between a and b"] * n)


def test_queries_are_numbered_and_a_repeated_one_is_known():
    log = Log().ask(questions([1, 2]), [[1.0], [np.nan]])
    assert log.was_just_asked([[1.0], [np.nan]])
    assert not log.was_just_asked([[1.0], [3.0]])
    assert not log.was_just_asked([[1.0]] * 5)
    longer = log.ask(questions([4]))
    assert [entry.round for entry in longer.entries] == [0, 0, 1]
    assert [entry.row for entry in longer.entries] == [None, None, 4]
    assert not longer.was_just_asked([[1.0], [np.nan]])


def test_a_journal_gets_the_numbers_of_the_log(tmp_path):
    log = Log().ask(questions([1, 2])).add("answered", row=1, round=0, label="a")
    log = log.add("skipped", row=2, round=0).add("corrected", about=3, label="b")
    log = log.add("withdrawn", about=4).add_answers(["x", None], [None, [0.0]])
    with Journal(tmp_path / "session") as journal:
        write(journal, log.entries, [entry.content for entry in log.entries])
        found = journal.entries()
    assert [entry.number for entry in found] == [entry.number for entry in log.entries]
    assert all(map(is_same_event, log.entries, found))
    assert [entry.kind for entry in found][-2:] == ["answered", "skipped"]


def test_entries_that_tell_of_different_things():
    first = Entry(1, "", "start", label="a", content=[1.0])
    assert is_same_event(first, Entry(1, "now", "start", label="a", content=[1.0], reason="why"))
    for other in (
        Entry(1, "", "start", label="b", content=[1.0]),
        Entry(1, "", "start", label="a", content=[2.0]),
        Entry(1, "", "answered", label="a", content=[1.0]),
        Entry(1, "", "start", label="a", row=3),
    ):
        assert not is_same_event(first, other)
