"""Judges of figure 5 and table 2 of the GAMBLE paper: labels that a target error takes."""

from __future__ import annotations

import numpy as np

from frugalboost.reproduce import published_gamble as published
from frugalboost.reproduce.gamble_found import Found, Needed
from frugalboost.reproduce.judging import Verdict

LARGE = ("pendigits", "satimage", "splice")
SMALL = ("glass", "segmentation", "soybean")


def judge_pendigits(found: Found) -> Verdict:
    needed = found.needed("pendigits", "active")
    if needed is None:
        return None
    text = f"{say(needed)} labels, mean of {needed.n_runs} runs"
    return text, needed.n_missed == 0 and needed.mean <= 2 * 300


def judge_satimage(found: Found) -> Verdict:
    active, random = (found.needed("satimage", way) for way in ("active", "random"))
    if active is None or random is None:
        return None
    text = f"Active {say(active)}, Random {say(random)}: {random.mean / active.mean:.1f} times"
    return text, active.mean <= 2 * 220 and random.mean >= 6 * active.mean


def judge_further_gain(found: Found) -> Verdict:
    runs = found.labels.get(("satimage", "active"))
    if not runs:
        return None
    gain = float(np.mean([run.target - min(run.curve["error"]) for run in runs]))
    text = f"lowest error {100 * gain:.1f} points below the target, mean of {len(runs)} runs"
    return text, 0.01 <= gain <= 0.04


def judge_efficiency(found: Found) -> Verdict:
    pairs = {
        name: (active, random)
        for name in LARGE
        if (active := found.needed(name, "active")) and (random := found.needed(name, "random"))
    }
    if not pairs:
        return None
    texts = [f"{name} {say(active)} of {say(random)}" for name, (active, random) in pairs.items()]
    holds = all(active.mean <= random.mean / 2 for active, random in pairs.values())
    return f"{', '.join(texts)} labels", holds


def judge_small_sets(found: Found) -> Verdict:
    shares = {}
    for name in SMALL:
        needed, runs = found.needed(name, "active"), found.labels.get((name, "active"))
        if needed is not None and runs:
            shares[name] = needed.mean / runs[0].n_rows
    if not shares:
        return None
    text = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
    # The paper calls 64 to 81 % so.
    return text, all(share >= 0.6 for share in shares.values())


def judge_seconds(found: Found) -> Verdict:
    times = {
        name: (
            float(np.mean([run.seconds for run in runs])),
            float(np.mean([run.batch["seconds"] for run in runs])),
        )
        for name in LARGE
        if (runs := found.labels.get((name, "active")))
    }
    if not times:
        return None
    texts = [f"{name} {ours:.1f} and {batch:.1f} s" for name, (ours, batch) in times.items()]
    return f"Active and Batch: {', '.join(texts)}", all(a < b for a, b in times.values())


def judge_lowest(found: Found) -> Verdict:
    gains = {
        name: [run.target - min(run.curve["error"]) for run in runs]
        for name in published.SHAPES
        if (runs := found.labels.get((name, "active")))
    }
    if not gains:
        return None
    below = sum(float(np.mean(each)) > 0 for each in gains.values())
    return f"on {below} of {len(gains)} data sets", below > len(gains) / 2


def say(needed: Needed) -> str:
    """
    >>> say(Needed(574.6, 0, 10)), say(Needed(7494.0, 10, 10)), say(Needed(900.0, 2, 10))
    ('575', '7,494 (never)', '900 (never in 2 of 10 runs)')
    """
    count = f"{needed.mean:,.0f}"
    if not needed.n_missed:
        return count
    all_missed = needed.n_missed == needed.n_runs
    return (
        f"{count} (never{'' if all_missed else f' in {needed.n_missed} of {needed.n_runs} runs'})"
    )
