"""Let each of the core's first allocations fail, one at a time, in every kind of call.

    python benchmarks/fuzz_allocations.py [--most 2000] [--workers 2] [--calls binning shap]

Needs Linux and a C++ compiler. Every call has a process of its own. Ends with an error where a call
is wrong, keeps memory or ends the process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NATIVE = Path(__file__).parent.parent / "tests" / "native"
sys.path.insert(0, str(NATIVE))

from deny_allocations import build, start  # noqa: E402
from scarce_calls import AT_FIRST, calls  # noqa: E402

FIRST = "--first"
"""The option of `deny_allocations` for calls in new processes."""


def try_call(library: Path, name: str, most: int, *options: str) -> bool:
    """Say what became of a call, and return whether all is well."""
    began = time.monotonic()
    ended = start(library, [name], range(1, most + 1), *options)
    seconds, title = time.monotonic() - began, " ".join([name, *options])
    if ended.returncode:
        told = "".join(ended.stderr.splitlines(keepends=True)[-5:])
        print(f"FAILED {title}: status {ended.returncode}\n{told}", flush=True)
        return False
    n_denied, last = ended.stdout.split()[:2]
    print(f"{n_denied:>6} denied, {last:>5} tried, {seconds:4.0f} s  {title}", flush=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=2000, help="the last allocation to fail")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    parser.add_argument("--calls", nargs="*", help="their names; all of them")
    chosen = parser.parse_args()
    tasks = [(name, ()) for name in chosen.calls or calls()]
    tasks += [(name, (FIRST,)) for name in AT_FIRST if name in (chosen.calls or AT_FIRST)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.workers) as pool:
        library = build(Path(folder))
        done = pool.map(lambda task: try_call(library, task[0], chosen.most, *task[1]), tasks)
        return int(not all(list(done)))


if __name__ == "__main__":
    sys.exit(main())
