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
    """
    if not hasattr(model, "_digest_parts"):
        raise TypeError(
            f"digest: model must be a fitted estimator of frugalboost; got {type(model).__name__}."
        )
    ensemble, extra = model._digest_parts()
    return str(ensemble.digest(extra))
