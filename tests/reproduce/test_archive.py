"""All results of a paper in one file."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
from squares import Squares, squares

import frugalboost
from frugalboost.reproduce import Run, Sources, read_archive, reproduce_all, write_archive
from frugalboost.reproduce import archive as module
from frugalboost.reproduce.paper import FigureOf, Section

RESULTS = {"b": {"n": [1, 2.5], "name": "é"}, "a": {"n": 1 / 3}}


def test_results_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "new" / "paper.json.xz"
    write_archive(path, RESULTS, is_quick=False)
    assert read_archive(path, is_quick=False) == RESULTS
    first = path.read_bytes()
    write_archive(path, dict(reversed(RESULTS.items())), is_quick=False)
    assert path.read_bytes() == first


def test_keys_that_are_numbers_become_texts(tmp_path):
    """Numbers sort as numbers, and their texts otherwise, which is no change of results."""
    path = tmp_path / "paper.json.xz"
    write_archive(path, {"a": {2: 1, 10: 2}}, is_quick=False)
    assert read_archive(path, is_quick=False) == {"a": {"2": 1, "10": 2}}


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({"version": "0", "quick": False, "results": {}}, "got '0'"),
        ({"version": frugalboost.__version__, "quick": True, "results": {}}, "without --quick"),
        ({"version": frugalboost.__version__, "quick": False, "results": [1]}, "map the names"),
        ({"version": frugalboost.__version__, "quick": False, "results": {"a": 1}}, "map the"),
        ([], "that --docs has written"),
    ],
)
def test_other_results_are_refused(tmp_path, kept, said):
    path = tmp_path / "paper.json.xz"
    path.write_bytes(lzma.compress(json.dumps(kept).encode()))
    with pytest.raises(ValueError, match=said):
        read_archive(path, is_quick=False)


def test_changed_results_are_refused(tmp_path):
    path = tmp_path / "paper.json.xz"
    write_archive(path, RESULTS, is_quick=False)
    kept = json.loads(lzma.decompress(path.read_bytes()))
    kept["results"]["a"] = {}
    path.write_bytes(lzma.compress(json.dumps(kept).encode()))
    with pytest.raises(ValueError, match="its results were changed"):
        read_archive(path, is_quick=False)


@pytest.mark.parametrize(
    "content",
    [b"", b"plain", lzma.compress(b"{"), lzma.compress(b"\xff"), lzma.compress(b"{}")[:-9]],
)
def test_a_damaged_file_is_named(tmp_path, content):
    path = tmp_path / "paper.json.xz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"paper\.json\.xz must be a file of results"):
        read_archive(path, is_quick=False)


def test_a_file_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    write_archive(tmp_path / "small", {"a": {"n": "x" * 500}}, is_quick=True)
    write_archive(tmp_path / "large", {"a": {"n": "x" * 2000}}, is_quick=True)
    assert read_archive(tmp_path / "small", is_quick=True)["a"]["n"] == "x" * 500
    with pytest.raises(ValueError, match="must be a file of results"):
        read_archive(tmp_path / "large", is_quick=True)


def test_jobs_with_results_are_not_run_again(tmp_path):
    paper = squares({2: "", 3: "", 4: ""})
    run = Run(paper, tmp_path)
    run.store.keep("square-3", {"square": -9})
    # Its own results count for more, and those of other jobs not at all.
    run.take({"square-2": {"square": -4}, "square-3": {"square": 0}, "other": {"square": 1}})
    reproduce_all([run])
    assert paper.ran == [4]
    squared = {key: result["square"] for key, result in run.results.items()}
    assert squared == {"square-2": -4, "square-3": -9, "square-4": 16}


class Drawn(Squares):
    """Whose picture needs what no table shows."""

    def sections(self, results):
        def draw(panels):
            panels[0].plot([each["side"] for each in results.values()])

        return [Section("All", figures=[FigureOf("sides", "Sides", draw)])]


def test_results_that_cannot_be_drawn_are_not_kept(tmp_path):
    pytest.importorskip("matplotlib")
    run = Run(Drawn(Sources(None)).start({2: ""}), tmp_path)
    with pytest.raises(ValueError, match=r"no report can be made of them \(KeyError: 'side'\)"):
        run.take({"square-2": {"square": 4}})
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.thorough
def test_the_results_of_the_documentation_can_be_read():
    """They are those of this version: a release must make them anew."""
    pages = Path(__file__).parents[2] / "docs" / "papers"
    archives = sorted((pages / "results").iterdir())
    assert archives
    for path in archives:
        assert (pages / f"{path.name.removesuffix('.json.xz')}.md").exists()
        assert read_archive(path, is_quick=False)
