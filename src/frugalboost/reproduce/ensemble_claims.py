"""What the text of the ensemble pruning paper says of its plots, and who judges it by the results.

A judge returns what was measured and whether that bears the statement out, or None where something
it needs has not been run. `CRITERIA` says what is made of words without numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from frugalboost.reproduce import judge_domains as domains
from frugalboost.reproduce import judge_means as means
from frugalboost.reproduce import published_ensemble_pruning as published
from frugalboost.reproduce.ensemble_found import Found
from frugalboost.reproduce.judging import Verdict

Judge: TypeAlias = Callable[[Found], Verdict]

CRITERIA = (
    "Words without numbers are taken thus: *competitive* and *equal* are at most 0.05 of relative "
    "performance below, *comparable* is at least 0.80, *substantial* and *badly* is below 0.80, "
    "*very bad* below 0 (worse than C4.5 alone), *improves* is above 1 at some level of pruning, "
    "*much tighter* at most half the standard deviation, *typically* and *usually* more than half "
    "of the cases. Means over domains are over those with a positive Gain. A statement on several "
    "domains holds if it holds on all of those that are here and have a positive Gain."
)

CLAIMS: tuple[tuple[str, str, Judge], ...] = (
    (
        "figure 1",
        "the classifiers produced by bagging form a much tighter cluster than with AdaBoost",
        means.judge_cluster,
    ),
    (
        "figure 1",
        "AdaBoost produces a more diverse set of classifiers, of lower accuracy",
        means.judge_diversity,
    ),
    ("section 3.4", "AdaBoost typically out-performs bagging", means.judge_bagging),
    (
        "section 3.5",
        "the classifier with the lowest error on the pruning set is usually the first",
        means.judge_first,
    ),
    ("section 4", "in all domains, the Gain was always positive", means.judge_gains),
    (
        "figure 3",
        "Reduce-Error and Kappa pruning perform best at all levels of pruning, on average; "
        "KL-divergence and Early Stopping do not perform very well at all",
        means.judge_best,
    ),
    (
        "figure 3",
        "at 60 % pruning, Kappa and Reduce-Error are best and above 0.80 (what the figure is held "
        "to; the text names no mean)",
        means.judge_level,
    ),
    (
        "figure 3",
        "the same, on the domains whose Gain is more than noise",
        partial(means.judge_level, only_sure=True),
    ),
    (
        "figure 3",
        "the Convex Hull method is competitive with these at its fixed level of pruning",
        means.judge_hull,
    ),
    (
        "section 4",
        "KL-divergence and Early Stopping are behind on each individual domain as well (here: at "
        "60 % pruning)",
        domains.judge_poor,
    ),
    (
        "figure 4",
        "Reduce-Error pruning improves on AdaBoost for Chess, Glass, Expf and Auto",
        partial(
            domains.judge_improves, method="reduce_error", names=published.REDUCE_ERROR_IMPROVES
        ),
    ),
    (
        "figure 4",
        "for Chess, Glass, Expf, Iris and Waveform, 80 % pruning by Reduce-Error still gives "
        "performance comparable to AdaBoost",
        partial(
            domains.judge_enough,
            method="reduce_error",
            names=published.REDUCE_ERROR_HOLDS,
            share=0.8,
        ),
    ),
    (
        "figure 4",
        "for Auto, Breast, Letter, Lympho and XD6, heavy pruning (here: 80 %) by Reduce-Error "
        "results in substantial decreases",
        partial(domains.judge_suffers, names=published.REDUCE_ERROR_SUFFERS, share=0.8),
    ),
    (
        "figure 4",
        "even 20 % pruning by Reduce-Error in the Breast domain hurts performance badly",
        partial(domains.judge_suffers, names=("breast",), share=0.2),
    ),
    (
        "figure 5",
        "Kappa pruning improves on AdaBoost for Breast, Chess, Expf, Glass, Iris, Lympho and "
        "Waveform",
        partial(domains.judge_improves, method="kappa", names=published.KAPPA_IMPROVES),
    ),
    (
        "figure 5",
        "Chess, Expf, Glass, Iris and Waveform can all be pruned by 60 % with Kappa and still "
        "achieve a relative performance of 0.80",
        partial(domains.judge_enough, method="kappa", names=published.KAPPA_HOLDS, share=0.6),
    ),
    (
        "figure 5",
        "the only data set that shows very bad behaviour with Kappa is Iris",
        domains.judge_very_bad,
    ),
    (
        "figure 6",
        "Convex Hull is better than the other methods at its level for Auto, Breast, Glass, "
        "Waveform and XD6, equal or worse for the others",
        domains.judge_hull,
    ),
    (
        "section 5",
        "the ensemble can be radically pruned (60-80 %) in some domains (here: 0.80 is left at "
        "80 % by Kappa or Reduce-Error)",
        domains.judge_radical,
    ),
    (
        "section 5",
        "pruning by early stopping performs badly on every data set except Auto (here: at 60 %)",
        partial(domains.judge_suffers, names=None, share=0.6, method="early_stopping"),
    ),
    (
        "section 5",
        "it may be possible to improve Kappa pruning by backfitting (here: at 60 %)",
        means.judge_backfitting,
    ),
    (
        "section 5",
        "the pruning set may determine the amount of pruning of Reduce-Error (here: no worse than "
        "60 % pruning)",
        means.judge_amount,
    ),
)
"""Where it is said, what is said, and how it is judged."""
