"""A fingerprint of a model."""

from __future__ import annotations

from typing import Any


def digest(model: Any) -> str:
    """SHA-256 of a model's trees, steps and classes; equal digests mean the same model.

    Parameters
    ----------
    model : fitted estimator of this library

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> import frugalboost as fb
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> quick = fb.BoostedTreesClassifier("adaboost", max_depth=1, search="quick").fit(X, y)
    >>> whole = fb.BoostedTreesClassifier("adaboost", max_depth=1, search="exhaustive").fit(X, y)
    >>> digest(quick) == digest(whole), len(digest(whole))
    (True, 64)
    """
    if not hasattr(model, "_digest_parts"):
        raise TypeError(
            f"digest: model must be a fitted estimator of frugalboost; got {type(model).__name__}."
        )
    ensemble, extra = model._digest_parts()
    return str(ensemble.digest(extra))
