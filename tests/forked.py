"""Programs in a process of their own that start at once.

To import scikit-learn takes a program longer than most of them run. So a server has imported it,
and forks them. For programs about imports, variables of the environment or the end of the
interpreter there is `subprocess`: a forked process ends without that.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

PRELOADED = [
    "frugalboost.active.learner",
    "frugalboost.boosted.classifier",
    "frugalboost.filtering.classifier",
    "frugalboost.cli.app",
    "frugalboost.cli.label.run",
    "frugalboost.cli.label.screen",
]
"""What cannot be imported is left out."""


LONGEST_FOLDER = 60
"""A socket in a folder of multiprocessing's own below it has a path of at most 103 characters."""


def server() -> Any:
    """A context of multiprocessing, or None where processes cannot be forked."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return None
    if len(tempfile.gettempdir()) > LONGEST_FOLDER:
        return None
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)  # counts until the first process starts
    return context


def start(script: str, *arguments: Any) -> Any:
    """A `subprocess.Popen` that runs a script, or what is used like one."""
    given, context = [*map(str, arguments)], server()
    if context is not None:
        return Program(context, script, given)
    return subprocess.Popen(
        [sys.executable, "-c", script, *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


RUN_MODULE = """
import json, os, runpy, sys
folder, variables, name, *sys.argv[1:] = sys.argv[1:]
os.chdir(folder)
os.environ.update(json.loads(variables))
sys.path.insert(0, folder)
runpy.run_module(name, run_name="__main__", alter_sys=True)
"""


def run_module(folder: Any, name: str, *arguments: Any, **variables: str) -> Any:
    """What ``python -m`` gives there, as `subprocess.run` does; the module starts no processes of
    `multiprocessing`."""
    program = start(RUN_MODULE, folder, json.dumps(variables), name, *arguments)
    out, err = program.communicate(timeout=300)
    return subprocess.CompletedProcess(name, program.returncode, out, err)


def execute(script: str, arguments: Sequence[str], out: Connection, err: Connection) -> None:
    """As ``python -c`` does, in the process that was forked."""
    for stream, pipe in enumerate((out, err), 1):
        os.dup2(pipe.fileno(), stream)
        pipe.close()
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    sys.argv = ["-c", *arguments]
    exec(compile(script, "<string>", "exec"), {"__name__": "__main__"})


class Running:
    """A forked process; used like a `subprocess.Popen`."""

    def __init__(self, context: Any, function: Callable[..., None], *arguments: Any) -> None:
        self._process = context.Process(target=function, args=arguments)
        self._process.daemon = True  # one that hangs must not keep the tests from ending
        self._process.start()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    poll = returncode.fget

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("a forked program", timeout or 0.0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Program(Running):
    """A script that runs, and what it prints."""

    def __init__(self, context: Any, script: str, arguments: Sequence[str]) -> None:
        (out, to_out), (err, to_err) = (context.Pipe(duplex=False) for _ in range(2))
        super().__init__(context, execute, script, arguments, to_out, to_err)
        to_out.close()
        to_err.close()
        self.stdout, self.stderr = (os.fdopen(os.dup(pipe.fileno())) for pipe in (out, err))
        out.close()
        err.close()

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What is left to read; meanwhile the program goes on, and is killed in the end."""
        with self.stdout, self.stderr, ThreadPoolExecutor(2) as pool:
            texts = [pool.submit(pipe.read) for pipe in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired as problem:
                self.kill()
                problem.stdout, problem.stderr = (text.result() for text in texts)
                raise
            return texts[0].result(), texts[1].result()
