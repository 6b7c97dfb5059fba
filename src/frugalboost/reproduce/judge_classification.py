"""Judges of figures 4 and 5, and of Covertype: accuracies."""

from __future__ import annotations

from frugalboost.reproduce.boosters import BATCH, BOOSTERS, LEARNERS
from frugalboost.reproduce.filterboost_found import Found
from frugalboost.reproduce.judging import SAME, Verdict
from frugalboost.reproduce.published_filterboost import FIRST_TREE

FILTERS = [key for key, booster in BOOSTERS.items() if booster.filters]
WHOLE = [key for key in BATCH if BOOSTERS[key].constant is None]
FEW = [key for key in BOOSTERS if BOOSTERS[key].constant is not None]


def judge_covtype_stumps(found: Found) -> Verdict:
    if not found.has("covtype", "stumps", [*FILTERS, *BATCH]):
        return None
    curves = found.of("covtype", "stumps")
    best = {
        name: max(curves[key].end("accuracy") for key in keys)
        for name, keys in (("filtering", FILTERS), ("batch", BATCH))
    }
    text = ", ".join(f"best {name} booster {value:.4f}" for name, value in best.items())
    return text, best["filtering"] >= best["batch"] - SAME


def judge_covtype_trees(found: Found) -> Verdict:
    if not found.has("covtype", "trees", [*WHOLE, *FEW]):
        return None
    curves = found.of("covtype", "trees")
    whole = min(curves[key].values["accuracy"].max() for key in WHOLE)
    few = max(curves[key].values["accuracy"].max() for key in FEW)
    text = f"lowest of the non-resampling batch boosters {whole:.4f}, best of the others {few:.4f}"
    return text, bool(whole > few)


def judge_first_tree(found: Found) -> Verdict:
    if not found.has("covtype", "trees", ["adaboost", *FEW]):
        return None
    curves = found.of("covtype", "trees")
    first = curves["adaboost"].at("accuracy", 1)
    few = max(curves[key].values["accuracy"].max() for key in FEW)
    text = f"first tree {first:.4f}, best filtering or resampling booster in any round {few:.4f}"
    return text, bool(abs(first - FIRST_TREE) <= SAME and few < first)


def judge_more_examples(found: Found) -> Verdict:
    curves = found.of("covtype", "trees")
    more = [key for key in curves if key not in BOOSTERS]
    if not more or "adaboost" not in curves:
        return None
    best = curves["adaboost"].values["accuracy"].max()
    texts = [f"{found.labels[key]}: {curves[key].values['accuracy'].max():.4f}" for key in more]
    closes = all(curves[key].values["accuracy"].max() >= best - SAME for key in more)
    return f"{'; '.join(texts)}; AdaBoost {best:.4f}", bool(closes)


def judge_mada(found: Found) -> Verdict:
    apart = {
        (task, learner): abs(
            curve.end("accuracy") - found.curves[task, learner, "madaboost"].end("accuracy")
        )
        for (task, learner, key), curve in found.curves.items()
        if key == "filterboost" and (task, learner, "madaboost") in found.curves
    }
    if not apart:
        return None
    task, learner = most = max(apart, key=lambda name: apart[name])
    return f"most apart with {learner} on {task}: {apart[most]:.4f}", apart[most] <= SAME


def judge_rated(found: Found) -> Verdict:
    keys = ("filterboost", "filterboost-cr", "madaboost")
    ends = {
        learner: [
            [found.curves[task, learner, key].end("accuracy") for key in keys]
            for task in dict.fromkeys(task for task, _, _ in found.curves)
            if found.has(task, learner, keys)
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


def judge_larger_set(found: Found) -> Verdict:
    sizes = ("majority", "majority-large")
    keys = list(BOOSTERS)
    if not all(found.has(task, "stumps", keys) for task in sizes):
        return None
    small, large = (found.of(task, "stumps") for task in sizes)
    higher = sum(large[key].end("accuracy") > small[key].end("accuracy") for key in keys)
    pace = [
        large[key].end("seconds") / large[key].rounds[-1] for key in ("filterboost", "adaboost")
    ]
    text = (
        f"higher for {higher} of {len(keys)} boosters; a round of FilterBoost takes "
        f"{pace[0] / pace[1]:.2f} of AdaBoost's time there"
    )
    return text, higher == len(keys) and pace[0] < 0.5 * pace[1]


def judge_trees(found: Found) -> Verdict:
    drops = drops_with_trees(found, "majority")
    if drops is None:
        return None
    slower = sum(drop > 0 for drop in drops.values())
    text = f"lower accuracy with trees for {slower} of {len(drops)} boosters"
    return text, slower == len(drops)


def judge_tree_drops(found: Found) -> Verdict:
    sizes = ("majority", "majority-large")
    drops = [each for task in sizes if (each := drops_with_trees(found, task)) is not None]
    if len(drops) < len(sizes):
        return None
    less = [sum(each["filterboost"] < each[key] for key in BATCH) for each in drops]
    text = (
        f"FilterBoost loses less than {less[0]} of {len(BATCH)} batch boosters on the small set, "
        f"than {less[1]} on the large one"
    )
    return text, all(2 * count > len(BATCH) for count in less) and less[1] >= less[0]


def drops_with_trees(found: Found, task: str) -> dict[str, float] | None:
    """By how much the accuracy is lower with trees than with stumps, after as many rounds."""
    keys = list(BOOSTERS)
    if not all(found.has(task, learner, keys) for learner in LEARNERS):
        return None
    stumps, trees = (found.of(task, learner) for learner in LEARNERS)
    last = {key: min(stumps[key].rounds[-1], trees[key].rounds[-1]) for key in keys}
    return {
        key: stumps[key].at("accuracy", last[key]) - trees[key].at("accuracy", last[key])
        for key in keys
    }
