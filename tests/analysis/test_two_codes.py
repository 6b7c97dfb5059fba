"""Features with two codes, solved directly, against the program that serves all features."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import frugalboost as fb
from frugalboost.analysis.exact_bound import Program, fewest_rows
from frugalboost.analysis.two_codes import fewest_rows_of_two_codes
from frugalboost.analysis.weight_order import Node


@st.composite
def columns(draw):
    """A column of two codes, and a loss that all rows together reach."""
    seed = draw(st.integers(0, 2**32 - 1))
    n = draw(st.integers(4, 60))
    random = np.random.default_rng(seed)
    weights = random.integers(1, draw(st.sampled_from([2, 10, 10**6])), n, endpoint=True)
    X = random.integers(0, 2, (n, 1)).astype(float)
    if draw(st.booleans()):
        X[X == 1] = np.nan  # the second code is that of missing values
    assume(len(np.unique(X)) == 2)
    data = fb.BinnedDataset.from_data(X)
    column = Node.from_arrays(data, random.integers(0, 2, n), weights, None).column(0)
    most = column.best_loss(column.sums(0, n))
    assume(most > 0)
    return column, draw(st.integers(1, most))


@settings(deadline=None, max_examples=50)
@given(columns())
def test_is_what_the_program_finds(given_column):
    column, loss = given_column
    exact = fewest_rows_of_two_codes(column.cells, column.node.masses, loss)
    program = Program.of(column, loss)
    relaxed = program.relax()
    least, enough = program.bound(relaxed), program.rounded(relaxed, column, loss)
    assert program.solve(column, loss, 60.0, least, enough) == (exact, exact)
    assert fewest_rows(column, loss, 0.0) == (exact, exact)
