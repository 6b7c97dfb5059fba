"""Label the rows of a file: everything that a session needs, opened from options."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._files import claim
from frugalboost.active import Journal, fingerprint
from frugalboost.cli.errors import BadUsageError, implausible
from frugalboost.cli.label.data import DataOptions, Pool, read_pool, read_validation
from frugalboost.cli.label.gauge import HeldOut, some_rows
from frugalboost.cli.label.image import Picture, is_our_png, make_picture, parse_shape
from frugalboost.cli.label.keys import ClassKeys, parse_classes
from frugalboost.cli.label.output import counted, is_written_by, write_labels
from frugalboost.cli.label.session import Labelling, Plan
from frugalboost.cli.outputs import already_there, check_apart, check_output, check_place
from frugalboost.cli.progress import bar
from frugalboost.data.targets import why_implausible


@dataclass(frozen=True)
class LabelOptions:
    """What to label, where to keep it, and how to ask."""

    data: Path
    session: Path
    output: Path
    columns: DataOptions = field(default_factory=DataOptions)
    classes: str | None = None
    image: str | None = None
    image_columns: str | None = None
    validation: Path | None = None
    target: str | None = None
    plan: Plan = field(default_factory=Plan)
    force: bool = False
    many_classes: bool = False
    spreadsheet_safe: bool = True

    def check(self) -> None:
        """Raise an error that says what cannot be done, before anything is read."""
        check_place(self.session, option="--session")
        reads = {"DATA": self.data, "--validation": self.validation}
        check_apart(self.session, reads, option="--session")
        # The labels of a session that is there are looked at when it is open.
        goes_on = self.session.exists() and self.output.exists()
        check_output(
            self.output,
            force=self.force or goes_on,
            reads={**reads, "--session": self.session},
        )
        if self.output.absolute() == self.session.absolute():
            raise BadUsageError(
                f"--output must be another file than --session; got {self.output} for both."
            )
        if not 0 <= self.plan.check_share < 1:
            raise ValueError(f"--checks must be in [0, 1); got {self.plan.check_share}.")
        if self.image_columns is not None and self.image is None:
            raise ValueError("--image-columns must be given with --image; got it alone.")
        if self.image is not None:
            parse_shape(self.image)
        if self.classes is not None:
            parse_classes(self.classes)
        if (self.target is not None) > (self.validation is not None):
            raise ValueError("--target must be given with --validation; got it alone.")
        if self.validation is not None and self._target is None:
            raise ValueError("--validation must be given with --target, its column of labels.")

    @property
    def _target(self) -> str | None:
        return self.target or self.columns.label_column

    @property
    def image_file(self) -> Path:
        return self.session.with_name(self.session.name + ".png")


@dataclass(eq=False)
class Desk:
    """A session, the keys of its classes and how rows look."""

    options: LabelOptions
    session: Labelling
    keys: ClassKeys
    picture: Picture | None
    is_new: bool

    def write(self) -> str:
        """Write the labels and say so."""
        path = self.options.output
        options = self.options
        write_labels(path, self.session, options.columns.id_column, options.spreadsheet_safe)
        return f"Wrote {counted(len(self.session.answers), 'label')} to {path}."


@contextmanager
def open_desk(options: LabelOptions) -> Iterator[Desk]:
    """Read the data, and begin the session or go on with it."""
    pool = read_pool(options.data, options.columns)
    picture = find_picture(options, pool)
    held_out = find_held_out(options, pool)
    names, given = parse_classes(options.classes) if options.classes else ([], {})
    if held_out is not None:
        names += [name for name in in_order(set(held_out.y.tolist())) if name not in names]
    if not options.many_classes:
        check_known(pool, options)
    known = in_order({label for label in pool.labels if label is not None})
    names += [name for name in known if name not in names]
    if picture is not None:
        check_image_file(options)
    with Journal(options.session, data=mark_of(pool)) as journal:
        if options.output.exists() and not (
            options.force or is_written_by(journal, options.output)
        ):
            raise already_there(options.output)
        session = Labelling(pool, journal, options.plan, names, held_out)
        yield Desk(options, session, ClassKeys(session.classes, given), picture, journal.is_new)


def check_known(pool: Pool, options: LabelOptions) -> None:
    """Refuse known labels that can hardly be classes, such as those of a column of names."""
    known = [label for label in pool.labels if label is not None]
    odd = why_implausible(np.array(known, dtype=object))
    if odd is not None:
        raise implausible(options.data, f"column {options.columns.label_column!r}", odd)


def check_image_file(options: LabelOptions) -> None:
    """Pictures of rows may replace each other, and nothing else."""
    path = options.image_file
    check_place(path, option="--image")
    reads = {"DATA": options.data, "--validation": options.validation, "--output": options.output}
    check_apart(path, reads, option="--image")
    if options.force:
        return
    if not path.exists():
        claim(path)
    elif not is_our_png(path):
        raise already_there(path, "--image")


def mark_of(pool: Pool) -> dict[str, Any]:
    """The fingerprint of a pool: numbers, names, and what the codes of categories stand for."""
    with bar("checking the rows", None):
        found = {**fingerprint(pool.X), "names": list(pool.features)}
    if pool.words:
        words = json.dumps(sorted(pool.words.items()))
        found["sha256"] = hashlib.sha256((found["sha256"] + words).encode()).hexdigest()
    return found


def find_picture(options: LabelOptions, pool: Pool) -> Picture | None:
    """From --image, or from a file of arrays that says which shape its rows have."""
    if options.image is None:
        is_image = pool.shape is not None and len(pool.shape) in (2, 3)
        if not is_image or pool.shape is None or (len(pool.shape) == 3 and pool.shape[2] != 3):
            return None
        return make_picture(pool.X, np.arange(len(pool.features)), pool.shape)
    pattern = options.image_columns or "*"
    places = [at for at, name in enumerate(pool.features) if fnmatchcase(name, pattern)]
    if not places:
        raise ValueError(
            f"--image-columns must fit some of the features, such as 'pixel*'; got {pattern!r}."
        )
    return make_picture(pool.X, np.array(places), parse_shape(options.image))


def find_held_out(options: LabelOptions, pool: Pool) -> HeldOut | None:
    target = options.target or options.columns.label_column
    if options.validation is None or target is None:
        return None
    X, y = read_validation(options.validation, target, pool)
    return some_rows(HeldOut(X, y, is_given=True), options.plan.seed)


def in_order(names: set[str]) -> list[str]:
    """Numbers by their value, words by their letters.

    >>> in_order({"10", "9", "b", "a"})
    ['9', '10', 'a', 'b']
    """
    return sorted(
        names, key=lambda name: (not name.isdecimal(), len(name) * name.isdecimal(), name)
    )
