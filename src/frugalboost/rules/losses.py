"""Losses as functions of the margin, and their weighted mean."""

from __future__ import annotations

import numpy as np

from frugalboost._typing import Floats
from frugalboost.rules.weights import exponential, per_output, unit_scaled


def exponential_loss(margin: Floats) -> Floats:
    """``exp(-margin)``, its own weight function; kept finite for hopeless margins."""
    return exponential(margin)


def truncated_loss(margin: Floats) -> Floats:
    """MadaBoost's potential: ``exp(-margin)`` for positive margins, the straight line
    ``1 - margin`` for negative ones, so that the slope never exceeds 1.

    >>> truncated_loss(np.array([-1.0, 0.0, 1.0])).round(3)
    array([2.   , 1.   , 0.368])
    """
    return np.exp(-np.maximum(margin, 0.0)) - np.minimum(margin, 0.0)


def logistic_loss(margin: Floats) -> Floats:
    """``ln(1 + exp(-margin))``, the negative log-likelihood.

    >>> logistic_loss(np.array([-2.0, 0.0, 2.0])).round(3)
    array([2.127, 0.693, 0.127])
    """
    return np.logaddexp(0.0, -margin)


def weighted_mean(losses: Floats, sample_weight: Floats) -> float:
    """Mean over the rows (and, for (n, V), evenly over the outputs).

    The shares sum to one, so the mean of finite losses is finite even where their sum is not.

    >>> weighted_mean(np.array([1.0, 4.0]), np.array([1.0, 3.0]))
    3.25
    """
    shares = unit_scaled(sample_weight)
    shares = shares / (shares.sum() * (losses.size // losses.shape[0]))
    return float((per_output(shares, losses) * losses).sum())
