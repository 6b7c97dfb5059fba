"""Distributions small enough to compute every expectation, and runs on them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from frugalboost.filtering import FilterRule
from frugalboost.filtering.filter import rival_shares


@dataclass
class World:
    """All labelled examples there are: probability, label and scores of each."""

    probability: np.ndarray  # (n,)
    labels: np.ndarray  # (n,)
    scores: np.ndarray  # (n, n_outputs)
    n_classes: int
    rule_name: str = "log"

    @property
    def rule(self):
        return FilterRule(self.rule_name, self.n_classes)

    def accept(self):
        """q_t of each example."""
        return self.rule.accept(self.scores, self.labels)

    def acceptance(self):
        """p_t."""
        return float((self.probability * self.accept()).sum())

    def potential(self):
        """pi_t, the expected negative log likelihood; for MadaBoost, 1 - m of margins m below zero
        and exp(-m) of the others."""
        if self.rule_name == "log":
            return float(-(self.probability * np.log1p(-self.accept())).sum())
        odds = self.odds_against()
        return float((self.probability * np.where(odds < 1, odds, 1 + np.log(odds))).sum())

    def odds_against(self):
        """exp(-m): the odds against the label."""
        if self.n_classes == 2:
            return np.exp(np.where(self.labels == 1, -1, 1) * self.scores[:, 0])
        powers = np.exp(self.scores)
        own = powers[np.arange(len(self.labels)), self.labels]
        return (powers.sum(axis=1) - own) / own

    def error(self):
        """Of the class with the highest score; a tie is an error, as in the paper."""
        own = self.scores[:, 0] * np.where(self.labels == 1, 1, -1)
        if self.n_classes > 2:
            rows = np.arange(len(self.labels))
            others = self.scores.copy()
            others[rows, self.labels] = -np.inf
            own = self.scores[rows, self.labels] - others.max(axis=1)
        return float(self.probability[own <= 0].sum())

    def edge(self, says):
        """Half the mean difference over D_t of a hypothesis that says (n, n_outputs)."""
        weights = self.probability * self.accept()
        return float((weights * self.differences(says)).sum() / weights.sum() / 2)

    def differences(self, says):
        """Mean over the rivals of each example."""
        shares = rival_shares(self.scores, self.labels)
        if self.n_classes == 2:
            says = np.hstack([-says, says]) / 2
        own = says[np.arange(len(says)), self.labels]
        return (shares * (own[:, None] - says)).sum(axis=1)

    def after(self, says, step):
        return replace(self, scores=self.scores + step * says)


@st.composite
def worlds(draw, classes=(2, 3, 4)):
    n_classes = draw(st.sampled_from(classes))
    n = draw(st.integers(2, 12))
    weights = draw(hnp.arrays(np.int64, n, elements=st.integers(1, 50))).astype(float)
    labels = draw(hnp.arrays(np.int64, n, elements=st.integers(0, n_classes - 1)))
    shape = (n, 1 if n_classes == 2 else n_classes)
    scores = draw(hnp.arrays(np.float64, shape, elements=st.floats(-6, 6, width=32)))
    rule = draw(st.sampled_from(["log", "mada"]))
    return World(weights / weights.sum(), labels, scores, n_classes, rule)


@st.composite
def hypotheses_for(draw, world):
    """A hypothesis that names a class for each example."""
    n = len(world.labels)
    named = draw(hnp.arrays(np.int64, n, elements=st.integers(0, world.n_classes - 1)))
    if world.n_classes == 2:
        return np.where(named == 1, 1.0, -1.0)[:, None]
    return np.eye(world.n_classes)[named]
