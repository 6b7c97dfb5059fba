"""What classifiers say about new rows, from the decisions of their ensembles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting import Ensemble, as_rule_sees
from frugalboost.estimators._boosted import BoostedTrees
from frugalboost.estimators._predict import decide, decide_in_stages


class TreesClassifier(ClassifierMixin, BoostedTrees):  # type: ignore[misc]
    """Predictions, probabilities and their stages; not public."""

    classes_: AnyArray

    def decision_function(self, X: Any) -> Floats:
        """Return the ensemble's decision.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        decision : (n_samples,) for two classes, positive for the second; else (n_samples, K)
        """
        return as_rule_sees(decide(*self._ready(X)))

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted label of each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        labels : array of shape (n_samples,)
        """
        return self._labels_of(self.decision_function(X))

    def predict_proba(self, X: Any) -> Floats:
        """Return class probabilities through the rule's link.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        probabilities : (n_samples, n_classes), columns in the order of ``classes_``
        """
        decision = self.decision_function(X)
        return self._rule.probabilities(decision)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):  # log 0 = -inf is the right answer
            return np.log(self.predict_proba(X))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the decision after each tree."""
        for decision in decide_in_stages(*self._ready(X)):
            yield as_rule_sees(decision)

    def staged_predict(self, X: Any) -> Iterator[AnyArray]:
        """Yield the predicted labels after each tree."""
        for decision in self.staged_decision_function(X):
            yield self._labels_of(decision)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities after each tree."""
        for decision in self.staged_decision_function(X):
            yield self._rule.probabilities(decision)

    def _labels_of(self, decision: Floats) -> AnyArray:
        chosen = (decision > 0).astype(np.int64) if decision.ndim == 1 else decision.argmax(axis=1)
        return np.asarray(self.classes_[chosen])

    def _digest_parts(self) -> tuple[Ensemble, bytes]:
        ensemble, name = super()._digest_parts()
        return ensemble, name + repr((self.classes_.dtype, self.classes_.tolist())).encode()
