"""
Parquet files larger than memory
================================

Training from a folder of Parquet files, a few hundred examples a round, under a limit for the
memory of the whole process. The files here are small; with larger ones neither the memory nor the
time of a round would grow.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pyarrow as pa
import pyarrow.parquet as pq

import frugalboost as fb
from frugalboost.datasets import make_twonorm
from frugalboost.streams import ParquetOracle

folder = tempfile.TemporaryDirectory()
for part in range(4):
    X, y = make_twonorm(5_000, random_state=part)
    columns = {f"x{number}": column for number, column in enumerate(X.T)}
    table = pa.table({**columns, "label": y})
    pq.write_table(table, Path(folder.name, f"part-{part}.parquet"))
X_test, y_test = make_twonorm(4_000, random_state=4)
test = pa.table({f"x{number}": column for number, column in enumerate(X_test.T)})

# %%
# The oracle finds the files and mixes their rows. Were the process killed, the same lines with
# `resume=True` and a `checkpoint` would go on where it was.
oracle = ParquetOracle(folder.name, target="label", random_state=0)
model = fb.FilterBoostClassifier(
    max_rounds=40, confidence_rated=True, memory_limit=2 << 30, random_state=0
)
model.fit_stream(oracle)
accuracy = model.score(test, y_test)
print(f"{oracle.n_rows:,} rows in files, {model.n_examples_:,} drawn, accuracy {accuracy:.3f}")

# %%
# Trees grow on the examples that pass the filter, a fraction of those drawn.
used = model.ledger_.column("accepted").cumsum()
stages = [(labels == y_test).mean() for labels in model.staged_predict(test)]
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.plot(used, stages, color="#0072B2")
ax.set(xlabel="examples that trees have grown on", ylabel="accuracy on new rows")
folder.cleanup()
