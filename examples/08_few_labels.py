"""
Learning with few labels
========================

A pool of rows without labels, and a person who can give some. The learner asks about those of
which it is least sure. Here the person is an array that is looked up.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import frugalboost as fb

X, y = load_digits(return_X_y=True)
X_pool, X_test, y_pool, y_test = train_test_split(X, y, test_size=600, random_state=0)


def person(indices):
    """Answers for rows of the pool, as someone at a keyboard would give them."""
    return y_pool[indices]


learners = {}
for name, utility in {"asking": "margin", "random rows": "random"}.items():
    learner = fb.ActiveLearner(utility=utility, batch_size=30, random_state=0)
    learner.run(X_pool, person, budget=240, validation=(X_test, y_test))
    learners[name] = learner

everything = fb.GambleClassifier(n_estimators=100, learning_rate=0.9, max_leaf_nodes=31)
all_labels = 1 - everything.fit(X_pool, y_pool).score(X_test, y_test)

# %%
# The dashed line is the error with all labels of the pool.
figure, ax = plt.subplots(figsize=(6, 3.8), layout="constrained")
baselines = {f"all {len(y_pool)} labels": all_labels}
display = fb.plots.LabelCurveDisplay.from_learners(learners, baselines).plot(ax=ax)
ax.set_yscale("log")
ax.minorticks_off()
ax.set_yticks([0.02, 0.05, 0.1, 0.2, 0.5], ["2 %", "5 %", "10 %", "20 %", "50 %"])
needed = {name: labels[0] for name, labels in display.labels_to_reach(0.1).items()}
print("labels until the error is one in ten:", needed)
