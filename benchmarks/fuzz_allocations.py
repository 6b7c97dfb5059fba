"""Let each of the core's first allocations fail, one at a time, in every kind of call.

    python benchmarks/fuzz_allocations.py --most 2000

Needs Linux and a C++ compiler. Ends with an error where a call is wrong or ends the process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

NATIVE = Path(__file__).parent.parent / "tests" / "native"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=2000, help="the last allocation to fail")
    most = parser.parse_args().most
    with tempfile.TemporaryDirectory() as folder:
        library = str(Path(folder) / "failing_new.so")
        source = str(NATIVE / "failing_new.cpp")
        subprocess.run(
            ["c++", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True
        )
        numbers = map(str, range(1, most + 1))
        command = [sys.executable, str(NATIVE / "scarce_calls.py"), library, *numbers]
        return subprocess.run(command, env={**os.environ, "LD_PRELOAD": library}).returncode


if __name__ == "__main__":
    sys.exit(main())
