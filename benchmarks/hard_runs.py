"""The tests under hard conditions, which differ from run to run; `make test-hard RUNS=20`.

    python benchmarks/hard_runs.py [--runs 20] [--first 1] [-- arguments of pytest]

Every run has its own order of tests, language and time zone, and ignores interrupts, as whatever a
shell starts with & does. Besides, both cores may be busy, /tmp
may be full, and the tests may belong to a user who can only read the checkout; in eight runs each
combination of these three occurs once, the hardest first; the easiest one includes the tests that
are marked slow. A number always stands for the same
conditions and order, so `--first 5` goes on after four runs, and `--runs 1 --first 5` repeats one.

A full /tmp and another user need root on Linux; elsewhere they are left out. Both happen in a mount
namespace of the run's own: nobody else notices them.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
LOGS = CHECKOUT / "build" / "hard-runs"
# None: neither LANG nor any LC_ variable.
LANGUAGES = (None, "C", "C.UTF-8")
# Offsets of quarters and halves of an hour, and the farthest from UTC on either side.
ZONES = (
    "Asia/Kathmandu",
    "America/St_Johns",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Pacific/Chatham",
)
OTHER_USER = "nobody"
# Enough to be in the way of tests, too little to double the time of a run.
NICENESS_OF_LOOPS = 5
SECONDS_UNTIL_IT_HANGS = 1800


@dataclass(frozen=True)
class Conditions:
    """Those of one run.

    >>> print(Conditions.of_run(1))
    busy cores, full /tmp, as nobody, no LANG, Asia/Kathmandu, order 1
    >>> print(Conditions.of_run(8))
    LC_ALL=C, Pacific/Kiritimati, order 8
    """

    order: int
    busy: bool
    full_tmp: bool
    other_user: bool
    language: str | None
    zone: str

    @classmethod
    def of_run(cls, number: int) -> Conditions:
        left_out, turn = (number - 1) % 8, number - 1
        return cls(
            order=number,
            busy=not left_out & 1,
            full_tmp=not left_out & 2,
            other_user=not left_out & 4,
            language=LANGUAGES[turn % len(LANGUAGES)],
            zone=ZONES[turn % len(ZONES)],
        )

    @property
    def is_easy(self) -> bool:
        return not (self.busy or self.full_tmp or self.other_user)

    def __str__(self) -> str:
        words = [
            *(["busy cores"] if self.busy else []),
            *(["full /tmp"] if self.full_tmp else []),
            *([f"as {OTHER_USER}"] if self.other_user else []),
            "no LANG" if self.language is None else f"LC_ALL={self.language}",
            self.zone,
            f"order {self.order}",
        ]
        return ", ".join(words)


def can_change_mounts() -> bool:
    tools = ("unshare", "mount", "setpriv")
    return (
        sys.platform == "linux"
        and os.geteuid() == 0
        and all(shutil.which(tool) for tool in tools)
        and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0
    )


def environment(conditions: Conditions, home: Path) -> dict[str, str]:
    """This process's, less what would tell a test where it runs."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LC_", "XDG_")) and name not in ("LANG", "LANGUAGE", "TMPDIR")
    }
    inherited |= {"TZ": conditions.zone, "FRUGALBOOST_TEST_ORDER": str(conditions.order)}
    if conditions.language is not None:
        inherited["LC_ALL"] = conditions.language
    if conditions.other_user:
        inherited |= {"HOME": str(home), "USER": OTHER_USER, "LOGNAME": OTHER_USER}
    return inherited


def needed_folders() -> list[Path]:
    """What tests read: wherever a folder above is covered, these must be seen again."""
    data = os.environ.get("FRUGALBOOST_DATA")
    folders = [CHECKOUT, Path(sys.base_prefix), *([Path(data)] if data else [])]
    return [folder.resolve() for folder in folders if folder.is_dir()]


def closed_folders() -> list[Path]:
    """The outermost folders above the needed ones which other users may not enter."""
    ways = [[*reversed(folder.parents), folder] for folder in needed_folders()]
    closed = [next((f for f in way if not f.stat().st_mode & 0o001), None) for way in ways]
    return sorted({folder for folder in closed if folder is not None})


def cover(folder: Path, mode: str, scratch: Path) -> list[str]:
    """Shell commands: an empty small file system over a folder, and in it the needed ones."""
    commands = [f"mount -t tmpfs -o size=1m,mode={mode} tmpfs {shlex.quote(str(folder))}"]
    for number, needed in enumerate(n for n in needed_folders() if n.is_relative_to(folder)):
        place = shlex.quote(str(needed))
        aside = shlex.quote(str(scratch / f"aside{number}"))
        commands.insert(0, f"mkdir -p {aside} && mount --bind {place} {aside}")
        commands.append(f"mkdir -p {place} && mount --move {aside} {place}")
    return commands


def wrapped(command: Sequence[str], conditions: Conditions, scratch: Path) -> list[str]:
    """The command in a mount namespace of its own, if its conditions need one."""
    if not conditions.full_tmp and not conditions.other_user:
        return list(command)
    steps = ["set -e"]
    if conditions.full_tmp:
        steps += cover(Path("/tmp"), "1777", scratch)
        steps.append("head -c 2m /dev/zero > /tmp/full 2> /dev/null || true")
    if conditions.other_user:
        for folder in closed_folders():
            steps += cover(folder, "755", scratch)
    # The shell entered its folder before another was mounted in its place.
    steps += [f"cd {shlex.quote(str(CHECKOUT))}", f"exec {shlex.join(command)}"]
    return ["unshare", "--mount", "sh", "-c", "\n".join(steps)]


def as_user(command: Sequence[str], conditions: Conditions) -> list[str]:
    if not conditions.other_user:
        return list(command)
    user = pwd.getpwnam(OTHER_USER)
    ids = [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    return ["setpriv", *ids, "--", *command]


def ignoring_interrupts(command: Sequence[str]) -> list[str]:
    return ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]


def pytest_command(
    workers: int, scratch: Path, is_easy: bool, arguments: Sequence[str]
) -> list[str]:
    """Without a cache: it lies in the checkout, and a run must not know the one before."""
    return [
        *(sys.executable, "-m", "pytest", "-q", "-n", str(workers), "--dist", "worksteal"),
        *(["-m", ""] if is_easy else []),  # slow ones, too
        *("-p", "no:cacheprovider", f"--basetemp={scratch / 'tests'}", *arguments),
    ]


@contextlib.contextmanager
def scratch_folder(conditions: Conditions) -> Iterator[Path]:
    """A roomy folder that belongs to the user; not in /tmp, which may be full."""
    with tempfile.TemporaryDirectory(prefix="hard-run-", dir="/var/tmp") as name:
        folder = Path(name)
        (folder / "home").mkdir()
        if conditions.other_user:
            for each in (folder, folder / "home"):
                shutil.chown(each, OTHER_USER)
        yield folder


@contextlib.contextmanager
def busy_loops(n: int) -> Iterator[None]:
    """Processes that do nothing but take time.

    Where Linux groups processes by session, niceness only counts within a session, so the session
    of a loop gets it as well.
    """
    code = f"""
import contextlib, os
os.setsid()
os.nice({NICENESS_OF_LOOPS})
with contextlib.suppress(OSError), open("/proc/self/autogroup", "w") as group:
    group.write("{NICENESS_OF_LOOPS}")
while os.getppid() == {os.getpid()}:
    pass
"""
    loops = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run_to_log(command: Sequence[str], variables: dict[str, str], log: Path) -> int:
    """The exit status; a group that hangs, or is interrupted, ends with all its processes."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=CHECKOUT,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return process.wait(SECONDS_UNTIL_IT_HANGS)
        except subprocess.TimeoutExpired:
            file.write(f"\nNot over after {SECONDS_UNTIL_IT_HANGS} seconds.\n".encode())
            return 124
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def count(word: str, text: str) -> int:
    """How many tests the last line of pytest reports.

    >>> count("passed", "...\\n1 failed, 20 passed in 3.00s"), count("errors?", "20 passed in 1s")
    (20, 0)
    """
    found = re.findall(rf"(\d+) {word}\b", text.strip().rpartition("\n")[2])
    return int(found[0]) if found else 0


def run(conditions: Conditions, log: Path, workers: int, arguments: Sequence[str]) -> int:
    with scratch_folder(conditions) as scratch, busy_loops(workers if conditions.busy else 0):
        command = as_user(
            pytest_command(workers, scratch, conditions.is_easy, arguments), conditions
        )
        variables = environment(conditions, scratch / "home")
        command = ignoring_interrupts(wrapped(command, conditions, scratch))
        return run_to_log(command, variables, log)


def report(number: int, conditions: Conditions, log: Path, status: int, seconds: float) -> None:
    text = log.read_text(encoding="utf-8", errors="replace")
    failed = count("failed", text) + count("errors?", text)
    outcome = "green" if status == 0 else f"RED, exit {status}, see {log}"
    numbers = f"{count('passed', text)} passed, {failed} failed, {seconds:.0f} s"
    print(f"run {number:2} ({conditions}): {numbers}, {outcome}", flush=True)


def run_number(number: int, possible: bool, workers: int, arguments: Sequence[str]) -> bool:
    """Whether it was green; only the log of a red run stays."""
    conditions = Conditions.of_run(number)
    if not possible:
        conditions = replace(conditions, full_tmp=False, other_user=False)
    log, start = LOGS / f"run-{number:02}.log", time.perf_counter()
    status = run(conditions, log, workers, arguments)
    report(number, conditions, log, status, time.perf_counter() - start)
    if status == 0:
        log.unlink()
    return status == 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=20, help="how many runs")
    parser.add_argument("--first", type=int, default=1, help="number of the first one")
    parser.add_argument("--workers", type=int, default=2, help="processes of pytest, and loops")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest, after --")
    given = parser.parse_args(arguments)
    for name in ("runs", "first", "workers"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} must be at least 1; got {getattr(given, name)}")
    return given


def main(arguments: list[str] | None = None) -> int:
    given = parse(arguments)
    LOGS.mkdir(parents=True, exist_ok=True)
    possible = can_change_mounts()
    if not possible:
        print("Without a full /tmp and another user: these need root on Linux.")
    numbers = range(given.first, given.first + given.runs)
    green = [run_number(number, possible, given.workers, given.pytest) for number in numbers]
    print(f"{sum(green)} of {len(green)} green")
    return 0 if all(green) else 1


if __name__ == "__main__":
    sys.exit(main())
