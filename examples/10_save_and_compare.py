"""
Saving, loading, comparing
==========================

A model file holds arrays and a header, no code. What is loaded is the model that was saved, bit
for bit, and a digest says so: keep it in a log, and know later which model made a prediction.
"""

import pickle
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

import frugalboost as fb

X, y = load_iris(return_X_y=True)
folder = tempfile.TemporaryDirectory()
digests, sizes = {}, {}
for n_trees in (10, 50, 100, 200):
    model = fb.BoostedTreesClassifier(n_estimators=n_trees).fit(X, y)
    path = Path(folder.name, f"iris-{n_trees}.fboost")
    fb.save(model, path)
    loaded = fb.load(path)
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    digests[n_trees] = {fb.digest(model), fb.digest(loaded)}
    sizes[n_trees] = {".fboost": path.stat().st_size, "pickle": len(pickle.dumps(model))}
    print(f"{n_trees:3} trees, {sizes[n_trees]['.fboost']:>7,} bytes, {fb.digest(loaded)[:12]}")

# %%
# Whoever repeats the fit elsewhere, with another search or number of threads, gets the same digest.
elsewhere = fb.BoostedTreesClassifier(n_estimators=200, search="exhaustive", n_jobs=2).fit(X, y)
is_same = fb.digest(elsewhere) == fb.digest(loaded)
print("the same model:", is_same)

# %%
# A broken file is refused, with one line that says what is wrong.
path.write_bytes(path.read_bytes()[:-1])
try:
    fb.load(path)
    problem = ""
except ValueError as error:
    problem = str(error).split("; ")[1]
print(problem)
folder.cleanup()

figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
for kind, colour in {".fboost": "#0072B2", "pickle": "#E69F00"}.items():
    kilobytes = [each[kind] / 1000 for each in sizes.values()]
    ax.plot(list(sizes), kilobytes, marker="o", color=colour, label=kind)
ax.set(xlabel="trees", ylabel="kilobytes")
legend = ax.legend()
