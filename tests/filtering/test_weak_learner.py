"""The weak learners of the paper, against brute force."""

import numpy as np
import pytest
from filtering_helpers import make_plan

from frugalboost.data import Schema
from frugalboost.filtering.filter import Sample
from frugalboost.filtering.weak_learner import node_losses
from frugalboost.reference.reduced_error import best_pruning

SEEDS = range(12)


def sample(seed, n=60, n_classes=2, n_features=3):
    random = np.random.default_rng(seed)
    X = random.integers(0, 8, size=(n, n_features)).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    labels = random.integers(0, n_classes, n)
    labels[X[:, 1] > 4] = 0
    rivals = (labels + random.integers(1, n_classes, n)) % n_classes
    return Sample(X, labels, rivals)


def fit(sample, n_classes=2, **options):
    n_features = sample.X.shape[1]
    learner = make_plan(n_classes, **options).learner(np.zeros(n_features, dtype=bool))
    return learner, learner.fit(sample)[0]


def half_differences(says, held):
    """(1 - d) / 2 of each example: an error costs one, the name of a third class half."""
    rows = np.arange(len(held))
    if says.shape[1] == 1:
        d = np.where(held.labels == 1, says[:, 0], -says[:, 0])
    else:
        d = says[rows, held.labels] - says[rows, held.rivals]
    return (1 - d) / 2


def all_stumps(X):
    """Which rows go left, for every threshold and either way of missing values."""
    yield np.ones(len(X), dtype=bool)
    for column in X.T:
        values = np.unique(column[~np.isnan(column)])
        for threshold in [*values[:-1], np.inf]:
            for missing_left in (False, True):
                yield np.where(np.isnan(column), missing_left, column <= threshold)


def questions_wrong(held, left, n_classes):
    """Errors of yes or no for each class: whether it is the label (yes), or the rival (no)."""
    return sum(
        np.minimum(
            np.bincount(held.labels[side], minlength=n_classes),
            np.bincount(held.rivals[side], minlength=n_classes),
        ).sum()
        for side in (left, ~left)
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_stumps_minimise_training_error(seed, n_classes):
    """Of the two questions that an example asks; for two classes they are one, asked twice."""
    held = sample(seed, n_classes=n_classes)
    _, tree = fit(held, n_classes)
    assert tree.n_leaves <= 2
    leaves = tree.apply(held.X)
    least = min(questions_wrong(held, left, n_classes) for left in all_stumps(held.X))
    assert questions_wrong(held, leaves == leaves[0], n_classes) == least
    if n_classes == 2:
        assert 2 * half_differences(tree.predict(held.X), held).sum() == least


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_leaves_name_the_class_that_costs_least(seed, n_classes):
    held = sample(seed, n_classes=n_classes)
    _, tree = fit(held, n_classes, max_depth=2)
    leaves = tree.apply(held.X)
    names = np.eye(n_classes) if n_classes > 2 else np.array([[-1.0], [1.0]])
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        costs = [half_differences(np.tile(v, (len(held), 1)), held)[inside].sum() for v in names]
        # A tie names the first class.
        assert (tree.value[leaf] == names[int(np.argmin(costs))]).all()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sure_leaves_say_half_the_smoothed_log_odds(seed, n_classes):
    held = sample(seed, n_classes=n_classes)
    _, tree = fit(held, n_classes, confidence_rated=True, criterion="z", max_depth=3)
    leaves = tree.apply(held.X)
    assert tree.n_leaves > 2
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        plus = np.bincount(held.labels[inside], minlength=n_classes)
        minus = np.bincount(held.rivals[inside], minlength=n_classes)
        odds = np.log((plus + 0.5) / (minus + 0.5)) / 2
        expected = odds[1:] if n_classes == 2 else odds / 2
        np.testing.assert_allclose(tree.value[leaf], expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("confidence_rated", [False, True])
def test_losses_of_two_classes_are_those_of_two_votes(confidence_rated):
    """A leaf that says v for class 1 is one that says v / 2 and -v / 2 for the two."""
    random = np.random.default_rng(0)
    plus = random.integers(0, 9, size=(50, 2)).astype(float)
    minus = plus[:, ::-1]  # the rival is the other class
    says = random.normal(size=(50, 1)) if confidence_rated else random.choice([-1.0, 1], (50, 1))
    two = np.hstack([-says, says]) / 2
    # Errors are at most one, so the votes of a leaf that names a class are 1 and 0.
    named = two if confidence_rated else two + 0.5
    np.testing.assert_allclose(
        node_losses(says, plus, minus, confidence_rated),
        node_losses(named, plus, minus, confidence_rated),
        rtol=1e-14,
    )
    wrong = np.where(says[:, 0] > 0, plus[:, 0], plus[:, 1])
    if not confidence_rated:
        assert (node_losses(says, plus, minus, False) == wrong).all()


@pytest.mark.parametrize("seed", SEEDS[:6])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("confidence_rated", [False, True])
def test_pruning_is_the_best_there_is(seed, n_classes, confidence_rated):
    """The last third decides which nodes become leaves, as the reference would."""
    held = sample(seed, n=90, n_classes=n_classes)
    options = {
        "confidence_rated": confidence_rated,
        "criterion": "z" if confidence_rated else "entropy",
        "max_depth": None,
    }
    learner, pruned = fit(held, n_classes, pruning_fraction=1 / 3, **options)
    first = Sample(held.X[:60], held.labels[:60], held.rivals[:60])
    rest = Sample(held.X[60:], held.labels[60:], held.rivals[60:])
    _, whole = fit(first, n_classes, **options)

    def says_as_leaf(node):
        """What the node would say of the growing rows that pass through it."""
        inside = passes(whole, first.X, node)
        plus = np.bincount(first.labels[inside], minlength=n_classes).astype(float)[None]
        minus = np.bincount(first.rivals[inside], minlength=n_classes).astype(float)[None]
        if n_classes == 2:
            plus, minus = plus[:, 1:], plus[:, :1]
        return learner.says(plus, minus)

    def loss_as_leaf(node):
        inside = passes(whole, rest.X, node)
        plus = np.bincount(rest.labels[inside], minlength=n_classes).astype(float)[None]
        minus = np.bincount(rest.rivals[inside], minlength=n_classes).astype(float)[None]
        return float(node_losses(says_as_leaf(node), plus, minus, confidence_rated)[0])

    losses = np.array([loss_as_leaf(node) for node in range(whole.n_nodes)])
    _, leaves = best_pruning(whole.left.tolist(), whole.right.tolist(), losses.tolist())
    assert pruned.n_leaves == len(leaves)
    for row in held.X[:20]:
        leaf = next(node for node in path(whole, row) if node in leaves)
        np.testing.assert_allclose(
            pruned.predict(row[None])[0], says_as_leaf(leaf)[0], rtol=1e-12, atol=1e-15
        )


def path(tree, row):
    node = 0
    while True:
        yield node
        if tree.is_leaf[node]:
            return
        x = row[tree.feature[node]]
        left = tree.missing_left[node] if np.isnan(x) else x <= tree.threshold[node]
        node = int(tree.left[node] if left else tree.right[node])


def passes(tree, X, node):
    return np.array([node in list(path(tree, row)) for row in X], dtype=bool)


def test_a_pruned_sample_of_two():
    held = Sample(np.array([[0.0], [1.0]]), np.array([0, 1]), np.array([1, 0]))
    _, whole = fit(held, pruning_fraction=1e-9, max_depth=3)  # less than a row is held out
    assert whole.predict(held.X).tolist() == [[-1.0], [1.0]]
    for fraction in (0.5, 1 - 1e-9):
        _, tree = fit(held, pruning_fraction=fraction, max_depth=3)
        assert (tree.is_leaf.tolist(), tree.value.tolist()) == ([True], [[-1.0]])


def test_the_schema_names_categories():
    """Trees split by sets of the codes that the tap hands over, whichever occur in a sample."""
    codes = np.array([7.0, 3.0, 7.0, 9.0, 3.0, np.nan] * 10)[:, None]
    labels = (np.nan_to_num(codes[:, 0], nan=3.0) == 3).astype(int)
    learner = make_plan().learner(np.array([True]))
    tree, _ = learner.fit(Sample(codes, labels, 1 - labels))
    assert Schema.from_data(codes, [0]).is_categorical.all()
    assert (tree.predict(codes)[:, 0] == 2 * labels - 1).all()
