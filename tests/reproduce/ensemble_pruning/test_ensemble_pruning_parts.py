"""The parts of the ensemble pruning reproduction: splits, Gain, relative performance, judges."""

from __future__ import annotations

import numpy as np
import pytest
from pruning_results import findings_of, split

from frugalboost.reproduce.ensemble_pruning import published
from frugalboost.reproduce.ensemble_pruning.claims import CLAIMS
from frugalboost.reproduce.ensemble_pruning.domains import Domains, Place
from frugalboost.reproduce.ensemble_pruning.experiment import FULL, EnsemblePruning
from frugalboost.reproduce.ensemble_pruning.findings import (
    Findings,
    Outcome,
    mean_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_pruning.reasons import condition_sections, noise_sections
from frugalboost.reproduce.ensemble_pruning.variants import PAPER, VARIANTS
from frugalboost.reproduce.paper import Settings
from frugalboost.reproduce.sources import Sources
from small_data import write_glass


def verdict(words, findings):
    (judge,) = [claim.judge for claim in CLAIMS if words in claim.quote]
    return judge(findings)


def test_table_2_is_whole():
    assert len(published.DOMAINS) == 10
    assert sum(each.is_folded for each in published.DOMAINS.values()) == 7
    for name, each in published.DOMAINS.items():
        if each.is_folded:  # nine tenths train
            assert abs(each.n_train - 9 * each.n_test) <= 9, name
    assert EnsemblePruning.data == tuple(each.data for each in published.DOMAINS.values())
    assert FULL.most_rows is None
    assert published.HELD_OUT == 0.15
    assert VARIANTS[PAPER].resample


def test_ten_folds_hold_every_row_once(tmp_path):
    write_glass(tmp_path)
    domains = Domains(Sources(tmp_path))
    parts = [domains.split("glass", Place(0, i)) for i in range(10)]
    assert {len(each.y_train) + len(each.y_test) for each in parts} == {214}
    tested = np.concatenate([each.X_test for each in parts])
    rows = Sources(tmp_path)["glass"].X_train
    assert sorted(map(tuple, tested)) == sorted(map(tuple, rows))
    again = domains.split("glass", Place(1, 0))
    assert sorted(map(tuple, again.X_test)) != sorted(map(tuple, parts[0].X_test))
    assert set(np.concatenate([each.y_test for each in parts])) == set(range(6))


def test_generated_domains_have_the_papers_sizes(tmp_path):
    domains = Domains(Sources(tmp_path))
    assert domains.split("xd6", Place(2, 5)).shape == (180, 20, 10, 2)
    one, two = (domains.split("expf", Place(0, i)) for i in range(2))
    assert one.shape == two.shape == (1_000, 1_000, 2, 12)
    assert not set(map(tuple, one.X_train)) & set(map(tuple, [*two.X_train, *one.X_test]))


def test_a_larger_table_is_cut_to_the_papers_rows(tmp_path):
    random = np.random.default_rng(0)
    np.savez(tmp_path / "iris.npz", X=random.random((400, 4)), y=random.integers(0, 3, 400))
    np.savez(tmp_path / "waveform.npz", X=random.random((100, 21)), y=np.arange(100) % 3)
    domains = Domains(Sources(tmp_path))
    parts = [domains.split("iris", Place(0, i)) for i in range(10)]
    assert sum(len(each.y_test) for each in parts) == 150
    assert domains.split("waveform", Place(0, 0)).shape[:2] == (6, 94)  # 300 of 5000, of fewer
    assert Domains(Sources(tmp_path), 50).split("waveform", Place(0, 0)).shape[:2] == (3, 47)


def test_relative_performance_is_the_share_of_the_gain_that_is_left():
    outcome = Outcome([split(kappa=[0.0, 0.5, 1.0, 1.5, 1.0])])
    assert outcome.gain == pytest.approx(0.2)
    assert outcome.relative("kappa") == pytest.approx([0.0, 0.5, 1.0, 1.5, 1.0])
    assert outcome.relative("hull") == pytest.approx([1.0])
    assert outcome.hull_share == pytest.approx(0.7)
    assert outcome.at_hull("kappa") == pytest.approx(0.25)


def test_rows_count_once_whatever_the_size_of_their_fold():
    outcome = Outcome([split(whole=0.1, n_test=30), split(whole=0.5, n_test=10)])
    assert outcome.mean("whole") == pytest.approx(0.2)
    assert outcome.gain == pytest.approx(0.3)
    assert outcome.gain_noise == pytest.approx(np.std([0.4, 0.0], ddof=1) / np.sqrt(10))


@pytest.mark.parametrize("whole", [0.5, 0.6])
def test_without_a_gain_there_is_no_relative_performance(whole):
    findings = findings_of(iris=split(whole=whole), glass=split(kappa=[0.5] * 5))
    assert findings.main["iris"].relative("kappa") is None
    assert mean_relative(findings.main, "kappa") == pytest.approx([0.5] * 5)
    assert list(with_gain(findings.main)) == ["glass"]
    assert mean_relative(findings_of(iris=split(whole=whole)).main, "kappa") is None
    text, holds = verdict("Gain was always positive", findings)
    assert (text, holds) == ("positive in 1 of 2 domains, not in iris", False)


def test_a_gain_within_noise_is_not_sure():
    noisy = Outcome([split(whole=0.1), split(whole=0.8)])
    assert noisy.gain > 0
    assert not noisy.is_sure
    assert with_gain({"xd6": noisy}) == {"xd6": noisy}
    assert with_gain({"xd6": noisy}, only_sure=True) == {}
    assert not Outcome([split()]).is_sure  # one split tells nothing of the noise


def test_a_repeat_is_evaluated_by_itself():
    splits = {("xd6", "c45", 0): [split(whole=0.3)], ("xd6", "c45", 1): [split(whole=0.4)]}
    splits["letters", "c45", 0] = [split(whole=0.2)]
    findings = Findings(splits, None, 50)
    assert findings.main["xd6"].mean("whole") == pytest.approx(0.35)
    later = findings.outcomes(repeat=1)
    assert (later["xd6"].mean("whole"), later["letters"].mean("whole")) == (0.4, 0.2)
    assert findings.n_repeats == 2


def test_noise_is_the_range_over_repeats():
    low, high = (split(kappa=[value] * 5) for value in (0.5, 0.75))
    splits = {("xd6", "c45", repeat): [each] * 2 for repeat, each in enumerate((low, high))}
    (section,) = noise_sections(Findings(splits, None, 50))
    ranges, winners, gains = section.tables
    assert ["Kappa", *["0.50 to 0.75"] * 5] in ranges.rows
    assert ["Reduce-Error", 2, 2, 2, 2] in winners.rows
    assert gains.rows == [["xd6", "20.00", "20.00"]]
    assert noise_sections(findings_of(xd6=low)) == []


def test_variants_are_compared_on_the_same_domains():
    splits = {("xd6", "c45", 0): [split()] * 2, ("glass", "c45", 0): [split()] * 2}
    splits["glass", "unpruned", 0] = [split(whole=0.6)] * 2
    splits["xd6", "unpruned", 0] = [split(kl=[0.25] * 5)] * 2
    splits["xd6", "weighted", 0] = [split()] * 2  # not glass yet: it says nothing of all domains
    (section,) = condition_sections(Findings(splits, None, 50))
    assert section.text.endswith("Means are over xd6.")
    table = section.tables[1]
    assert table.title.startswith("Means with 60 % pruned")
    place = list(table.headings).index("KL divergence")
    assert {row[0]: row[place] for row in table.rows} == {
        VARIANTS[PAPER].title: "1.000",
        "Reduce-Error against its own ensemble": "1.000",
        "Reduce-Error with half of the test rows as its pruning set": "1.000",
        "Kappa with the better half of the members first": "1.000",
        VARIANTS["unpruned"].title: "0.250",
    }


def test_nothing_is_judged_before_it_is_run():
    assert [claim.judge(findings_of()) for claim in CLAIMS] == [None] * len(CLAIMS)


def diagram(kappa, error):
    return {"kappa": kappa, "error": error, "hull": [0], "hull_members": 1, "test_error": 0.1}


def test_judges_of_figure_1():
    wide, tight = diagram([0.1, 0.5], [0.1, 0.4]), diagram([0.8, 0.9], [0.1, 0.12])
    as_said = findings_of({"adaboost": wide, "bagging": tight})
    other = findings_of({"adaboost": tight, "bagging": wide})
    for words in ("tighter cluster", "more diverse set"):
        assert verdict(words, as_said)[1]
        assert not verdict(words, other)[1]


def at_60(value):
    return [0.1, value, 0.95, 0.99, 1.0]


@pytest.mark.parametrize(
    ("kappa", "stopped", "holds"), [(0.85, 0.7, True), (0.85, 0.9, False), (0.75, 0.7, False)]
)
def test_judge_of_60_percent(kappa, stopped, holds):
    findings = findings_of(
        glass=split(
            kappa=at_60(kappa),
            reduce_error=at_60(0.9),
            kl=at_60(0.6),
            early_stopping=at_60(stopped),
        )
    )
    for words in ("Kappa and Reduce-Error are best", "Gain is more than noise"):
        text, said = verdict(words, findings)
        assert said is holds
        assert f"Kappa {kappa:.3f}" in text
    assert verdict("behind on each individual", findings)[1] is (stopped < 0.9)
    assert verdict("early stopping performs badly", findings)[1] is (stopped < 0.8)


def test_judge_of_all_levels():
    ahead = {"kappa": [0.7, 0.8, 0.9, 1.0, 1.0], "reduce_error": [0.7, 0.8, 0.9, 1.0, 1.0]}
    behind = {"kl": [0.6, 0.7, 0.8, 0.9, 1.0], "early_stopping": [0.6, 0.7, 0.8, 0.9, 1.0]}
    words = "perform best at all levels"
    assert verdict(words, findings_of(xd6=split(**ahead, **behind)))[1]
    assert not verdict(words, findings_of(xd6=split(**ahead, kl=[0.6, 0.7, 0.95, 0.9, 1.0])))[1]


def test_judges_of_single_domains():
    good = [0.9, 1.1, 1.0, 1.0, 1.0]
    poor = [-0.1, 0.5, 0.6, 0.7, 1.0]
    findings = findings_of(
        glass=split(reduce_error=good, kappa=good),
        breast=split(reduce_error=poor, kappa=good),
        iris=split(reduce_error=good, kappa=poor),
    )
    assert verdict("Reduce-Error pruning improves", findings) == ("glass 1.10", True)
    assert verdict("80 % pruning by Reduce-Error still", findings) == (
        "glass 0.90, iris 0.90",
        True,
    )
    assert verdict("heavy pruning", findings) == ("breast -0.10", True)
    assert verdict("even 20 % pruning", findings) == ("breast 0.70", True)
    text, holds = verdict("Kappa pruning improves", findings)
    assert (text, holds) == ("glass 1.10, breast 1.10, iris 0.70", False)
    assert not verdict("can all be pruned by 60 %", findings)[1]
    assert verdict("very bad behaviour", findings) == (
        "glass 0.90, breast 0.90, iris -0.10",
        True,
    )
    assert verdict("radically pruned", findings)[1]


def test_judges_of_the_hull():
    line = [0.5, 0.7, 1.0, 1.0, 1.0]
    lines = dict.fromkeys(("kappa", "reduce_error", "kl", "early_stopping"), line)
    # 70 % pruned: the others have 0.6 there
    findings = findings_of(glass=split(hull=0.36, **lines), iris=split(hull=0.38, **lines))
    assert verdict("Convex Hull is better", findings)[1]
    text, holds = verdict("Convex Hull method is competitive", findings)
    assert (text, holds) == ("Convex hull 0.65, Reduce-Error 0.60, Kappa 0.60", True)
    worse = findings_of(glass=split(hull=0.4, **lines))
    assert not verdict("Convex Hull is better", worse)[1]
    assert not verdict("Convex Hull method is competitive", worse)[1]


def test_judges_of_suggestions_and_of_bagging():
    findings = findings_of(xd6=split(kappa=at_60(0.5), kappa_backfitting=at_60(0.6), auto=0.35))
    assert verdict("improve Kappa pruning by backfitting", findings)[1]
    text, holds = verdict("pruning set may determine", findings)
    assert (text, holds) == ("0.750 with 5.0 members, 1.000 at 60 %", False)
    assert verdict("typically out-performs bagging", findings)[1]
    assert verdict("usually the first", findings)[1]


def test_the_papers_rounds_are_the_most(tmp_path):
    settings = Settings(quick=True, rounds=80)
    assert EnsemblePruning(Sources(tmp_path), settings).rounds == 50
