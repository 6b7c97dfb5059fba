"""A file that is broken, newer or hostile is refused with one error that names it and says why."""

from __future__ import annotations

import io
import json
import os
import tracemalloc
import zipfile
from dataclasses import MISSING, fields

import numpy as np
import pytest
from saving_helpers import MODELS, WORDS, X, fuzzing

import frugalboost as fb
from frugalboost.filtering import FilterEntry
from frugalboost.saving.container import BrokenFileError
from frugalboost.saving.model_file import from_bytes, to_bytes

GOOD = {name: to_bytes(model) for name, model in MODELS.items()}


def load_content(content, folder):
    path = folder / "model.fboost"
    path.write_bytes(content)
    return fb.load(path)


def changed(name="real", notes=None, arrays=None):
    """The file of a model with other notes and arrays, and a checksum that is right."""
    fuzz = fuzzing()
    text, found = fuzz.parts_of(GOOD[name])
    header = json.loads(text)
    for path, value in (notes or {}).items():
        *places, last = path.split("/")
        place = header
        for each in places:
            place = place[each]
        place[last] = value
    return fuzz.sign(json.dumps(header), {**found, **(arrays or {})})


def array_of(name, array):
    return fuzzing().parts_of(GOOD[name])[1][array].copy()


def with_entry(array, at, value, name="real"):
    """The file with another number in one of its arrays."""
    values = array_of(name, array)
    values[at] = value
    return changed(name, arrays={array: values})


def refuses(content, match):
    with pytest.raises(BrokenFileError, match=match):
        from_bytes(content)


def test_the_error_names_the_file_and_the_reason(tmp_path):
    path = tmp_path / "model.fboost"
    path.write_bytes(GOOD["real"][:-1])
    with pytest.raises(ValueError, match="must be a file written by save; it is damaged") as told:
        fb.load(path)
    assert str(path) in str(told.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"load: .*none\.fboost does not exist"):
        fb.load(tmp_path / "none.fboost")
    with pytest.raises(FileNotFoundError, match="is not a file"):
        fb.load(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")  # reading it would wait for ever
        with pytest.raises(FileNotFoundError, match="is not a file"):
            fb.load(tmp_path / "pipe")


@pytest.mark.parametrize(
    "content", [b"", b"x", b"\x00" * 8, b"GIF89a" * 99, b"\xff" * 99, b"[]" * 9]
)
def test_what_is_something_else(content):
    refuses(content, "it is not a safetensors file|its header")


def test_a_safetensors_file_of_another_program():
    fuzz = fuzzing()
    refuses(fuzz.save_arrays({"weights": np.ones(3)}), "without a frugalboost header")
    refuses(fuzz.save_arrays({"w": np.ones(3)}, metadata={"format": "pt"}), "without a frugalboost")


@pytest.mark.parametrize("name", GOOD)
def test_no_beginning_of_a_file_loads(name):
    content = GOOD[name]
    for end in [*range(0, len(content), 97), len(content) - 1]:
        refuses(content[:end], "it|its")


def test_every_byte_counts():
    """Whatever bit of the arrays or of the header changes is found."""
    content = GOOD["gamble"]
    for at in range(0, len(content), 41):
        broken = bytearray(content)
        broken[at] ^= 4
        refuses(bytes(broken), ".")


def test_a_newer_format():
    refuses(changed(notes={"format": 2, "version": "9.9"}), r"format 2 .* up to 1.*'9\.9'")


@pytest.mark.parametrize("version", [0, -1, "1", None, True, 1.0])
def test_no_format(version):
    refuses(changed(notes={"format": version}), "its format must be an integer >= 1")


def test_an_unknown_kind_and_an_unknown_parameter():
    refuses(changed(notes={"model/kind": "os.system"}), "holds a 'os.system', which this version")
    refuses(changed(notes={"model/params/exec": 1}), "unknown parameter 'exec'")


@pytest.mark.parametrize("name", ["one against all", "pruned"])
@pytest.mark.parametrize("value", ["BoostedTreesClassifier", 1, {"is": "list", "items": []}])
def test_an_estimator_that_is_none(name, value):
    refuses(changed(name, {"model/params/estimator": value}), "the estimator of its .* is not an")


def test_a_parameter_that_an_older_version_did_not_have():
    fuzz = fuzzing()
    text, arrays = fuzz.parts_of(GOOD["real"])
    header = json.loads(text)
    del header["model"]["params"]["max_bins"]
    assert from_bytes(fuzz.sign(json.dumps(header), arrays)).max_bins == 256


@pytest.mark.parametrize(
    ("array", "at", "value", "reason"),
    [
        ("trees.left", 0, 0, "child does not come after it"),
        ("trees.left", 0, -1, "child does not come after it"),
        ("trees.right", 0, 2**31 - 1, "child does not come after it"),
        ("trees.left", 0, 2, "a node has no parent, or two"),
        ("trees.feature", 0, 5, "a feature does not exist"),
        ("trees.feature", 0, -2, "a feature does not exist"),
        ("trees.feature", 0, -1, "a node has no parent, or two"),
        ("trees.value", 0, np.nan, "a leaf value is not finite"),
        ("trees.gain", 0, np.inf, "a gain is not finite"),
        ("trees.steps", 0, np.inf, "a step is not finite"),
        ("trees.baseline", 0, np.nan, "baseline is not finite"),
        ("trees.node_offsets", 1, 0, "its trees have wrong offsets"),
        ("trees.node_offsets", 1, -(2**63), "its trees have wrong offsets"),
        ("trees.node_offsets", -1, 2**62, "its trees have wrong offsets"),
        ("trees.word_offsets", 1, 2**62, "its trees have wrong offsets"),
        ("trees.shape", 0, 2**40, "impossible shape"),
        ("trees.shape", 0, 6, "have different features"),
        ("trees.shape", 1, 0, "impossible shape"),
        ("trees.shape", 1, 2**60, "too few or too many numbers"),
        ("trees.category_start", slice(None), 2**31 - 1, "categories do not exist"),
        ("trees.n_categories", slice(None), 2**31 - 1, "too many categories"),
        ("trees.n_categories", slice(None), -1, "too many categories"),
        ("schema.features", 1, 7, "features and their categories"),
        ("schema.features", 1, -2, "features and their categories"),
        ("schema.features", 0, 0, "features and their categories"),
        ("classes_.ends", 0, -1, "texts of its classes_ have wrong"),
        ("classes_.ends", 0, 2**62, "texts of its classes_ have wrong"),
        ("classes_.bytes", 0, 255, "texts of its classes_ are not UTF-8"),
    ],
)
def test_numbers_that_would_lead_astray(array, at, value, reason):
    refuses(with_entry(array, at, value), reason)


OPTIONAL = {
    "seconds",
    *(field.name for field in fields(FilterEntry) if field.default is not MISSING),
}
"""Without seconds there is no ledger, and what has a default is new in some version."""


@pytest.mark.parametrize("name", ["real", "partial", "one against all", "c45"])
def test_no_array_can_be_left_out_or_be_of_another_kind(name):
    fuzz = fuzzing()
    text, arrays = fuzz.parts_of(GOOD[name])
    for missing, array in arrays.items():
        others = {each: arrays[each] for each in arrays if each != missing}
        if missing.rpartition("ledger.")[2] not in OPTIONAL:
            refuses(fuzz.sign(text, others), ".")
        refuses(fuzz.sign(text, {**others, missing: np.ones((1, 1, 1))}), ".")
        refuses(fuzz.sign(text, {**others, missing: array.astype(np.float16)}), ".")


@pytest.mark.parametrize(
    ("array", "at", "value", "reason"),
    [
        ("c45.feature", 0, 5, "a feature does not exist"),
        ("c45.feature", 0, -2, "a feature does not exist|branches do not add up"),
        ("c45.feature", 0, -1, "branches do not add up"),
        ("c45.threshold", 0, np.nan, "a split has no threshold|branches do not add up"),
        ("c45.label", 0, 3, "a class is unknown"),
        ("c45.label", 0, -1, "a class is unknown"),
        ("c45.by_class", (0, 0), np.nan, "a leaf value is not finite"),
        ("c45.by_class", (0, 0), -1.0, "a leaf value is not finite"),
        ("c45.by_class", 0, 0.0, "a node that is split has no cases"),
        ("c45.n_children", 0, 2**30, "branches do not add up"),
        ("c45.n_children", 0, -1, "branches do not add up"),
        ("c45.children", 0, 0, "does not come after it|two"),
        ("c45.children", 0, -1, "does not come after it"),
        ("c45.children", 0, 2**30, "does not come after it"),
        ("c45.n_nodes", 0, 2**62, "nodes do not add up"),
        ("c45.n_nodes", 0, 0, "nodes do not add up"),
        ("c45.steps", 0, np.inf, "a step is not finite"),
        ("c45.steps", 0, 1e308, r"a number in its c45\.steps is above 1\.34"),
        ("c45.steps", 0, -1e308, r"a number in its c45\.steps is above 1\.34"),
        ("c45.by_class", -1, 1e308, r"a number in its c45\.by_class is above 1\.08"),
        ("c45.by_class", -1, 1e3, r"its c45\.by_class does not add up"),
        ("c45.by_class", -1, 0.0, r"its c45\.by_class does not add up"),
        ("c45.by_class", 0, 1.0, r"its c45\.by_class does not add up"),
    ],
)
def test_trees_of_c45_that_would_lead_astray(array, at, value, reason):
    refuses(with_entry(array, at, value, "c45"), reason)


@pytest.mark.parametrize(
    ("notes", "reason"),
    [
        ({"model/rule/n_classes": 2**60}, "number of classes is not"),
        ({"model/rule/name": "real"}, "its rule is unknown"),
        ({"model/n_estimators_": 7}, "number of trees is wrong"),
        ({"model/n_features_in_": 2}, "different features"),
        ({"model/params/min_cases": 0}, "min_cases must be"),
        ({"model/c45/is_single": 1}, "is_single is missing or has the wrong type"),
    ],
)
def test_notes_of_c45_that_do_not_fit(notes, reason):
    refuses(changed("c45", notes=notes), reason)


def test_thresholds_must_be_there_where_they_are_needed():
    refuses(with_entry("trees.threshold", slice(None), np.nan), "a split has no threshold")


@pytest.mark.parametrize(
    ("notes", "reason"),
    [
        ({"model/rule/name": "import os"}, "its rule is unknown"),
        ({"model/rule/n_classes": 2**60}, "number of classes is not"),
        ({"model/rule/n_classes": True}, "rule.n_classes is missing or has the wrong type"),
        ({"model/rule/learning_rate": -1.0}, "its rule is unknown"),
        ({"model/n_estimators_": 7}, "number of trees is wrong"),
        ({"model/n_features_in_": 2**62}, "different features"),
        ({"model/classes_/dtype": "<U500000000"}, "more room than such a file can need"),
        ({"model/classes_/dtype": "<U1"}, "texts that are too long"),
        ({"model/classes_/dtype": "O,O"}, "has an unknown type"),
        ({"model/classes_/dtype": "<M8[s]"}, "has an unknown type"),
        ({"model/classes_/as": "pickle"}, "has an unknown type"),
        ({"model/classes_/as": "json"}, "holds something that is not a label"),
        ({"model/params/tol": {"is": "code"}}, "has an unknown type"),
        ({"model/params/tol": [1]}, "has the wrong type"),
        ({"model": 3}, "its model has the wrong type"),
    ],
)
def test_notes_that_do_not_fit(notes, reason):
    refuses(changed(notes=notes), reason)


@pytest.mark.parametrize(("place", "has_gauss"), [(-1, 0), (625, 0), (2**70, 0), (0, 2)])
def test_a_generator_that_would_read_beyond_its_state(place, has_gauss):
    model = fb.BoostedTreesClassifier(n_estimators=1, random_state=np.random.RandomState(0))
    GOOD["generator"] = to_bytes(model.fit(X, WORDS))
    notes = {"place": place, "has_gauss": has_gauss}
    path = "model/params/random_state/"
    content = changed("generator", {path + key: value for key, value in notes.items()})
    refuses(content, "random_state is damaged")
    del GOOD["generator"]


def test_members_must_be_their_models_own():
    name = "one against all"
    refuses(changed(name, {"model/members": {}}), "members and its classes do not match")
    refuses(changed(name, {"model/members/0/n_features_in_": 4}), "different features")
    refuses(changed(name, {"model/members/0/kind": "FilterBoostClassifier"}), "unknown parameter")


def test_examples_that_wait_must_have_known_classes():
    codes = array_of("partial", "waiting.codes")
    refuses(changed("partial", arrays={"waiting.codes": codes + 9}), "unknown classes")
    refuses(changed("partial", arrays={"waiting.codes": codes[1:]}), "waiting examples are damaged")


DEEP = "[" * 100_000 + "]" * 100_000
CROWDED = ("[]," * 300_000, "{}," * 300_000, '\\"ab\\",' * 300_000, DEEP, "9" * 10**6 + ",")


@pytest.mark.parametrize("inside", CROWDED, ids=["lists", "dicts", "texts", "deep", "digits"])
def test_a_crowded_header_takes_no_memory(inside):
    raw = ('{"__metadata__":{"frugalboost":"{\\"format\\":[' + inside + '0]}"}}').encode()
    content = len(raw).to_bytes(8, "little") + raw
    tracemalloc.start()
    refuses(content, "its header")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * len(content)


@pytest.mark.parametrize("length", [2**63, 2**64 - 1, 10**9])
def test_a_header_longer_than_the_file(length):
    refuses(length.to_bytes(8, "little") + GOOD["real"][8:], "it is truncated")


def checkpoint(tmp_path):
    path = tmp_path / "run"
    fb.FilterBoostClassifier(max_rounds=3, checkpoint=path, random_state=0).fit(X, WORDS)
    return path.read_bytes()


def rewritten(content, changes, compression=zipfile.ZIP_STORED):
    """The checkpoint with other arrays."""
    file = io.BytesIO()
    with np.load(io.BytesIO(content)) as found, zipfile.ZipFile(file, "w", compression) as archive:
        for name, array in {**found, **changes}.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(array), allow_pickle=True)
            archive.writestr(f"{name}.npy", member.getvalue())
    return file.getvalue()


def test_checkpoints_are_not_trusted_either(tmp_path):
    good = checkpoint(tmp_path)
    assert fb.digest(load_content(rewritten(good, {}), tmp_path))
    for content, reason in (
        (good[: len(good) // 2], "not a zip file"),
        (rewritten(good, {}, zipfile.ZIP_DEFLATED), "arrays are compressed"),
        (rewritten(good, {"steps": np.array([1, "x"], dtype=object)}), "arrays of the wrong type"),
        (rewritten(good, {"left": np.zeros(9, dtype=np.int32)}), "array 'left' is missing or has"),
        (rewritten(good, {"shape": np.array([7, 3])}), "reader.n_features must be 7"),
    ):
        with pytest.raises(ValueError, match=f"it is a damaged checkpoint of a run.*{reason}"):
            load_content(content, tmp_path)


def test_a_checkpoint_says_how_large_its_arrays_are(tmp_path):
    content = checkpoint(tmp_path)
    shape = b"'shape': (3,)"
    assert shape in content
    huge = content.replace(shape, b"'shape': (9**9,)"[: len(shape)])
    with pytest.raises(ValueError, match="damaged"):
        load_content(huge, tmp_path)


@pytest.mark.thorough
def test_two_hundred_broken_files():
    """As benchmarks/fuzz_loader.py does with a hundred thousand."""
    fuzz = fuzzing()
    good = [GOOD[name] for name in ("real", "regressor", "partial", "one against all")]
    tally = fuzz.Tally()
    tracemalloc.start()
    with np.errstate(all="ignore"):
        for number in range(200):
            fuzz.measured(number, good, tally)
    tracemalloc.stop()
    refused = sum(n for outcome, n in tally.outcomes.items() if outcome.startswith("refused"))
    assert 100 < refused < 200  # some of what is changed does not matter, such as a ledger's figure
    assert sum(tally.outcomes.values()) == 200
