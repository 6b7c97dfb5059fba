"""How much memory a run may take, and for what."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from frugalboost.filtering.plan import FilterPlan
from frugalboost.filtering.scored_stream import (
    CHUNK_BYTES,
    SMALLEST_CHUNK,
    MemoryBudget,
    scores_bytes,
)

RESERVE = 10 << 20
"""For what is not counted below: buffers of oracles and files, and what an allocator keeps."""

CHUNK_COPIES = 3
"""A chunk is drawn in batches, put into one piece, and rows of it are selected."""

SAMPLE_COPIES = 2
"""The examples that a tree is grown on, or weighed on: in parts, and in one piece."""

NUMBERS_BYTES = 200
"""Per example besides its features: labels, rivals, coins, weights, codes, room to sort them."""

NODE_BYTES = 260
"""Per node, in the ensemble and in the packed trees of the incremental forest, some twice."""


def divide_memory(
    limit: int, plan: FilterPlan, width: int, n_rows: int | None, *, reading: int = 0
) -> MemoryBudget:
    """Divide what the limit leaves beyond what the process already holds.

    `width` is that of a row, in bytes. Scores are kept for as many rows as fit, as
    recomputing them takes the most time. `reading` is what the oracle may hold in addition.
    """
    held = resident_bytes()
    needed = needed_bytes(plan, width) + reading
    spare = limit - held - needed
    if spare < 0:
        raise ValueError(
            f"memory_limit must be at least {as_megabytes(held + needed)} for this run; "
            f"the process already holds {as_megabytes(held)} of it; got {limit:,} bytes."
        )
    kept = min(scores_bytes(n_rows or 0, plan.rule.n_outputs), spare * 9 // 10)
    chunk = SMALLEST_CHUNK * width + (spare - kept) // CHUNK_COPIES
    return MemoryBudget(min(chunk, CHUNK_BYTES), kept)


def needed_bytes(plan: FilterPlan, width: int) -> int:
    """Return the least that the last, largest round takes: its sample, a small chunk, all trees."""
    n = plan.sample_size(plan.max_rounds)
    per_example = SAMPLE_COPIES * width + NUMBERS_BYTES + 32 * plan.rule.n_outputs
    chunk = CHUNK_COPIES * SMALLEST_CHUNK * width
    nodes = plan.max_rounds * 2 * most_leaves(plan, n)
    trees = nodes * (NODE_BYTES + 16 * plan.rule.n_outputs)
    return RESERVE + n * per_example + chunk + trees


def most_leaves(plan: FilterPlan, n: int) -> int:
    """Return the most leaves of a tree; without a limit, assume eight examples to a leaf."""
    tree = plan.tree
    leaves = max(2, n // max(8, tree.min_samples_leaf))
    if tree.max_depth is not None:
        leaves = min(leaves, 2 ** min(tree.max_depth, 30))
    return leaves if tree.max_leaf_nodes is None else min(leaves, tree.max_leaf_nodes)


def resident_bytes() -> int:
    """Return what the process holds now; where that is not reported, the most it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return peak_bytes()
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_bytes() -> int:
    """Return the most that the process has ever held.

    Read from /proc if there is one: `getrusage` also counts what the parent process held. Zero on
    Windows, which has neither.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def as_megabytes(n_bytes: int) -> str:
    """
    >>> as_megabytes(300_000_000)
    '300 MB'
    """
    return f"{-(-n_bytes // 1_000_000):,} MB"
