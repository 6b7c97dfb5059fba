"""A session file keeps every answer; a broken run goes on as if it had not been broken."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from active_helpers import committee, learner, make_pool
from scipy import sparse

from forked import start
from frugalboost import ActiveLearner, digest
from frugalboost.active import Journal, replay

pytestmark = pytest.mark.thorough

X, Y = make_pool()


class BreakError(Exception):
    pass


def truth(indices):
    return Y[indices]


def breaking_after(n):
    """Answers one by one and breaks after so many, or never if there are fewer."""
    said = []

    def labeler(indices):
        for index in indices:
            if len(said) == n:
                raise BreakError
            said.append(int(index))
            yield None if index % 11 == 3 else Y[index]

    return labeler


def run_in_pieces(path, pieces, **options):
    for n in pieces:
        try:
            return learner(**options).run(X, breaking_after(n), budget=45, session=path)
        except BreakError:
            pass
    return learner(**options).run(X, breaking_after(10**9), budget=45, session=path)


@pytest.mark.parametrize("pieces", [[0], [1], [5], [11], [12], [13], [3, 4, 20], [1] * 24])
@pytest.mark.parametrize("utility", ["margin", "random"])
def test_a_broken_run_is_the_unbroken_one(tmp_path, pieces, utility):
    whole = learner(utility=utility).run(X, breaking_after(10**9), budget=45)
    resumed = run_in_pieces(tmp_path / "session", pieces, utility=utility)
    assert resumed.X_.tolist() == whole.X_.tolist()
    assert resumed.y_.tolist() == whole.y_.tolist()
    assert digest(resumed.model_) == digest(whole.model_)


def test_without_a_seed_the_session_keeps_the_one_that_was_drawn(tmp_path):
    path = tmp_path / "session"
    first = learner(random_state=None).run(X, truth, budget=22, session=path)
    second = learner(random_state=None).run(X, truth, budget=42, session=path)
    again = learner(random_state=first._seed).run(X, truth, budget=42)
    assert second.X_.tolist() == again.X_.tolist()


def test_the_same_script_again_asks_nothing_twice(tmp_path):
    asked = []

    def labeler(indices):
        asked.extend(indices.tolist())
        return Y[indices]

    for budget in (20, 20, 35):
        model = learner().teach(X[:6], Y[:6])
        model.run(X, labeler, budget=budget, session=tmp_path / "session")
        assert model.n_labels_ == budget
    assert len(asked) == len(set(asked)) == 29


def test_every_question_and_answer_is_in_the_file(tmp_path):
    path = tmp_path / "session"
    model = learner().run(X, breaking_after(10**9), budget=30, session=path)
    with Journal(path) as journal:
        found = journal.entries()
    assert [(e.kind, e.round, e.row, e.label) for e in found] == [
        (e.kind, e.round, e.row, e.label) for e in model.log_
    ]
    assert all(entry.reason for entry in found if entry.kind == "asked")
    assert [answer.label for answer in replay(found).answers] == model.y_.tolist()
    assert len(replay(found).answers) == 30


def test_changes_between_runs_go_to_the_file(tmp_path):
    path = tmp_path / "session"
    model = learner().run(X, truth, budget=20, session=path)
    model.correct(2, (Y[0] + 1) % 3).withdraw(5).teach([[50.0, 50.0, 50.0]], [1])
    model.run(X, truth, budget=25, session=path)
    fresh = learner().run(X, truth, budget=25, session=path)
    assert fresh.numbers_.tolist() == model.numbers_.tolist()
    assert fresh.y_.tolist() == model.y_.tolist()
    assert fresh.X_.tolist() == model.X_.tolist()
    assert digest(fresh.model_) == digest(model.model_)


TABLES = {
    "float64": X,
    "float32": X.astype(np.float32) / 3,
    "int8": X.astype(np.int8),
    "csr": sparse.csr_array(X),
    "csc": sparse.csc_array(X),
    "with NaN": np.where(X == 3, np.nan, X),
    "objects": X.astype(object),
}


@pytest.mark.parametrize("kind", TABLES)
def test_save_and_load(tmp_path, kind):
    table, path = TABLES[kind], tmp_path / "saved"
    model = learner().teach(table[:8], [*Y[:7], None]).run(table, truth, budget=25)
    model.correct(3, 2).withdraw(4)
    model.query(table)
    model.save(path)
    twin = ActiveLearner.load(path, committee())
    assert digest(twin.model_) == digest(model.model_)
    assert twin.numbers_.tolist() == model.numbers_.tolist()
    assert twin.query(table)[0].tolist() == model.query(table)[0].tolist()
    assert [(e.kind, e.label, e.row, e.about) for e in twin.log_] == [
        (e.kind, e.label, e.row, e.about) for e in model.log_
    ]
    assert twin.get_params()["start_size"] == 12
    assert twin._known.taken == model._known.taken


FRAMES = {
    "pandas": pd.DataFrame({"a": X[:, 0], "k": pd.Categorical(np.array(["u", "v", "w"])[Y])}),
    "polars": pl.DataFrame({"a": X[:, 0], "k": np.array(["u", "v", "w"])[Y]}).with_columns(
        pl.col("k").cast(pl.Enum(["u", "v", "w"]))
    ),
    "pyarrow": pa.table(
        {"a": X[:, 0], "k": pa.array(np.array(["u", "v", "w"])[Y]).dictionary_encode()}
    ),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_are_read_with_their_pool(tmp_path, kind):
    table, path = FRAMES[kind], tmp_path / "saved"
    model = learner().teach(table[:8], Y[:8]).run(table, truth, budget=25)
    model.save(path)
    with pytest.raises(ValueError, match="X_pool must be given to read session"):
        ActiveLearner.load(path, committee())
    twin = ActiveLearner.load(path, committee(), X_pool=table)
    assert digest(twin.model_) == digest(model.model_)
    assert twin.query(table)[0].tolist() == model.query(table)[0].tolist()


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_resume(tmp_path, kind):
    table, path = FRAMES[kind], tmp_path / "session"
    learner().teach(table[:8], Y[:8]).run(table, truth, budget=18, session=path)
    resumed = learner().run(table, truth, budget=38, session=path)
    whole = learner().teach(table[:8], Y[:8]).run(table, truth, budget=38)
    assert digest(resumed.model_) == digest(whole.model_)


def test_a_session_loads_and_a_saved_learner_goes_on(tmp_path):
    learner().run(X, truth, budget=22, session=tmp_path / "session")
    model = ActiveLearner.load(tmp_path / "session", committee())
    whole = learner().run(X, truth, budget=42)
    assert digest(model.run(X, truth, budget=42).model_) == digest(whole.model_)
    model.save(tmp_path / "saved")
    model.run(X, truth, budget=50, session=tmp_path / "saved")
    assert ActiveLearner.load(tmp_path / "saved", committee()).n_labels_ == 50


def test_saving_replaces_sessions_only(tmp_path):
    path = tmp_path / "saved"
    model = learner().teach(X[:8], Y[:8])
    model.save(path)
    model.teach(X[8:9], Y[8:9]).save(path)
    assert ActiveLearner.load(path, committee()).n_labels_ == 9
    assert sorted(file.name for file in tmp_path.iterdir()) == ["saved"]
    other = tmp_path / "notes.txt"
    other.write_text("not a session")
    with pytest.raises(ValueError, match="session must be a session file, or a new file"):
        model.save(other)
    assert other.read_text() == "not a session"
    with pytest.raises(TypeError, match="label must be a string, a number or a bool"):
        learner().teach(X[:2], [("a",), ("b",)]).save(path)
    assert ActiveLearner.load(path, committee()).n_labels_ == 9
    assert sorted(file.name for file in tmp_path.iterdir()) == ["notes.txt", "saved"]


OTHER_POOLS = {
    "fewer rows": X[:-1],
    "fewer columns": X[:, :2],
    "other values": X + 1,
    "another order": X[::-1],
}


@pytest.mark.parametrize("kind", OTHER_POOLS)
def test_a_session_of_other_data_is_refused_and_left_as_it_is(tmp_path, kind):
    path = tmp_path / "session"
    learner().run(X, truth, budget=20, session=path)
    before = path.read_bytes()
    for call in (
        lambda: learner().run(OTHER_POOLS[kind], truth, session=path),
        lambda: ActiveLearner.load(path, X_pool=OTHER_POOLS[kind]),
    ):
        with pytest.raises(
            ValueError, match=r"session .* must be opened with the data it began with"
        ):
            call()
    assert path.read_bytes() == before
    assert learner().run(X, truth, budget=21, session=path).n_labels_ == 21


def test_a_learner_that_knows_something_else_is_refused(tmp_path):
    path = tmp_path / "session"
    learner().teach(X[:6], Y[:6]).run(X, truth, budget=20, session=path)
    before = path.read_bytes()
    for rows, labels in ((slice(6, 12), Y[6:12]), (slice(6), (Y[:6] + 1) % 3)):
        other = learner().teach(X[rows], labels)
        with pytest.raises(ValueError, match=r"must agree with what this learner knows; entry"):
            other.run(X, truth, session=path)
        assert other.n_labels_ == 6
    assert path.read_bytes() == before


def test_files_that_are_not_there_or_in_use(tmp_path):
    with pytest.raises(FileNotFoundError, match="session must be an existing file"):
        ActiveLearner.load(tmp_path / "nothing")
    with pytest.raises(OSError, match="a file in an existing folder"):
        learner().run(X, truth, session=tmp_path / "no" / "folder")
    path = tmp_path / "session"
    learner().run(X, truth, budget=12, session=path)
    with Journal(path), pytest.raises(OSError, match="must not be open elsewhere"):
        learner().run(X, truth, budget=20, session=path)


SCRIPT = """
import os, signal, sys
sys.path.insert(0, {folder!r})
from active_helpers import learner, make_pool

X, Y = make_pool()

said = 0
def labeler(indices):
    global said
    for index in indices:
        print(index, Y[index], flush=True)
        yield Y[index]
        said += 1
        if said == {n}:
            os.kill(os.getpid(), signal.SIGKILL)

learner().run(X, labeler, budget=40, session={path!r})
"""


@pytest.mark.parametrize("n", [1, 12, 17])
def test_killed_processes_lose_nothing(tmp_path, n):
    from pathlib import Path

    path = str(tmp_path / "session")
    script = SCRIPT.format(folder=str(Path(__file__).parent), n=n, path=path)
    killed = start(script)
    said, problem = killed.communicate(timeout=120)
    assert killed.returncode == -9, problem
    told = [tuple(map(int, line.split())) for line in said.splitlines()]
    with Journal(path) as journal:
        kept = [(answer.row, answer.label) for answer in replay(journal).answers]
    assert kept[:n] == told[:n]
    resumed = learner().run(X, truth, budget=40, session=path)
    whole = learner().run(X, truth, budget=40)
    assert digest(resumed.model_) == digest(whole.model_)
