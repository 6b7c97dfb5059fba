"""Numbers and statements of FilterBoost (Bradley, Schapire 2007).

Its results are plots; these are what the text of section 3 and appendix E says of them.
"""

from __future__ import annotations

DATA = {
    "majority": "majority of 40 of 100 binary attributes, 10 % of the labels flipped",
    "twonorm": "Breiman (1998), 20 real attributes",
    "adult": "complete rows: 45,222, with 14 attributes",
    "covtype": "the largest of 7 classes (49 %) against the others, 54 attributes",
}
"""Appendix E."""

LOGISTIC = {"log_loss": 0.4259, "rmse": 0.3489}
"""Section 3.1: batch logistic regression by gradient descent, on Majority."""

FIRST_TREE = 0.94
"""Section 3.1: accuracy on Covertype of the first tree that is trained on the whole set."""

ENOUGH = 100_000
"""Section 3.1: the order of C_m with which filtering boosters could compete on Covertype."""
