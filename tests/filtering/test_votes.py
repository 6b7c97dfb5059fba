"""The examples of a tandem's next member: where they end, and what a resumed run knows of it."""

from __future__ import annotations

import numpy as np
import pytest
from filterboost_helpers import Rows

from frugalboost import BoostedTreesClassifier
from frugalboost.data import Schema
from frugalboost.filtering.majority import Majority
from frugalboost.filtering.reading import BatchReader
from frugalboost.filtering.scored_stream import ScoredStream
from frugalboost.filtering.votes import MajorityOracle, VoteForest

N_DECIDED = 1_000

# Two stumps vote, one by each column, on the column's sign. All are positive: the rows that both
# say so of are decided, whatever the third vote; the others are open.
OPEN = np.tile([[1.0, -1.0], [-1.0, 1.0]], (100, 1))
DECIDED = np.ones((N_DECIDED, 2))


def voters():
    corners = np.array([[a, b] for a in (-1.0, 1.0) for b in (-1.0, 1.0)])
    stump = BoostedTreesClassifier(n_estimators=1, max_depth=1)
    return [stump.fit(corners, corners[:, at] > 0)._ensemble for at in (0, 1)]


def third_voter(oracle, max_examples=None):
    """The oracle of the last of three votes, on these examples, and the stream that it is on."""
    forest = VoteForest()
    for ensemble in voters():
        forest.add(ensemble)
    reader = BatchReader(Schema.from_data(OPEN, None), np.arange(2), is_encoded=True)
    stream = ScoredStream(oracle, reader, forest, 1, seed=0, max_examples=max_examples)
    return MajorityOracle(stream, Majority(3, 0.25, 0.1), confidence=0.01), stream


def rows_of(*parts):
    table = np.concatenate(parts)
    return Rows(table, np.ones(len(table), dtype=int), recycle=False)


def drawn(oracle, n):
    return len(oracle.draw(n).y)


def test_decided_examples_are_passed_over_until_they_are_many():
    oracle, stream = third_voter(rows_of(OPEN, DECIDED, OPEN))
    assert drawn(oracle, 500) == len(OPEN)
    assert oracle.ended is None
    assert drawn(oracle, 500) == 0
    assert oracle.ended == "target"
    assert len(OPEN) < stream.n_used < len(OPEN) + N_DECIDED


def test_it_stays_ended():
    """Even if examples that are open come after those that ended it."""
    oracle, stream = third_voter(rows_of(DECIDED, OPEN))
    assert drawn(oracle, 10) == 0
    n_used = stream.n_used
    assert [drawn(oracle, 1_000) for _ in range(5)] == [0] * 5
    assert (oracle.ended, stream.n_used) == ("target", n_used)


def test_it_stays_ended_after_its_state_is_restored():
    oracle, stream = third_voter(rows_of(DECIDED, OPEN))
    oracle.draw(10)
    again, restored = third_voter(rows_of(DECIDED, OPEN))
    again.restore(oracle.state())
    assert again.ended == "target"
    assert [drawn(again, 1_000) for _ in range(5)] == [0] * 5
    assert restored.n_used == stream.n_used


def test_rejections_before_a_limit_count_after_it():
    """A run that more examples let go on ends where one without a limit does."""
    whole, stream = third_voter(rows_of(DECIDED))
    whole.draw(10)
    limited, _ = third_voter(rows_of(DECIDED), max_examples=100)
    limited.draw(10)
    assert limited.ended == "examples"
    on, restored = third_voter(rows_of(DECIDED))
    on.restore(limited.state())
    assert drawn(on, 10) == 0
    assert (on.ended, restored.n_used) == ("target", stream.n_used)


@pytest.mark.parametrize(("end", "most"), [("examples", 150), ("stream", None)])
def test_the_end_of_the_stream_ends_it_again(end, most):
    def ending():
        return third_voter(rows_of(OPEN), most)[0]

    oracle, again = ending(), ending()
    n = most or len(OPEN)
    assert [drawn(oracle, 1_000) for _ in range(3)] == [n, 0, 0]
    assert oracle.ended == end
    again.restore(oracle.state())
    assert drawn(again, 1_000) == 0
    assert again.ended == end
