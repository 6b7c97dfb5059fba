"""Classifiers that are made of several fitted classifiers."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._typing import Floats
from frugalboost.base.tree_estimators import DecisionClassifier


class JointClassifier(DecisionClassifier):
    """A classifier whose decision is that of its `estimators_` together; not public."""

    estimators_: list[Any]

    @property
    def feature_importances_(self) -> Floats:
        """Mean over `estimators_` of the share of the gain that each feature contributed."""
        check_is_fitted(self)
        return np.asarray(np.mean([each.feature_importances_ for each in self.estimators_], axis=0))

    def _digest_parts(self) -> tuple[JointDigest, bytes]:
        check_is_fitted(self)
        parts = [model._digest_parts() for model in self.estimators_]
        digests = [ensemble.digest(extra) for ensemble, extra in parts]
        return JointDigest(digests), self._digest_extra()

    def _digest_extra(self) -> bytes:
        """What predictions depend on besides `estimators_`."""
        raise NotImplementedError


class JointDigest:
    """The digests of several models as one."""

    def __init__(self, digests: list[str]) -> None:
        self._digests = digests

    def digest(self, extra: bytes) -> str:
        """SHA-256 of all digests, in order, and of what else predictions depend on."""
        return hashlib.sha256(extra + "".join(self._digests).encode()).hexdigest()
