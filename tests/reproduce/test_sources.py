from __future__ import annotations

import bz2

import numpy as np
import pytest

from frugalboost.reproduce import sources
from frugalboost.reproduce.sources import Sources
from small_data import write_a6a, write_libsvm, write_mnist


def test_a_data_set_is_read_once(tmp_path):
    write_a6a(tmp_path)
    known = Sources(tmp_path)
    assert known["a6a"] is known["a6a"]
    assert known["a6a"].shape == (300, 100, 12, 2)
    assert known["a6a"].binned.n_rows == 300


def test_absent_data_sets_are_named_with_the_reason(tmp_path):
    write_a6a(tmp_path)
    missing = Sources(tmp_path).missing(("a6a", "mnist", "w4a", "rcv1", "faces"))
    assert list(missing) == ["mnist", "w4a", "rcv1", "faces"]
    assert "rcv1_train.binary" in missing["rcv1"]
    assert missing["faces"] == missing["mnist"] == "mnist.npz"


def test_data_that_only_pandas_reads_are_absent_without_it(tmp_path, monkeypatch):
    (tmp_path / "adult.csv.gz").touch()
    assert Sources(tmp_path).missing(("adult",)) == {}
    monkeypatch.setattr(sources, "find_spec", {"pandas": None}.__getitem__)
    needed = Sources(tmp_path).missing(("adult",))["adult"]
    assert needed == 'pandas: pip install "frugalboost[datasets]"'


def test_absence_is_told_without_reading(tmp_path):
    (tmp_path / "mnist.npz").write_bytes(b"no table")
    assert list(Sources(tmp_path).missing(("mnist", "majority", "glass"))) == ["glass"]


@pytest.mark.parametrize("is_packed", [False, True])
def test_files_of_the_libsvm_page(tmp_path, is_packed):
    write_libsvm(tmp_path)
    if is_packed:
        for name in ("w4a", "w4a.t"):
            (tmp_path / f"{name}.bz2").write_bytes(bz2.compress((tmp_path / name).read_bytes()))
            (tmp_path / name).unlink()
    source = Sources(tmp_path)["w4a"]
    assert source.X_train.shape == (160, 4)
    assert source.X_test.shape == (20, 4)
    assert np.unique(source.y_train).tolist() == [-1.0, 1.0]


def test_a_file_of_arrays_comes_before_those_of_the_libsvm_page(tmp_path):
    write_libsvm(tmp_path)
    write_a6a(tmp_path, n_train=30, n_test=10, name="w4a")
    assert Sources(tmp_path)["w4a"].shape == (30, 10, 12, 2)


def test_the_papers_mnist_has_780_pixels(tmp_path):
    write_mnist(tmp_path, n=50, n_train=40)
    assert Sources(tmp_path)["mnist"].shape[:3] == (40, 10, 780)


@pytest.mark.thorough
def test_stand_ins_have_the_papers_shape_and_no_row_twice(tmp_path):
    write_mnist(tmp_path)
    sources = Sources(tmp_path, is_quick=True)
    assert sources["faces"].shape == (850, 400, 430, 2)
    assert sources["pedestrians"].shape == (1700, 1100, 510, 2)
    faces = sources["faces"]
    train = {row.tobytes() for row in faces.X_train}
    assert not train & {row.tobytes() for row in faces.X_test}
