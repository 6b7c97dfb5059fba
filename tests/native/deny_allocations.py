"""Let the k-th allocation of the core fail, in calls by name: the process and who starts it.

Each call must succeed or raise MemoryError, leave its objects as they were, keep no memory and be
right the next time. Prints how often each was denied memory, and the last k.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECONDS_UNTIL_IT_HANGS = 1800


def build(folder: Path) -> Path:
    """Compile what is preloaded."""
    library, source = folder / "failing_new.so", HERE / "failing_new.cpp"
    command = ["c++", "-O1", "-shared", "-fPIC", "-o", library, source]
    subprocess.run(command, check=True)
    return library


def start(library: Path, names: Iterable[str], numbers: Iterable[int], *options: str) -> Any:
    """Run `main` in a process of its own, with the library preloaded."""
    command = [sys.executable, __file__, library, *options, "--calls", *names]
    return subprocess.run(
        [*command, "--numbers", *map(str, numbers)],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_UNTIL_IT_HANGS,
    )


class Shim:
    """The preloaded library."""

    def __init__(self, library: str) -> None:
        self._library = ctypes.CDLL(library)
        for name in ("stop_failing", "blocks_held", "bytes_held"):
            getattr(self._library, name).restype = ctypes.c_long
        assert self._library.watch(), "the extension is not loaded"

    def attempt(self, work: Any, k: int) -> tuple[Any, int]:
        """What a call returns, None if it was denied memory, and how often it asked."""
        self._library.fail_at(ctypes.c_long(k))
        try:
            found = work()
        except MemoryError:
            found = None
        finally:
            asked = self._library.stop_failing()
        return found, asked

    def held(self) -> tuple[int, int]:
        """Blocks and bytes that the core has now, with no rubbish among them."""
        gc.collect()
        return self._library.blocks_held(), self._library.bytes_held()

    def check_held(self, most: tuple[int, int], text: str) -> None:
        now = self.held()
        is_more = any(a > b for a, b in zip(now, most, strict=True))
        assert not is_more, f"{text}: {now}, not {most}"


def deny(name: str, work: Any, shim: Shim, numbers: Iterable[int]) -> tuple[int, int]:
    """Count the denials; the call has been made before, and keeps what it likes to keep."""
    right, n_denied, k = work(), 0, 0
    assert work() == right, f"{name} is not the same twice"
    held = shim.held()
    for k in numbers:
        found, asked = shim.attempt(work, k)
        assert found is None or found == right, f"{name}, allocation {k}"
        shim.check_held(held, f"{name} keeps memory after allocation {k}")
        assert work() == right, f"{name} after allocation {k}"
        shim.check_held(held, f"{name} keeps memory after the call after allocation {k}")
        n_denied += found is None
        if asked < k:
            break
    return n_denied, k


def deny_first(name: str, work: Any, shim: Shim, numbers: Iterable[int]) -> tuple[int, int]:
    """The same for the first call of a process, which must not have been made in this one."""
    right, n_denied, k = in_child(work), 0, 0
    for k in numbers:

        def denied_first(k: int = k) -> tuple[bool, int]:
            found, asked = shim.attempt(work, k)
            assert found is None or found == right, f"{name}, allocation {k}"
            assert work() == right, f"{name} after allocation {k}"
            held = shim.held()
            assert work() == right, f"{name}, the second after allocation {k}"
            shim.check_held(held, f"{name} keeps memory after allocation {k}")
            return found is None, asked

        was_denied, asked = in_child(denied_first)
        n_denied += was_denied
        if asked < k:
            break
    return n_denied, k


def in_child(work: Any) -> Any:
    """What a function returns in a process that is forked for it."""
    to_read, to_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.write(to_write, pickle.dumps(work()))
            status = 0
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
        finally:
            os._exit(status)
    os.close(to_write)
    with os.fdopen(to_read, "rb") as pipe:
        told = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status == 0, f"a process ended with status {status}"
    return pickle.loads(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--calls", nargs="*")
    parser.add_argument("--numbers", nargs="*", type=int)
    parser.add_argument("--first", action="store_true", help="each in a new process")
    options = parser.parse_args()
    from scarce_calls import calls, hoard

    every, shim = {**calls(), "hoarding": hoard}, Shim(options.library)
    gc.collect()
    gc.freeze()  # what is there now need not be looked through again and again
    for name in options.calls:
        try_ = deny_first if options.first else deny
        print(*try_(name, every[name], shim, options.numbers), name, flush=True)


if __name__ == "__main__":
    main()
