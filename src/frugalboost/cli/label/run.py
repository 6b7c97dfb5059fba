"""One run of `frugalboost label`: its options, and everything they name, checked and opened."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._files import claim
from frugalboost.active import Journal, fingerprint
from frugalboost.active.session_file import files_beside
from frugalboost.cli.errors import BadUsageError, implausible
from frugalboost.cli.label.data import DataOptions, Pool, read_pool, read_validation
from frugalboost.cli.label.error_estimate import HeldOutRows, sample_rows
from frugalboost.cli.label.keys import ClassKeys, parse_classes
from frugalboost.cli.label.output import counted, is_written_by, write_labels
from frugalboost.cli.label.pictures import (
    PixelLayout,
    check_pillow,
    is_our_png,
    parse_shape,
    pixel_layout,
)
from frugalboost.cli.label.session import LabelSession, Plan
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
        """Raise an error for options that cannot work, before anything is read."""
        check_place(self.session, option="--session")
        reads = {"DATA": self.data, "--validation": self.validation}
        check_apart(self.session, reads, option="--session")
        self._check_session_files(reads)
        # If the session exists, whether it wrote these labels is checked once it is open.
        is_resumed = self.session.exists() and self.output.exists()
        check_output(
            self.output,
            force=self.force or is_resumed,
            reads={**reads, "--session": self.session},
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

    def _check_session_files(self, reads: Mapping[str, Path | None]) -> None:
        """Refuse other options that name a file of the session, whether or not it exists yet."""
        own = [os.path.realpath(path) for path in (self.session, self.image_file)]
        own += map(str, files_beside(self.session))
        for option, path in {"--output": self.output, **reads}.items():
            if path is not None and os.path.realpath(path) in own:
                raise BadUsageError(
                    f"{option} must be a different file from --session and its own files "
                    f"({', '.join(Path(name).name for name in own[1:])}); got {path}."
                )

    @property
    def _target(self) -> str | None:
        return self.target or self.columns.label_column

    @property
    def image_file(self) -> Path:
        return self.session.with_name(self.session.name + ".png")


@dataclass(eq=False)
class LabelRun:
    """A session, the keys of its classes, and how rows become pictures."""

    options: LabelOptions
    session: LabelSession
    keys: ClassKeys
    pixels: PixelLayout | None
    is_new: bool

    def write(self) -> str:
        """Write the labels; return a sentence that says so."""
        path = self.options.output
        options = self.options
        write_labels(path, self.session, options.columns.id_column, options.spreadsheet_safe)
        return f"Wrote {counted(len(self.session.answers), 'label')} to {path}."


@contextmanager
def open_run(options: LabelOptions) -> Iterator[LabelRun]:
    """Read the data, and begin or resume the session."""
    pool = read_pool(options.data, options.columns)
    pixels = find_pixels(options, pool)
    held_out = read_held_out(options, pool)
    names, given = parse_classes(options.classes) if options.classes else ([], {})
    if held_out is not None:
        names += [name for name in in_order(set(held_out.y.tolist())) if name not in names]
    if not options.many_classes:
        check_known(pool, options)
    known = in_order({label for label in pool.labels if label is not None})
    names += [name for name in known if name not in names]
    if pixels is not None:
        check_pillow()
        check_image_file(options)
    with Journal(options.session, data=fingerprint_of(pool)) as journal:
        if options.output.exists() and not (
            options.force or is_written_by(journal, options.output)
        ):
            raise already_there(options.output)
        session = LabelSession(pool, journal, options.plan, names, held_out)
        yield LabelRun(options, session, ClassKeys(session.classes, given), pixels, journal.is_new)


def check_known(pool: Pool, options: LabelOptions) -> None:
    """Refuse known labels that are hardly classes, such as a column of names."""
    known = [label for label in pool.labels if label is not None]
    odd = why_implausible(np.array(known, dtype=object))
    if odd is not None:
        raise implausible(options.data, f"column {options.columns.label_column!r}", odd)


def check_image_file(options: LabelOptions) -> None:
    """Refuse to overwrite anything but a picture that this command wrote."""
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


def fingerprint_of(pool: Pool) -> dict[str, Any]:
    """The fingerprint of a pool: its numbers, names, and the words behind category codes."""
    with bar("checking the rows", None):
        marks = {**fingerprint(pool.X), "names": list(pool.features)}
    if pool.words:
        words = json.dumps(sorted(pool.words.items()))
        marks["sha256"] = hashlib.sha256((marks["sha256"] + words).encode()).hexdigest()
    return marks


def find_pixels(options: LabelOptions, pool: Pool) -> PixelLayout | None:
    """How rows become pictures: from --image, or from the shape of the arrays in a file."""
    if options.image is None:
        is_image = pool.shape is not None and len(pool.shape) in (2, 3)
        if not is_image or pool.shape is None or (len(pool.shape) == 3 and pool.shape[2] != 3):
            return None
        return pixel_layout(pool.X, np.arange(len(pool.features)), pool.shape)
    pattern = options.image_columns or "*"
    places = [at for at, name in enumerate(pool.features) if fnmatchcase(name, pattern)]
    if not places:
        raise ValueError(
            f"--image-columns must match some of the features, such as 'pixel*'; got {pattern!r}."
        )
    return pixel_layout(pool.X, np.array(places), parse_shape(options.image))


def read_held_out(options: LabelOptions, pool: Pool) -> HeldOutRows | None:
    target = options.target or options.columns.label_column
    if options.validation is None or target is None:
        return None
    X, y = read_validation(options.validation, target, pool)
    return sample_rows(HeldOutRows(X, y, is_from_file=True), options.plan.seed)


def in_order(names: set[str]) -> list[str]:
    """Numbers by value, then words in alphabetical order.

    >>> in_order({"10", "9", "b", "a"})
    ['9', '10', 'a', 'b']
    """
    return sorted(
        names, key=lambda name: (not name.isdecimal(), len(name) * name.isdecimal(), name)
    )
