"""What the text of the GAMBLE paper says, and how its words are read.

A judge returns what was measured and whether the claim holds, or None if its results are missing;
a reason says why a claim does not hold, by an experiment that changes the supposed cause.
"""

from __future__ import annotations

from frugalboost.reproduce.gamble.claims_of_boosting import CLAIMS as OF_BOOSTING
from frugalboost.reproduce.gamble.claims_of_labels import CLAIMS as OF_LABELS
from frugalboost.reproduce.gamble.claims_of_spheres import CLAIMS as OF_SPHERES
from frugalboost.reproduce.gamble.claims_of_theory import CLAIMS as OF_THEORY
from frugalboost.reproduce.gamble.findings import Findings
from frugalboost.reproduce.judging import Claims

CRITERIA = (
    "Pages are counted from the title page. Words without numbers are taken thus: *almost the "
    "same*, *the same level* and *reasonably well* are within 0.01, *generally* is a sign test at "
    "5 %, *most* are more than half of the cases, *a lot more* is three times, *far better* at "
    "most half as many labels, *about* within a factor of two, *highly likely* in more than half "
    "of the cases. A statement that names an error is judged at this error, others at the lowest "
    "error of Batch in the same run, as the paper defines its targets. Labels are medians of runs, "
    "in which a run that never reaches the target is above all others; brackets say how many runs "
    "reached it."
)

CLAIMS = Claims[Findings]([*OF_THEORY, *OF_BOOSTING, *OF_LABELS, *OF_SPHERES])
