"""
A pipeline and a grid search
============================

The estimators are scikit-learn's in every respect: they go into pipelines, grids and
cross-validation, and take sample weights by metadata routing.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn import config_context
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import frugalboost as fb

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
weights = np.where(y == 0, 2.0, 1.0)  # a malignant tumour that is missed is worse

booster = fb.BoostedTreesClassifier(n_estimators=40)
pipeline = make_pipeline(SelectKBest(), booster).set_output(transform="pandas")
grid = {"selectkbest__k": [5, 10, 20], "boostedtreesclassifier__max_depth": [1, 2, 3]}
with config_context(enable_metadata_routing=True):
    booster.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y, sample_weight=weights)

print({name.split("__")[1]: value for name, value in search.best_params_.items()})
print(f"weighted accuracy in cross-validation: {search.best_score_:.3f}")
names = search.best_estimator_[-1].feature_names_in_
print("features:", ", ".join(names[:3]), "...")

# %%
# The grid as a map. The names of the features came through the pipeline as a data frame.
scores = search.cv_results_["mean_test_score"].reshape(3, 3)
figure, ax = plt.subplots(figsize=(5, 3.6), layout="constrained")
image = ax.imshow(scores, cmap="viridis")
ax.set_xticks(range(3), grid["selectkbest__k"])
ax.set_yticks(range(3), grid["boostedtreesclassifier__max_depth"])
ax.set(xlabel="features", ylabel="depth")
bar = figure.colorbar(image, label="weighted accuracy")
