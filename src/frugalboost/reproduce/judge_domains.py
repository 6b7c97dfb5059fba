"""Judges of what the ensemble pruning paper says of single domains (figures 4 to 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frugalboost.reproduce.ensemble_found import METHODS, Found, Outcome, with_gain
from frugalboost.reproduce.judge_means import BEST, NEAR, POOR
from frugalboost.reproduce.judging import Verdict
from frugalboost.reproduce.published_ensemble_pruning import ENOUGH, HULL_IS_BEST, PRUNED


def level(domain: Outcome, method: str, share: float) -> float:
    """Relative performance of a domain with a gain."""
    line = domain.relative(method)
    assert line is not None
    return float(line[PRUNED.index(share)])


def chosen(found: Found, names: Sequence[str] | None) -> dict[str, Outcome]:
    """Domains with a gain among those of a statement; None: all."""
    domains = with_gain(found.main)
    return {n: each for n, each in domains.items() if names is None or n in names}


def say(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in values.items())


def judge_poor(found: Found) -> Verdict:
    """Both are behind the better of Kappa and Reduce-Error."""
    domains = with_gain(found.main)
    if not domains:
        return None
    behind = [
        name
        for name, each in domains.items()
        if max(level(each, key, 0.6) for key in POOR) < max(level(each, key, 0.6) for key in BEST)
    ]
    text = f"on {len(behind)} of {len(domains)} domains{': ' if behind else ''}{', '.join(behind)}"
    return text, len(behind) == len(domains)


def judge_improves(found: Found, method: str, names: Sequence[str]) -> Verdict:
    """The best level at which something goes is above 1."""
    values = {
        name: max(level(each, method, share) for share in PRUNED[:-1])
        for name, each in chosen(found, names).items()
    }
    return (say(values), min(values.values()) > 1) if values else None


def judge_enough(found: Found, method: str, names: Sequence[str], share: float) -> Verdict:
    values = {name: level(each, method, share) for name, each in chosen(found, names).items()}
    return (say(values), min(values.values()) >= ENOUGH) if values else None


def judge_suffers(
    found: Found, names: Sequence[str] | None, share: float, method: str = "reduce_error"
) -> Verdict:
    values = {name: level(each, method, share) for name, each in chosen(found, names).items()}
    values.pop("auto" if names is None else "", None)  # the exception of section 5
    return (say(values), max(values.values()) < ENOUGH) if values else None


def judge_very_bad(found: Found) -> Verdict:
    """Worse than C4.5 alone at some level."""
    domains = with_gain(found.main)
    if not domains:
        return None
    low = {
        name: min(level(each, "kappa", share) for share in PRUNED) for name, each in domains.items()
    }
    bad = {name: value for name, value in low.items() if value < 0}
    return f"below 0: {say(bad) or 'none'}", set(bad) == {"iris"}


def judge_hull(found: Found) -> Verdict:
    """Where it is ahead of all others, and where it is not."""
    domains = with_gain(found.main)
    if not domains:
        return None
    ahead = {}
    for name, each in domains.items():
        line = each.relative("hull")
        assert line is not None
        ahead[name] = float(line[0]) - max(each.at_hull(key) for key in METHODS)
    as_said = [
        name for name, lead in ahead.items() if (lead > 0 if name in HULL_IS_BEST else lead <= NEAR)
    ]
    text = f"ahead of the best of the others by {say(ahead)}: as said on {len(as_said)}"
    return text, len(as_said) == len(ahead)


def judge_radical(found: Found) -> Verdict:
    domains = with_gain(found.main)
    if not domains:
        return None
    best = {name: max(level(each, key, 0.8) for key in BEST) for name, each in domains.items()}
    return say(best), max(best.values()) >= ENOUGH
