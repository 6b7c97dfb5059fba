"""The attacks run, and what goes wrong in one of them is noticed, kept and tried again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from forked import run_module, start

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="attacks fork processes"),
    pytest.mark.thorough,
]

FAULTS = """
import os, signal, sys, time
from collections import Counter
from pathlib import Path
from torture.attack import Attack, expect
from torture.driver import Driver
from torture.failures import Failures

def raises(seed, number, folder):
    expect(number != 1, f"problem {number} of seed {seed}")
    return Counter({"fine": 1})

def crashes(seed, number, folder):
    os.kill(os.getpid(), signal.SIGSEGV)

def hangs(seed, number, folder):
    time.sleep(100)

def eats(seed, number, folder):
    return Counter({"eaten": len(bytearray(1 << 40)) > 0})

faults = {
    "raises": Attack("raises", "", raises, most=3),
    "crashes": Attack("crashes", "", crashes, most=1),
    "hangs": Attack("hangs", "", hangs, most=1, seconds=0.5),
    "eats": Attack("eats", "", eats, most=1),
}
for name, attack in faults.items():
    driver = Driver([attack], 5, 1, Failures(Path(sys.argv[1])))
    for number in range(attack.most):
        driver.run_one(number)
    score = driver.scores[name]
    print(name, score.tried, score.failed, dict(score.counts))
"""


def python(*arguments):
    path = os.pathsep.join([str(BENCHMARKS), *sys.path])
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=BENCHMARKS,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def torture(*arguments):
    """``python -m torture``"""
    return run_module(BENCHMARKS, "torture", *arguments)


def test_every_kind_of_fault_is_noticed_and_kept(tmp_path):
    ended = python("-c", FAULTS, tmp_path)
    assert ended.stdout.splitlines() == [
        "raises 3 1 {'fine': 2}",
        "crashes 1 1 {}",
        "hangs 1 1 {}",
        "eats 1 1 {}",
    ], ended.stderr
    kept = {path.name: json.loads(path.read_text()) for path in tmp_path.iterdir()}
    assert sorted(kept) == [
        "crashes-5-0.json",
        "eats-5-0.json",
        "hangs-5-0.json",
        "raises-5-1.json",
    ]
    assert "problem 1 of seed 5" in kept["raises-5-1.json"]["text"]
    assert "status -11" in kept["crashes-5-0.json"]["text"]
    assert "no answer" in kept["hangs-5-0.json"]["text"]
    assert "MemoryError" in kept["eats-5-0.json"]["text"]


def test_a_run_writes_its_table_into_a_page(tmp_path):
    page = tmp_path / "page.md"
    begin = "<!-- tables: written by make torture, do not edit -->"
    end = "<!-- end of the tables -->"
    page.write_text(f"before\n{begin}\n{end}\nafter\n")
    attacks = ["exact, small tables", "CSV files"]
    options = ["--minutes", "0.01", "--output", tmp_path / "out", "--docs", page]
    ended = torture(*options, "--only", *attacks)
    assert ended.returncode == 0, ended.stderr
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert all(f"| {name} |" in text for name in attacks)
    assert not (tmp_path / "out" / "failures").exists()


def test_a_kept_problem_is_tried_again(tmp_path):
    path = tmp_path / "kept.json"
    path.write_text(json.dumps({"attack": "exact, small tables", "seed": 0, "number": 7}))
    ended = torture("--again", path)
    assert (ended.returncode, ended.stdout) == (0, "did not fail this time\n"), ended.stderr


EVERY_SECOND = """
import sys, tempfile, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
from collections import Counter
from pathlib import Path
import fuzz_sessions
from torture.broken_files import model_file

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "file"
    for first in (0, 1):
        models, sessions = Counter(), Counter()
        for number in range(first, 40, 2):
            models += model_file(0, number, path.parent)
            path.write_bytes(fuzz_sessions.good_file())
            fuzz_sessions.damage(0, number, path)
            sessions[fuzz_sessions.try_file(path)] += 1
            path.unlink()
        print(sorted(models), sorted(sessions))
"""


def test_files_of_every_second_number_are_of_every_kind():
    """As a driver with two processes hands them out: one would see nothing but refusals."""
    printed, said = start(EVERY_SECOND, BENCHMARKS).communicate(timeout=120)
    line = "['loaded', 'refused'] ['loaded', 'refused']"
    assert printed.splitlines() == [line, line], said


def test_bad_options_are_refused():
    ended = torture("--minutes", "0")
    assert ended.returncode == 1
    assert "--minutes must be above 0; got 0.0." in ended.stderr
