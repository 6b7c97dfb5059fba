from __future__ import annotations

import json

import pytest
from squares import squares

from frugalboost.reproduce import FailedError, Run, reproduce, reproduce_all
from frugalboost.reproduce.jobs import Store, write_whole


def test_a_result_is_found_again(tmp_path):
    Store(tmp_path, "1").keep("some-key", {"n": [1, 2.5], "name": "x"})
    assert Store(tmp_path, "1").find("some-key") == {"n": [1, 2.5], "name": "x"}
    assert Store(tmp_path, "1").find("other-key") is None


def test_a_result_of_another_version_does_not_count(tmp_path):
    Store(tmp_path, "1").keep("key", {"n": 1})
    assert Store(tmp_path, "2").find("key") is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"[" * 200_000,
        b'{"version": "2"}',
        b'{"version": "1"}',
        b'{"version": "1", "result": {}}',
        b'{"version": "1", "result": [1]}',
    ],
)
def test_a_file_that_is_no_result_does_not_count(tmp_path, content):
    (tmp_path / "key.json").write_bytes(content)
    assert Store(tmp_path, "1").find("key") is None


def test_a_file_is_whole_or_as_it_was(tmp_path):
    path = tmp_path / "file"
    write_whole(path, "first")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "second\ud800")  # half of a pair: cannot be encoded
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_run_goes_on_where_it_was(tmp_path):
    first = squares({2: "", 3: "", 4: "interrupt"})
    with pytest.raises(KeyboardInterrupt):
        reproduce(first, tmp_path)
    assert first.ran == [2, 3]
    report = (tmp_path / "report.md").read_text()
    assert "| square-3 | 9 |" in report
    assert "## Not run yet" in report
    assert "- square-4" in report
    second = squares({2: "", 3: "", 4: ""})
    reproduce(second, tmp_path)
    assert second.ran == [4]
    report = (tmp_path / "report.md").read_text()
    assert "| square-4 | 16 |" in report
    assert "Not run yet" not in report


def test_a_run_interrupted_at_once_leaves_an_earlier_report(tmp_path):
    (tmp_path / "begun" / "report.md").parent.mkdir()
    (tmp_path / "begun" / "report.md").write_text("earlier")
    runs = [Run(squares({2: "", 3: "interrupt"}), tmp_path / "first")]
    runs += [Run(squares({4: ""}), tmp_path / "begun")]
    with pytest.raises(KeyboardInterrupt):
        reproduce_all(runs)
    assert "| square-2 | 4 |" in (tmp_path / "first" / "report.md").read_text()
    assert (tmp_path / "begun" / "report.md").read_text() == "earlier"


def test_a_job_that_fails_does_not_stop_the_others(tmp_path):
    paper = squares({2: "", 3: "fail", 4: ""})
    said = r"^a job failed, the first one being square-3 of Squares: ZeroDivisionError: no root\.$"
    with pytest.raises(FailedError, match=said):
        reproduce(paper, tmp_path)
    assert paper.ran == [2, 4]
    report = (tmp_path / "report.md").read_text()
    assert "- square-3: ZeroDivisionError: no root" in report
    assert "raise ZeroDivisionError" in (tmp_path / "failures" / "square-3.txt").read_text()
    assert "| square-4 | 16 |" in report
    assert "Not run yet" not in report
    again = squares({2: "", 3: "", 4: ""})
    reproduce(again, tmp_path)
    assert again.ran == [3]


def test_progress_names_each_job_and_ends_with_all(tmp_path):
    told = []
    reproduce(squares({2: "", 3: "", 4: ""}), tmp_path, told.append)
    steps = [(step.done, step.total, step.title) for step in told]
    names = ["square-2", "square-3", "square-4"]
    assert steps[0] == (0, 3, "")
    assert steps[1::2] == [(i, 3, name) for i, name in enumerate(names)]  # begun
    assert steps[2::2] == [(i + 1, 3, name) for i, name in enumerate(names)]  # finished
    assert [step.share for step in told[2::2]] == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert told[0].seconds_left == 3.0  # as expected, until it is known better
    assert told[-1].seconds_left == 0


def test_progress_of_a_run_that_goes_on_begins_where_it_stopped(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        reproduce(squares({2: "", 3: "interrupt"}), tmp_path)
    told = []
    reproduce(squares({2: "", 3: ""}), tmp_path, told.append)
    assert (told[0].done, told[0].total, told[0].share) == (1, 2, 0.5)


def test_the_report_is_also_json(tmp_path):
    reproduce(squares({2: "", 3: "", 4: ""}), tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["title"] == "Squares"
    assert report["results"]["square-4"]["square"] == 16
    assert report["sections"][0]["tables"][0]["rows"][0] == ["square-2", 4]
