"""What the text of the ensemble pruning paper says of its plots, in the paper's order.

`CRITERIA` says how words without numbers are read.
"""

from __future__ import annotations

from frugalboost.reproduce.ensemble_pruning.by_domain import BY_DOMAIN
from frugalboost.reproduce.ensemble_pruning.conclusions import CONCLUSIONS
from frugalboost.reproduce.ensemble_pruning.findings import Findings
from frugalboost.reproduce.ensemble_pruning.overall import OVERALL
from frugalboost.reproduce.judging import Claims

CRITERIA = (
    "Words without numbers are taken thus: *competitive* and *equal* are at most 0.05 of relative "
    "performance below, *comparable*, *nearly the same* and *not seriously decreased* are at least "
    "0.80, *substantial* and *badly* is below 0.80, *very bad* below 0 (worse than C4.5 alone), "
    "*improves* is above 1 at some level of pruning, *much tighter* at most half the standard "
    "deviation, *typically*, *usually*, *majority* and *most* more than half of the cases, "
    "*several* at least three, *rarely* in at most 5 %, *smooth* that no level is more than 0.10 "
    "above the next one with less pruning. Means over domains are over those with a positive Gain. "
    "A statement on several domains holds if it holds on all of those that are here and have a "
    "positive Gain. The text at hand has no page numbers, so places are sections and figures."
)

CLAIMS = Claims[Findings]([*OVERALL, *BY_DOMAIN, *CONCLUSIONS])
