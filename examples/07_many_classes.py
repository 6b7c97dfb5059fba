"""
Many classes, one tree a round
==============================

GAMBLE grows one tree a round, whose leaves say a number for every class. A committee a class, the
usual way, grows as many trees a round as there are classes.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import frugalboost as fb

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

gamble = fb.GambleClassifier(n_estimators=100).fit(X_train, y_train)
of_two = fb.BoostedTreesClassifier("gentle", learning_rate=1.0, n_estimators=100, max_leaf_nodes=15)
committees = fb.OneAgainstAllClassifier(of_two).fit(X_train, y_train)

errors = {}
for name, model in {"GAMBLE": gamble, "one against all": committees}.items():
    errors[name] = [float((labels != y_test).mean()) for labels in model.staged_predict(X_test)]
trees = {"GAMBLE": np.arange(1, len(errors["GAMBLE"]) + 1)}
trees["one against all"] = np.arange(1, len(errors["one against all"]) + 1) * len(gamble.classes_)
for name, curve in errors.items():
    print(f"{name}: {trees[name][-1]} trees, test error {curve[-1]:.3f}")

# %%
# At the same number of trees GAMBLE is ahead.
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for (name, curve), colour in zip(errors.items(), ["#0072B2", "#E69F00"], strict=True):
    ax.plot(trees[name], curve, color=colour, label=name)
ax.set(xlabel="trees", ylabel="test error", xscale="log", yscale="log")
legend = ax.legend()
