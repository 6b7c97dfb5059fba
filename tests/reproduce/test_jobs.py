from __future__ import annotations

import json

import pytest

from frugalboost.reproduce import Paper, reproduce
from frugalboost.reproduce.jobs import Job, Store, write_whole
from frugalboost.reproduce.paper import Section, TableOf
from frugalboost.reproduce.sources import Sources


def test_a_result_is_found_again(tmp_path):
    Store(tmp_path, "1").keep("some-key", {"n": [1, 2.5], "name": "x"})
    assert Store(tmp_path, "1").find("some-key") == {"n": [1, 2.5], "name": "x"}
    assert Store(tmp_path, "1").find("other-key") is None


def test_a_result_of_another_version_does_not_count(tmp_path):
    Store(tmp_path, "1").keep("key", {"n": 1})
    assert Store(tmp_path, "2").find("key") is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": "2"}'])
def test_a_file_that_is_no_result_does_not_count(tmp_path, text):
    (tmp_path / "key.json").write_text(text)
    assert Store(tmp_path, "1").find("key") is None


def test_a_file_is_whole_or_as_it_was(tmp_path):
    path = tmp_path / "file"
    write_whole(path, "first")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "second\ud800")  # half of a pair: cannot be encoded
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


class Squares(Paper):
    """A paper with three jobs, one of which may be interrupted."""

    title = "Squares"
    data = ()

    def start(self, interrupted_at=None):
        self.ran = []
        self.interrupted_at = interrupted_at
        return self

    def square(self, n):
        if n == self.interrupted_at:
            raise KeyboardInterrupt
        self.ran.append(n)
        return {"square": n * n}

    def jobs(self):
        return [Job(f"square-{n}", lambda n=n: self.square(n)) for n in (2, 3, 4)]

    def judgements(self, results):
        return []

    def sections(self, results):
        rows = [[key, each["square"]] for key, each in results.items()]
        return [Section("All", tables=[TableOf("Squares", ["key", "square"], rows)])]


def test_an_interrupted_run_goes_on_where_it_was(tmp_path):
    first = Squares(Sources(None)).start(interrupted_at=4)
    with pytest.raises(KeyboardInterrupt):
        reproduce(first, tmp_path)
    assert first.ran == [2, 3]
    report = (tmp_path / "report.md").read_text()
    assert "| square-3 | 9 |" in report
    assert "## Not run yet" in report
    assert "- square-4" in report
    second = Squares(Sources(None)).start()
    reproduce(second, tmp_path)
    assert second.ran == [4]
    report = (tmp_path / "report.md").read_text()
    assert "| square-4 | 16 |" in report
    assert "Not run yet" not in report


def test_progress_names_each_job_and_ends_with_all(tmp_path):
    told = []
    reproduce(Squares(Sources(None)).start(), tmp_path, told.append)
    steps = [(step.done, step.total, step.title) for step in told]
    names = ["square-2", "square-3", "square-4"]
    assert steps[::2] == [(i, 3, name) for i, name in enumerate(names)]  # begun
    assert steps[1::2] == [(i + 1, 3, name) for i, name in enumerate(names)]  # finished
    assert [step.share for step in told[1::2]] == [1 / 3, 2 / 3, 1.0]
    assert told[-1].seconds_left == 0


def test_the_report_is_also_json(tmp_path):
    reproduce(Squares(Sources(None)).start(), tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["title"] == "Squares"
    assert report["results"]["square-4"] == {"square": 16}
    assert report["sections"][0]["tables"][0]["rows"][0] == ["square-2", 4]
