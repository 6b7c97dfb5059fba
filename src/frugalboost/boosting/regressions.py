"""The rounds of GAMBLE with any regression (Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting.committee import CodeRegressions, Committee
from frugalboost.boosting.ensemble import as_rule_sees
from frugalboost.boosting.ledger import Entry
from frugalboost.rules import Action, GentleBoost, Verdict
from frugalboost.rules.codes import code_margin
from frugalboost.rules.weights import tree_weights

Learn = Callable[[Floats, int], CodeRegressions]
"""Takes the weights of the training rows and the round's number; returns its weak learner."""


class RegressionRound(NamedTuple):
    """A weak learner and the rule's verdict on it."""

    learner: CodeRegressions
    verdict: Verdict

    def entry(self, seconds: float) -> Entry:
        """The ledger entry; what a regression examined is unknown."""
        return Entry(0, 0, 0, seconds, self.verdict.error, "regression", 0)


class RegressionBooster:
    """Runs the rounds: the weights, the regressions, the next weights.

    Parameters
    ----------
    X : the training table, as the regressions read it
    labels : (n,) class codes
    sample_weight : (n,) above 0
    rule : GentleBoost
    learn : function that fits the regressions of a round to the training table
    """

    can_redraw = False

    def __init__(
        self, X: Any, labels: AnyArray, sample_weight: Floats, rule: GentleBoost, learn: Learn
    ) -> None:
        self._X, self._labels, self._sample_weight = X, labels.astype(np.int64), sample_weight
        self._rule, self._learn = rule, learn
        self._exponent = rule.start(len(labels), 0.0)
        self._n_kept = 0
        self.has_ended = False  # whether boosting ended with the last member replayed

    def replay(self, committee: Committee) -> None:
        """Bring the weights to where they were after `committee` was fitted to the same rows."""
        for t, (member, step) in enumerate(zip(committee.members, committee.steps, strict=True)):
            if t == len(committee) - 1:
                verdict = self._judge(member, self._weights(), is_first=False)
                self.has_ended = verdict.action is Action.KEEP_AND_STOP
            self._advance(step * member.values(self._X))

    def round(self, *, is_first: bool) -> RegressionRound:
        """Fit and judge one weak learner; the weights are updated if it is kept."""
        weights = self._weights()
        learner = self._learn(weights, self._n_kept)
        verdict = self._judge(learner, weights, is_first)
        if verdict.action is not Action.DROP_AND_STOP:
            self._advance(verdict.step * verdict.values)
        return RegressionRound(learner, verdict)

    def _judge(self, learner: CodeRegressions, weights: Floats, is_first: bool) -> Verdict:
        mean_codes = learner.mean_codes(self._X)
        values = learner.values_of(self._X, mean_codes)
        return self._rule.judge_rows(mean_codes, values, self._labels, weights, is_first)

    def finish(self, candidate: RegressionRound) -> CodeRegressions:
        """The weak learner that the committee keeps."""
        return candidate.learner

    def _weights(self) -> Floats:
        """Weights with the same sum as the sample weights.

        A regression with a penalty is then as strict in every round as it would be without
        boosting, and a weight of 2 counts as a repeated row.
        """
        weights = tree_weights(self._exponent, self._sample_weight)
        return np.asarray(weights * (self._sample_weight.sum() / weights.sum()))

    def _advance(self, added: Floats) -> None:
        self._exponent -= code_margin(as_rule_sees(added), self._labels)
        self._n_kept += 1
