"""
The same model with less work
=============================

A search may leave out work and still find the tree that a full search finds. The digest, a
fingerprint of the model, proves it; the ledger says what was looked at.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import frugalboost as fb

X, y = load_digits(return_X_y=True)
is_large = y >= 5  # digits 0 to 4 against 5 to 9

models = {
    search: fb.BoostedTreesClassifier("adaboost", n_estimators=200, max_depth=3, search=search)
    for search in ("exhaustive", "quick", "adaptive", "two_stage")
}
for search, model in models.items():
    model.fit(X, is_large)
    looked_at = model.ledger_.total("assessments")
    print(f"{search:10} {looked_at:>11,} pairs of a row and a feature, {model.ledger_.share:.0%}")

digests = {fb.digest(model) for model in models.values()}
print("models found:", len(digests))

# %%
# Boosting moves the weight to a few rows that are hard. A bound from these rules most features
# out, so the later a round, the less there is to look at.
figure, ax = plt.subplots(figsize=(6, 3.8), layout="constrained")
display = fb.plots.AssessmentsDisplay.from_estimators(models).plot(ax=ax)
