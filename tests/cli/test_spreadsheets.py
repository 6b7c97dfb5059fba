"""Texts that a spreadsheet would run, guarded and read again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")

from frugalboost.cli.outputs import guarded, harmless, unguarded, unguarded_labels  # noqa: E402

TEXTS = st.text(alphabet="'=+-@\t\r\n1.5eax", max_size=6)


@given(TEXTS)
def test_every_text_comes_back(text):
    assert unguarded(guarded(text)) == text


@given(TEXTS)
def test_nothing_guarded_is_run(text):
    is_number = text.lstrip("+-")[:1] in tuple("0123456789.")
    assert guarded(text)[:1] not in tuple("=+-@\t\r") or len(text) == 1 or is_number


@given(st.lists(TEXTS, min_size=1))
def test_tables_are_guarded_as_texts_are(texts):
    table = harmless(pa, pa.table({"t": texts}))
    assert table["t"].to_pylist() == [guarded(text) for text in texts]


@pytest.mark.parametrize("labels", [np.array([1, 2]), np.array(["a", None, "b"], dtype=object)])
def test_other_labels_stay(labels):
    assert unguarded_labels(labels).tolist() == labels.tolist()
