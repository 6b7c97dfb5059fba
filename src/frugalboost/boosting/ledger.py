"""What each round cost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray


@dataclass(frozen=True)
class Entry:
    """One round.

    Attributes
    ----------
    assessments : int
        Example-feature pairs examined, the papers' unit: m examples of a node on one feature
        count as m. The exhaustive search counts every node in full, as in the papers; incremental
        and two-stage searches do not count a child whose histograms follow by subtraction, and at
        the root the incremental one counts only examples whose weight changed.
    reads : int
        Histogram updates actually performed: fewer where a histogram follows by subtraction, or
        where the most frequent value of a column is left unread.
    full : int
        Pairs that an exhaustive search would have examined.
    seconds : float
        Time of the whole round, including the weights and the order of the rows.
    error : float
        The rule's error for the round, such as the weighted error.
    search : str
        The search that grew the tree; "regression" where a round fits a user's regressor, whose
        work is not counted.
    n_leaves : int
    pruned_nodes : int
        Nodes at which some feature was ruled out before all its rows were read. If a search decides
        node by node, the others were searched in full.
    scans : int
        Codes of histograms gone through to weigh a feature, for its best split or for a bound. A
        search that prunes weighs a feature again after every subset of the rows; the others once
        at every node.
    full_scans : int
        Codes that an exhaustive search would have gone through.
    """

    assessments: int
    reads: int
    full: int
    seconds: float
    error: float
    search: str
    n_leaves: int
    pruned_nodes: int = 0
    scans: int = 0
    full_scans: int = 0

    def after(self, dropped: Entry | None) -> Entry:
        """This round plus the work of the trees that were grown and dropped before it."""
        if dropped is None:
            return self
        return replace(
            self,
            assessments=self.assessments + dropped.assessments,
            reads=self.reads + dropped.reads,
            full=self.full + dropped.full,
            seconds=self.seconds + dropped.seconds,
            pruned_nodes=self.pruned_nodes + dropped.pruned_nodes,
            scans=self.scans + dropped.scans,
            full_scans=self.full_scans + dropped.full_scans,
        )


@dataclass
class Ledger:
    """The rounds of a fit, one entry each; columns are arrays, described in `Entry`.

    >>> ledger = Ledger([Entry(60, 30, 100, 0.5, 0.2, "adaptive", 2)])
    >>> ledger.total("assessments"), ledger.share
    (60, 0.6)
    >>> ledger.error
    array([0.2])
    """

    entries: list[Entry] = field(default_factory=list)

    def append(self, entry: Entry) -> None:
        self.entries.append(entry)

    def copy(self) -> Ledger:
        """A copy that can grow independently."""
        return Ledger(list(self.entries))

    def column(self, name: str) -> AnyArray:
        """One figure for every round."""
        return np.array([getattr(entry, name) for entry in self.entries])

    def total(self, name: str) -> Any:
        """Sum of one figure over all rounds."""
        return self.column(name).sum().item()

    @property
    def share(self) -> float:
        """Assessments as a share of what an exhaustive search needs."""
        full = self.total("full")
        return self.total("assessments") / full if full else 1.0

    @property
    def assessments(self) -> AnyArray:
        return self.column("assessments")

    @property
    def reads(self) -> AnyArray:
        return self.column("reads")

    @property
    def full(self) -> AnyArray:
        return self.column("full")

    @property
    def seconds(self) -> AnyArray:
        return self.column("seconds")

    @property
    def error(self) -> AnyArray:
        return self.column("error")

    @property
    def search(self) -> AnyArray:
        return self.column("search")

    @property
    def n_leaves(self) -> AnyArray:
        return self.column("n_leaves")

    @property
    def pruned_nodes(self) -> AnyArray:
        return self.column("pruned_nodes")

    @property
    def scans(self) -> AnyArray:
        return self.column("scans")

    @property
    def full_scans(self) -> AnyArray:
        return self.column("full_scans")

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: int) -> Entry:
        return self.entries[index]

    def __repr__(self) -> str:
        return (
            f"Ledger(rounds={len(self)}, assessments={self.total('assessments'):.3g}, "
            f"share={self.share:.3f}, seconds={self.total('seconds'):.3g})"
        )
