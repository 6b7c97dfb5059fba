"""
A first model
=============

Fit, predict, score: an estimator like any other of scikit-learn's. It asks for no scaling and no
encoding, and says which features it used.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import RocCurveDisplay
from sklearn.model_selection import train_test_split

import frugalboost as fb

cancer = load_breast_cancer(as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(cancer.data, cancer.target, random_state=0)

model = fb.BoostedTreesClassifier().fit(X_train, y_train)
accuracy = model.score(X_test, y_test)
print(f"{model.n_estimators_} trees, {accuracy:.3f} of {len(y_test)} tumours told right")

# %%
# The names come from the data frame. Importances are shares of the gain.
most_important = model.feature_importances_.argsort()[::-1][:8]
names = model.feature_names_in_[most_important]

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.barh(names[::-1], model.feature_importances_[most_important][::-1], color="#0072B2")
left.set(xlabel="share of the gain")
curve = RocCurveDisplay.from_estimator(model, X_test, y_test, ax=right, name="frugalboost")
