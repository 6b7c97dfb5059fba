"""`frugalboost predict` says what the model says in Python, whatever the file looks like."""

from __future__ import annotations

import csv
import datetime
import decimal
import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from numpy.testing import assert_array_equal

pytest.importorskip("typer")

from table_helpers import (
    FAST,
    features,
    labels,
    matrix,
    ok,
    refused,
    table,
    write,
    write_libsvm,
)

import frugalboost as fb
from frugalboost.saving.container import FORMAT, pack

NEW = table(seed=5)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    data = write(folder / "data.csv", table())
    ok("fit", data, "--target", "sold", "--ignore", "price", "-o", folder / "m.fboost", *FAST)
    return folder / "m.fboost"


@pytest.fixture(scope="module")
def regressor(tmp_path_factory):
    folder = tmp_path_factory.mktemp("regressor")
    data = write(folder / "data.csv", table())
    ok("fit", data, "--target", "price", "--ignore", "sold", "-o", folder / "m.fboost", *FAST)
    return folder / "m.fboost"


def read(text):
    return pa.csv.read_csv(io.BytesIO(text.encode()))


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".feather"])
def test_every_format_gives_what_python_gives(model, tmp_path, ending):
    path = write(tmp_path / f"new{ending}", NEW)
    found = read(ok("predict", model, path, "--proba").stdout)
    loaded, X = fb.load(model), features(NEW)
    assert found.column_names == ["prediction", "probability_no", "probability_yes"]
    assert_array_equal(labels(found, "prediction"), loaded.predict(X))
    shares = np.column_stack([found.column(1).to_numpy(), found.column(2).to_numpy()])
    assert_array_equal(shares, loaded.predict_proba(X))


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_what_is_written_can_be_read(model, tmp_path, ending):
    path, output = write(tmp_path / "new.csv", NEW), tmp_path / f"out{ending}"
    ok("predict", model, path, "--keep", "city", "--keep", "sold", "-o", output)
    is_parquet = ending == ".parquet"
    found = pa.parquet.read_table(output) if is_parquet else pa.csv.read_csv(output)
    assert found.column_names == ["city", "sold", "prediction"]
    assert labels(found, "sold").tolist() == labels(NEW).tolist()
    assert_array_equal(labels(found, "prediction"), fb.load(model).predict(features(NEW)))


def test_numbers(regressor, tmp_path):
    found = read(ok("predict", regressor, write(tmp_path / "new.csv", NEW)).stdout)
    expected = fb.load(regressor).predict(features(NEW))
    assert_array_equal(found.column("prediction").to_numpy(), expected)


def test_columns_may_come_in_any_order_and_with_others(model, tmp_path):
    names = ["sold", "city", "new", "size", "price", "rooms"]
    other = write(tmp_path / "other.csv", NEW.select(names))
    less = write(tmp_path / "less.csv", NEW.select(["size", "rooms", "new", "city"]))
    assert ok("predict", model, other).stdout == ok("predict", model, less).stdout


def test_a_file_of_many_blocks(model, tmp_path):
    many = pa.concat_tables([NEW] * 300)  # beyond a megabyte of text
    path = write(tmp_path / "many.csv", many)
    assert path.stat().st_size > 1 << 20
    found = read(ok("predict", model, path).stdout)
    expected = fb.load(model).predict(features(NEW)).tolist()
    assert labels(found, "prediction").tolist() == expected * 300


def test_unseen_categories_count_as_missing(model, tmp_path):
    unseen = pa.array(["Rom"] * len(NEW))
    nothing = pa.array([None] * len(NEW), type=pa.string())
    said = [
        ok("predict", model, write(tmp_path / "new.csv", NEW.set_column(3, "city", cities)))
        for cities in (unseen, nothing)
    ]
    assert said[0].stdout == said[1].stdout


def test_words_that_look_like_numbers_stay_words(tmp_path):
    codes = pa.array(["x"] * 3 + [str(i % 5) for i in range(147)])
    data = table().select(["sold"]).append_column("code", codes)
    ok("fit", write(tmp_path / "data.csv", data), "--target", "sold", "-o", tmp_path / "m", *FAST)
    new = write(tmp_path / "new.csv", data.slice(3))
    found = read(ok("predict", tmp_path / "m", new).stdout)
    expected = fb.load(tmp_path / "m").predict(pa.table({"code": codes[3:].dictionary_encode()}))
    assert_array_equal(labels(found, "prediction"), expected)


def test_matrices(tmp_path):
    X, y = matrix()
    np.savez(tmp_path / "data.npz", X=X, y=y)
    ok("fit", tmp_path / "data.npz", "-o", tmp_path / "m.fboost", *FAST)
    expected = fb.load(tmp_path / "m.fboost").predict(X)
    csv = pa.table({f"c{at}": X[:, at] for at in range(4)})
    for path in (
        tmp_path / "data.npz",
        write_libsvm(tmp_path / "data.svm", X, y),
        write(tmp_path / "data.csv", csv),
    ):
        found = read(ok("predict", tmp_path / "m.fboost", path).stdout)
        assert_array_equal(found.column("prediction").to_numpy(), expected)


def test_a_sparse_file_may_lack_its_last_features(tmp_path):
    X, y = matrix()
    ok("fit", write_libsvm(tmp_path / "a.svm", X, y), "-o", tmp_path / "m.fboost", *FAST)
    X[:, 3] = 0
    new = write_libsvm(tmp_path / "b.svm", X[:, :3], y)
    found = read(ok("predict", tmp_path / "m.fboost", new).stdout)
    expected = fb.load(tmp_path / "m.fboost").predict(X)
    assert_array_equal(found.column("prediction").to_numpy(), expected)


def test_a_model_from_python(tmp_path):
    fb.save(
        fb.BoostedTreesClassifier(n_estimators=5).fit(features(table()), labels(table())),
        tmp_path / "m.fboost",
    )
    path = write(tmp_path / "new.csv", NEW)
    found = read(ok("predict", tmp_path / "m.fboost", path).stdout)
    expected = fb.load(tmp_path / "m.fboost").predict(features(NEW))
    assert_array_equal(labels(found, "prediction"), expected)
    scores = ok("evaluate", tmp_path / "m.fboost", path, "--target", "sold", "--json").stdout
    assert json.loads(scores)["error"] == pytest.approx((expected != labels(NEW)).mean())
    assert "--target must name" in refused(2, "evaluate", tmp_path / "m.fboost", path)


def changed(name, values):
    at = NEW.column_names.index(name)
    return NEW.set_column(at, name, pa.array(values))


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (NEW.drop_columns("size"), "must have the model's column 'size'"),
        (NEW.rename_columns(["Size", *NEW.column_names[1:]]), "Was it renamed to 'Size'?"),
        (changed("rooms", ["many"] * 150), "column 'rooms' must hold numbers"),
        (NEW.slice(0, 0), "must have at least one row"),
    ],
)
def test_columns_that_vanished_or_changed(model, tmp_path, ending, data, said):
    path, output = write(tmp_path / f"new{ending}", data), tmp_path / "out.csv"
    assert said in refused(1, "predict", model, path, "-o", output)
    assert not output.exists()
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_numbers_for_words_in_a_typed_file(model, tmp_path):
    path = write(tmp_path / "new.parquet", changed("city", list(range(150))))
    assert "column 'city' must hold words" in refused(1, "predict", model, path)


def test_a_value_that_does_not_fit_is_named_with_its_line(model, tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("size,rooms,new,city\n1.5,2,true,Ulm\n1.5,2,perhaps,Ulm\n")
    said = refused(1, "predict", model, path)
    assert "column 'new' must hold true or false; got 'perhaps' in line 3" in said


def test_models_that_cannot_be_opened(model, tmp_path):
    path = write(tmp_path / "new.csv", NEW)
    newer = tmp_path / "newer.fboost"
    header = {"format": FORMAT + 1, "version": "9.9"}
    newer.write_bytes(pack(header, {}))
    assert "a newer version of frugalboost ('9.9')" in refused(1, "predict", newer, path)
    assert "does not exist" in refused(1, "predict", tmp_path / "no.fboost", path)
    assert "not a safetensors file" in refused(1, "predict", path, path)


def test_outputs_that_cannot_be(model, regressor, tmp_path):
    path = write(tmp_path / "new.csv", NEW)
    assert "must end in .csv" in refused(2, "predict", model, path, "-o", tmp_path / "out.xls")
    assert "a different file from DATA" in refused(2, "predict", model, path, "-o", path)
    assert "--proba needs a classifier" in refused(2, "predict", regressor, path, "--proba")
    assert "Did you mean 'city'?" in refused(2, "predict", model, path, "--keep", "cities")


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_kept_column_does_not_vanish_behind_a_prediction(model, tmp_path, ending):
    names = [*NEW.column_names[:4], "prediction", "probability_no"]
    path = write(tmp_path / f"new{ending}", NEW.rename_columns(names))
    said = refused(2, "predict", model, path, "--keep", "prediction")
    assert "--keep must be a column with a name other than those of the predictions" in said
    assert "'prediction'; got 'prediction'. Rename it" in said
    said = refused(2, "predict", model, path, "--keep", "probability_no", "--proba")
    assert "'probability_yes'; got 'probability_no'." in said
    found = rows_of(ok("predict", model, path, "--keep", "probability_no").stdout)
    assert found[0] == ["probability_no", "prediction"]


def test_a_class_and_a_text_that_looks_like_it(tmp_path):
    X = np.arange(40.0)
    y = np.array([1, "1"] * 20, dtype=object)[np.argsort(X % 2, kind="stable")]
    fb.save(fb.BoostedTreesClassifier(n_estimators=3).fit(X[:, None], y), tmp_path / "m")
    path = tmp_path / "new.csv"
    path.write_text("x\n" + "".join(f"{x}\n" for x in X))
    heading, *found = rows_of(ok("predict", tmp_path / "m", path, "--proba").stdout)
    assert heading == ["prediction", "probability_1", "probability_'1'"]
    expected = fb.load(tmp_path / "m").predict(X[:, None]).tolist()
    assert {1, "1"} == set(expected)
    assert [row[0] for row in found] == ["1" if each == 1 else "'1'" for each in expected]


IDS = """id,zip,x,flag,code,y
123456789012345678910,0010,0.10,TRUE,0x0,b
123456789012345678911,0011,1e3,false,0x1f,a
1000000000000000,NA,,NA,NaN,b
7,+5, 7,1,"a,b",a
"""
KEPT = ["id", "zip", "x", "flag", "code"]


@pytest.mark.thorough
@pytest.mark.parametrize("ignored", [[], ["--ignore", "id", "--ignore", "zip", "--ignore", "flag"]])
@pytest.mark.parametrize("n_copies", [1, 6000])
def test_kept_columns_are_the_text_of_the_file(tmp_path, ignored, n_copies):
    """Whether they are features or not, and in files of many blocks."""
    heading, lines = IDS.split("\n", 1)
    (tmp_path / "train.csv").write_text(f"{heading}\n{lines * 5}")
    new = tmp_path / "new.csv"
    new.write_text(f"{heading}\n{lines * n_copies}")
    line = ("--target", "y", *ignored, "-o", tmp_path / "m.fboost", "--test-share", 0)
    ok("fit", tmp_path / "train.csv", *line, *FAST)
    keep = [word for name in KEPT for word in ("--keep", name)]
    line = ("predict", tmp_path / "m.fboost", new, *keep)
    heading, *found = rows_of(ok(*line, "--no-spreadsheet-safe").stdout)
    assert heading == [*KEPT, "prediction"]
    assert [row[:5] for row in found] == [row[:5] for row in rows_of(lines)] * n_copies
    ok(*line, "-o", tmp_path / "out.parquet")
    table = pa.parquet.read_table(tmp_path / "out.parquet")
    assert table["id"].to_pylist()[:2] == ["123456789012345678910", "123456789012345678911"]
    assert table["x"].to_pylist()[:3] == ["0.10", "1e3", None]
    assert table["prediction"].to_pylist() == [row[5] for row in found]


DAY = datetime.date(2020, 1, 2)
TYPED = {
    "day": (pa.array([DAY] * len(NEW)), "2020-01-02"),
    "time": (
        pa.array([datetime.datetime(2020, 1, 2, 3, 4, 5)] * len(NEW), pa.timestamp("ms")),
        "2020-01-02 03:04:05.000",
    ),
    "large": (pa.array([2**64 - 1] * len(NEW), pa.uint64()), "18446744073709551615"),
    "exact": (
        pa.array([decimal.Decimal("12345678901234567890.10")] * len(NEW)),
        "12345678901234567890.10",
    ),
    "half": (pa.array(np.full(len(NEW), 0.5, dtype=np.float16)), "0.5"),
    "whole": (pa.array([2**53 + 1, None] * (len(NEW) // 2)), "9007199254740993"),
}


@pytest.mark.parametrize("ending", [".parquet", ".feather"])
@pytest.mark.parametrize("name", TYPED)
def test_kept_columns_of_typed_files(model, tmp_path, ending, name):
    """Numbers and dates to the last digit, and with their own types where there are types."""
    column, text = TYPED[name]
    path = write(tmp_path / f"new{ending}", NEW.append_column(name, column))
    line = ("predict", model, path, "--keep", name, "--keep", "rooms")
    found = rows_of(ok(*line).stdout)
    assert found[0] == [name, "rooms", "prediction"]
    assert found[1][:2] == [text, str(NEW["rooms"][0])]
    assert {row[0] for row in found[1:]} == {text, "" if column.null_count else text}
    ok(*line, "-o", tmp_path / "out.parquet")
    copied = pa.parquet.read_table(tmp_path / "out.parquet")
    assert copied[name].type == column.type
    assert copied[name].to_pylist() == column.to_pylist()
    assert copied["rooms"].equals(NEW["rooms"])


@pytest.mark.parametrize("column", [[[1]] * len(NEW), [b"\xff"] * len(NEW)], ids=["list", "bytes"])
def test_kept_columns_that_have_no_text(model, tmp_path, column):
    path = write(tmp_path / "new.parquet", NEW.append_column("d", pa.array(column)))
    said = refused(2, "predict", model, path, "--keep", "d")
    assert "--keep must be a column of numbers, words or dates where CSV is written; 'd'" in said
    ok("predict", model, path, "--keep", "d", "-o", tmp_path / "out.parquet")
    assert pa.parquet.read_table(tmp_path / "out.parquet")["d"].to_pylist() == column


def test_kept_intervals_have_no_text(model, tmp_path):
    spans = pa.array([(1, 2, 3)] * len(NEW), pa.month_day_nano_interval())
    path = write(tmp_path / "new.arrow", NEW.append_column("d", spans))
    said = refused(2, "predict", model, path, "--keep", "d")
    assert "--keep must be a column of numbers, words or dates where CSV is written; 'd'" in said


FORMULAS = ("=1+1", "+cmd", "-x", "@sum", "\tx", "\rx", "=x\ny", "-1.5.2", "'=1", "-info", "-infe5")
PLAIN = ("-1.5", "-5 ", "-inf", "+7", "-1e-3", "a=b", "'a'", "", "x", "+", "=")


def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(tmp_path):
    """Not numbers, nor files that no spreadsheet opens by themselves."""
    texts = [*FORMULAS, *PLAIN]
    n = len(texts)
    labels = ["=no", *["@yes", "=no"] * n][:n]
    data = pa.table({"=id": texts, "x": [-1.5] * n, "y": labels})
    path, model = tmp_path / "data.parquet", tmp_path / "model.fboost"
    pa.parquet.write_table(data, path)
    ok("fit", path, "--target", "y", "--ignore", "=id", "-o", model, "--test-share", 0, *FAST)
    line = ("predict", model, path, "--keep", "=id", "--keep", "x", "--proba")
    safe = list(csv.reader(io.StringIO(ok(*line).stdout, newline="")))
    assert safe[0] == ["'=id", "x", "prediction", "probability_=no", "probability_@yes"]
    assert [row[0] for row in safe[1:]] == [f"'{text}" for text in FORMULAS] + list(PLAIN)
    assert {row[1] for row in safe[1:]} == {"-1.5"}
    assert {row[2] for row in safe[1:]} == {"'=no"}
    raw = list(csv.reader(io.StringIO(ok(*line, "--no-spreadsheet-safe").stdout, newline="")))
    assert [row[0] for row in raw] == ["=id", *texts]
    ok(*line, "-o", tmp_path / "out.parquet")
    assert pa.parquet.read_table(tmp_path / "out.parquet")["=id"].to_pylist() == texts
