"""Reads broken and hostile CSV files: every one is read, or refused with a clear error.

    python benchmarks/fuzz_csv.py [--files 3000] [--seed 0]

A file is a good one with flipped bits, a missing end, or bytes put in that readers stumble over.
Each is read whole and, as the columns of the good one, in blocks, as `fit` and `predict` do. An
exception that is neither a ValueError nor an OSError is a defect, and so is a read of more than
`SLOW` seconds of processor time.
"""

from __future__ import annotations

import argparse
import gzip
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from frugalboost.cli.training import choose_columns, read_learning
from frugalboost.tables import open_table

SLOW = 5.0
GOOD = (
    "size,rooms,new,city,sold\n"
    + "".join(
        f"{i / 7:.3f},{i % 6},{'true' if i % 3 else 'false'},{'Köln' if i % 2 else 'Ulm'},{i % 2}\n"
        for i in range(60)
    )
).encode()
KINDS = {"size": "number", "rooms": "number", "new": "boolean", "city": "category"}
HOSTILE = (
    b'"',
    b'""',
    b"\n",
    b"\r",
    b"\r\n",
    b",",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"1e999",
    b"-inf",
    b"nan",
    b"9" * 400,
    b"0x1p-1074",
    b"," * 3000,
    b"x" * 70000,
    b'"' + b"\n" * 500,
    b"2024-13-45",
    b"=cmd|' /C calc'!A0",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
)


def flip(content: bytearray, random: random.Random) -> bytearray:
    for _ in range(random.choice([1, 2, 20])):
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    return content


def cut(content: bytearray, random: random.Random) -> bytearray:
    return content[: random.randrange(len(content))]


def insert(content: bytearray, random: random.Random) -> bytearray:
    for _ in range(random.choice([1, 3])):
        at = random.randrange(len(content) + 1)
        content[at:at] = random.choice(HOSTILE)
    return content


def shuffle(content: bytearray, random: random.Random) -> bytearray:
    lines = bytes(content).split(b"\n")
    random.shuffle(lines)
    return bytearray(b"\n".join(lines))


def noise(content: bytearray, random: random.Random) -> bytearray:
    return bytearray(random.randbytes(random.randrange(1, 400)))


CHANGES = (flip, flip, cut, insert, insert, shuffle, noise)


def broken(random: random.Random) -> tuple[str, bytes]:
    """A name and a content."""
    content = bytearray(GOOD)
    is_packed = random.random() < 0.2
    if is_packed and random.random() < 0.5:
        content = bytearray(gzip.compress(bytes(content), mtime=0))
        return "data.csv.gz", bytes(random.choice(CHANGES)(content, random))
    changed = bytes(random.choice(CHANGES)(content, random))
    return ("data.csv.gz", gzip.compress(changed, mtime=0)) if is_packed else ("data.csv", changed)


def read(path: Path) -> None:
    """As `fit` and `predict` read."""
    file = open_table(path)
    target = "sold" if "sold" in file.names else file.names[-1]
    read_learning(file, choose_columns(file, target, (), None), None)
    known = {name: kind for name, kind in KINDS.items() if name in file.names}
    for rows in file.blocks(known):
        rows.features(list(known))


def run(n_files: int, seed: int, folder: Path) -> Counter[str]:
    """How many files were read and how many were refused; anything else is raised."""
    counts: Counter[str] = Counter()
    for number in range(n_files):
        name, content = broken(random.Random(f"{seed} {number}"))
        path = folder / name
        path.write_bytes(content)
        started = time.process_time()
        try:
            read(path)
            counts["read"] += 1
        except (ValueError, OSError):
            counts["refused"] += 1
        except Exception as problem:
            raise AssertionError(f"file {number} of seed {seed}: {problem!r}") from problem
        if time.process_time() - started > SLOW:
            raise AssertionError(f"file {number} of seed {seed} took more than {SLOW} s")
        path.unlink()
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = run(asked.files, asked.seed, Path(folder))
    print(f"{asked.files} files: {counts['read']} read, {counts['refused']} refused, no defect")


if __name__ == "__main__":
    main()
