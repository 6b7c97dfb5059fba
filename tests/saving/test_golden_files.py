"""Files of all formats that there were stay readable, and say what they said."""

from __future__ import annotations

import json

import numpy as np
import pytest
from saving_helpers import GOLDEN

import frugalboost as fb
from frugalboost.saving.container import FORMAT
from frugalboost.saving.kinds import KINDS

FILES = sorted([*GOLDEN.glob("*.fboost"), *GOLDEN.glob("*.npz")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_a_file_said_it_says(path):
    expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
    model = fb.load(path)
    X = np.array(expected["X"])
    assert model.predict(X).tolist() == expected["predict"]
    if "decision_function" in expected:
        assert model.decision_function(X).tolist() == expected["decision_function"]
    assert fb.digest(model) == expected["digest"]


def test_every_kind_has_a_file_of_this_format():
    names = {path.name for path in FILES}
    assert {f"format-{FORMAT}-{kind}.fboost" for kind in KINDS} <= names
