"""Files written here stand for the real ones, which have a test of their own at the end."""

from __future__ import annotations

import gzip
import os
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import needs
from frugalboost.datasets import load_dataset
from frugalboost.datasets.catalogue import CATALOGUE, find_entry

X_TRAIN = np.arange(12, dtype=np.uint8).reshape(4, 3)
X_TEST = X_TRAIN[:2] + 100


def write_csv(folder, name, *lines):
    with gzip.open(folder / f"{name}.csv.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")


@pytest.fixture
def adult(tmp_path):
    pytest.importorskip("pandas")
    write_csv(
        tmp_path,
        "adult",
        "age,workclass,class,split",
        "25,Private,<=50K,test",
        "39,NA,<=50K,train",
        "?,?,>50K,train",
    )
    return load_dataset("adult", tmp_path)


def test_split_file_gives_parts_and_the_whole(tmp_path):
    parts = {"X_train": X_TRAIN, "y_train": np.arange(4), "X_test": X_TEST, "y_test": [8, 9]}
    np.savez(tmp_path / "pendigits.npz", **parts)
    data = load_dataset("pendigits", tmp_path)
    np.testing.assert_array_equal(data.X_train, X_TRAIN)
    np.testing.assert_array_equal(data.X_test, X_TEST)
    np.testing.assert_array_equal(data.y, [0, 1, 2, 3, 8, 9])
    assert data.X.dtype == np.uint8
    assert data.feature_names == ("x0", "x1", "x2")


def test_file_without_split_has_no_parts(tmp_path):
    np.savez(tmp_path / "iris.npz", X=X_TRAIN, y=np.array([0, 1, 1, 0]), classes=["a", "b"])
    data = load_dataset("iris", tmp_path)
    assert data.X_train is data.y_train is data.X_test is data.y_test is None
    assert data.classes == ("a", "b")
    np.testing.assert_array_equal(data.X, X_TRAIN)


@pytest.mark.parametrize("name", ["segment", "vowel"])
def test_files_of_the_gamble_paper(tmp_path, name):
    parts = {"X_train": X_TRAIN, "y_train": np.arange(4), "X_test": X_TEST, "y_test": [8, 9]}
    np.savez(tmp_path / f"{name}.npz", **parts, speaker_train=np.zeros(4))
    np.testing.assert_array_equal(load_dataset(name, tmp_path).X_test, X_TEST)


def test_target_may_have_another_key(tmp_path):
    names = ["month", "origin", "destination"]
    np.savez(tmp_path / "flights3m.npz", X=X_TRAIN, y_delay=np.arange(4), feature_names=names)
    data = load_dataset("flights3m", tmp_path)
    np.testing.assert_array_equal(data.y, np.arange(4))
    assert data.categorical == ("origin", "destination")


def test_sparse_parts_stay_sparse(tmp_path):
    arrays = {"y_train": np.array([-1, 1, 1, -1]), "y_test": np.array([1, -1])}
    for part, table in {"train": X_TRAIN, "test": X_TEST}.items():
        matrix = sp.csr_matrix(table)
        arrays |= {
            f"X_{part}_data": matrix.data,
            f"X_{part}_indices": matrix.indices.astype(np.uint8),
            f"X_{part}_indptr": matrix.indptr,
            f"X_{part}_shape": np.array(matrix.shape),
        }
    np.savez(tmp_path / "a6a.npz", **arrays)
    data = load_dataset("a6a", tmp_path)
    assert data.X_train.format == data.X_test.format == "csr"
    np.testing.assert_array_equal(data.X_train.toarray(), X_TRAIN)
    np.testing.assert_array_equal(data.X_test.toarray(), X_TEST)


def test_csv_splits_amounts_from_categories(adult):
    assert adult.feature_names == ("age", "workclass")
    assert adult.categorical == ("workclass",)
    assert adult.X["age"].dtype == np.float64
    assert adult.X["workclass"].dtype == "category"


def test_csv_puts_training_rows_first(adult):
    assert list(adult.X_train["age"].fillna(-1)) == [39, -1]
    assert list(adult.X_test["age"]) == [25]
    assert list(adult.y_train) == ["<=50K", ">50K"]


def test_only_a_question_mark_is_missing(adult):
    assert list(adult.X_train["workclass"].isna()) == [False, True]
    assert set(adult.X["workclass"].cat.categories) == {"NA", "Private"}


def test_identifiers_are_no_features_and_integer_labels_stay_integers(tmp_path):
    pytest.importorskip("pandas")
    write_csv(tmp_path, "breast-w", "id,mitoses,class", "1000025,1,2", "1002945,?,4")
    data = load_dataset("breast-w", tmp_path)
    assert data.feature_names == ("mitoses",)
    assert data.categorical == ()
    np.testing.assert_array_equal(data.y, [2, 4])


def test_amounts_of_autos_are_numbers_and_all_of_lymph_are_categories(tmp_path):
    pytest.importorskip("pandas")
    write_csv(
        tmp_path, "autos", "symboling,make,price,num-of-doors", "2,audi,1395,four", "0,bmw,?,?"
    )
    write_csv(tmp_path, "lymph", "lymphatics,dim,class", "4,1,3", "2,2,2")
    autos, lymph = (load_dataset(name, tmp_path) for name in ("autos", "lymph"))
    assert autos.categorical == ("make", "num-of-doors")
    np.testing.assert_array_equal(autos.X["price"], [1395.0, np.nan])
    np.testing.assert_array_equal(autos.y, [2, 0])
    assert lymph.categorical == ("lymphatics", "dim")


@pytest.mark.parametrize("name", ["fast", "", 3, None])
def test_unknown_name_lists_the_known(name):
    with pytest.raises(
        ValueError, match=r"name must be one of 'a6a', .*'waveform'; got "
    ) as caught:
        load_dataset(name)
    assert repr(name) in str(caught.value)


def test_openml_name_finds_the_same_entry():
    assert find_entry("covertype") is find_entry("covtype")


def test_missing_file_says_where_and_how_to_fetch(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        load_dataset("adult", tmp_path)
    assert str(tmp_path / "adult.csv.gz") in str(caught.value)
    assert "load_dataset('adult', fetch=True)" in str(caught.value)


def test_missing_file_promises_no_fetch_where_there_is_none(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"FRUGALBOOST_DATA\.$"):
        load_dataset("a6a", tmp_path)
    with pytest.raises(ValueError, match="fetch must be False for 'a6a'"):
        load_dataset("a6a", tmp_path, fetch=True)


def test_folder_is_data_home_then_variable_then_cache(tmp_path, monkeypatch):
    home, variable, cache = (tmp_path / name for name in ("home", "variable", "cache"))
    for value, folder in enumerate([home, variable, cache / "frugalboost"]):
        folder.mkdir(parents=True)
        np.savez(folder / "glass.npz", X=np.full((1, 1), value), y=np.array([value]))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("FRUGALBOOST_DATA", str(variable))
    assert load_dataset("glass", home).y == [0]
    assert load_dataset("glass").y == [1]
    monkeypatch.delenv("FRUGALBOOST_DATA")
    assert load_dataset("glass").y == [2]


@pytest.mark.parametrize("content", [b"", b"no zip file", b"PK\x03\x04 cut"])
def test_damaged_file_is_named(tmp_path, content):
    (tmp_path / "iris.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"iris\.npz cannot be read as the data set 'iris'"):
        load_dataset("iris", tmp_path)


def test_damaged_numbers_are_named(tmp_path):
    path = tmp_path / "iris.npz"
    np.savez_compressed(path, X=np.arange(4000.0).reshape(-1, 4), y=np.arange(1000))
    content = bytearray(path.read_bytes())
    content[200:400] = bytes(200)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"iris\.npz cannot be read as the data set 'iris'"):
        load_dataset("iris", tmp_path)


def test_pickled_objects_are_refused(tmp_path):
    np.savez(tmp_path / "iris.npz", X=np.array([object()]), y=np.array([0]))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        load_dataset("iris", tmp_path)


def test_categories_without_pandas_name_the_extra(tmp_path, monkeypatch):
    write_csv(tmp_path, "splice", "pos1,class", "A,EI")
    monkeypatch.setitem(sys.modules, "pandas", None)
    said = r'^load_dataset: data with categories .* pip install "frugalboost\[datasets\]"\.$'
    with pytest.raises(ModuleNotFoundError, match=said):
        load_dataset("splice", tmp_path)


def test_every_error_begins_with_the_name_once(tmp_path):
    (tmp_path / "iris.npz").write_bytes(b"nothing")
    for name, fetch in (("iris", False), ("glass", False), ("a6a", True)):
        with pytest.raises((ValueError, FileNotFoundError)) as caught:
            load_dataset(name, tmp_path, fetch=fetch)
        assert str(caught.value).startswith("load_dataset: ")
        assert str(caught.value).count("load_dataset:") == 1


REAL = os.environ.get("FRUGALBOOST_DATA")


@pytest.mark.skipif(not REAL, reason=needs.REAL_DATA)
@pytest.mark.parametrize(
    ("name", "n_rows", "n_train", "n_features", "n_classes"),
    [
        ("a6a", 32561, 11220, 123, 2),
        ("adult", 48842, 32561, 14, 2),
        ("autos", 205, None, 25, 6),
        ("breast-w", 699, None, 9, 2),
        ("covtype", 581012, None, 54, 7),
        ("kr-vs-kp", 3196, None, 36, 2),
        ("letter", 20000, None, 16, 26),
        ("lymph", 148, None, 18, 4),
        ("satimage", 6435, 4435, 36, 6),
        ("segment", 2310, 210, 19, 7),
        ("soybean", 683, 307, 35, 19),
        ("vehicle", 846, None, 18, 4),
        ("vowel", 990, 528, 10, 11),
        ("w4a", 49749, 7366, 300, 2),
    ],
)
def test_real_data_have_their_published_sizes(name, n_rows, n_train, n_features, n_classes):
    if not os.path.exists(os.path.join(REAL, CATALOGUE[name].file_name)):
        pytest.skip(needs.REAL_DATA)
    data = load_dataset(name)
    assert data.X.shape == (n_rows, n_features)
    assert data.n_train == n_train
    assert len(np.unique(data.y)) == n_classes
    assert len(data.feature_names) == n_features
