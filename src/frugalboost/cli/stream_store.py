"""Rows in random order on disk, made for a run and kept until it is done."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frugalboost._files import whole_file
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.progress import bar
from frugalboost.filtering.memory import RESERVE, as_megabytes, resident_bytes
from frugalboost.streams import BlockStore

ROWS, MADE_FROM = "rows", "made-from.json"

STORE_BYTES, SMALL_STORE_BYTES = 256 << 20, 32 << 20
"""Rows held in memory while a store is written, and that under a limit below `LARGE_LIMIT`. Two
sizes and no others: they decide the order of the rows, which a run that goes on must meet again."""

LARGE_LIMIT = 1_000_000_000


@dataclass(frozen=True)
class WorkFolder:
    """A folder with a block store and a note of what it was made from.

    Attributes
    ----------
    path : Path
    is_kept : bool
        The user has named it: it stays for the next run.
    """

    path: Path
    is_kept: bool

    def store(
        self,
        source: Any,
        made_from: dict[str, Any],
        limit: int | None,
        reading: int,
        n_rows: int | None,
    ) -> BlockStore:
        """The store that is there if it was made from the same, else a new one.

        `reading` is what the source holds in memory while it is read, and `n_rows` how many rows it
        has, about.
        """
        n_bytes = STORE_BYTES if limit is None or limit >= LARGE_LIMIT else SMALL_STORE_BYTES
        made_from = {**made_from, "store_bytes": n_bytes}
        if self._made_from() == made_from:
            return BlockStore(self.path / ROWS)
        self._check_limit(limit, n_bytes + reading)
        self._remove_rows()
        self.path.mkdir(exist_ok=True)
        seed = made_from["seed"]
        # A row is read, and written once its place is known.
        with bar("putting the rows in random order", n_rows and 2 * n_rows) as advance:
            store = BlockStore.write(
                self.path / ROWS,
                source,
                memory_limit=n_bytes,
                random_state=seed,
                on_rows=advance,
            )
        with whole_file(self.path / MADE_FROM) as file:
            file.write(json.dumps(made_from).encode())
        return store

    def check_own(self) -> None:
        """Refuse a folder in which something else has the names of what is written there."""
        rows, note = self.path / ROWS, self.path / MADE_FROM
        is_ours = not rows.exists() or (rows / "meta.json").is_file()
        if note.exists():
            is_ours &= "store_bytes" in (self._made_from() or {})
        if not is_ours or (self.path.exists() and not self.path.is_dir()):
            raise BadUsageError(
                f"--work-folder must be a new folder, or one that stream has made; {self.path} "
                "holds something else."
            )

    def has_room(self, n_bytes: int) -> bool:
        return shutil.disk_usage(self.path.absolute().parent).free > n_bytes

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Remove the rows in the end, unless they are to be kept or a run can go on with them."""
        try:
            yield
        except KeyboardInterrupt:
            self._remove_if_empty()
            raise
        except BaseException:
            self._clear()
            raise
        self._clear()

    def _made_from(self) -> dict[str, Any] | None:
        try:
            return dict(json.loads((self.path / MADE_FROM).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return None

    def _check_limit(self, limit: int | None, n_bytes: int) -> None:
        held, needed = resident_bytes(), n_bytes + RESERVE
        if limit is not None and held + needed > limit:
            raise ValueError(
                f"--memory-limit must be at least {as_megabytes(held + needed)} to put the rows "
                f"in random order, of which the process holds {as_megabytes(held)} already; got "
                f"{as_megabytes(limit)}."
            )

    def _clear(self) -> None:
        if not self.is_kept:
            self._remove_rows()
        self._remove_if_empty()

    def _remove_rows(self) -> None:
        """The note first: rows without it are not used again."""
        (self.path / MADE_FROM).unlink(missing_ok=True)
        for left in [self.path / ROWS, *self.path.glob(f".{ROWS}.*.part")]:
            if left.is_dir():
                shutil.rmtree(left)

    def _remove_if_empty(self) -> None:
        if self.path.is_dir() and not any(self.path.iterdir()):
            self.path.rmdir()
