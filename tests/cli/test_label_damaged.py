"""`frugalboost label` with a session that it cannot go on with."""

from __future__ import annotations

import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
pytest.importorskip("pyarrow")

from label_helpers import FAST, write_csv
from typer.testing import CliRunner

from frugalboost.active import Journal
from frugalboost.cli.app import app


def damage_classes(journal):
    journal.change_params(classes=5)


def damage_a_class(journal):
    journal.change_params(classes=["cat", 7])


def damage_a_label(journal):
    journal.answered(3, 7)


@pytest.mark.parametrize("damage", [damage_classes, damage_a_class, damage_a_label])
def test_labels_that_are_no_texts_are_one_message(tmp_path, damage):
    data = tmp_path / "data.csv"
    write_csv(data)
    session = tmp_path / "data.csv.session"
    command = ["label", str(data), "--classes", "cat,dog", "--id-column", "name", *map(str, FAST)]
    assert CliRunner().invoke(app, command, input="cat\nq\n").exit_code == 0
    with Journal(session) as journal:
        damage(journal)
    ended = CliRunner().invoke(app, command, input="cat\nq\n")
    assert ended.exit_code == 1
    said = " ".join(ended.output.split())
    assert "must have strings as labels; got" in said
    Journal(session).close()  # not locked
