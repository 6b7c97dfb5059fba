"""`frugalboost label` with a session that it cannot go on with."""

from __future__ import annotations

import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
pytest.importorskip("pyarrow")

from label_helpers import FAST, N_ROWS, write_csv
from typer.testing import CliRunner

from frugalboost.active import Journal
from frugalboost.cli.app import app


def damage_classes(journal):
    journal.change_params(classes=5)


def damage_a_class(journal):
    journal.change_params(classes=["cat", 7])


def damage_a_label(journal):
    journal.answered(3, 7)


def damage_checks(journal):
    journal.change_params(check_rows={"3": True})


def damage_a_check(journal):
    journal.change_params(check_rows=[3, True])


def damage_a_check_of_another_pool(journal):
    journal.change_params(check_rows=[3, N_ROWS])


TEXTS, ROWS = "must have strings as labels; got", "must have a list of rows below 120 as check_rows"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damage_classes, TEXTS),
        (damage_a_class, TEXTS),
        (damage_a_label, TEXTS),
        (damage_checks, ROWS),
        (damage_a_check, ROWS),
        (damage_a_check_of_another_pool, ROWS),
    ],
)
def test_what_a_session_cannot_hold_is_one_message(tmp_path, damage, message):
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
    assert message in said
    Journal(session).close()  # not locked
