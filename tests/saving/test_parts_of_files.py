"""The parts of a file by themselves: what its header tells, and what it tells of the fit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors import safe_open
from saving_helpers import CODES, MODELS, SMALL, X

import frugalboost as fb
from frugalboost.saving.container import BrokenFileError, Section, pack, read_header, unpack
from frugalboost.saving.model_file import to_bytes


def header_of(model):
    return read_header(to_bytes(model))[1]


def test_the_header_is_plain_json_that_other_programs_read(tmp_path):
    path = tmp_path / "model.fboost"
    fb.save(MODELS["real"], path)
    with safe_open(path, framework="np") as file:
        header = json.loads(file.metadata()["frugalboost"])
        assert file.get_tensor("trees.value").shape[1] == 3
    assert header["format"] == 1
    assert header["version"] == fb.__version__
    assert header["digest"] == fb.digest(MODELS["real"])
    assert header["model"]["kind"] == "BoostedTreesClassifier"
    assert header["model"]["params"]["max_depth"] == 3


def test_the_summary_of_a_fit():
    model = MODELS["real"]
    assert header_of(model)["summary"] == {
        "rounds": 6,
        "trees": 6,
        "rows": len(X),
        "seconds": model.ledger_.total("seconds"),
    }
    many = MODELS["one against all"]
    summary = header_of(many)["summary"]
    assert (summary["rounds"], summary["trees"], summary["rows"]) == (4, 12, len(X))


@pytest.mark.parametrize(
    "options",
    [
        {"sample_fraction": 0.5},
        {"resample": True},
        {"weight_trim": 0.9},
        {"early_stopping": True},
        {"pruning_fraction": 0.2},
    ],
    ids=lambda options: next(iter(options)),
)
def test_rows_are_not_told_where_they_are_not_known(options):
    model = fb.BoostedTreesClassifier("real", random_state=0, **SMALL, **options).fit(X, CODES)
    assert header_of(model)["summary"]["rows"] is None


def test_arrays_of_every_type_come_back():
    kinds = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"]
    arrays = {kind: np.array([[0, 1, 1]], dtype=kind) for kind in kinds}
    arrays |= {"empty": np.zeros((0, 4)), "strided": np.arange(9)[::2]}
    header, found = unpack(pack({"note": "é"}, arrays))
    assert header == {"format": 1, "note": "é"}
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_a_note_has_its_very_type():
    section = Section({"n": True, "x": 1, "in": 3})
    with pytest.raises(BrokenFileError, match="its n is missing or has the wrong type"):
        section.read_note("n", int)
    with pytest.raises(BrokenFileError, match="its x is missing or has the wrong type"):
        section.read_note("x", float)
    with pytest.raises(BrokenFileError, match="its in has the wrong type"):
        section.inside("in")
