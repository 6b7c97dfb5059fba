"""What the FilterBoost paper says of its method, before its figures 3 to 5, and the judges."""

from __future__ import annotations

from frugalboost.reproduce.filterboost.findings import JUDGED, Findings
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import SAME, Claims, Verdict

METHODS = Claims[Findings]()
ORDERS = 100.0
"""Several orders of magnitude: two at least."""


def asides(findings: Findings, start: str) -> dict[str, Result]:
    """Results by what follows `start` in their key."""
    found = findings.asides
    return {key.removeprefix(start): found[key] for key in found if key.startswith(start)}


@METHODS.add(
    "p. 1, section 1",
    "MadaBoost theoretically requires weak hypotheses' error rates to be monotonically "
    "increasing, an assumption we found to be violated often in practice",
)
def judge_monotone(findings: Findings) -> Verdict:
    found = asides(findings, "edges-")
    if not found:
        return None
    shares = {data: each["rises"] / max(1, each["rounds"] - 1) for data, each in found.items()}
    text = ", ".join(
        f"{data} in {found[data]['rises']} of {found[data]['rounds'] - 1} rounds" for data in shares
    )
    return f"the edge rises by more than two standard errors: {text}", min(shares.values()) >= 0.1


def proofs(findings: Findings, rule: str) -> dict[float, Result]:
    """Certified runs by target."""
    return {float(key): each for key, each in asides(findings, f"proof-{rule}-").items()}


@METHODS.add(
    "p. 4, theorems 2 to 5",
    "FilterBoost reaches any target error, in at most O(1 / (eps gamma^2)) rounds",
)
def judge_rounds(findings: Findings) -> Verdict:
    return judge_proofs(findings, "log")


def judge_proofs(findings: Findings, rule: str) -> Verdict:
    found = proofs(findings, rule)
    if not found:
        return None
    text = "; ".join(
        f"target {target}: error {each['error']:.4f} after {each['rounds']} of at most "
        f"{each['bound']:.0f} rounds"
        for target, each in sorted(found.items(), reverse=True)
    )
    return text, all(
        each["holds"] and each["error"] <= target and each["rounds"] <= each["bound"]
        for target, each in found.items()
    )


@METHODS.add(
    "p. 5, section 2.4",
    "both lead to similar bounds on the number of rounds T proportional to 1/eps",
)
def judge_mada_rounds(findings: Findings) -> Verdict:
    return judge_proofs(findings, "mada")


@METHODS.add(
    "p. 5, section 2.4",
    "boosting tandems turn FilterBoost into an adaptive booster with a bound on T proportional to "
    "log(1/eps)",
)
def judge_tandem_rounds(findings: Findings) -> Verdict:
    verdict, found = judge_proofs(findings, "tandem"), proofs(findings, "tandem")
    if verdict is None or len(found) < 2:
        return None
    most, least = max(found), min(found)
    growth = found[least]["bound"] / found[most]["bound"]
    text = (
        f"{verdict[0]}; from {most} to {least} the bound grows {growth:.1f} times, 1/eps "
        f"{most / least:.1f} times"
    )
    return text, verdict[1] and growth < most / least


@METHODS.add("p. 5, section 2.4", "boosting tandems result in more complicated final hypotheses")
def judge_tandem_size(findings: Findings) -> Verdict:
    plain, tandem = proofs(findings, "log"), proofs(findings, "tandem")
    both = sorted(set(plain) & set(tandem), reverse=True)
    if not both:
        return None
    text = "; ".join(
        f"target {target}: {tandem[target]['rounds']} trees instead of {plain[target]['rounds']}"
        for target in both
    )
    return text, all(tandem[target]["rounds"] > plain[target]["rounds"] for target in both)


@METHODS.add(
    "p. 6, section 2.4",
    "confidence-rated predictions: this aggressive weighting can result in faster learning",
)
def judge_faster(findings: Findings) -> Verdict:
    """For FilterBoost with stumps, in the first rounds."""
    gains = {
        task: findings.curves[task, "stumps", "filterboost"].at("log_loss", JUDGED[0])
        - findings.curves[task, "stumps", "filterboost-cr"].at("log_loss", JUDGED[0])
        for task in findings.tasks
        if findings.has(task, "stumps", ["filterboost", "filterboost-cr"])
    }
    if not gains:
        return None
    text = ", ".join(f"{task} {gain:+.4f}" for task, gain in gains.items())
    return (
        f"log loss lower with stumps after {JUDGED[0]} rounds by: {text}",
        2 * sum(gain > 0 for gain in gains.values()) > len(gains),
    )


@METHODS.add(
    "p. 6, section 3",
    "weighting instead of filtering examples increases accuracy but also increases the size of "
    "the training set passed to the weak learner",
    lambda findings: why_not_weighted(findings),
)
def judge_weighting(findings: Findings) -> Verdict:
    wins = weighted_wins(findings)
    if not wins:
        return None
    text = ", ".join(f"{name} after {n} of {of}" for name, (n, of) in wins.items())
    return (
        f"more accurate than filtering: {text} of the rounds judged by",
        all(2 * n > of for n, of in wins.values()),
    )


def weighted_wins(findings: Findings) -> dict[str, tuple[int, int]]:
    """By data and weak learner: after how many of the rounds judged by weighting is better."""
    keys = ("filterboost", "filterboost-weighted")
    wins = {}
    for task in findings.tasks:
        for learner in ("stumps", "trees"):
            if findings.has(task, learner, keys):
                filtered, weighted = (findings.curves[task, learner, key] for key in keys)
                n = weighted.count(filtered, lambda ours, theirs: ours > theirs, "accuracy")
                wins[f"{learner} on {task}"] = n, len(weighted.marks(filtered))
    return wins


def why_not_weighted(findings: Findings) -> tuple[str, str] | None:
    """Where it holds and where it does not."""
    wins = weighted_wins(findings)
    good = [name for name, (n, of) in wins.items() if 2 * n > of]
    if not good:
        return None
    return (
        f"it depends on the weak learner and the data: it holds for {', '.join(good)}",
        "the tables of Majority and Twonorm",
    )


TOLERANCE = 0.5
"""The library's default; the paper does not tell its own."""


def sampling(findings: Findings, tolerance: float) -> tuple[str, bool] | None:
    """How many times more examples adaptive sampling takes, and what that brings."""
    found = asides(findings, "sampling-")
    if not all(f"{rule}-{kind}" in found for rule in RULES for kind in (tolerance, "few")):
        return None
    texts, holds = [], []
    for rule, label in RULES.items():
        many, few = found[f"{rule}-{tolerance}"], found[f"{rule}-few"]
        ratio = many["edge_examples"] / few["edge_examples"]
        lost = many["accuracy"] - few["accuracy"]
        texts.append(f"{label}: {ratio:,.0f} times fewer, accuracy lower by {lost:.4f}")
        holds.append(ratio >= ORDERS and lost <= SAME)
    return "; ".join(texts), all(holds)


RULES = {"log": "FilterBoost", "mada": "MadaBoost"}


def why_not_orders(findings: Findings) -> tuple[str, str] | None:
    """The number of examples depends on the tolerance."""
    other = sampling(findings, 0.1)
    if other is None:
        return None
    start = "it depends on the tolerance tau of the estimates, which the paper does not tell"
    holds = "holds" if other[1] else "does not hold either"
    return f"{start}: with 0.1 instead of 0.5 it {holds}, {other[0]}", "this table"


@METHODS.add(
    "p. 6, section 3",
    "the NAS algorithm uses many examples, but using several orders of magnitude fewer sacrifices "
    "little accuracy; the same is true for MadaBoost",
    why_not_orders,
)
def judge_sampling(findings: Findings) -> Verdict:
    return sampling(findings, TOLERANCE)


@METHODS.add(
    "p. 6, section 3",
    "filtering boosters can achieve higher accuracy by cycling through training sets again "
    "instead of stopping once examples are depleted",
)
def judge_recycling(findings: Findings) -> Verdict:
    ends = {
        f"{learner} on {task}": tuple(
            findings.curves[task, learner, key].end("accuracy")
            for key in ("filterboost", "filterboost-once")
        )
        for task in findings.tasks
        for learner in ("stumps", "trees")
        if findings.has(task, learner, ["filterboost", "filterboost-once"])
    }
    if not ends:
        return None
    text = ", ".join(
        f"{name} {again:.4f} against {once:.4f}" for name, (again, once) in ends.items()
    )
    return f"accuracy at the end: {text}", all(again > once for again, once in ends.values())


@METHODS.add(
    "p. 6, figure 2",
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


@METHODS.add(
    "p. 6, section 3",
    "filtering boosters take longer on very small datasets in some cases, for the probability the "
    "filter accepts an example quickly shrinks",
)
def judge_small_sets(findings: Findings) -> Verdict:
    found = sorted((int(n), each) for n, each in asides(findings, "small-").items())
    if len(found) < 2:
        return None
    text = "; ".join(
        f"{n:,} examples: {1000 * each['round_seconds']:.1f} ms and {each['round_examples']:,.0f} "
        "examples drawn a round"
        for n, each in found
    )
    (_, small), (_, large) = found[0], found[-1]
    longer = all(small[name] > large[name] for name in ("round_seconds", "round_examples"))
    return f"FilterBoost with trees on Twonorm: {text}", longer
