"""C4.5 as a classifier: one tree, or many that are boosted or bagged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._progress import rounds_bar
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.base.tree_estimators import EnsembleEstimator, ProbabilityClassifier
from frugalboost.boosted.boosted_trees import Sample, encode_counted
from frugalboost.boosting import Ledger, as_rule_sees, boost
from frugalboost.c45.booster import C45Booster, C45Data, round_masses
from frugalboost.c45.committee import C45Committee, values_of_classes
from frugalboost.c45.params import FitC45
from frugalboost.data import BinnedDataset, Schema
from frugalboost.data.schema import categories_for_digest
from frugalboost.data.tables import check_sides
from frugalboost.data.targets import count_rows, read_labels, read_weights, warn_if_rare
from frugalboost.rules import Bagging, Rule


class C45Classifier(ProbabilityClassifier, EnsembleEstimator):
    """C4.5, release 8 (Quinlan 1993), as one tree or as many that vote.

    Tests are chosen by gain ratio: thresholds pay for their number and leave enough cases on both
    sides, a category has a branch of its own, and a case with a missing value goes to every branch
    in shares. Pruning puts a leaf or the largest branch in the place of a subtree.

    Parameters
    ----------
    ensemble : "adaboost_m1", "bagging" or None, default=None
        Boosting as in Table 1 of Margineantu and Dietterich, bagging with one vote for each tree;
        None: a single tree.
    n_estimators : int, default=50
        Maximum number of trees of an ensemble.
    resample : bool, default=True
        Boosted trees grow on as many rows drawn by weight, with replacement; False: on weighted
        rows. Bagging always draws.
    pruning : "pessimistic" or None, default="pessimistic"
    confidence : float in (0, 0.5], default=0.25
        A smaller value prunes more.
    min_cases : int, default=2
        At least two branches of a test have so many cases; rows count by weight.
    categorical_features : "from_dtype", None or list, default="from_dtype"
    random_state : int, RandomState or None, default=None
        Controls which rows are drawn.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : array of labels
    n_features_in_, feature_names_in_ : as in scikit-learn
    estimators_ : list of C45Tree
    estimator_weights_ : array, the weight of each tree's vote
    estimator_errors_ : array, the share of the training rows (by weight) that each tree gets wrong
    feature_importances_ : array
    ledger_ : Ledger, with the leaves and the error of each tree
    n_estimators_ : int, number of trees

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = C45Classifier().fit(X, y)
    >>> tree.estimators_[0].n_leaves, round(tree.score(X, y), 2)
    (5, 0.98)
    >>> boosted = C45Classifier("adaboost_m1", n_estimators=10, random_state=0).fit(X, y)
    >>> len(boosted.estimators_), round(boosted.score(X, y), 2)
    (10, 1.0)
    """

    def __init__(
        self,
        ensemble: str | None = None,
        *,
        n_estimators: int = 50,
        resample: bool = True,
        pruning: str | None = "pessimistic",
        confidence: float = 0.25,
        min_cases: int = 2,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.ensemble = ensemble
        self.n_estimators = n_estimators
        self.resample = resample
        self.pruning = pruning
        self.confidence = confidence
        self.min_cases = min_cases
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> C45Classifier:
        """Fit to labelled rows.

        Parameters
        ----------
        X : array, scipy.sparse matrix or data frame of shape (n_samples, n_features)
        y : labels of shape (n_samples,), of any hashable type
        sample_weight : array of shape (n_samples,) or None
            Non-negative. A weight of 2 counts as two cases; if none is above 1, the mean counts as
            one case.

        Returns
        -------
        self
        """
        with self._all_or_nothing():
            if isinstance(X, BinnedDataset):
                raise TypeError("X must hold raw values; got a BinnedDataset.")
            X = self._read_table(X)
            labels = read_labels(y)
            weights = read_weights(sample_weight, count_rows(X, labels))
            self.classes_, codes = encode_counted(labels, weights)
            warn_if_rare(self.classes_, codes)
            plan = FitC45.from_params(self, len(self.classes_))
            self._fit(Sample(X, codes, weights).without_zero_weights(), plan)
        return self

    def _fit(self, sample: Sample, plan: FitC45) -> None:
        schema = Schema.from_data(sample.X, self.categorical_features)
        data = C45Data(read_matrix(schema, sample.X), schema, sample.labels, sample.weights)
        booster = C45Booster(data, plan.rule, plan.tree, plan.seed)
        committee = C45Committee(values_of_classes(plan.rule), plan.is_single)
        with rounds_bar(plan.verbose, plan.n_estimators, 0, type(self).__name__) as on_round:
            committee, ledger = boost(
                booster, committee, plan.rule, plan.n_estimators, on_round=on_round
            )
        self._rule, self._schema, self._ensemble = plan.rule, schema, committee
        self.ledger_, self.n_estimators_ = ledger, len(committee)

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted label of each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        labels : array of shape (n_samples,)
        """
        scores = self._scores(self._matrix(X))
        return np.asarray(self.classes_[scores.argmax(axis=1)])

    def predict_proba(self, X: Any) -> Floats:
        """Return class probabilities: shares of the leaf's cases, for an ensemble of the votes.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        probabilities : (n_samples, n_classes), columns in the order of ``classes_``
            Boosted trees give those of the rule's link function.
        """
        matrix = self._matrix(X)
        if self._ensemble.is_single:
            return self._ensemble.trees[0].shares(matrix)
        *_, decision = self._ensemble.staged_decision(matrix)
        return self._rule.probabilities(self._divided(decision, len(self._ensemble)))

    def staged_predict(self, X: Any) -> Iterator[AnyArray]:
        """Yield the predicted labels after each tree.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        """
        matrix = self._matrix(X)
        for decision in self._ensemble.staged_decision(matrix):
            yield np.asarray(self.classes_[by_class(decision).argmax(axis=1)])

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities after each tree.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        """
        matrix = self._matrix(X)
        if self._ensemble.is_single:
            yield self._ensemble.trees[0].shares(matrix)
            return
        for n, decision in enumerate(self._ensemble.staged_decision(matrix), start=1):
            yield self._rule.probabilities(self._divided(decision, n))

    def _scores(self, matrix: AnyArray) -> Floats:
        """A number for each class, the largest for the predicted one."""
        if self._ensemble.is_single:
            return self._ensemble.trees[0].shares(matrix)
        *_, decision = self._ensemble.staged_decision(matrix)
        return by_class(decision)

    def _divided(self, decision: Floats, n: int) -> Floats:
        """Bagging's decision is a mean, boosting's a sum."""
        return as_rule_sees(decision / n if self._rule.link.form == "shares" else decision)

    @property
    def feature_importances_(self) -> Floats:
        """Share of the entropy that each feature saved; sums to 1 unless no tree splits."""
        check_is_fitted(self)
        return self._ensemble.importances(self.n_features_in_)

    def _matrix(self, X: Any) -> AnyArray:
        check_is_fitted(self)
        X = self._check_table(X)
        thresholds = self._ensemble.large_thresholds()
        if thresholds:
            check_sides(self._schema.read(X), thresholds)
        return read_matrix(self._schema, X)

    def _digest_parts(self) -> tuple[C45Committee, bytes]:
        check_is_fitted(self)
        categories = categories_for_digest(self._schema)
        classes = self.classes_.dtype, self.classes_.tolist()
        return self._ensemble, repr((self._rule.name, categories, classes)).encode()

    # What pruning needs of an ensemble (pruning/members.py, choosing.py, round_weights.py).

    def _member_scores(self, X: Any) -> Iterator[Floats]:
        """Yield what each member adds to the classes."""
        for scores in self._ensemble.scores(self._matrix(X)):
            yield by_class(scores)

    @property
    def _has_equal_votes(self) -> bool:
        name = self._rule.name if self.__sklearn_is_fitted__() else self.ensemble
        return name is None or name == Bagging.name

    def _keep_members(self, places: list[int], factors: list[float]) -> None:
        """Drop the other members; factors multiply the weights of votes."""
        self._ensemble = self._ensemble.take(places, factors)
        self.ledger_ = Ledger([self.ledger_.entries[place] for place in places])
        self.n_estimators_ = len(places)

    def _round_weights(self, X: Any, codes: Ints, weights: Floats) -> Iterator[Ints]:
        """Yield the weights of the training rows in the round of each member."""
        data = C45Data(self._matrix(X), self._schema, codes, weights)
        return round_masses(data, self._rule, self._ensemble)

    _rule: Rule
    _schema: Schema
    _ensemble: C45Committee


def read_matrix(schema: Schema, X: Any) -> AnyArray:
    """All of a table as numbers and codes of categories, NaN where missing."""
    blocks = [block for _, block in schema.iter_blocks(X, range(schema.n_features))]
    return np.concatenate(blocks).astype(np.float64, copy=False)


def by_class(decision: Floats) -> Floats:
    """A number for each class, where two classes have one for both."""
    if decision.shape[1] > 1:
        return decision
    return np.hstack([np.zeros_like(decision), decision])
