"""
A smaller ensemble
==================

Sixty trees are trained; which of them must be shipped? The kappa-error diagram shows how much
the members agree and how good they are, and the pruning curve what is lost with how many.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import frugalboost as fb

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y, test_size=500, random_state=0)
X_train, X_held, y_train, y_held = train_test_split(X, y, test_size=300, random_state=0)

boosted = fb.BoostedTreesClassifier("adaboost_m1", n_estimators=60, max_depth=8)
bagged = fb.BaggedTreesClassifier(n_estimators=60, random_state=0)
models = {"bagging": bagged, "boosting": boosted}
for model in models.values():
    model.fit(X_train, y_train)

sizes = [5, 10, 15, 20, 30, 45, 60]
errors = {}
for method in ("early_stopping", "kappa", "reduce_error"):
    errors[method] = []
    for n_kept in sizes:
        small = fb.prune_ensemble(boosted, X_held, y_held, method=method, n_estimators=n_kept)
        errors[method].append(1 - small.score(X_test, y_test))
whole = 1 - boosted.score(X_test, y_test)
print(f"all trees: {whole:.3f}; 20 by reduce_error: {errors['reduce_error'][3]:.3f}")

# %%
# A point for each pair of members. Trees of boosting disagree more than those of bagging, so there
# is more to choose from.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
diagram = fb.plots.KappaErrorDisplay.from_estimators(models, X_train, y_train)
diagram.plot(ax=left, markersize=2)
shares = [1 - n_kept / 60 for n_kept in sizes]
curves = {method: (shares, values) for method, values in errors.items()}
curve = fb.plots.PruningCurveDisplay(curves, "test error", whole=whole).plot(ax=right)
