"""What the FilterBoost paper says of its figures 3 to 5, and how each claim is judged.

A judge returns what was measured and whether the claim holds, or None if its results are missing.
`CRITERIA` says how words without numbers are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frugalboost.reproduce.filterboost.along import ByRound, along, best, reason_of, verdict_of
from frugalboost.reproduce.filterboost.boosters import BATCH, BOOSTERS, FAMILIES, LEARNERS
from frugalboost.reproduce.filterboost.claims_classification import CLASSIFICATION
from frugalboost.reproduce.filterboost.claims_methods import METHODS
from frugalboost.reproduce.filterboost.findings import Findings, MeanCurve
from frugalboost.reproduce.filterboost.published import FIRST_TREE, LOGISTIC
from frugalboost.reproduce.judging import SAME, Claims, Verdict

CRITERIA = (
    "The plots of the paper are not to be had as numbers, so what its text says of them is judged. "
    "*Competitive* and *similar* are taken to be within 5 % of the log loss or 0.01 of the "
    "accuracy, *overfits* a log loss in the end of more than 5 % above its minimum, *much faster* "
    "twice as fast, *generally* and *most* more than half of the cases. The text does not say "
    "after how many rounds, so curves are compared after 10, 30, 100, 300 and 500 rounds, as far "
    "as all of them reach, and what is true after most of these holds."
)
CLOSE = 1.05
"""Log losses within this factor are as good as each other; beyond it, a booster has overfit."""
FILTERS = [key for key, booster in BOOSTERS.items() if booster.filters]
WHOLE = [key for key in BATCH if BOOSTERS[key].constant is None]
FEW = [key for key in BOOSTERS if BOOSTERS[key].constant is not None]

CLAIMS = Claims[Findings](METHODS)


def stumps_along(findings: Findings) -> ByRound:
    keys = ("filterboost", "filterboost-cr")
    if not findings.has("majority", "stumps", [*keys, *BATCH]):
        return None
    curves = findings.of("majority", "stumps")

    def measured(mark: int) -> tuple[str, bool]:
        losses = [curves[key].at("log_loss", mark) for key in keys]
        key, least = best(findings, "majority", "stumps", BATCH, "log_loss", mark)
        text = f"{losses[0]:.4f}, (C-R) {losses[1]:.4f}, {findings.labels[key]} {least:.4f}"
        return text, max(losses) <= CLOSE * least

    return along(list(curves.values()), measured)


@CLAIMS.add(
    "p. 7, figure 3",
    "both FilterBoost variants are competitive with batch algorithms when boosting decision stumps",
    lambda findings: reason_of(stumps_along(findings), "figure 3"),
)
def judge_stumps(findings: Findings) -> Verdict:
    return verdict_of(stumps_along(findings))


@CLAIMS.add(
    "p. 7, figure 3",
    "with decision trees, all algorithms except for FilterBoost overfit badly, including "
    "FilterBoost(C-R)",
)
def judge_overfitting(findings: Findings) -> Verdict:
    others = ["filterboost-cr", *BATCH]
    if not findings.has("majority", "trees", ["filterboost", *others]):
        return None
    curves = findings.of("majority", "trees")
    text = ", ".join(
        f"{findings.labels[key]} {curves[key].overfit:.2f}" for key in ["filterboost", *others]
    )
    holds = curves["filterboost"].overfit <= CLOSE < min(curves[key].overfit for key in others)
    return f"log loss in the end, of its minimum: {text}", holds


@CLAIMS.add(
    "p. 7, figure 3",
    "the same of FilterBoost (C-R) follows from its step of one: scaled to suit the examples that "
    "it is weighed on, it does not overfit (not in the paper)",
)
def judge_step_of_one(findings: Findings) -> Verdict:
    keys = ("filterboost-cr", "filterboost-scaled")
    if not findings.has("majority", "trees", keys):
        return None
    curves = findings.of("majority", "trees")
    unit, scaled = (curves[key].overfit for key in keys)
    text = f"log loss in the end, of its minimum: step one {unit:.2f}, scaled {scaled:.2f}"
    return text, scaled <= CLOSE < unit


def family_along(findings: Findings, learner: str, winner: str) -> ByRound:
    if not findings.has("majority", learner, BATCH):
        return None

    def measured(mark: int) -> tuple[str, bool]:
        least = {
            family: best(findings, "majority", learner, keys, "log_loss", mark)[1]
            for family, keys in FAMILIES.items()
        }
        text = f"AdaBoost {least['adaboost']:.4f}, AdaBoost-LOG {least['log']:.4f}"
        return text, least[winner] == min(least.values())

    curves = findings.of("majority", learner)
    return along([curves[key] for key in BATCH], measured)


@CLAIMS.add(
    "p. 7, figure 3",
    "AdaBoost was best with decision stumps",
    lambda findings: reason_of(family_along(findings, "stumps", "adaboost"), "figure 3"),
)
def judge_best_stumps(findings: Findings) -> Verdict:
    return verdict_of(family_along(findings, "stumps", "adaboost"))


@CLAIMS.add(
    "p. 7, figure 3",
    "AdaBoost-LOG was best with decision trees",
    lambda findings: reason_of(family_along(findings, "trees", "log"), "figure 3"),
)
def judge_best_trees(findings: Findings) -> Verdict:
    return verdict_of(family_along(findings, "trees", "log"))


@CLAIMS.add(
    "p. 7, section 3.1",
    f"batch logistic regression achieves log loss {LOGISTIC['log_loss']} and RMSE "
    f"{LOGISTIC['rmse']}",
)
def judge_baseline(findings: Findings) -> Verdict:
    if "majority" not in findings.logistic:
        return None
    ours = findings.logistic["majority"]
    text = f"log loss {ours['log_loss']:.4f}, RMSE {ours['rmse']:.4f}"
    return text, all(abs(ours[name] / paper - 1) < CLOSE - 1 for name, paper in LOGISTIC.items())


@CLAIMS.add("p. 7, section 3.1", "FilterBoost seems to be approaching these asymptotically")
def judge_approach(findings: Findings) -> Verdict:
    if (
        not findings.has("majority", "stumps", ["filterboost"])
        or "majority" not in findings.logistic
    ):
        return None
    curve, goal = (
        findings.curves["majority", "stumps", "filterboost"],
        findings.logistic["majority"],
    )
    last = curve.rounds[-1]
    marks = [max(1, last // 10), max(1, last // 2), last]
    gaps = {name: [curve.at(name, mark) - goal[name] for mark in marks] for name in LOGISTIC}
    text = "; ".join(
        f"{label} above it by " + ", ".join(f"{gap:.4f}" for gap in gaps[name])
        for name, label in (("log_loss", "log loss"), ("rmse", "RMSE"))
    )
    falls = all(first > second > third for first, second, third in gaps.values())
    return f"with stumps after {marks[0]}, {marks[1]}, {marks[2]} rounds: {text}", falls


@CLAIMS.add(
    "p. 7, section 3.1",
    "on Adult and Twonorm, FilterBoost generally outperforms the batch boosters, which tend to "
    "overfit when boosting decision trees",
)
def judge_others(findings: Findings) -> Verdict:
    pairs = list(both_sets(findings, BATCH))
    if not pairs:
        return None
    wins = sum(ours.count(theirs, lambda a, b: a < b, "log_loss") for _, _, ours, theirs in pairs)
    n = sum(len(ours.marks(theirs)) for _, _, ours, theirs in pairs)
    trees = [theirs.overfit for _, learner, _, theirs in pairs if learner == "trees"]
    overfit = sum(ratio > CLOSE for ratio in trees)
    text = (
        f"FilterBoost has the lower log loss in {wins} of {n} comparisons; "
        f"{overfit} of {len(trees)} batch boosters overfit with trees"
    )
    return text, 2 * wins > n and 2 * overfit > len(trees)


def both_sets(
    findings: Findings, keys: Sequence[str]
) -> Iterator[tuple[str, str, MeanCurve, MeanCurve]]:
    """FilterBoost beside each of others, on Twonorm and Adult."""
    for task in ("twonorm", "adult"):
        for learner in LEARNERS:
            if findings.has(task, learner, ["filterboost", *keys]):
                curves = findings.of(task, learner)
                for key in keys:
                    yield task, learner, curves["filterboost"], curves[key]


def adaboost_along(findings: Findings) -> ByRound:
    pairs = [pair for pair in both_sets(findings, ["adaboost"]) if pair[1] == "stumps"]
    if not pairs:
        return None

    def measured(mark: int) -> tuple[str, bool]:
        losses = [
            (task, theirs.at("log_loss", mark), ours.at("log_loss", mark))
            for task, _, ours, theirs in pairs
        ]
        text = ", ".join(f"{task} {theirs:.4f} against {ours:.4f}" for task, theirs, ours in losses)
        return text, all(theirs < ours for _, theirs, ours in losses)

    return along([curve for pair in pairs for curve in pair[2:]], measured)


@CLAIMS.add(
    "p. 7, section 3.1",
    "AdaBoost slightly outperforms FilterBoost on smaller datasets when boosting decision stumps",
    lambda findings: reason_of(adaboost_along(findings), "the tables of Twonorm and Adult"),
)
def judge_adaboost_stumps(findings: Findings) -> Verdict:
    return verdict_of(adaboost_along(findings))


def covtype_along(findings: Findings) -> ByRound:
    if not findings.has("covtype", "stumps", [*FILTERS, *BATCH]):
        return None

    def measured(mark: int) -> tuple[str, bool]:
        filters, batch = (
            best(findings, "covtype", "stumps", keys, "accuracy", mark)[1]
            for keys in (FILTERS, BATCH)
        )
        return f"filtering {filters:.4f}, batch {batch:.4f}", filters >= batch - SAME

    return along(list(findings.of("covtype", "stumps").values()), measured)


@CLAIMS.add(
    "p. 7, section 3.1",
    "Covertype: with decision stumps, the filtering boosters are competitive",
    lambda findings: reason_of(covtype_along(findings), "the table of Covtype"),
)
def judge_covtype_stumps(findings: Findings) -> Verdict:
    return verdict_of(covtype_along(findings))


@CLAIMS.add(
    "p. 7, section 3.1",
    "Covertype: only the non-resampling batch boosters achieve high accuracies with decision trees",
)
def judge_covtype_trees(findings: Findings) -> Verdict:
    if not findings.has("covtype", "trees", [*WHOLE, *FEW]):
        return None
    curves = findings.of("covtype", "trees")
    whole = min(curves[key].values["accuracy"].max() for key in WHOLE)
    few = max(curves[key].values["accuracy"].max() for key in FEW)
    text = f"lowest of the non-resampling batch boosters {whole:.4f}, best of the others {few:.4f}"
    return text, bool(whole > few)


@CLAIMS.add(
    "p. 7, section 3.1",
    "Covertype: the first decision tree trained on the entire training set achieves about 94 % "
    "accuracy, which is unachievable by any of the filtering or resampling batch boosters",
)
def judge_first_tree(findings: Findings) -> Verdict:
    if not findings.has("covtype", "trees", ["adaboost", *FEW]):
        return None
    curves = findings.of("covtype", "trees")
    first = curves["adaboost"].at("accuracy", 1)
    few = max(curves[key].values["accuracy"].max() for key in FEW)
    text = f"first tree {first:.4f}, best filtering or resampling booster in any round {few:.4f}"
    return text, bool(abs(first - FIRST_TREE) <= SAME and few < first)


@CLAIMS.add(
    "p. 7, section 3.1",
    "Covertype: to compete, the other boosters must use C_m on the order of 10^5",
)
def judge_more_examples(findings: Findings) -> Verdict:
    curves = findings.of("covtype", "trees")
    more = [key for key in curves if key not in BOOSTERS]
    if not more or "adaboost" not in curves:
        return None
    most = curves["adaboost"].values["accuracy"].max()
    texts = [f"{findings.labels[key]}: {curves[key].values['accuracy'].max():.4f}" for key in more]
    closes = all(curves[key].values["accuracy"].max() >= most - SAME for key in more)
    return f"{'; '.join(texts)}; AdaBoost {most:.4f}", bool(closes)


CLAIMS.extend(CLASSIFICATION)
