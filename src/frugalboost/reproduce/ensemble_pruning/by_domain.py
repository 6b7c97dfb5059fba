"""Claims on single domains: section 4, figures 4 to 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from frugalboost.reproduce.ensemble_pruning import causes, published
from frugalboost.reproduce.ensemble_pruning.conditions import (
    Cause,
    Test,
    as_reason,
    whens,
)
from frugalboost.reproduce.ensemble_pruning.findings import METHODS, Findings, Outcome, with_gain
from frugalboost.reproduce.ensemble_pruning.levels import BEST, NEAR, POOR, level, say
from frugalboost.reproduce.ensemble_pruning.published import (
    DOMAINS,
    ENOUGH,
    HULL_IS_BEST,
    PRUNED,
)
from frugalboost.reproduce.judging import Claim, Claims, Reason, Verdict

Measure = Callable[[Outcome], float]


@dataclass(frozen=True)
class DomainClaim:
    """Something is said of each of some domains.

    Attributes
    ----------
    names : list of str
    measure : callable
    is_as_said : callable
        From the name of a domain and what was measured.
    needed : list of str
        Domains without which the claim does not hold, even if they have no Gain.
    """

    names: Sequence[str]
    measure: Measure
    is_as_said: Callable[[str, float], bool]
    needed: Sequence[str] = ()

    def values(self, findings: Findings) -> dict[str, float]:
        """Of the domains with a Gain."""
        domains = with_gain(findings.main)
        return {name: self.measure(domains[name]) for name in domains if name in self.names}

    def judge(self, findings: Findings) -> Verdict:
        values = self.values(findings)
        return (say(values), not self.failing(findings)) if values else None

    def failing(self, findings: Findings) -> list[str]:
        values = self.values(findings)
        missing = [name for name in self.needed if name in findings.main and name not in values]
        return [
            *(name for name, value in values.items() if not self.is_as_said(name, value)),
            *missing,
        ]

    def is_true_of(self, name: str, findings: Findings) -> bool | None:
        value = self.values(findings).get(name)
        return None if value is None else self.is_as_said(name, value)

    def when(self, findings: Findings) -> str:
        """Under which conditions each domain is as the paper says."""
        tests: dict[str, Test] = {
            name: partial(self.is_true_of, name) for name in self.failing(findings)
        }
        return whens(tests, findings)


BY_DOMAIN = Claims[Findings]()


def add_claim(where: str, quote: str, claim: DomainClaim, *causes: Cause) -> None:
    def reason(findings: Findings) -> Reason:
        return as_reason(causes, claim.when(findings), findings)

    BY_DOMAIN.append(Claim(where, quote, claim.judge, reason))


def best_level(method: str) -> Measure:
    """Relative performance at the best level at which any member is pruned."""
    return lambda domain: max(level(domain, method, share) for share in PRUNED[:-1])


def worst_level(method: str) -> Measure:
    return lambda domain: min(level(domain, method, share) for share in PRUNED)


def at(method: str, share: float) -> Measure:
    return lambda domain: level(domain, method, share)


def lead_of_best(domain: Outcome) -> float:
    """Of the better of Kappa and Reduce-Error over the better of the others, at 60 % pruning."""
    best, poor = (max(level(domain, key, 0.6) for key in keys) for keys in (BEST, POOR))
    return best - poor


def lead_of_hull(domain: Outcome) -> float:
    line = domain.relative("hull")
    assert line is not None
    return float(line[0]) - max(domain.at_hull(key) for key in METHODS)


def improves(name: str, value: float) -> bool:
    return value > 1


def is_comparable(name: str, value: float) -> bool:
    return value >= ENOUGH


def suffers(name: str, value: float) -> bool:
    return value < ENOUGH


add_claim(
    "section 4",
    "KL-divergence and Early Stopping are behind on each individual domain as well (here: the lead "
    "of the better of Kappa and Reduce-Error at 60 % pruning)",
    DomainClaim(list(DOMAINS), lead_of_best, lambda name, lead: lead > 0),
    causes.kappa_keeps_bad_members,
    causes.first_are_best,
)
add_claim(
    "section 4, figure 4",
    "Reduce-Error pruning improves on AdaBoost for Chess, Glass, Expf and Auto",
    DomainClaim(published.REDUCE_ERROR_IMPROVES, best_level("reduce_error"), improves),
    causes.fewer_rows,
)
add_claim(
    "section 4, figure 4",
    "this suggests that AdaBoost is overfitting in these domains (here: fewer of the first trees "
    "err less)",
    DomainClaim(published.REDUCE_ERROR_IMPROVES, best_level("early_stopping"), improves),
)
add_claim(
    "section 4, figure 4",
    "for Chess, Glass, Expf, Iris and Waveform, 80 % pruning by Reduce-Error still gives "
    "performance comparable to AdaBoost",
    DomainClaim(published.REDUCE_ERROR_HOLDS, at("reduce_error", 0.8), is_comparable),
    causes.fewer_rows,
)
add_claim(
    "section 4, figure 4",
    "for Auto, Breast, Letter, Lympho and XD6, heavy pruning (here: 80 %) by Reduce-Error "
    "results in substantial decreases",
    DomainClaim(published.REDUCE_ERROR_SUFFERS, at("reduce_error", 0.8), suffers),
)
add_claim(
    "section 4, figure 4",
    "even 20 % pruning by Reduce-Error in the Breast domain hurts performance badly",
    DomainClaim(["breast"], at("reduce_error", 0.2), suffers),
)
add_claim(
    "section 4, figure 5",
    "Kappa pruning improves on AdaBoost for Breast, Chess, Expf, Glass, Iris, Lympho and Waveform",
    DomainClaim(published.KAPPA_IMPROVES, best_level("kappa"), improves),
    causes.kappa_keeps_bad_members,
)
add_claim(
    "section 4, figure 5",
    "the only data set that shows very bad behaviour with Kappa is Iris",
    DomainClaim(
        list(DOMAINS),
        worst_level("kappa"),
        lambda name, low: (low < 0) is (name == "iris"),
        needed=["iris"],
    ),
    causes.kappa_keeps_bad_members,
)
add_claim(
    "section 4, figure 5",
    "Chess, Expf, Glass, Iris and Waveform can all be pruned by 60 % with Kappa and still "
    "achieve a relative performance of 0.80",
    DomainClaim(published.KAPPA_HOLDS, at("kappa", 0.6), is_comparable),
    causes.kappa_keeps_bad_members,
)
add_claim(
    "section 4, figure 6",
    "Convex Hull is better than the other methods at its level for Auto, Breast, Glass, "
    "Waveform and XD6, equal or worse for the others (here: its lead)",
    DomainClaim(
        list(DOMAINS),
        lead_of_hull,
        lambda name, lead: lead > 0 if name in HULL_IS_BEST else lead <= NEAR,
    ),
)
add_claim(
    "section 5",
    "pruning by early stopping performs badly on every data set except Auto (here: at 60 %)",
    DomainClaim([name for name in DOMAINS if name != "auto"], at("early_stopping", 0.6), suffers),
    causes.first_are_best,
)
