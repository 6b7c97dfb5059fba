"""What can be measured: one function for each kind of task, from entrants to rows of a table."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from .assessments import assessments
from .contenders import YARDSTICK, Contender, Settings, share_wrong
from .data import Part
from .entrants import Entrant, Field, Row, progress, ratios
from .measure import peak_memory, timed
from .tasks import RATIO

MEGABYTE = 1e6
ONE_ROW_CALLS = 50


def those_in(values: dict[str, float], entrants: list[Entrant]) -> list[Entrant]:
    """The entrants that have a value; the others have failed and have a row that says so."""
    return [entrant for entrant in entrants if entrant.name in values]


def rows_with_ratio(
    entrants: list[Entrant], values: dict[str, float], heading: str, scale: float = 1.0
) -> list[Row]:
    compared = ratios(values)
    rows = []
    for entrant in those_in(values, entrants):
        figures = {heading: values[entrant.name] * scale}
        if entrant.name in compared:
            figures[RATIO] = compared[entrant.name]
        rows.append(Row(entrant.name, figures, "; ".join(entrant.notes)))
    return rows


def add_test_errors(run: Field, rows: list[Row], entrants: list[Entrant]) -> list[Row]:
    by_name = {entrant.name: entrant for entrant in entrants}
    for row in rows:
        entrant = by_name[row.contender]
        if (error := run.attempt(entrant.name, partial(test_error, entrant, run.test))) is not None:
            row.figures["test error"] = error
    return rows


def test_error(entrant: Entrant, test: Part) -> float:
    scores = entrant.contender.probabilities(entrant.train().result, test.X, entrant.settings)
    return share_wrong(scores, test.y)


def per_tree(run: Field, part: Part, rounds: int) -> list[Row]:
    """Training after the data set is built, divided by the trees."""
    entrants = run.enter(part, run.settings(rounds))
    (values,) = run.in_turns({each.name: each.seconds_per_round for each in entrants})
    rows = rows_with_ratio(entrants, values, "ms per tree", 1e3)
    return add_test_errors(run, rows, entrants) + run.rows


def whole_fit(run: Field, part: Part, rounds: int) -> list[Row]:
    """All rounds after the data set is built; fewer are scaled up."""
    entrants = run.enter(part, run.settings(rounds))
    (seconds,) = run.in_turns({each.name: each.seconds for each in entrants})
    values = {}
    for each in those_in(seconds, entrants):
        before = min(each.before, seconds[each.name])
        values[each.name] = before + (seconds[each.name] - before) * rounds / each.settings.rounds
        if each.settings.rounds < rounds:
            each.notes.append("scaled up")
    rows = rows_with_ratio(entrants, values, "seconds")
    return add_test_errors(run, rows, entrants) + run.rows


def to_error(run: Field, part: Part, rounds: int) -> list[Row]:
    """Building and training until the test error is reached.

    How many rounds that takes is found beforehand, for each of the contender's rates, and the
    rate that needs the fewest is timed: so each is at its best.
    """
    entrants = run.enter(part, run.settings(rounds), budget=run.options.limit / 2)  # two rates
    curves = {each.name: run_curves(run, part, each) for each in entrants}
    entrants = [each for each in entrants if curves[each.name]]
    target = run.target
    if target is None:
        if YARDSTICK not in curves or not curves[YARDSTICK]:
            raise LookupError(f"needs {YARDSTICK}, which sets the error")
        target = min(min(errors) for errors in curves[YARDSTICK].values())
    there = [each for each in entrants if arrive(run, each, curves[each.name], target)]
    (seconds,) = run.in_turns({each.name: each.build_and_train for each in there})
    rows = rows_with_ratio(there, seconds, "seconds")
    for row, each in zip(rows, those_in(seconds, there), strict=True):
        row.figures |= {"rounds": each.settings.rounds, "rate": each.settings.rate}
        row.figures["test error"] = curves[each.name][each.settings.rate][each.settings.rounds - 1]
    return rows + run.rows


def run_curves(run: Field, part: Part, entrant: Entrant) -> dict[float, list[float]]:
    """Test errors after each round, by rate."""
    contender, curves = entrant.contender, {}
    for rate in contender.rates:
        progress(f"  {entrant.name}: test errors with rate {rate:g}")
        settings = replace(entrant.settings, rate=rate)
        errors = partial(contender.test_errors, part, run.test, settings)
        found = run.attempt(contender.name, partial(timed, errors, settings.n_threads))
        if found is None:
            return {}
        curves[rate] = found.result
    return curves


def arrive(run: Field, entrant: Entrant, curves: dict[float, list[float]], target: float) -> bool:
    """Set the rounds and the rate that reach the target first; a row says when none does."""
    firsts = {}
    for rate, errors in curves.items():
        reached = [number for number, error in enumerate(errors, start=1) if error <= target]
        if reached:
            firsts[rate] = reached[0]
    if not firsts:
        best = min(min(errors) for errors in curves.values())
        notes = [*entrant.notes, f"{target:.4f} not reached"]
        run.rows.append(Row(entrant.name, {"test error": best}, "; ".join(notes)))
        return False
    rate = min(firsts, key=firsts.__getitem__)
    entrant.settings = replace(entrant.settings, rounds=firsts[rate], rate=rate)
    return True


def construction(run: Field, part: Part, rounds: int) -> list[Row]:
    """Building the data set alone."""
    settings = run.settings(rounds)
    actions = {}
    for contender in run.contenders:
        if not contender.builds_apart:
            run.rows.append(Row(contender.name, note="has no data set apart from training"))
            continue
        build = partial(contender.build, part, settings)
        if run.attempt(contender.name, build) is not None:
            actions[contender.name] = partial(seconds_of, build, settings.n_threads)
    (values,) = run.in_turns(actions)
    entrants = without_data(run.contenders, settings, part)
    return rows_with_ratio(entrants, values, "seconds") + run.rows


def without_data(contenders: list[Contender], settings: Settings, part: Part) -> list[Entrant]:
    return [Entrant(each, settings, part, None, each.remarks(part)) for each in contenders]


def seconds_of(action: Callable[[], Any], n_threads: int) -> float:
    return timed(action, n_threads).seconds


def prediction(run: Field, part: Part, rounds: int) -> list[Row]:
    """Probabilities of the test rows from their raw values."""
    return predict(run, part, rounds, run.table.test.X[:10_000], calls=1)


def one_row(run: Field, part: Part, rounds: int) -> list[Row]:
    """Probabilities of one row, mean of many calls."""
    return predict(run, part, rounds, run.table.test.X[:1], calls=ONE_ROW_CALLS)


def predict(run: Field, part: Part, rounds: int, X: Any, calls: int) -> list[Row]:
    actions = {}
    entrants = run.enter(part, run.settings(rounds), budget=run.options.limit)
    for each in entrants:
        if (action := run.attempt(each.name, partial(ready_to_predict, each, X))) is not None:
            actions[each.name] = partial(mean_seconds, action, calls, each.settings.n_threads)
    (values,) = run.in_turns(actions)
    rows = rows_with_ratio(entrants, values, "ms", 1e3)
    for row, each in zip(rows, those_in(values, entrants), strict=True):
        if each.settings.rounds < rounds:  # fewer trees: a time, but not one to compare
            row.figures.pop(RATIO, None)
    return rows + run.rows


def ready_to_predict(entrant: Entrant, X: Any) -> Callable[[], Any]:
    """Train; return the prediction, made once already: some libraries prepare in the first."""
    model = entrant.train().result
    action = partial(entrant.contender.probabilities, model, X, entrant.settings)
    action()
    return action


def mean_seconds(action: Callable[[], Any], calls: int, n_threads: int) -> float:
    def many() -> None:
        for _ in range(calls):
            action()

    return timed(many, n_threads).seconds / calls


def two_threads(run: Field, part: Part, rounds: int) -> list[Row]:
    """How much faster training is with two threads than with one."""
    entrants = run.enter(part, run.settings(rounds, n_threads=1))
    # A new data set, because some libraries keep the number of threads in it.
    others = build_others(run, entrants, part, n_threads=2)
    ones, twos = run.in_turns(
        {name: entrant.seconds_per_round for name, (entrant, _) in others.items()},
        {name: other.seconds_per_round for name, (_, other) in others.items()},
    )
    rows = []
    for each in those_in(ones, entrants):
        one, two = ones[each.name], twos[each.name]
        figures = {
            "ms per tree, one thread": one * 1e3,
            "two threads": two * 1e3,
            "speed-up": one / two,
        }
        rows.append(Row(each.name, figures, "; ".join(each.notes)))
    return rows + run.rows


def build_others(
    run: Field, entrants: list[Entrant], part: Part, n_threads: int | None = None
) -> dict[str, tuple[Entrant, Entrant]]:
    """Each entrant beside another one, with as many rounds, on other rows or threads."""
    pairs = {}
    for each in entrants:
        settings = run.settings(each.settings.rounds, n_threads)
        data = run.attempt(each.name, partial(each.contender.build, part, settings))
        if data is not None:
            pairs[each.name] = each, Entrant(each.contender, settings, part, data)
    return pairs


def memory(run: Field, part: Part, rounds: int) -> list[Row]:
    """Peak of building and training above the table itself, each in its own process."""
    binned = part.X.shape[0] * part.X.shape[1]  # a byte for each value
    values = {}
    with tempfile.TemporaryDirectory() as folder:
        for contender in run.contenders:
            progress(f"  {contender.name}: one fit in a process of its own")
            settings, limit = run.settings(rounds), run.options.patience
            fit = partial(peak_memory, contender, part, settings, Path(folder), limit)
            if (found := run.attempt(contender.name, fit)) is not None:
                values[contender.name] = float(found)
    entrants = without_data(run.contenders, run.settings(rounds), part)
    rows = rows_with_ratio(entrants, values, "MB above the table", 1 / MEGABYTE)
    for row in rows:
        row.figures["times the binned table"] = values[row.contender] / binned
    return rows + run.rows


def growth(run: Field, part: Part, rounds: int) -> list[Row]:
    """Time per tree on an eighth of the rows and on all of them."""
    n_rows = len(part.y)
    sizes = (n_rows // 8, n_rows)
    entrants = run.enter(part, run.settings(rounds))
    pairs = build_others(run, entrants, part.head(sizes[0]))
    larges, smalls = run.in_turns(
        {name: whole.seconds_per_round for name, (whole, _) in pairs.items()},
        {name: few.seconds_per_round for name, (_, few) in pairs.items()},
    )
    rows = []
    for each in those_in(larges, entrants):
        small, large = smalls[each.name], larges[each.name]
        figures = {
            f"ms per tree, {sizes[0]:,} rows": small * 1e3,
            f"{sizes[1]:,} rows": large * 1e3,
            "growth": large / small,
        }
        rows.append(Row(each.name, figures, "; ".join(each.notes)))
    return rows + run.rows


KINDS: dict[str, Callable[[Field, Part, int], list[Row]]] = {
    function.__name__: function
    for function in (
        per_tree,
        whole_fit,
        to_error,
        construction,
        prediction,
        one_row,
        two_threads,
        memory,
        growth,
        assessments,
    )
}
