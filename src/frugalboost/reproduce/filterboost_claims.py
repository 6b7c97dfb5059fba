"""What the text of the FilterBoost paper says of its plots, and who judges it by the results.

A judge returns what was measured and whether that bears the statement out, or None where something
it needs has not been run. `CRITERIA` says what is made of words without numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from frugalboost.reproduce import judge_classification as classification
from frugalboost.reproduce import judge_estimates as estimates
from frugalboost.reproduce.filterboost_found import Found
from frugalboost.reproduce.judging import Verdict
from frugalboost.reproduce.published_filterboost import LOGISTIC

Judge: TypeAlias = Callable[[Found], Verdict]

CRITERIA = (
    "The plots of the paper are not to be had as numbers, so what its text says of them is judged. "
    "*Competitive* and *similar* are taken to be within 5 % of the log loss or 0.01 of the "
    "accuracy, *overfits* a log loss in the end of more than 5 % above its minimum, *much faster* "
    "twice as fast, *generally* and *most* more than half of the cases."
)

CLAIMS: tuple[tuple[str, str, Judge], ...] = (
    (
        "figure 2",
        "filtering boosters run slower per round than batch boosters on small datasets but much "
        "faster on large ones",
        estimates.judge_times,
    ),
    (
        "figure 2",
        "filtering boosters take longer on very small datasets in some cases",
        estimates.judge_small_sets,
    ),
    (
        "figure 3",
        "both FilterBoost variants are competitive with batch algorithms when boosting decision "
        "stumps",
        estimates.judge_stumps,
    ),
    (
        "figure 3",
        "with decision trees, all algorithms except for FilterBoost overfit badly, including "
        "FilterBoost(C-R)",
        estimates.judge_overfitting,
    ),
    (
        "figure 3",
        "AdaBoost was best with decision stumps and AdaBoost-LOG with decision trees",
        estimates.judge_families,
    ),
    (
        "section 3.1",
        f"batch logistic regression achieves log loss {LOGISTIC['log_loss']} and RMSE "
        f"{LOGISTIC['rmse']}",
        estimates.judge_baseline,
    ),
    (
        "section 3.1",
        "FilterBoost seems to be approaching these asymptotically",
        estimates.judge_approach,
    ),
    (
        "section 3.1",
        "on Adult and Twonorm, FilterBoost generally outperforms the batch boosters, which tend to "
        "overfit when boosting decision trees",
        estimates.judge_others,
    ),
    (
        "section 3.1",
        "AdaBoost slightly outperforms FilterBoost on smaller datasets when boosting decision "
        "stumps",
        estimates.judge_adaboost_stumps,
    ),
    (
        "section 3.1",
        "Covertype: with decision stumps, the filtering boosters are competitive",
        classification.judge_covtype_stumps,
    ),
    (
        "section 3.1",
        "Covertype: only the non-resampling batch boosters achieve high accuracies with decision "
        "trees",
        classification.judge_covtype_trees,
    ),
    (
        "section 3.1",
        "Covertype: the first decision tree trained on the entire training set achieves about 94 % "
        "accuracy, which is unachievable by any of the filtering or resampling batch boosters",
        classification.judge_first_tree,
    ),
    (
        "section 3.1",
        "Covertype: to compete, the other boosters must use C_m on the order of 10^5",
        classification.judge_more_examples,
    ),
    (
        "figure 4",
        "vanilla FilterBoost and MadaBoost perform similarly in classification",
        classification.judge_mada,
    ),
    (
        "figure 4",
        "confidence-rated predictions allow FilterBoost to outperform MadaBoost when using "
        "decision stumps but sometimes cause FilterBoost to perform poorly with decision trees",
        classification.judge_rated,
    ),
    (
        "figure 5",
        "with decision stumps, all boosters achieve higher accuracies with the larger dataset, on "
        "which filtering algorithms are much more efficient",
        classification.judge_larger_set,
    ),
    (
        "figure 5",
        "Majority: the boosters all learn more slowly when using the overly complicated decision "
        "trees",
        classification.judge_trees,
    ),
    (
        "figure 5",
        "this problem generally affects filtering boosters less than most batch variants, "
        "especially on larger datasets",
        classification.judge_tree_drops,
    ),
)
"""Where it is said, what is said, and how it is judged."""
