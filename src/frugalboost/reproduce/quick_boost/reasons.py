"""Why claims do not hold, each by an experiment that changes the supposed cause."""

from __future__ import annotations

from collections.abc import Iterable

from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import Reason
from frugalboost.reproduce.quick_boost import published
from frugalboost.reproduce.quick_boost.findings import (
    Findings,
    at_share,
    error_at,
    price,
    probability_at_knee,
    rows_of_90_percent,
    speedup,
    speedup_at,
    sweep_of,
    weight_of_tenth,
)
from frugalboost.reproduce.text import count, percent

CODES = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Figure 4: what a code may cost beside an assessment."""


def why_not_faster(findings: Findings) -> Reason:
    """The factor along each curve, and by depth: it takes many trees, and shallow ones."""
    curves = {data: findings.curves.get((data, "none")) for data in findings.data}
    lines = [f"{data} {growth(curve)}" for data, curve in curves.items() if curve is not None]
    if not lines:
        return None
    text = "the weight gathers in few rows only after many trees, and pruning lives on that"
    text = f"{text}; factors of all trees so far: {'; '.join(lines)}"
    deeper = [f"{factor_of_run(swept)} at depth {d}" for d, swept in findings.sweeps.items()]
    if len(deeper) < 2:
        return text, "figure 5, by trees"
    text = f"{text}. Deeper nodes gain less; on faces, in the longest run of each depth"
    return f"{text}: {', '.join(deeper)}", "figure 5, by trees; figure 4, by run"


def why_errors_fall_slowly(findings: Findings) -> Reason:
    """What ten times as many trees do to the error: more is not to be had by saving."""
    lines = []
    for data in findings.data:
        curve = findings.curves.get((data, "none"))
        if curve is not None:
            n = curve["n_trees"]
            few, all_ = (error_at(curve, each) for each in (max(1, n // 10), n))
            factor = f", by {few / all_:.2f}" if all_ else ""
            lines.append(f"{data} from {few:.5f} to {all_:.5f}{factor}")
    text = "the error falls slowly with the number of trees; by ten times as many it falls"
    return (f"{text}: {'; '.join(lines)}", "figure 5") if lines else None


def factor_of_run(swept: Result) -> str:
    """Of the run with the most trees, with the paper's schedule, by assessments."""
    run = sweep_of(swept, max(swept["runs"], key=int), code=0.0)
    return f"{1 / price(run, published.BEST_SCHEDULE):.1f}"


def growth(curve: Result) -> str:
    n = curve["n_trees"]
    marks = [mark for mark in (20, 200, 1000) if mark < n] + [n]
    factors = (f"{speedup_at(curve, mark, bounds=False):.1f} after {mark:,}" for mark in marks)
    return ", ".join(factors)


def why_bounds_are_dear(findings: Findings) -> Reason:
    """The same rounds with other numbers of subsets."""
    stumps = findings.sweeps.get(1)
    if stumps is None:
        return None
    length = max(stumps["runs"], key=int)
    run, at = stumps["runs"][length], stumps["masses"].index(published.BEST_SCHEDULE[0])
    lines = (
        f"{codes / assessments:.2f} with {n}"
        for n, codes, assessments in zip(
            stumps["steps"], run["scans"][at], run["assessments"][at], strict=True
        )
    )
    text = (
        "a bound goes through as many codes for a few rows as for all, and few rows are left to "
        f"look at; codes for each assessment in {int(length):,} stumps, by subsets after the first"
    )
    return f"{text}: {', '.join(lines)}", "figure 4, by subsets"


def why_bins_do_not_matter(findings: Findings) -> Reason:
    """How far chance alone moves the error."""
    if not findings.seeds:
        return None
    areas = sorted(each["test_area"] for each in findings.seeds.values())
    text = (
        f"other draws of LazyBoost 90 % alone move the error from {areas[0]:.5f} to {areas[-1]:.5f}"
    )
    return f"the differences are small: {text}", "other draws and more trimming"


def why_not_few_samples(findings: Findings) -> Reason:
    """The first rounds, and all."""
    lines = (
        f"{name} {percent(weight_of_tenth(mass, 'early_mass'))} and "
        f"{percent(weight_of_tenth(mass, 'mass'))}"
        for name, mass in findings.masses.items()
    )
    text = "it takes rounds and depends on the rule; in the first rounds and in all"
    return f"{text}: {', '.join(lines)}", "figure 1"


def why_not_misled(findings: Findings) -> Reason:
    """By stage of boosting."""
    if findings.looks is None:
        return None
    stages = findings.looks["stages"].items()
    lines = (f"rounds {name} {percent(stage['misled'])}" for name, stage in stages)
    return f"by stage, the worst ends behind: {', '.join(lines)} of the features", "figure 2"


def why_more_rows(findings: Findings) -> Reason:
    mass = findings.masses["adaboost"]
    text = (
        f"the weight gathers slowly: 90 % are on {percent(mass['rows'][0])} of the rows in round "
        f"{mass['rounds'][0]}, on {percent(mass['rows'][-1])} in round {mass['rounds'][-1]:,}"
    )
    return text, "figure 1"


def why_residuals_spread(findings: Findings) -> Reason:
    """The paper does not say what L2Boost's weights are; another reading of them."""
    squared = findings.masses.get("l2-squared")
    if squared is None:
        return None
    text = (
        "L2Boost has no weights, and the paper does not say what it takes for them. Residuals "
        "stand for them here; of their squares, 90 % are on "
        f"{percent(rows_of_90_percent(squared))} of the rows"
    )
    return text, "figure 1"


def why_not_near(findings: Findings) -> Reason:
    """How close the best features are, and what as much weight of other rows tells."""
    if findings.looks is None:
        return None
    shares, stages = findings.looks["shares"], findings.looks["stages"]
    share, k, _ = published.KNEE
    at = at_share(shares, share)
    text = "; ".join(
        f"rounds {name}: {percent(stage['lead'])} of the weight, on {percent(stage['rows'][at])} "
        f"of the rows {percent(probability_at_knee(shares, stage, k))} of the time, on rows drawn "
        f"at random {percent(stage['random'])}"
        for name, stage in stages.items()
    )
    return (
        "the ten best features are close together, and the heaviest rows are unlike the others. By "
        "how much the best one is ahead of the tenth, and how often it is among the ten by 75 % of "
        f"the weight: {text}",
        "figure 3",
    )


def why_faulty_is_no_worse(findings: Findings) -> Reason:
    """The training loss, and the test error while it follows the training loss."""
    exact, faulty = findings.curves.get(("faces", "none")), list(findings.faulty.values())
    if exact is None or not faulty:
        return None
    losses = exact["train_loss"][-1], min(each["train_loss"][-1] for each in faulty)
    early, late = ([error_at(exact, n), least_error(faulty, n)] for n in (20, exact["n_trees"]))
    if losses[0] >= losses[1] or early[0] >= early[1]:
        return None
    marks = [n for n in (20, 200, 1000) if n < exact["n_trees"]]
    lines = [
        f"{error_at(exact, n):.5f} and {least_error(faulty, n):.5f} after {n:,}" for n in marks
    ]
    return (
        "the training loss is poorer, and so are early errors; later the loss goes on falling "
        "where the error does not. Exact training and the best of the faulty ones: training loss "
        f"{count(losses[0])} and {count(losses[1])}; test error {', '.join(lines)}, "
        f"{late[0]:.5f} and {late[1]:.5f} after all",
        "faulty training",
    )


def least_error(curves: Iterable[Result], n_trees: int) -> float:
    return min(error_at(curve, n_trees) for curve in curves)


def why_not_best_schedule(findings: Findings) -> Reason:
    """The best schedule depends on what a code costs and on how many trees there are."""
    by_code = [(code, findings.sweep(code)) for code in CODES]
    prices = [f"{schedule(sweep.best)} at {code:g}" for code, sweep in by_code if sweep is not None]
    if not prices:
        return None
    text = (
        "it depends on what a code costs beside an assessment and on the number of trees: best are "
        f"{', '.join(prices)}; at 1, {', '.join(best_by_length(findings))}"
    )
    return text, "figure 4, by cost of a code and by run"


def schedule(best: tuple[float, int]) -> str:
    """
    >>> schedule((0.9, 20))
    '(0.9, 20)'
    """
    return f"({best[0]:g}, {best[1]})"


def best_by_length(findings: Findings) -> Iterable[str]:
    """Of stumps."""
    stumps = findings.sweeps.get(1)
    if stumps is not None:
        for length in stumps["runs"]:
            sweep = sweep_of(stumps, length, code=1.0)
            more = price(sweep, published.BEST_SCHEDULE) / price(sweep, sweep.best) - 1
            yield (
                f"{schedule(sweep.best)} for {int(length):,} stumps, where the paper's costs "
                f"{percent(more)} more"
            )


def why_not_least(findings: Findings) -> Reason:
    """Other draws of the features: how far chance moves what LazyBoost comes to."""
    plain = findings.curves.get(("faces", "none"))
    if not findings.seeds or plain is None:
        return None
    losses = sorted(each["train_loss"] for each in findings.seeds.values())
    areas = sorted(each["test_area"] for each in findings.seeds.values())
    text = (
        f"greedy choices do not add up to the best sum, and chance decides: {len(losses)} other "
        f"draws of LazyBoost 90 % on faces end at losses from {count(losses[0])} to "
        f"{count(losses[-1])} and test errors from {areas[0]:.5f} to {areas[-1]:.5f}, beside "
        f"{count(plain['train_loss'][-1])} and {plain['test_area'][-1]:.5f} without"
    )
    return text, "other draws and more trimming"


def why_trims_gain(findings: Findings) -> Reason:
    """What is trimmed is what pruning would have left out: the less, the more there is to gain."""
    lines = [
        f"{data} {gain_of(findings, data, 'none')} without trimming, "
        f"{gain_of(findings, data, 'trim 0.99')} with 99 %, {gain_of(findings, data, 'trim 0.9')} "
        "with 90 %"
        for data in findings.data
        if {"none", "trim 0.99", "trim 0.9"} <= set(findings.of(data))
    ]
    text = "90 % of the trimmed weight are fewer rows still, so something is left to gain"
    return (f"{text}; factors: {'; '.join(lines)}", "figure 5") if lines else None


def gain_of(findings: Findings, data: str, heuristic: str) -> str:
    return f"{speedup(findings.of(data)[heuristic], bounds=False):.2f}"


def why_trims_are_good(findings: Findings) -> Reason:
    """Trimming as little as the paper does leaves what matters; more of it does not."""
    plain = findings.curves.get(("faces", "none"))
    if not findings.trims or plain is None:
        return None
    lines = (f"{each['test_area']:.5f} at {percent(s)}" for s, each in findings.trims.items())
    text = (
        "so little is trimmed that nothing is lost; test errors on faces with more trimming: "
        f"{', '.join(lines)}, beside {plain['test_area'][-1]:.5f} without"
    )
    return text, "other draws and more trimming"
