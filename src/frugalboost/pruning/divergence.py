"""Pruning by the divergence between the rounds' distributions (section 3.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._progress import OnShare, ignore_progress
from frugalboost._typing import Floats, Ints


def kl_order(distributions: Any, n_kept: int, on_share: OnShare = ignore_progress) -> Ints:
    """Members, starting with the first, each adding most to the sum of ``D(p_i || p_j)``, i < j.

    Parameters
    ----------
    distributions : (n_members, n_rows), non-negative; each row is divided by its sum
    n_kept : int of at least 1
    on_share : called with the share of the members chosen so far

    Notes
    -----
    Divergences are infinite where p_j is zero and p_i is not; ties go to the lowest member.

    >>> kl_order([[1, 1, 1, 1], [1, 1, 1, 1], [4, 2, 1, 1], [1, 1, 8, 8]], n_kept=3)
    array([0, 3, 2])
    """
    shares = check_distributions(distributions)
    with np.errstate(divide="ignore"):
        logs = np.log2(shares)
    chosen = [0]
    gains = np.zeros(len(shares))
    while len(chosen) < min(n_kept, len(shares)):
        gains += divergences(shares, logs, chosen[-1])
        gains[chosen] = -1.0  # below any sum of divergences
        chosen.append(int(gains.argmax()))
        on_share(len(chosen) / n_kept)
    return np.array(chosen)


def divergences(shares: Floats, logs: Floats, member: int) -> Floats:
    """``D(p_i || p_j)`` between a member and each other one, p_i being the earlier one's."""
    from_member = np.zeros(len(shares))
    for other in range(len(shares)):
        i, j = min(member, other), max(member, other)
        if i != j:
            from_member[other] = divergence(shares[i], logs[i], logs[j])
    return from_member


def divergence(share: Floats, log: Floats, log_of_other: Floats) -> float:
    """In bits, from shares and their logarithms; exactly zero for equal distributions."""
    is_positive = share > 0
    if not is_positive.all():
        share, log, log_of_other = share[is_positive], log[is_positive], log_of_other[is_positive]
    # Below zero only by rounding, and must not look worse than a copy then.
    return max(float((share * (log - log_of_other)).sum()), 0.0)


def check_distributions(distributions: Any) -> Floats:
    weights = np.asarray(distributions, dtype=np.float64)
    is_fit = weights.ndim == 2 and weights.size > 0 and np.isfinite(weights).all()
    if not is_fit or weights.min() < 0 or not weights.any(axis=1).all():
        raise ValueError(
            f"distributions must be finite numbers >= 0 of shape (members, rows), not all "
            f"zero for any member; got an array of shape {weights.shape}."
        )
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
