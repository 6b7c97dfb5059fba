"""
Categories and missing values from pandas
=========================================

A table as it comes out of a database: words, numbers, holes. Columns of a category dtype are
split by sets of categories, and a missing value goes to the side that suits it, at each split
anew. Nothing is imputed and nothing one-hot encoded.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

import frugalboost as fb

random = np.random.default_rng(0)
n = 4000
cities = random.choice(["Bonn", "Jena", "Kiel", "Köln", "Mainz", "Ulm"], n)
age = random.integers(18, 90, n).astype(float)
income = random.lognormal(10, 0.5, n)
income[(age > 65) & (random.random(n) < 0.8)] = np.nan  # the retired seldom say
logit = 2.0 * np.isin(cities, ["Kiel", "Ulm"]) + 2.0 * np.isnan(income) + 0.03 * (age - 60)
customers = pd.DataFrame({"city": pd.Categorical(cities), "age": age, "income": income})
buys = pd.Series(np.where(random.random(n) < 1 / (1 + np.exp(1 - logit)), "buys", "leaves"))

train, test, y_train, y_test = train_test_split(customers, buys, random_state=0)
model = fb.BoostedTreesClassifier(n_estimators=60, max_depth=3).fit(train, y_train)
accuracy = model.score(test, y_test)
print(f"{dict(customers.isna().sum())} missing; accuracy {accuracy:.3f}")

# %%
# A city that was not there in training goes the way of missing cities.
stranger = pd.DataFrame({"city": ["Graz", None], "age": [40.0, 40.0], "income": [2e4, 2e4]})
of_strangers = model.predict_proba(stranger)[:, 0]
print("unknown and missing city:", of_strangers.round(3))

# %%
# What the model has learnt, as means of its probabilities.
test = test.assign(probability=model.predict_proba(test)[:, 0], known=test["income"].notna())
by_city = test.groupby(["city", "known"], observed=True)["probability"].mean().unstack()
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
by_city.plot.bar(ax=ax, color=["#E69F00", "#0072B2"], rot=0, ylabel="probability to buy")
ax.set_ylim(0, 1.15)
legend = ax.legend(["income missing", "income known"], ncols=2)
