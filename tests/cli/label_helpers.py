"""Files to label, and answers for their rows."""

from __future__ import annotations

import csv
import re

import numpy as np

N_ROWS = 120
CLASSES = ("cat", "dog", "pig")
FAST = ("--rounds", 5, "--start", 6)


def make_rows(n_rows=N_ROWS, seed=0):
    """Numbers and a word that decide the class, and the class."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, n_rows)).round(3)
    colour = np.array(["red", "green"])[rng.integers(2, size=n_rows)]
    code = np.where(a > 0.3, 0, np.where((b > 0) | (colour == "red"), 1, 2))
    return a, b, colour, np.array(CLASSES)[code]


def write_csv(path, n_rows=N_ROWS, seed=0, known=0, **more):
    """`known` rows have their class in the file; further columns by name."""
    a, b, colour, y = make_rows(n_rows, seed)
    labels = [label if row < known else "" for row, label in enumerate(y)]
    columns = {"name": [f"r{row}" for row in range(n_rows)], "a": a, "b": b, "colour": colour}
    columns |= {"animal": labels, **more} if known else more
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return y


def read_labels(path):
    """Lines of the file that the command writes."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def asked_row(line):
    found = re.match(r"ask row (\d+)", line)
    return None if found is None else int(found[1])
