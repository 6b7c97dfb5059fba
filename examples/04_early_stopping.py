"""
Stopping early, and the learning curve
======================================

A fifth of these labels are wrong. How many trees? Ask for plenty, hold some rows out, and let the
loss on them say when to stop. The model keeps the trees up to the best round.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

import frugalboost as fb
from frugalboost.datasets import make_majority

X, y = make_majority(3000, n_features=20, n_relevant=9, noise=0.2, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

whole = fb.BoostedTreesClassifier(n_estimators=300, max_depth=3).fit(X_train, y_train)
early = fb.BoostedTreesClassifier(
    n_estimators=300, max_depth=3, early_stopping=True, n_iter_no_change=10, random_state=0
).fit(X_train, y_train)
print(f"{early.n_estimators_} trees kept, {len(early.ledger_)} grown, of {whole.n_estimators_}")

# %%
# The curve on rows that no model has seen falls, and rises again where the trees begin to learn
# the noise. Early stopping has not seen these rows either.
models = {"300 trees": whole, "stopped early": early}
display = fb.plots.RoundsDisplay.from_estimators(models, X_test, y_test, measure="log loss")
losses = {name: values[-1] for name, (_, values) in display.curves.items()}
print({name: round(float(loss), 3) for name, loss in losses.items()})

figure, ax = plt.subplots(figsize=(6, 3.8), layout="constrained")
display.plot(ax=ax)
best = int(np.argmin(display.curves["300 trees"][1])) + 1
line = ax.axvline(best, color="grey", linestyle=":", label="best on the test rows")
legend = ax.legend()
