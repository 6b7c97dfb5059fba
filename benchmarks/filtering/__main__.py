"""Run parts of the benchmark and print a table each."""

from __future__ import annotations

import argparse
import time

from . import certified, kills, probabilities, speed

PARTS = {
    "speed": speed.measure,
    "certified": certified.measure,
    "probabilities": probabilities.measure,
    "kills": kills.measure,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="filtering", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="default: all")
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    options = parser.parse_args()
    for part in options.parts or PARTS:
        started = time.perf_counter()
        rows = PARTS[part](options.quick)
        print(
            f"### {part} ({time.perf_counter() - started:.0f} s)\n\n| what | measured |\n|---|---|"
        )
        for what, found in rows:
            print(f"| {what} | {found} |")
        print(flush=True)


if __name__ == "__main__":
    main()
