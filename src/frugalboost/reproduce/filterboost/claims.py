"""What the text of the FilterBoost paper says of its plots, and how each claim is judged.

A judge returns what was measured and whether the claim holds, or None if its results are missing.
`CRITERIA` says how words without numbers are read.
"""

from __future__ import annotations

from collections.abc import Iterator

from frugalboost.reproduce.filterboost.boosters import BATCH, BOOSTERS, FAMILIES, LEARNERS
from frugalboost.reproduce.filterboost.findings import Findings, MeanCurve
from frugalboost.reproduce.filterboost.published import FIRST_TREE, LOGISTIC
from frugalboost.reproduce.judging import SAME, Claims, Verdict

CRITERIA = (
    "The plots of the paper are not to be had as numbers, so what its text says of them is judged. "
    "*Competitive* and *similar* are taken to be within 5 % of the log loss or 0.01 of the "
    "accuracy, *overfits* a log loss in the end of more than 5 % above its minimum, *much faster* "
    "twice as fast, *generally* and *most* more than half of the cases."
)
CLOSE = 1.05
"""Log losses within this factor are as good as each other; beyond it, a booster has overfit."""
FILTERS = [key for key, booster in BOOSTERS.items() if booster.filters]
WHOLE = [key for key in BATCH if BOOSTERS[key].constant is None]
FEW = [key for key in BOOSTERS if BOOSTERS[key].constant is not None]

CLAIMS = Claims[Findings]()


@CLAIMS.add(
    "figure 2",
    "filtering boosters run slower per round than batch boosters on small datasets but much "
    "faster on large ones",
)
def judge_times(findings: Findings) -> Verdict:
    sizes = sorted({n for n, _ in findings.times})
    keys = ("adaboost", "filterboost", "madaboost")
    if len(sizes) < 2 or any((n, key) not in findings.times for n in sizes for key in keys):
        return None
    ratios = [
        [
            round_seconds(findings, n, key) / round_seconds(findings, n, "adaboost")
            for key in keys[1:]
        ]
        for n in (sizes[0], sizes[-1])
    ]
    text = "; ".join(
        f"{n:,} examples: FilterBoost {filtered:.2f}, MadaBoost {mada:.2f} of AdaBoost's time"
        for n, (filtered, mada) in zip((sizes[0], sizes[-1]), ratios, strict=True)
    )
    return text, min(ratios[0]) > 1 and max(ratios[1]) < 0.5


def round_seconds(findings: Findings, n: int, key: str) -> float:
    return float(findings.times[n, key]["round_seconds"])


@CLAIMS.add("figure 2", "filtering boosters take longer on very small datasets in some cases")
def judge_small_sets(findings: Findings) -> Verdict:
    times = sorted(
        (n, found_["round_seconds"])
        for (n, key), found_ in findings.times.items()
        if key == "filterboost"
    )
    if len(times) < 2:
        return None
    text = ", ".join(f"{1000 * seconds:.2f} ms with {n:,}" for n, seconds in times)
    return f"FilterBoost's round: {text}", times[0][1] > min(seconds for _, seconds in times)


@CLAIMS.add(
    "figure 3",
    "both FilterBoost variants are competitive with batch algorithms when boosting decision stumps",
)
def judge_stumps(findings: Findings) -> Verdict:
    keys = ("filterboost", "filterboost-cr")
    if not findings.has("majority", "stumps", [*keys, *BATCH]):
        return None
    curves = findings.of("majority", "stumps")
    best = min(BATCH, key=lambda key: curves[key].end("log_loss"))
    ours = {key: curves[key].end("log_loss") for key in keys}
    text = ", ".join(f"{findings.labels[key]} {loss:.4f}" for key, loss in ours.items())
    least = curves[best].end("log_loss")
    return f"{text}; best batch: {findings.labels[best]} {least:.4f}", max(
        ours.values()
    ) <= CLOSE * least


@CLAIMS.add(
    "figure 3",
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
    "figure 3", "AdaBoost was best with decision stumps and AdaBoost-LOG with decision trees"
)
def judge_families(findings: Findings) -> Verdict:
    if not all(findings.has("majority", learner, BATCH) for learner in LEARNERS):
        return None
    least = {
        (learner, family): min(
            findings.curves["majority", learner, key].end("log_loss") for key in keys
        )
        for learner in LEARNERS
        for family, keys in FAMILIES.items()
    }
    text = "; ".join(
        f"{learner}: AdaBoost {least[learner, 'adaboost']:.4f}, "
        f"AdaBoost-LOG {least[learner, 'log']:.4f}"
        for learner in LEARNERS
    )
    holds = least["stumps", "adaboost"] < least["stumps", "log"]
    return text, holds and least["trees", "log"] < least["trees", "adaboost"]


@CLAIMS.add(
    "section 3.1",
    f"batch logistic regression achieves log loss {LOGISTIC['log_loss']} and RMSE "
    f"{LOGISTIC['rmse']}",
)
def judge_baseline(findings: Findings) -> Verdict:
    if "majority" not in findings.logistic:
        return None
    ours = findings.logistic["majority"]
    text = f"log loss {ours['log_loss']:.4f}, RMSE {ours['rmse']:.4f}"
    return text, all(abs(ours[name] / paper - 1) < CLOSE - 1 for name, paper in LOGISTIC.items())


@CLAIMS.add("section 3.1", "FilterBoost seems to be approaching these asymptotically")
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
    "section 3.1",
    "on Adult and Twonorm, FilterBoost generally outperforms the batch boosters, which tend to "
    "overfit when boosting decision trees",
)
def judge_others(findings: Findings) -> Verdict:
    pairs = list(both_sets(findings, BATCH))
    if not pairs:
        return None
    wins = sum(ours.end("log_loss") < theirs.end("log_loss") for _, _, ours, theirs in pairs)
    trees = [theirs.overfit for _, learner, _, theirs in pairs if learner == "trees"]
    overfit = sum(ratio > CLOSE for ratio in trees)
    text = (
        f"FilterBoost ends with the lower log loss in {wins} of {len(pairs)} comparisons; "
        f"{overfit} of {len(trees)} batch boosters overfit with trees"
    )
    return text, 2 * wins > len(pairs) and 2 * overfit > len(trees)


def both_sets(
    findings: Findings, keys: list[str]
) -> Iterator[tuple[str, str, MeanCurve, MeanCurve]]:
    """FilterBoost beside each of others, on Twonorm and Adult."""
    for task in ("twonorm", "adult"):
        for learner in LEARNERS:
            if findings.has(task, learner, ["filterboost", *keys]):
                curves = findings.of(task, learner)
                for key in keys:
                    yield task, learner, curves["filterboost"], curves[key]


@CLAIMS.add(
    "section 3.1",
    "AdaBoost slightly outperforms FilterBoost on smaller datasets when boosting decision stumps",
)
def judge_adaboost_stumps(findings: Findings) -> Verdict:
    pairs = [
        (task, ours.end("log_loss"), theirs.end("log_loss"))
        for task, learner, ours, theirs in both_sets(findings, ["adaboost"])
        if learner == "stumps"
    ]
    if not pairs:
        return None
    text = "; ".join(
        f"{task}: AdaBoost {theirs:.4f}, FilterBoost {ours:.4f}" for task, ours, theirs in pairs
    )
    return text, all(theirs < ours for _, ours, theirs in pairs)


@CLAIMS.add(
    "section 3.1", "Covertype: with decision stumps, the filtering boosters are competitive"
)
def judge_covtype_stumps(findings: Findings) -> Verdict:
    if not findings.has("covtype", "stumps", [*FILTERS, *BATCH]):
        return None
    curves = findings.of("covtype", "stumps")
    best = {
        name: max(curves[key].end("accuracy") for key in keys)
        for name, keys in (("filtering", FILTERS), ("batch", BATCH))
    }
    text = ", ".join(f"best {name} booster {value:.4f}" for name, value in best.items())
    return text, best["filtering"] >= best["batch"] - SAME


@CLAIMS.add(
    "section 3.1",
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
    "section 3.1",
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
    "section 3.1", "Covertype: to compete, the other boosters must use C_m on the order of 10^5"
)
def judge_more_examples(findings: Findings) -> Verdict:
    curves = findings.of("covtype", "trees")
    more = [key for key in curves if key not in BOOSTERS]
    if not more or "adaboost" not in curves:
        return None
    best = curves["adaboost"].values["accuracy"].max()
    texts = [f"{findings.labels[key]}: {curves[key].values['accuracy'].max():.4f}" for key in more]
    closes = all(curves[key].values["accuracy"].max() >= best - SAME for key in more)
    return f"{'; '.join(texts)}; AdaBoost {best:.4f}", bool(closes)


@CLAIMS.add("figure 4", "vanilla FilterBoost and MadaBoost perform similarly in classification")
def judge_mada(findings: Findings) -> Verdict:
    apart = {
        (task, learner): abs(
            curve.end("accuracy") - findings.curves[task, learner, "madaboost"].end("accuracy")
        )
        for (task, learner, key), curve in findings.curves.items()
        if key == "filterboost" and (task, learner, "madaboost") in findings.curves
    }
    if not apart:
        return None
    task, learner = most = max(apart, key=lambda name: apart[name])
    return f"most apart with {learner} on {task}: {apart[most]:.4f}", apart[most] <= SAME


@CLAIMS.add(
    "figure 4",
    "confidence-rated predictions allow FilterBoost to outperform MadaBoost when using "
    "decision stumps but sometimes cause FilterBoost to perform poorly with decision trees",
)
def judge_rated(findings: Findings) -> Verdict:
    keys = ("filterboost", "filterboost-cr", "madaboost")
    ends = {
        learner: [
            [findings.curves[task, learner, key].end("accuracy") for key in keys]
            for task in dict.fromkeys(task for task, _, _ in findings.curves)
            if findings.has(task, learner, keys)
        ]
        for learner in LEARNERS
    }
    if not all(ends.values()):
        return None
    wins = sum(rated > mada for _, rated, mada in ends["stumps"])
    fails = sum(rated < plain - SAME for plain, rated, _ in ends["trees"])
    n_stumps, n_trees = len(ends["stumps"]), len(ends["trees"])
    text = (
        f"stumps: above MadaBoost on {wins} of {n_stumps} data; "
        f"trees: more than {SAME} below FilterBoost on {fails} of {n_trees}"
    )
    return text, 2 * wins > n_stumps and fails > 0


@CLAIMS.add(
    "figure 5",
    "with decision stumps, all boosters achieve higher accuracies with the larger dataset, on "
    "which filtering algorithms are much more efficient",
)
def judge_larger_set(findings: Findings) -> Verdict:
    sizes = ("majority", "majority-large")
    keys = list(BOOSTERS)
    if not all(findings.has(task, "stumps", keys) for task in sizes):
        return None
    small, large = (findings.of(task, "stumps") for task in sizes)
    higher = sum(large[key].end("accuracy") > small[key].end("accuracy") for key in keys)
    pace = [
        large[key].end("seconds") / large[key].rounds[-1] for key in ("filterboost", "adaboost")
    ]
    text = (
        f"higher for {higher} of {len(keys)} boosters; a round of FilterBoost takes "
        f"{pace[0] / pace[1]:.2f} of AdaBoost's time there"
    )
    return text, higher == len(keys) and pace[0] < 0.5 * pace[1]


@CLAIMS.add(
    "figure 5",
    "Majority: the boosters all learn more slowly when using the overly complicated decision trees",
)
def judge_trees(findings: Findings) -> Verdict:
    drops = drops_with_trees(findings, "majority")
    if drops is None:
        return None
    slower = sum(drop > 0 for drop in drops.values())
    text = f"lower accuracy with trees for {slower} of {len(drops)} boosters"
    return text, slower == len(drops)


def drops_with_trees(findings: Findings, task: str) -> dict[str, float] | None:
    """By how much the accuracy is lower with trees than with stumps, after as many rounds."""
    keys = list(BOOSTERS)
    if not all(findings.has(task, learner, keys) for learner in LEARNERS):
        return None
    stumps, trees = (findings.of(task, learner) for learner in LEARNERS)
    last = {key: min(stumps[key].rounds[-1], trees[key].rounds[-1]) for key in keys}
    return {
        key: stumps[key].at("accuracy", last[key]) - trees[key].at("accuracy", last[key])
        for key in keys
    }


@CLAIMS.add(
    "figure 5",
    "this problem generally affects filtering boosters less than most batch variants, "
    "especially on larger datasets",
)
def judge_tree_drops(findings: Findings) -> Verdict:
    sizes = ("majority", "majority-large")
    drops = [each for task in sizes if (each := drops_with_trees(findings, task)) is not None]
    if len(drops) < len(sizes):
        return None
    less = [sum(each["filterboost"] < each[key] for key in BATCH) for each in drops]
    text = (
        f"FilterBoost loses less than {less[0]} of {len(BATCH)} batch boosters on the small set, "
        f"than {less[1]} on the large one"
    )
    return text, all(2 * count > len(BATCH) for count in less) and less[1] >= less[0]
