"""
Learning from a stream, with a certificate
==========================================

Examples come one after the other, and nobody keeps them. FilterBoost looks at each once, accepts
those that the model finds hard, and stops by itself when it can prove that the error is at most
what was asked for, except with a small probability.
"""

import matplotlib.pyplot as plt

import frugalboost as fb
from frugalboost.datasets import majority_batches, make_majority
from frugalboost.streams import IterableOracle

# An endless stream: the label is what most of 5 among 11 attributes say.
majority = {"n_features": 11, "n_relevant": 5, "noise": 0.0}
stream = IterableOracle(majority_batches(**majority, random_state=0))

model = fb.FilterBoostClassifier(
    mode="certified", target_error=0.2, failure_probability=0.05, max_depth=1, random_state=0
)
model.fit_stream(stream)
certificate = model.certificate_
print(f"certified: {certificate.holds}, after {certificate.rounds} rounds")
print(f"examples drawn: {certificate.examples:,}")

# %%
# The promise is about examples that have not come yet. Here are some.
X_new, y_new = make_majority(20_000, **majority, random_state=1)
error = 1 - model.score(X_new, y_new)
print(f"error on new examples: {error:.3f}, promised: at most {certificate.target_error}")

# %%
# The better the model, the fewer examples pass the filter; when hardly any does, that is the
# proof.
ledger = model.ledger_
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
rounds = range(1, len(ledger) + 1)
ax.plot(rounds, ledger.column("acceptance"), color="#0072B2", label="share accepted")
ax.plot(rounds, ledger.column("error_bound"), color="#D55E00", label="bound of the error")
ax.axhline(certificate.target_error, color="grey", linestyle="--", label="target")
ax.set(xlabel="round", ylim=(0, 1.05))
legend = ax.legend()
